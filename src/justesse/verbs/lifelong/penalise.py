"""`justesse.lifelong_penalise`: the score of a system that asked an expert, with the price of the help."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from justesse.core.choice import check_choice
from justesse.core.choices import PenaltyScore
from justesse.core.errors import MissingValueError, OptionError
from justesse.core.recording import remembered
from justesse.core.results import check_level
from justesse.frames.corrected_rows import USUAL, CorrectedColumns, corrected_items
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.penalised import penalised_score
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_diarization import DiarizationScoring, diarization_rate
from justesse.lifelong.penalised_items import penalised_items
from justesse.lifelong.scorers import ALL, ItemScorer
from justesse.verbs.lifelong.penalised_result import Penalised, PenalisedItems, PenalisedSource
from justesse.verbs.lifelong.penalised_speech import file_parts, penalised_speech, table_parts
from justesse.verbs.lifelong.penalty_options import CorrectionOptions, PenaltyOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

SCORERS = {scorer.name: scorer for scorer in ALL}
NEEDED = (
    "A penalised score needs a table, the scores adapt, false and cor (--adapt 0.2 --false 0.3 --cor 0.1), or RTTM files "
    "(--score der --reference a.rttm --adapted b.rttm)."
)


@recorded
def lifelong_penalise(
    data: Any = None,
    *,
    adapt: float | None = None,
    false: float | None = None,
    cor: float | None = None,
    base: float | None = None,
    higher_is_better: bool = False,
    score: PenaltyScore = PenaltyOptions.score,
    collar: float = PenaltyOptions.collar,
    skip_overlap: bool = PenaltyOptions.skip_overlap,
    reference: str | None = CorrectionOptions.reference,
    adapted: str | None = CorrectionOptions.adapted,
    before: str | None = CorrectionOptions.before,
    touched: str | None = CorrectionOptions.touched,
    answer: str | None = CorrectionOptions.answer,
    id: str | None = CorrectionOptions.id,
    round: str | None = CorrectionOptions.round,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
) -> Penalised:
    """Charge a system for the expert's help: its score after adaptation plus what the help is worth.

    Give four scores, a table of what the system answered before and after the help, or RTTM files of who speaks when.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item: its right answer, what the system answered before and after
        it adapted, and whether the expert touched it. For der, a row for each segment with the columns recording, part
        (reference, base, adapted, touched, answer, question), speaker, start and end.
    adapt
        Score of the system's own answers after it adapted, such as 0.2.
    false
        Score if everything that the expert touched were wrong, such as 0.3.
    cor
        Score if everything that the expert touched were right, such as 0.1.
    base
        Score before any help, such as 0.5: adds the gain by generalisation.
    higher_is_better
        A higher score is better, as for accuracy or BLEU. For the four scores; a table's score knows its direction.
    score
        Score of the table's items: error, wer (word error rate), der (diarization error rate), bleu (Papineni et al.)
        or sacrebleu. Default: error.
    collar
        For der: time not scored on either side of each start and end in the reference, such as 0.25. Default: 0.
    skip_overlap
        For der: leave out times when several speakers of the reference talk.
    reference
        Column with the right answers. Default: the column named reference, label, y, y_true, target or true. For der
        without a table: an RTTM file, such as right.rttm.
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
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    Penalised
        `score.value` is the penalised score, `score.gain` the gain.

    Notes
    -----
    Prokopalo et al. (2020), equation 1.

    Examples
    --------
    >>> result = lifelong_penalise(adapt=0.2, false=0.3, cor=0.1, base=0.5)
    >>> round(result.score.value, 3), round(result.score.gain, 3)
    (0.4, 0.1)
    >>> rows = {"reference": list("aabb"), "base": list("babb"), "adapted": list("aabb"), "touched": [1, 0, 0, 0]}
    >>> lifelong_penalise(rows).score.value
    0.25
    """
    check_level(level)
    check_choice("score", score, PenaltyScore)
    columns = CorrectedColumns(reference, adapted, before, touched, answer, id, round)
    four = any(part is not None for part in (adapt, false, cor, base)) or higher_is_better
    if score != "der" and (collar or skip_overlap):
        raise OptionError(
            "collar and skip_overlap (--collar, --skip-overlap) are for recordings: choose score=… (--score) der."
        )
    scoring = DiarizationScoring(collar, not skip_overlap)
    if four:
        _check_four(data, score, columns, level)
        if adapt is None or false is None or cor is None:
            raise OptionError(NEEDED)
        return Penalised(
            penalised_score(adapt, false, cor, base=base, higher_is_better=higher_is_better), level=level
        )  # fmt: skip
    data = watched(data)
    files: dict[str, Any] = {"table": data}
    if data is None:
        if score != "der" or columns == USUAL:
            raise OptionError(NEEDED)
        files = {name: watched(path) for name, path in vars(columns).items() if path is not None}
    elif score == "der" and columns != USUAL:
        raise OptionError(
            "A table of segments has the columns recording, part, speaker, start and end. Leave out the names of "
            "other columns, or leave out the table and name RTTM files (--reference, --adapted)."
        )

    def read() -> PenalisedItems:
        if score != "der":
            return PenalisedItems(*_items(data, SCORERS[score], columns))
        return PenalisedItems(*penalised_speech(file_parts(files) if data is None else table_parts(data), scoring))

    items = remembered("penalised", read)
    counts = replace(items.counts, value=diarization_rate if score == "der" else SCORERS[score].value)
    source = replace(items.source, data=tuple(files.values()))
    check_unchanged(*files.values())
    return Penalised(
        counts.score(),
        source,
        counts.interval(level=level, seed=seed),
        counts.gain_interval(level=level, seed=seed),
        level,
    )


def _check_four(data: Any, score: PenaltyScore, columns: CorrectedColumns, level: float) -> None:
    """Refuse what four scores leave no use for."""
    if data is not None:
        raise OptionError(
            "Give a table, or the scores adapt, false, cor and base, not both. The column of answers before any help is "
            "named with before=… (--before)."
        )
    if score != PenaltyOptions.score or columns != USUAL:
        raise OptionError(
            "score (--score) and the names of columns are for a table. Leave them out, or leave out the scores adapt, "
            "false, cor and base."
        )
    if level != ConfidenceOptions.level:
        raise OptionError("level (--level) needs a table: scores without the items behind them have no interval.")


def _items(data: Any, scorer: ItemScorer, columns: CorrectedColumns) -> tuple[HypothesisCounts, PenalisedSource]:
    items = corrected_items(data, columns)
    may_be_empty = scorer.spread != "share"  # a sentence may have no words, a class has a name

    def read(role: str, texts: Sequence[str | None]) -> list[Any]:
        gap = next((at for at, text in enumerate(texts) if text is None), None)
        if gap is not None and not may_be_empty:
            raise MissingValueError(
                f"Item {items.ids[gap]!r} of {items.where} has no value in column {items.columns[role]!r}. Fill it in."
            )
        return [scorer.read(text or "") for text in texts]

    answers = None
    if items.answers is not None:
        answers = [None if text is None else scorer.read(text) for text in items.answers]
    counts = penalised_items(
        scorer,
        read("reference", items.reference),
        read("adapted", items.adapted),
        items.touched,
        base=None if items.base is None else read("before", items.base),
        answers=answers,
    )
    source = PenalisedSource(
        scorer.name,
        scorer.words,
        "segment" if may_be_empty else "item",
        len(items.ids),
        sum(items.touched),
        items.rounds,
        columns=items.columns,
    )
    return counts, source
