"""What wrong labels do to an evaluation: every rung of the ladder that the user's knowledge allows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from justesse.core.errors import InputError, OptionError
from justesse.core.results import Average, ClassName, Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.measures import MAIN_PER_CLASS, Measure, accuracy, averaged, error
from justesse.measures.ratio import Ratio
from justesse.noise.bounds import Bounds, bounds_from_rate
from justesse.noise.breakdown import Breakdown, breakdown
from justesse.noise.counted import on_classes
from justesse.noise.label_knowledge import LabelKnowledge, check_stated_rate, sample_rates
from justesse.noise.rung import RECHECKED, Rung
from justesse.noise.value_band import Band, claim_band, claimed_measure

if TYPE_CHECKING:
    from justesse.intervals.prediction_powered import PredictionPowered
    from justesse.noise.bias import Bias

CORRECTING = "bcf"  # rungs that give a corrected value
ONE_CLASS = "There is only one class, so no label can be wrong; the noise rate was not used."
WEIGHTED = "label noise is not available for weighted rows; leave the weights out"
Key = tuple[str, ClassName, Average | None]


def key_of(figure: Any) -> Key:
    """Name the measure that a figure is about: an estimate, bounds or a bias.

    >>> key_of(Estimate("recall", 0.9, 100, class_name="cat"))
    ('recall', 'cat', None)
    """
    return figure.name, figure.class_name, figure.average


@dataclass(frozen=True)
class LabelNoiseReport:
    """The breakdown rate of a claim, and every measure on each rung of the ladder.

    Parameters
    ----------
    breakdown
        How many wrong labels could make the claim false.
    claimed
        The measure that the claim is about.
    known
        What the user knows about the labels.
    rungs
        Results of each set of assumptions, in the order they are shown.
    biases
        Measured minus true value of each measure, where the true classes are known.
    rates
        Noise rates, overall and of each class.
    measured
        Values against the labels.
    band
        Lowest and highest true value of the claimed measure: (share of wrong labels, lowest, highest).
    confidence
        Confidence level and method.
    warnings
        What may be misread.
    """

    breakdown: Breakdown
    claimed: Key
    known: LabelKnowledge
    rungs: tuple[Rung[Any], ...]
    biases: "tuple[Bias, ...]"
    rates: tuple[Estimate, ...]
    measured: Mapping[Key, Estimate]
    band: Band
    confidence: Confidence
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> list[Bounds]:
        """The tightest bounds of each measure, from the transition table or from the rate."""
        return list(_tightest(self.rungs).values())

    def corrected(self, key: Key) -> list[tuple[Rung[Any], Estimate]]:
        """List the corrected values of one measure, with the rung of each."""
        return [
            (rung, estimate)
            for rung in self.rungs
            if rung.letter in CORRECTING
            for estimate in rung.figures
            if key_of(estimate) == key
        ]

    @property
    def rechecked(self) -> tuple[Estimate, ...]:
        """The measures estimated from a re-checked sample; none without one."""
        return next((rung.figures for rung in self.rungs if rung.kind == RECHECKED), ())

    @property
    def powered(self) -> "PredictionPowered | None":
        """The accuracy from a re-checked sample beside that of the sample alone; nothing without one."""
        return next((rung.powered for rung in self.rungs if rung.kind == RECHECKED), None)

    @property
    def wrong_labels(self) -> str:
        """Count the wrong labels among the re-checked ones, in words: "3 of 60"."""
        if self.known.sample is None:
            return ""
        pairs = self.known.sample.marginal("true", "label")
        wrong = int(pairs.counts[pairs.codes[:, 0] != pairs.codes[:, 1]].sum())
        return f"{wrong:,} of {pairs.n:,}"

    @property
    def keys(self) -> list[Key]:
        """All measures of the report, the claimed one first."""
        figures = [*(figure for rung in self.rungs for figure in rung.figures), *self.biases]
        return list(dict.fromkeys([self.claimed, *map(key_of, figures)]))

    def to_dict(self) -> dict[str, Any]:
        rate = self.known.rate
        return {
            "claim": str(self.breakdown.claim),
            "breakdown": self.breakdown.to_dict(),
            "noise_rate": list(rate) if rate else None,
            "rates": [estimate.to_dict() for estimate in self.rates],
            "measures": self._measures(),
            "rungs": [rung.to_dict() for rung in self.rungs],
            "band": [list(point) for point in self.band],
            "warnings": list(self.warnings),
        }

    def _measures(self) -> list[dict[str, Any]]:
        bounds, biases = ({key_of(figure): figure for figure in figures} for figures in (self.bounds, self.biases))
        return [
            {
                "name": key[0],
                "class": key[1],
                "average": key[2],
                "apparent": finite_or_none(self.measured[key].value) if key in self.measured else None,
                "bias": biases[key].to_dict() if key in biases else None,
                "bounds": bounds[key].to_dict() if key in bounds else None,
                "corrected": [
                    {"rung": rung.letter, "assumption": rung.name, **estimate.to_dict()}
                    for rung, estimate in self.corrected(key)
                ],
                "breakdown_rate": self.breakdown.rate if key == self.claimed else None,
            }
            for key in self.keys
        ]


def label_noise_report(
    tally: Tally,
    measured: Sequence[Estimate],
    knowledge: LabelKnowledge,
    confidence: Confidence,
    *,
    by_class: bool = True,
) -> LabelNoiseReport | None:
    """Report what wrong labels do to an evaluation, as far as the user's knowledge allows.

    Without any knowledge the report has the breakdown rate and the band of possible values. Weighted rows have none.

    Parameters
    ----------
    tally
        Counts by label × prediction and, where it is known, true class.
    measured
        Values against the labels.
    knowledge
        What the user knows about the labels.
    confidence
        Confidence level and method of the intervals.
    by_class
        Whether single classes have measures; otherwise rows are just right or wrong.

    >>> report = label_noise_report(Tally.from_dense([[45, 5], [10, 40]]), [], LabelKnowledge((0.0, 0.1)), Confidence())
    >>> report.breakdown.count, [rung.letter for rung in report.rungs]
    (35, ['d', 'b'])
    """
    if tally.weighted:
        if knowledge.anything or knowledge.claim:
            raise InputError(WEIGHTED)
        return None
    rows = tally.marginal("label", "prediction")
    if knowledge.transition:
        rows = on_classes(rows, knowledge.transition.classes, what="the transition table")
    check_stated_rate(tally, knowledge, confidence)
    broken = breakdown(rows, knowledge.claim)
    claimed, class_name = claimed_measure(broken.claim, rows)
    measures = _measures_with(claimed) if by_class else [accuracy, error]
    rungs, warnings = _rungs(rows, measures, knowledge, confidence)
    rates: list[Estimate] = []
    if knowledge.sample is not None and knowledge.design is None:
        rates = sample_rates(knowledge.sample, rows, confidence)
    elif knowledge.transition is not None:
        rates = knowledge.transition.rates(**confidence.sides)
    for rung in rungs:
        warnings += rung.warnings
    warnings += _impossible(rungs)
    return LabelNoiseReport(
        broken,
        (claimed.name, class_name, claimed.average),
        knowledge,
        tuple(rungs),
        _biases(tally, measures),
        tuple(rates),
        {key_of(estimate): estimate for estimate in measured},
        claim_band(rows, broken, knowledge.rate),
        confidence,
        tuple(dict.fromkeys(warnings)),
    )


def _measures_with(claimed: Measure) -> list[Measure]:
    """List the measures of the report: the usual ones and the one that is claimed."""
    per_class: list[Measure] = [*MAIN_PER_CLASS]
    per_class += [claimed] if isinstance(claimed, Ratio) and claimed not in per_class else []
    measures = [accuracy, error, *(averaged(measure, "macro") for measure in MAIN_PER_CLASS), *per_class]
    return measures if claimed in measures else [*measures, claimed]


def _rungs(
    rows: Tally, measures: Sequence[Measure], knowledge: LabelKnowledge, confidence: Confidence
) -> tuple[list[Rung[Any]], list[str]]:
    """Compute every rung that the knowledge allows, and say why a correction is missing."""
    rungs: list[Rung[Any]] = []
    several, sides = len(rows.classes) > 1, confidence.sides
    warnings = [ONE_CLASS] if knowledge.rate and not several else []
    if knowledge.rate and several:
        from justesse.noise.lam_stork import lam_stork

        rungs.append(bounds_from_rate(rows, measures, knowledge.rate))
        try:
            rungs.append(lam_stork(rows, knowledge.rate, **sides))
        except OptionError as problem:
            warnings.append(f"No corrected accuracy from the noise rate. {problem}")
    if knowledge.transition:
        from justesse.noise.counted_bounds import bounds_from_counted
        from justesse.noise.inversion import inversion

        rungs.append(bounds_from_counted(rows, measures, knowledge.transition, seed=confidence.seed, **sides))
        try:
            rungs.append(inversion(rows, measures, knowledge.transition, confidence))
        except InputError as problem:
            warnings.append(f"No corrected values from the transition table, only bounds. {problem}")
    if knowledge.sample is not None:
        from justesse.noise.recheck import recheck

        rungs.append(recheck(rows, knowledge.sample, measures, design=knowledge.design, **sides))
    return rungs, warnings


def _biases(tally: Tally, measures: Sequence[Measure]) -> "tuple[Bias, ...]":
    if "true" not in tally.axes:
        return ()
    from justesse.noise.bias import bias

    return tuple(bias(tally, measures))


def _tightest(rungs: Sequence[Rung[Any]]) -> dict[Key, Bounds]:
    tightest: dict[Key, Bounds] = {}
    for bounds in (bounds for rung in rungs if rung.letter == "d" for bounds in rung.figures):
        before = tightest.setdefault(key_of(bounds), bounds)
        if not before.high - before.low < bounds.high - bounds.low:
            tightest[key_of(bounds)] = bounds
    return tightest


def _impossible(rungs: Sequence[Rung[Any]]) -> list[str]:
    """Warn if a corrected value lies outside the bounds that the same knowledge gives."""
    possible = _tightest(rungs)
    outside = [
        (rung, estimate, possible[key])
        for rung in rungs
        if rung.letter in CORRECTING
        for estimate in rung.figures
        if (key := key_of(estimate)) in possible
        and not possible[key].low - 1e-9 <= estimate.value <= possible[key].high + 1e-9
        and not math.isnan(estimate.value)
    ]
    if not outside:
        return []
    rung, estimate, bounds = outside[0]
    more = f" So are {len(outside) - 1} other corrected values." if len(outside) > 1 else ""
    why = (
        "This can be chance, or the noise rate or the table is not right for these rows." if rung.letter == "f"
        else f"So the assumption that {rung.name} does not seem to hold here: do not use this correction."
    )  # fmt: skip
    return [
        f"The corrected {estimate.title} ({estimate.value:.4f}) is outside its bounds, {bounds.low:.4f} to "
        f"{bounds.high:.4f}, which hold if {bounds.assumption}.{more} {why}"
    ]
