"""A penalised score, as `justesse lifelong penalise` gives it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.penalised import PenalisedScore
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message

NO_ITEMS = "scores without the items behind them have no interval"
ASSUMPTIONS = (
    "all four scores are of the same items, by the same measure",
    "the expert's corrections can be applied to the answers directly",
)
FEW = 10  # items below which their spread is hardly known
OF_ITEMS = (
    "the reference is right",
    "the expert's corrections can be applied to the answers directly",
    "what the system answered after it adapted is its own answer: corrections were not pasted in",
    "items are a sample of those that matter, independent of each other",
)


@dataclass(frozen=True)
class PenalisedSource:
    """What a penalised score was computed from.

    Parameters
    ----------
    scorer
        Name of the score in options, such as wer.
    words
        Its name in words.
    unit
        What an item is: item, segment or recording.
    n
        Number of items.
    touched
        Number of items that the expert touched.
    rounds
        Number of rounds of corrections.
    parts
        Parts of the score after adaptation by name, if it has any.
    options
        What the score was computed with, such as the collar.
    columns
        Columns by role.
    data
        The table, or the files.
    """

    scorer: str
    words: str
    unit: str
    n: int
    touched: int
    rounds: int = 1
    parts: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    data: tuple[Any, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class PenalisedItems:
    """Counts of the hypotheses of every item, and what they were computed from."""

    counts: HypothesisCounts
    source: PenalisedSource

    def without_rows(self) -> "PenalisedItems":
        """Give the counts without the function that makes a score of them, which the name of the score says."""
        counts: Any = replace(self.counts, value=None)  # type: ignore[arg-type]
        return PenalisedItems(counts, replace(self.source, data=()))


@dataclass(frozen=True, repr=False)
class Penalised(Result):
    """A penalised score and its parts; `interval` and `gain_interval` are texts that say why there is none."""

    score: PenalisedScore
    source: PenalisedSource | None = None
    interval: Interval | str = NO_ITEMS
    gain_interval: Interval | str = NO_ITEMS
    level: float = 0.95

    @property
    def penalised(self) -> Estimate:
        """The penalised score with its interval."""
        return self._estimate("penalised_score", self.score.value, self.interval, "Penalised score")

    @property
    def gain(self) -> Estimate | None:
        """The gain by generalisation with its interval; `None` if the score before any help is not known."""
        if self.score.gain is None:
            return None
        return self._estimate("gain", self.score.gain, self.gain_interval, "Gain by generalisation")

    def _estimate(self, name: str, value: float, interval: Interval | str, words: str) -> Estimate:
        n = self.source.n if self.source else 0
        if isinstance(interval, str):
            return Estimate(name, value, n, undefined=interval, words=words)
        return Estimate(name, value, n, interval, words=words)

    @property
    def assumptions(self) -> tuple[str, ...]:
        return OF_ITEMS if self.source else ASSUMPTIONS

    def _odd_scores(self) -> list[str]:
        """Warn of scores outside the range of usual ones, whose kind is not known."""
        score = self.score
        parts = {"adapt": score.adapt, "false": score.false, "cor": score.cor, "base": score.base}
        named = [(name, value) for name, value in parts.items() if value is not None and not 0 <= value <= 1]
        if not named:
            return []
        template = (
            "The score {name} is {value:number}, outside 0 to 1: only word and diarization error rates may be above 1, and no error "
            "rate or BLEU is below 0. Write 20 % as 0.2."
        )
        return [str(message(template, name=named[0][0], value=named[0][1]))]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread."""
        score, source, lines = self.score, self.source, [] if self.source else self._odd_scores()
        if source is not None and source.n < FEW and not isinstance(self.interval, str):
            template = (
                "{n:count} {unit}s show little of how much {unit}s differ. The interval allows for it and is wide; add {unit}s to "
                "narrow it."
            )
            lines.append(str(message(template, n=source.n, unit=source.unit)))
        if score.realised_cor is not None and not math.isclose(score.realised_cor, score.cor, abs_tol=1e-12):
            lines.append(
                "The expert erred: the penalty counts every item touched as corrected, so that wrong corrections do not "
                "make help cheaper."
            )
        return tuple(lines)

    def to_dict(self) -> dict[str, Any]:
        score, source = self.score, self.source
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "penalised": finite_or_none(score.value),
            "interval": None if isinstance(self.interval, str) else self.interval.to_dict(),
            "undefined": self.interval if isinstance(self.interval, str) else None,
            "adapt": score.adapt,
            "false": finite_or_none(score.false),
            "cor": finite_or_none(score.cor),
            "realised_cor": score.realised_cor,
            "base": score.base,
            "penalty": finite_or_none(score.penalty),
            "gain": None if score.gain is None else finite_or_none(score.gain),
            "gain_interval": None if isinstance(self.gain_interval, str) else self.gain_interval.to_dict(),
            "higher_is_better": score.higher_is_better,
            "score": source.scorer if source else None,
            "n": source.n if source else None,
            "touched": source.touched if source else None,
            "rounds": source.rounds if source else None,
            "parts": dict(source.parts) if source else {},
            "options": dict(source.options) if source else {},
            "columns": dict(source.columns) if source else {},
            "level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = self.rows()
        return {"score": [name for name, _, _ in rows], "value": [finite_or_none(value) for _, value, _ in rows]}

    def rows(self) -> list[tuple[str, float, str]]:
        """List the scores: name, value and meaning."""
        score = self.score
        rows = [
            ("penalised score", score.value, "what counts: after adaptation, with the price of the help"),
            ("after adaptation", score.adapt, "S_adapt: the system's own answers"),
            ("price of the help", score.penalty, "S_false - S_cor"),
            ("everything touched wrong", score.false, "S_false"),
            ("everything touched right", score.cor, "S_cor"),
        ]
        if score.realised_cor is not None:
            rows.append(("as the expert answered", score.realised_cor, "with the expert's own mistakes"))
        if score.base is not None and score.gain is not None:
            rows += [
                ("before any help", score.base, "S_base"),
                ("gain by generalisation", score.gain, "what was learnt beyond the corrections; above 0 is good"),
            ]
        return rows

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        if self.score.undefined:
            return {}
        return {"penalty": partial(charts.penalty_chart, self.score.adapt, self.score.penalty, self.score.base)}

    def document(self) -> Document:
        from justesse.verbs.lifelong.penalised_document import penalised_document

        return penalised_document(self)
