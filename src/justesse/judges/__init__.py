"""Judges: rules that decide whether a candidate should replace the incumbent. One judge per file.

`tournament.py` measures how often a judge errs. The `audit_*.py` files choose the questions of an audit and decide
when it stops.
"""

from collections.abc import Callable

from justesse.core.verdict import Verdict
from justesse.judges.audited import audited
from justesse.judges.classical import classical
from justesse.judges.cleaned import cleaned
from justesse.judges.paired import paired
from justesse.judges.prudent_v1 import prudent_v1
from justesse.judges.prudent_v2 import prudent_v2
from justesse.judges.reference import reference
from justesse.judges.sharp import sharp

# `audited` asks for answers one by one, about accuracy alone: what holds for all judges does not hold for it
ALL: dict[str, Callable[..., Verdict]] = {
    "paired": paired,
    "classical": classical,
    "prudent_v1": prudent_v1,
    "prudent_v2": prudent_v2,
    "sharp": sharp,
    "cleaned": cleaned,
    "reference": reference,
}

__all__ = ["ALL", "audited", "classical", "cleaned", "paired", "prudent_v1", "prudent_v2", "reference", "sharp"]
