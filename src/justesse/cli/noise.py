"""`justesse noise …`: the parts that hang on it are imported for that alone."""

from justesse.cli import noise_measures
from justesse.cli.noise_app import app

__all__ = ["app", "noise_measures"]
