"""The options of `lifelong penalise`."""

from justesse.core.choices import PenaltyScore
from justesse.core.option_group import option_group


@option_group
class PenaltyOptions:
    """How the items of a table are scored.

    Parameters
    ----------
    score
        Score of the table's items: error, wer (word error rate), der (diarization error rate), bleu (Papineni et al.)
        or sacrebleu. Default: error.
    collar
        For der: time not scored on either side of each start and end in the reference, such as 0.25. Default: 0.
    skip_overlap
        For der: leave out times when several speakers of the reference talk.
    """

    score: PenaltyScore = "error"
    collar: float = 0.0
    skip_overlap: bool = False


@option_group
class CorrectionOptions:
    """Where the answers before and after an expert's help are: columns, or RTTM files for der without a table.

    Parameters
    ----------
    reference
        Column with the right answers. Default: the column named reference, label, y, y_true, target or true.
        For der without a table: an RTTM file, such as right.rttm.
    adapted
        Column with the system's own answers after it adapted. Default: the column named adapted, after or prediction.
        For der without a table: an RTTM file.
    before
        Column with what the system answered before any help: adds the gain. Default: the column named base or before,
        if there is one. For der without a table: an RTTM file.
    touched
        Column that says whether the expert touched the item: yes or no, 1 or 0. Default: the column named touched,
        corrected or asked. For der without a table: an RTTM or UEM file with the times.
    answer
        Column with what the expert answered, if the expert may err. An empty answer to a touched item means that it
        cannot be applied. Default: the column named answer, if there is one. For der without a table: an RTTM file.
    id
        Column with the id of the item, needed for rounds. Default: the column named id, if there is one.
    round
        Column with the number of the round, if items have a row for each. Default: the column named round, if there is
        one.
    """

    reference: str | None = None
    adapted: str | None = None
    before: str | None = None
    touched: str | None = None
    answer: str | None = None
    id: str | None = None
    round: str | None = None
