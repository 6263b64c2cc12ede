"""Judges: should the candidate replace the incumbent? One per file, all with the same signature."""

from collections.abc import Callable

from justesse.core.verdict import Verdict
from justesse.judges.classical import classical
from justesse.judges.paired import paired
from justesse.judges.reference import reference

ALL: dict[str, Callable[..., Verdict]] = {"paired": paired, "classical": classical, "reference": reference}

__all__ = ["ALL", "classical", "paired", "reference"]
