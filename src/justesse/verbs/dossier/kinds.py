"""What verbs read and dossiers keep: the kinds of objects that may be built from a file."""

from functools import cache
from typing import Any

from justesse.core import recording
from justesse.core.annotations import Annotations
from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.answer_policy import AnswerPolicy, Gaps
from justesse.core.case import PairedScores
from justesse.core.event_blocks import EventBlocks
from justesse.core.recording import MISSING, numbers_in
from justesse.dossier.plain import CannotBeKeptError, as_plain, from_plain
from justesse.frames.annotations import ReadAnnotations
from justesse.frames.asked_scores import AskedScores
from justesse.frames.checked_items import CheckedItems
from justesse.frames.columns import Roles
from justesse.frames.confidences import ConfidenceRows, ReferenceAndTarget
from justesse.frames.count import Counted, KeptColumns
from justesse.frames.curve_rows import CurveRows
from justesse.frames.drawn_sample import DrawnSample
from justesse.frames.entrant_codes import Entrants
from justesse.frames.entrant_sets import JudgedAnswers
from justesse.frames.event_times import EventTimes
from justesse.frames.folds import FoldScores
from justesse.frames.label_scores import RowsToChoose
from justesse.frames.logs.log_facts import LogFacts, LogTable, TaskFacts
from justesse.frames.numeric_pairs import NumericPairs, ReadNumericPairs
from justesse.frames.numeric_rows import NumericRows
from justesse.frames.open_items import OpenItems
from justesse.frames.predicted_items import JoinedPredictions
from justesse.frames.rounded_probabilities import RoundedSums
from justesse.frames.row_groups import RowGroups
from justesse.frames.score_bins import ScoreBins
from justesse.frames.scores import ScoreRows
from justesse.frames.side_by_side import SideBySide
from justesse.frames.stream import StreamRows
from justesse.frames.trained_items import LeakedItems, LeakedVersion
from justesse.frames.verdict_table import Verdicts
from justesse.frames.version_items import VersionItems
from justesse.frames.version_labels import AskedLabels, LabelGaps
from justesse.frames.version_pair_labels import PairGaps
from justesse.frames.version_pairs import MomentPairs
from justesse.frames.versions import HelpCounts, VersionCounts
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.report.result import Result
from justesse.verbs.ab.stored_events import StoredEvents
from justesse.verbs.audit.kept_audit import AuditPlace, KeptAudit
from justesse.verbs.compare.paired_answers import Pair
from justesse.verbs.compare.read_pairs import ReadPairs
from justesse.verbs.lifelong.penalised_result import PenalisedItems, PenalisedSource
from justesse.verbs.log_input import LogInput
from justesse.verbs.noise.model_estimate import LabelProbabilities

ALL = (
    Annotations, AnswerPatterns, AnswerPolicy, AskedLabels, AskedScores, AuditPlace, CheckedItems, ConfidenceRows,
    Counted, CurveRows, DrawnSample, Entrants, EventBlocks, EventTimes, FoldScores, Gaps, HelpCounts, HypothesisCounts,
    JoinedPredictions, JudgedAnswers, KeptAudit, KeptColumns, LabelGaps, LabelProbabilities, LeakedItems, LeakedVersion,
    LogFacts, LogInput, LogTable, MomentPairs, NumericPairs, NumericRows, OpenItems, Pair, PairGaps, PairedScores,
    PenalisedItems, PenalisedSource, ReadAnnotations, ReadNumericPairs, ReadPairs, ReferenceAndTarget, Roles,
    RoundedSums, RowGroups, RowsToChoose, ScoreBins, ScoreRows, SideBySide, StoredEvents, StreamRows, TaskFacts,
    Verdicts, VersionCounts, VersionItems,
)  # fmt: skip


@cache
def kinds() -> dict[str, type]:
    """Map the names of the kinds to their classes."""
    return {kind.__name__: kind for kind in ALL}


def kept(memory: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Write what was read as JSON; what has no form there, or is too large, is `null`."""
    return {name: [_written(value) for value in values] for name, values in memory.items()}


def kept_of(result: Result) -> dict[str, list[Any]]:
    """Write what the figures of a result follow from, if the result itself holds it."""
    held = result.sufficient()
    return {} if held is None else {"result": [_written(held)]}


def _written(value: Any) -> Any:
    if value is MISSING or numbers_in(value, recording.MOST_NUMBERS) > recording.MOST_NUMBERS:
        return None
    try:
        return {"value": as_plain(value, kinds())}
    except CannotBeKeptError:
        return None


def memory_of(written: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Build what was read from its JSON."""
    return {
        name: [MISSING if value is None else from_plain(value["value"], kinds()) for value in values]
        for name, values in written.items()
    }
