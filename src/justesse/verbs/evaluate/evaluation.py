"""What `evaluate` hands back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import Gaps
from justesse.core.levels import identity
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import Roles
from justesse.frames.logs.log_facts import LogFacts
from justesse.intervals.estimate import Confidence
from justesse.measures import HEADLINE
from justesse.noise.label_noise_report import LabelNoiseReport
from justesse.noise.missing_answers import UnansweredRows
from justesse.noise.rate_range import rate_words
from justesse.procedures.baselines import Baseline
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.evaluate.requirement import Requirement, Which

if TYPE_CHECKING:
    from justesse.intervals.cluster_summary import ClusterSummary
    from justesse.intervals.repeated_samples import SampleEstimate
    from justesse.intervals.score_evaluation import ScoreEvaluation
    from justesse.intervals.variance_split import VarianceSplit
    from justesse.report.document import Document


@dataclass(frozen=True)
class Slice:
    """The evaluation of the rows with one value of a column."""

    column: str
    value: ClassName
    n: int
    estimates: tuple[Estimate, ...]

    @property
    def title(self) -> str:
        return f"{self.column} = {'(missing)' if self.value is None else self.value}"

    def to_dict(self) -> dict[str, Any]:
        result = {"column": self.column, "value": self.value, "n": self.n}
        return {**result, "measures": [estimate.to_dict() for estimate in self.estimates]}


@dataclass(frozen=True)
class Truth:
    """How often the labels are wrong, the measures against the true classes, and the majority answer by them."""

    noise: Estimate
    estimates: tuple[Estimate, ...]
    majority: Baseline

    def estimate(self, name: str, class_name: ClassName = None) -> Estimate:
        """Find a measure of the whole or, with a class, of that class."""
        return next(
            estimate
            for estimate in self.estimates
            if (estimate.name, estimate.average) == (name, None)
            and identity(estimate.class_name) == identity(class_name)
        )

    def to_dict(self) -> dict[str, Any]:
        noise = {**self.noise.to_dict(), "name": "noise_rate"}
        return {"noise_rate": noise, "measures": [estimate.to_dict() for estimate in self.estimates]}


@dataclass(frozen=True)
class TrainingFit:
    """The same measures on the rows the classifier was trained on (resubstitution)."""

    n: int
    estimates: tuple[Estimate, ...]

    def beside(self, test: Sequence[Estimate]) -> list[Estimate]:
        """Find the test figures of the same measures."""
        keys = [(estimate.name, estimate.average) for estimate in self.estimates]
        by_key = {(item.name, item.average): item for item in test if item.class_name is None}
        return [by_key[key] for key in keys]

    def warnings(self, test: Sequence[Estimate]) -> list[str]:
        """Say in words what the gap means."""
        here, there = self.beside(test)[0], self.estimates[0]
        if here.interval and there.value > here.interval.high:
            words = message(
                "On the {n:count} rows it was trained on the accuracy is {there:value}, here {here:value}: the difference is "
                "over-fitting, and only the figure here says how it will do.",
                n=self.n,
                there=there,
                here=here,
            )
            return [str(words)]
        return []

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n, "measures": [estimate.to_dict() for estimate in self.estimates]}


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """Every measure with its interval, the baselines beside them, and what to be careful about.

    Where the true classes are known, the headline is about them; everything else is about the labels, but for `truth`.
    `evaluation["accuracy"]`, `evaluation["recall", "cat"]` and `evaluation["f1", "macro"]` are single estimates;
    `measures` is all of them as a data frame of the kind that came in; `to_dict()` is exactly the `--json`.
    """

    tally: Tally
    estimates: tuple[Estimate, ...]
    baselines: tuple[Baseline, ...]
    slices: tuple[Slice, ...]
    truth: Truth | None
    positive: ClassName
    confidence: Confidence
    roles: Roles
    gaps: Gaps
    source: Any
    warnings: tuple[str, ...]
    scores: "ScoreEvaluation | None" = None
    training: TrainingFit | None = None
    noise: LabelNoiseReport | None = None
    requirements: tuple[Requirement, ...] = ()
    clusters: "ClusterSummary | None" = None
    variance: "VarianceSplit | None" = None
    samples: "tuple[SampleEstimate, ...]" = ()
    log: LogFacts | None = None

    def __getitem__(self, key: str | tuple[str, ClassName]) -> Estimate:
        name, which = (key, None) if isinstance(key, str) else key
        named = [estimate for estimate in self.estimates if estimate.name == name]
        for result in named:
            if which is not None and identity(result.class_name) == identity(which):
                return result
        for result in [*named, *self.estimates]:
            if (result.name, result.average, result.class_name) == (name, which, None) or (
                which is None and name.lower() in (result.title.lower(), f"{result.average} {result.name}")
            ):
                return result
        from justesse.verbs.evaluate.estimate_keys import no_such_estimate

        raise no_such_estimate(key, self.estimates)

    @property
    def by_class(self) -> bool:
        """Whether there are classes; a log may only say what is right and what is wrong."""
        return self.log is None or self.log.by_class

    @property
    def claimed(self) -> bool:
        """Whether the user made a claim."""
        return self.noise is not None and self.noise.known.claim is not None

    @property
    def passes(self) -> bool:
        """Whether every requirement is met, and the claim, if one was made, is true."""
        claim_holds = not self.claimed or self.noise is None or self.noise.breakdown.claim_holds
        return claim_holds and all(requirement.met for requirement in self.requirements)

    def best_known(self, name: str, class_name: ClassName = None) -> Estimate:
        """Find a measure by the best that is known: the true classes, else the re-checked rows, else the labels."""
        if self.truth:
            return self.truth.estimate(name, class_name)
        rechecked = (estimate for estimate in (self.noise.rechecked if self.noise else ()) if estimate.name == name)
        for estimate in rechecked:
            if estimate.average is None and identity(estimate.class_name) == identity(class_name):
                return estimate
        return self[name] if class_name is None else self[name, class_name]

    @property
    def which(self) -> Which:
        """What the headline is about: the true classes, the re-checked rows or the labels."""
        if self.truth:
            return "true"
        return "re-checked" if self.noise and self.noise.rechecked else "labels"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers rest on, in words."""
        results = [
            self._about_labels(),
            str(
                message(
                    "the {what} are independent draws from the population of interest, and were not used for training or model selection",
                    what="clusters of rows" if self.clusters else "rows",
                )
            ),
        ]
        if self.tally.weighted:
            results.append("the weights are fixed, not estimated; intervals use the effective n, at most (Σw)²/Σw²")
        return tuple(results)

    def _about_labels(self) -> str:
        """Say what is assumed about the labels, and where something else is."""
        if self.truth:
            words = message(
                "the true classes are right ({wrong:sized_share} of the labels differ from them)",
                wrong=(self.truth.noise.value, self.tally.n),
            )
            return str(words)
        known = self.noise.known if self.noise else None
        if known is None or not known.anything:
            return "the labels are right"
        if self.which == "re-checked" and known.sample is not None:
            words = message(
                "the {n:count} re-checked rows {drawn} and their true classes are right; figures "
                '"against the labels" take the labels as right',
                n=known.sample.n,
                drawn="were drawn with the probabilities listed" if known.design else "are a random sample",
            )
            return str(words)
        wrong = rate_words(*known.rate) if known.rate else "as many as the transition table says"
        return str(
            message('the labels are right, except under "If some labels are wrong" ({wrong} wrong)', wrong=wrong)
        )

    @property
    def native(self) -> Any:
        return self.source

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the estimates out as columns, slices below the whole."""
        rows: list[tuple[str | None, ClassName, Estimate]] = [(None, None, estimate) for estimate in self.estimates]
        rows += [(part.column, part.value, estimate) for part in self.slices for estimate in part.estimates]
        ends = [first.interval for _, _, first in rows]
        return {
            "by": [column for column, _, _ in rows],
            "slice": [None if column is None else str(value) for column, value, _ in rows],
            "measure": [first.name for _, _, first in rows],
            "class": [None if first.class_name is None else str(first.class_name) for _, _, first in rows],
            "average": [first.average for _, _, first in rows],
            "value": [finite_or_none(first.value) for _, _, first in rows],
            "n": [float(first.n) for _, _, first in rows],
            "undefined": [first.undefined for _, _, first in rows],
            "low": [finite_or_none(end.low) if end else None for end in ends],
            "high": [finite_or_none(end.high) if end else None for end in ends],
            "level": [end.level if end else None for end in ends],
            "method": [end.method if end else None for end in ends],
        }

    def to_dict(self) -> dict[str, Any]:
        tally, unanswered = self.tally, UnansweredRows.of(self.gaps)
        weighted: dict[str, Any] = {}
        if tally.weights is not None:
            weighted = {
                "effective_n": tally.effective_n,
                "weights": [[*cell[:2], w] for cell, w in zip(tally.cells(), tally.weights.tolist(), strict=True)],
            }
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": tally.n,
            "classes": list(tally.named_classes),
            "positive": self.positive,
            "counts": tally.cells(),
            **weighted,
            **(
                {
                    "clusters": {
                        "column": self.roles.cluster,
                        **self.clusters.to_dict(),
                        "variance": self.variance.to_dict() if self.variance else None,
                    }
                }
                if self.clusters
                else {}
            ),
            **self._samples_dict(),
            "headline": {
                "which": self.which,
                **self.best_known("accuracy").to_dict(),
            },
            "measures": [estimate.to_dict() for estimate in self.estimates],
            "baselines": [baseline.to_dict() for baseline in self.baselines],
            "by": [part.to_dict() for part in self.slices],
            "true": self.truth.to_dict() if self.truth else None,
            "scores": self.scores.to_dict() if self.scores else None,
            "resubstitution": self.training.to_dict() if self.training else None,
            "noise": self.noise.to_dict() if self.noise else None,
            "requirements": [requirement.to_dict() for requirement in self.requirements],
            "passes": self.passes,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "columns": {**self.roles.axes, **({"weight": self.roles.weight} if self.roles.weight else {})},
            "dropped": self.gaps.dropped,
            "missing": {**self.gaps.missing_dict(), **(unanswered.to_dict() if unanswered else {})},
            "others": self.gaps.others_dict(),
            "seed": self.confidence.seed,
            **({"log": self.log.to_dict()} if self.log else {}),
        }

    def _samples_dict(self) -> dict[str, Any]:
        """List pass@k and the majority of k samples, if they were asked for."""
        rules = dict.fromkeys(item.rule for item in self.samples)
        return {f"{rule}_at": [item.to_dict() for item in self.samples if item.rule == rule] for rule in rules}

    def document(self) -> "Document":
        from justesse.verbs.evaluate.document import evaluation_document

        return evaluation_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.evaluate.pictures import names_of, picture

        return {name: partial(picture, self, name) for name in names_of(self)}

    def chart(self, name: str | None = None, class_name: ClassName = None) -> Any:
        """Give an Altair chart: intervals, confusion, slices; with scores roc, precision_recall, calibration, cost."""
        from justesse.verbs.evaluate.pictures import picture

        return super().chart(name) if name is None or class_name is None else picture(self, name, class_name)

    @property
    def main(self) -> list[Estimate]:
        """The measures of all classes together, one number each, and the headline figures among the averages."""
        headline = {(measure.name, measure.average) for measure in HEADLINE}
        of_scores = self.scores.estimates if self.scores else ()
        return [
            estimate
            for estimate in self.estimates
            if estimate.class_name is None
            and (estimate.average is None or (estimate.name, estimate.average) in headline)
            and estimate not in of_scores
        ]

    @property
    def headline(self) -> str:
        """The answer in a few sentences."""
        from justesse.verbs.evaluate.document import headline

        return str(headline(self))

    @property
    def true_main(self) -> list[Estimate]:
        """The measures of the whole against the true classes, if they are known."""
        if not self.truth:
            return []
        by_key = {(item.name, item.average): item for item in self.truth.estimates if item.class_name is None}
        keys = [(item.name, item.average) for item in self.main]
        return [by_key[key] for key in keys if key in by_key]
