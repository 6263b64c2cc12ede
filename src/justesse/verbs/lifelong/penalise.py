"""`justesse.lifelong_penalise`: the score of a system that asked an expert, with the price of the help."""

from collections.abc import Sequence
from typing import Any, get_args

from justesse.core.choices import PenaltyScore
from justesse.core.errors import MissingValueError, OptionError
from justesse.core.results import check_level
from justesse.frames.corrected_rows import CorrectedColumns, SpokenRow, corrected_items, spoken_rows
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.diarization_error import SpeakerSegment
from justesse.lifelong.penalised import penalised_score
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_diarization import DiarizationScoring, penalised_diarization
from justesse.lifelong.penalised_items import penalised_items
from justesse.lifelong.scorers import ALL, ItemScorer
from justesse.verbs.lifelong.penalised_result import Penalised, PenalisedSource
from justesse.verbs.lifelong.penalty_options import CorrectionOptions, PenaltyOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions

SCORERS = {scorer.name: scorer for scorer in ALL}


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

    Give four scores, or a table of what the system answered before and after the help.

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
        Column with the right answers. Default: the column named reference, label, y, y_true, target or true.
    adapted
        Column with the system's own answers after it adapted. Default: the column named adapted, after or prediction.
    before
        Column with what the system answered before any help: adds the gain. Default: the column named base or before,
        if there is one.
    touched
        Column that says whether the expert touched the item: yes or no, 1 or 0. Default: the column named touched,
        corrected or asked.
    answer
        Column with what the expert answered, if the expert may err. An empty answer to a touched item means that it
        cannot be applied. Default: the column named answer, if there is one.
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
    if score not in get_args(PenaltyScore):
        raise OptionError(f"score must be one of {', '.join(get_args(PenaltyScore))}; got {score!r}.")
    if data is None:
        if adapt is None or false is None or cor is None:
            raise OptionError(
                "A penalised score needs a table, or the scores adapt, false and cor (--adapt 0.2 --false 0.3 --cor 0.1)."
            )
        return Penalised(
            penalised_score(adapt, false, cor, base=base, higher_is_better=higher_is_better), level=level
        )  # fmt: skip
    if any(part is not None for part in (adapt, false, cor, base)) or higher_is_better:
        raise OptionError(
            "Give a table, or the scores adapt, false, cor and base, not both. The column of answers before any help is "
            "named with before=… (--before)."
        )
    data = watched(data)
    if score == "der":
        counts, source = _diarization(data, DiarizationScoring(collar, not skip_overlap))
    else:
        columns = CorrectedColumns(reference, adapted, before, touched, answer, id, round)
        counts, source = _items(data, SCORERS[score], columns)
    check_unchanged(data)
    return Penalised(
        counts.score(),
        source,
        counts.interval(level=level, seed=seed),
        counts.gain_interval(level=level, seed=seed),
        level,
    )


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
        data=data,
    )
    return counts, source


def _diarization(data: Any, scoring: DiarizationScoring) -> tuple[HypothesisCounts, PenalisedSource]:
    rows = spoken_rows(data)
    reference, base, adapted, answers = (_spoken(rows, part) for part in ("reference", "base", "adapted", "answer"))
    touched: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.part in ("touched", "answer"):
            touched.setdefault(row.recording, []).append((row.start, row.end))
    unusable = [row.recording for row in rows if row.part == "question"]
    counts = penalised_diarization(
        reference,
        adapted,
        touched,
        base=base or None,
        answers=answers or None,
        unusable=unusable,
        scoring=scoring,
    )
    sums = counts.adapted.sum(axis=0)
    parts = zip(("missed", "false alarm", "confusion"), (sums[:-1] / sums[-1]).tolist(), strict=True)
    source = PenalisedSource(
        "der",
        "diarization error rate",
        "recording",
        len(reference),
        len(touched.keys() | set(unusable)),
        parts=dict(parts),
        options={"collar": scoring.collar, "skip_overlap": not scoring.overlap},
        data=data,
    )
    return counts, source


def _spoken(rows: Sequence[SpokenRow], part: str) -> dict[str, list[SpeakerSegment]]:
    recordings: dict[str, list[SpeakerSegment]] = {}
    for row in rows:
        if row.part == part:
            recordings.setdefault(row.recording, []).append(SpeakerSegment(row.speaker, row.start, row.end))
    return recordings
