"""`justesse noise …` with all its parts."""

from justesse.cli import noise_measures
from justesse.cli.noise_app import app
from justesse.cli.noise_inject import inject
from justesse.cli.noise_resist import resist

app.command(inject)
app.command(resist)

__all__ = ["app", "noise_measures"]
