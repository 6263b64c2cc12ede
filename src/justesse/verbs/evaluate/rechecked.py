"""Rows of the data that were re-checked: counted by label, prediction and true class."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import InputError, OptionError
from justesse.core.recording import remembered
from justesse.core.tally import Tally
from justesse.frames.count import Counted

if TYPE_CHECKING:
    from justesse.frames.asked_scores import AskedScores
    from justesse.frames.drawn_sample import DrawnSample


@dataclass(frozen=True)
class RecheckedRows:
    """The counts of re-checked rows, and how they were drawn; both None if there are none."""

    sample: Any = None
    drawn: "DrawnSample | None" = None


def rechecked_rows(
    data: Any,
    audited: Any,
    rows: Counted,
    scores: "AskedScores | None",
    *,
    on: str | None,
    policy: AnswerPolicy,
    as_text: bool,
) -> RecheckedRows:
    """Find the re-checked rows in the data by their id, and count them.

    Parameters
    ----------
    data, rows
        The data, and its rows counted by label and prediction.
    audited
        Table of re-checked rows; None if there are none.
    scores
        Scores that were read; they may stand in for predictions.
    on
        Column with the id.
    policy
        What happens to rows without a label or prediction.
    as_text
        Whether all classes are read as text.
    """
    if audited is None:
        if on is not None:
            raise OptionError("on names the id of re-checked rows. Pass them with audited=… (--audited).")
        return RecheckedRows()
    if data is None or isinstance(data, Tally):
        raise InputError("Re-checked rows are joined to the data by their id. Pass the data as a path or a frame.")
    if scores and scores.counted:
        raise InputError(
            "Re-checked rows are counted by their predicted class. Add a column with it next to the "
            "scores, and name it with prediction=… (--prediction)."
        )
    from justesse.frames.audited import count_audited
    from justesse.frames.drawn_sample import drawn_sample
    from justesse.frames.joined import to_join

    drawn = remembered("drawn", drawn_sample, audited)
    axes = {"label": rows.roles.label, "prediction": rows.roles.prediction}
    reading: dict[str, Any] = {"policy": policy, "as_text": as_text, "drawn": drawn}
    sample = remembered("sample", lambda: count_audited(to_join(data), axes, audited, on=on, **reading))
    return RecheckedRows(sample, drawn)
