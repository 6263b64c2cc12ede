"""Count the rows to evaluate, or take the table of counts that was given."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import judged_by
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS
from justesse.core.tally import Tally
from justesse.frames.columns import Roles
from justesse.frames.count import Counted, counted

if TYPE_CHECKING:
    from justesse.frames.asked_scores import AskedScores

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


def counted_with_scores(data: Any, options: Mapping[str, Any], scores: "AskedScores | None") -> Counted:
    """Count the rows, or take what the scores predict if there is no column of predictions."""
    if scores is None:
        return rows_to_evaluate(data, options)
    rows = rows_to_evaluate(data, options) if scores.counted is None else scores.counted
    if scores.rows.n != rows.tally.n:
        raise InputError(
            f"{scores.rows.n:,} rows have a score, but {rows.tally.n:,} have a label and a prediction. "
            "Leave out the rows with gaps first, so that all figures are for the same rows."
        )
    return rows


def either(value: Any, other: Any, name: str, alias: str) -> Any:
    """Return the one that was passed, of two arguments with the same meaning."""
    if value is not None and other is not None:
        raise InputError(f"{name} and {alias} mean the same. Use one of them.")
    return other if value is None else value
