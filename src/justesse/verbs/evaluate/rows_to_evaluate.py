"""Count the rows to evaluate, or take the table of counts that was given."""

from collections.abc import Mapping
from typing import Any

from justesse.core.answer_policy import judged_by
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS
from justesse.core.tally import Tally
from justesse.frames.columns import Roles
from justesse.frames.count import Counted, counted

KEPT = ("by", "true", "policy")  # options that also apply to rows already counted


def rows_to_evaluate(data: Any, options: Mapping[str, Any]) -> Counted:
    """Count the rows of any kind of data by label and prediction."""
    if not isinstance(data, Tally):
        return counted(data, **options)
    in_use = [name for name, value in options.items() if name not in KEPT and value not in (None, False, ())]
    if in_use:
        raise InputError(f"A Tally is already counted, so {in_use[0]} has no effect. Use it when you count the rows.")
    by = options["by"]
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    for axis in ("label", "prediction", *slices):
        data.axis(axis)
    if not data.n:
        raise InputError("The tally has no rows to evaluate. Count at least one.")
    tally, gaps = judged_by(data, options["policy"])
    true, cluster = (axis if axis in data.axes else None for axis in ("true", CLUSTERS))
    return Counted(tally, Roles("label", "prediction", true, by=slices, cluster=cluster), gaps)
