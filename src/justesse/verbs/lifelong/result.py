"""Scores of a lifelong evaluation, as `justesse lifelong score` gives them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from justesse.core.choices import LifelongConvention
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import PolicyScore
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.transfer import TransferFigure
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.cautions import few_blocks, in_utc, left_out, missing_at_random, no_classes, single_times
from justesse.verbs.lifelong.label_gaps import UnlabelledRows
from justesse.verbs.lifelong.label_noise import NoiseOverTime
from justesse.verbs.lifelong.leakage import Leakage
from justesse.verbs.lifelong.score_transfer import PeriodMemory
from justesse.verbs.lifelong.scored import WORDS, Scored, ScoreWords


@dataclass(frozen=True, repr=False)
class LifelongScores(Result):
    """The score of every version under a policy, and the error rate of every version in every period."""

    matrix: ScoreMatrix
    policy: Policy
    convention: LifelongConvention
    scores: tuple[PolicyScore, ...]
    chronology: tuple[str, ...]
    trained_known: bool
    length: str
    level: float
    columns: Mapping[str, str]
    source: Any = field(default=None, repr=False)
    label_noise: NoiseOverTime | None = None
    leakage: Leakage | None = None
    dropped: int = 0
    scored: Scored = "error"
    gains: tuple[Estimate, ...] = ()
    transfer: tuple[TransferFigure, ...] = ()
    memory: tuple[PeriodMemory, ...] = ()
    paired: bool = True
    missing_labels: UnlabelledRows | None = None
    no_label: int = 0
    zoned: bool = False
    others: tuple[tuple[ClassName, int], ...] = ()

    def __getitem__(self, version: str) -> PolicyScore:
        """Return the score of the version with this name."""
        return next(score for score in self.scores if score.version == version)

    @property
    def last(self) -> PolicyScore | None:
        """The last version that has a score; `None` if none has."""
        return next((score for score in reversed(self.scores) if score.periods), None)

    @property
    def claim_holds(self) -> bool:
        """Whether the claim is true for the last version, with the labels as they are; true without a claim."""
        noise, last = self.label_noise, self.last
        if noise is None or noise.claim is None or last is None:
            return noise is None or noise.claim is None
        return bool(next(part for part in noise.versions if part.version == last.version).claim_holds)

    @property
    def words(self) -> ScoreWords:
        """How the score is written."""
        return WORDS[self.scored]

    @property
    def estimates(self) -> list[Estimate]:
        """The scores as estimates, one per version."""
        return [
            Estimate(
                "policy_score",
                score.value,
                score.n,
                score.interval,
                score.undefined,
                words=self.words.under_policy,
                is_share=self.words.is_share,
            )
            for score in self.scores
        ]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        lines = [*(self.leakage.warnings if self.leakage else ()), *left_out(self.dropped - self.no_label)]
        lines += [*no_classes(self.others), *missing_at_random(self.no_label)]
        lines += self.missing_labels.warnings if self.missing_labels else []
        if not self.trained_known:
            lines.append(
                "Versions are taken to be trained one after the other, each just before a test period. If that is not so, "
                "name the column with their times of training (--trained)."
            )
        lines += self._odd_scores()
        if absent := [name for name in self.policy.table if name not in self.matrix.periods]:
            template = (
                "{n:count period} of the policy's table {n:plural is|are} not in the data, such as {first:name}: "
                "{n:plural its weight has|their weights have} no effect."
            )
            lines.append(str(message(template, n=len(absent), first=absent[0])))
        lines += self.chronology
        lines += in_utc(self.zoned)
        missing = int(np.isnan(self.matrix.values).sum())
        if missing:
            lines.append(
                str(
                    message(
                        "{n:count pair} of version and period of {all:count} {n:plural has|have} no items: the weight goes to "
                        "the other periods of the version.",
                        n=missing,
                        all=self.matrix.values.size,
                    )
                )
            )
        if self.matrix.blocks is not None and (last := self.last):
            blocks, row = self.matrix.blocks, self.matrix.versions.index(last.version)
            sizes = [len(blocks.of_period(row, j)[1]) for j in last.periods]
            lines += single_times(sizes.count(1), len(sizes))
            lines += few_blocks(sizes.count(2) + sizes.count(3), len(sizes))
        return tuple(lines)

    def _odd_scores(self) -> list[str]:
        """Warn of given scores outside 0 to 1 if most are inside, as if shares and percent were mixed."""
        if self.scored != "given":
            return []
        values = self.matrix.values[np.isfinite(self.matrix.values)]
        odd = values[(values < 0) | (values > 1)]
        if not 0 < len(odd) < len(values) / 2:
            return []
        template = (
            "{n:count} of {all:count score} {n:plural is|are} outside 0 to 1, such as {first:number}. If scores are shares, "
            "write 80 % as 0.8."
        )
        return [str(message(template, n=len(odd), all=len(values), first=float(odd[0])))]

    @property
    def transfer_undefined(self) -> str | None:
        """Why there are no figures of forgetting and transfer; `None` if there are."""
        if self.transfer:
            return None
        if self.scored == "penalised":
            return "forgetting and transfer are of accuracy or scores, not of penalised scores"
        if not self.matrix.alternates:
            template = (
                "forgetting and transfer need as many versions as periods, version i trained just before period i; got "
                "{versions:count version} and {periods:count period}"
            )
            return str(message(template, versions=len(self.matrix.versions), periods=len(self.matrix.periods)))
        return "forgetting and transfer need scores of which higher is better"

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "versions": list(self.matrix.versions),
            "periods": list(self.matrix.periods),
            "matrix": [[finite_or_none(value) for value in row] for row in self.matrix.values.tolist()],
            "n": [[int(n) for n in row] for row in self._sizes()],
            "higher_is_better": self.matrix.higher_is_better,
            "scored": self.scored,
            "gain": [gain.to_dict() for gain in self.gains],
            "policy": {
                "name": self.policy.name,
                "length": self.policy.length,
                "half_life": self.policy.half_life,
                "convention": self.convention,
                "words": self.policy.words,
                "weights": self._weights(self.last) if self.last else {},
            },
            "score": [
                {
                    "version": score.version,
                    "value": finite_or_none(score.value),
                    "n": score.n,
                    "interval": score.interval.to_dict() if score.interval else None,
                    "undefined": score.undefined,
                    "weights": self._weights(score),
                }
                for score in self.scores
            ],
            "transfer": [
                {
                    "name": figure.name,
                    "source": figure.source,
                    "formula": figure.formula,
                    "value": finite_or_none(figure.value),
                    "interval": figure.interval.to_dict() if figure.interval else None,
                    "undefined": figure.undefined,
                    "low": None if figure.bounds is None else figure.bounds[0],
                    "high": None if figure.bounds is None else figure.bounds[1],
                }
                for figure in self.transfer
            ],
            "transfer_undefined": self.transfer_undefined,
            "forgetting": [
                {
                    "period": part.period,
                    "versions": {"learnt": part.versions[0], "latest": part.versions[1]},
                    "learnt": _ends_dict(part.learnt),
                    "latest": _ends_dict(part.latest),
                }
                for part in self.memory
            ],
            "period_length": self.length,
            "chronology": list(self.chronology),
            "leakage": self.leakage.to_dict() if self.leakage else None,
            "level": self.level,
            "columns": dict(self.columns),
            "label_noise": self.label_noise.to_dict() if self.label_noise else None,
            "missing_labels": self.missing_labels.to_dict() if self.missing_labels else None,
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
        }

    def _weights(self, score: PolicyScore) -> dict[str, float]:
        """Weight of each period that counts for a version."""
        return {self.matrix.periods[j]: weight for j, weight in zip(score.periods, score.weights, strict=True)}

    def weighted(self, score: PolicyScore) -> list[tuple[str, float, float]]:
        """List the periods that count for a version: name, weight, and the version's score in it."""
        values = self.matrix.values[self.matrix.versions.index(score.version)]
        return [
            (self.matrix.periods[j], weight, float(values[j]))
            for j, weight in zip(score.periods, score.weights, strict=True)
        ]

    def _sizes(self) -> list[list[float]]:
        blocks = self.matrix.blocks
        if blocks is None:
            return []
        return [
            [float(blocks.of_period(version, period)[1].sum()) for period in range(len(self.matrix.periods))]
            for version in range(len(self.matrix.versions))
        ]

    def to_columns(self) -> dict[str, list[Any]]:
        ends = [score.interval for score in self.scores]
        return {
            "version": [score.version for score in self.scores],
            "score": [finite_or_none(score.value) for score in self.scores],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "n": [score.n for score in self.scores],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        named = list(zip(self.matrix.versions, self.estimates, strict=True))
        made: dict[str, Callable[[], Any]] = {
            "scores": partial(
                charts.version_score_chart,
                named,
                self.policy.words,
                title=self.words.title,
                is_share=self.words.is_share,
            ),
            "matrix": partial(
                charts.score_matrix_chart,
                self.matrix.versions,
                self.matrix.periods,
                self.matrix.values.tolist(),
                self.matrix.next_period,
                title=self.words.title,
                is_share=self.words.is_share,
            ),
        }
        if (last := self.last) is not None:
            names, weights, values = zip(*self.weighted(last), strict=True)
            made["policy"] = partial(
                charts.policy_chart,
                names,
                weights,
                values,
                last.version,
                scored=self.words.column,
                is_share=self.words.is_share,
            )
        if self.memory:
            made["forgetting"] = partial(
                charts.forgetting_chart,
                [(part.period, part.learnt, part.latest) for part in self.memory],
                self.memory[0].versions[1],
                title=self.words.title,
                is_share=self.words.is_share,
            )
        return made

    def document(self) -> Document:
        from justesse.verbs.lifelong.document import score_document

        return score_document(self)


def _ends_dict(ends: tuple[float, float, float]) -> dict[str, float | None]:
    """Give a score and the ends of its interval by name."""
    return {name: finite_or_none(end) for name, end in zip(("value", "low", "high"), ends, strict=True)}
