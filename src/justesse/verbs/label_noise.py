"""What an evaluation says if some labels are wrong: the ladder of assumptions, as far as the user can climb it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError
from justesse.core.levels import merged
from justesse.core.results import Average, ClassName, Estimate, finite_or_none
from justesse.core.shares import share
from justesse.core.tally import Tally
from justesse.core.true_sets import knows_truth, wrong_label_share
from justesse.frames.transition_table import transition_table
from justesse.intervals.estimate import Confidence
from justesse.intervals.wilson import wilson
from justesse.measures import MAIN_PER_CLASS, Measure, accuracy, averaged, error
from justesse.measures.ratio import Ratio
from justesse.noise.bias import Bias, bias
from justesse.noise.bounds import Bounds, bounds_from_rate
from justesse.noise.breakdown import Breakdown, breakdown
from justesse.noise.claim import BY_CLASS, OVERALL, Claim
from justesse.noise.counted import on_classes
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.counted_rate import counted_rate, is_of_these
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import lam_stork
from justesse.noise.rate_range import rate_range, whole_rows
from justesse.noise.recheck import recheck
from justesse.noise.relabelling import accuracy_range
from justesse.noise.rung import Rung
from justesse.noise.transition import Transition, TransitionOf

STEPS = 40
ONE_CLASS = "There is only one class, so no label can be wrong: what is known of wrong labels was not used."
Key = tuple[str, ClassName, Average | None]


@dataclass(frozen=True)
class Known:
    """What the user knows about the labels: a noise rate or a range of it, a transition table, a re-checked sample."""

    rate: tuple[float, float] | None = None
    transition: Transition | None = None
    sample: Tally | None = None
    claim: Claim | None = None
    files: tuple[Any, ...] = ()

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was said of the labels, for a page."""
        found = []
        if self.rate:
            found.append(("noise rate given", f"{self.rate[0]:g} to {self.rate[1]:g}"))
        if self.claim:
            found.append(("claim", str(self.claim)))
        if self.sample is not None:
            found.append(("rows re-checked", f"{self.sample.n:,}"))
        return found

    @property
    def anything(self) -> bool:
        return self.rate is not None or self.transition is not None or self.sample is not None


def known(
    classes: Sequence[ClassName], *, noise_rate: Any = None, transition: Any = None,
    transition_of: TransitionOf | None = None, sample: Tally | None = None, claim: str | None = None,
    audited: Any = None,
) -> Known:  # fmt: skip
    """Read what the user knows, checked.

    >>> known(["a", "b"], noise_rate="0.01:0.05").rate
    (0.01, 0.05)
    >>> known(["a", "b"], noise_rate=0.03).rate
    (0.0, 0.03)
    """
    table = None
    if transition is not None:
        table = (
            transition if isinstance(transition, Transition)
            else Transition.from_table(*transition_table(transition, classes))
        )  # fmt: skip
    if transition_of is not None:
        if table is None:
            raise OptionError("transition_of (--transition-of) needs a transition table: transition=… (--transition)")
        table = table.counted_on(transition_of)
    return Known(
        None if noise_rate is None else parse_rate(noise_rate),
        table,
        sample,
        None if claim is None else Claim.parse(claim),
        (transition, audited),
    )


def parse_rate(given: Any) -> tuple[float, float]:
    """Read a noise rate: `0.03` means at most 3 %, `0.01:0.05` between 1 and 5 %, `0.03:0.03` exactly 3 %.

    >>> parse_rate("0.02:0.04"), parse_rate((0.02, 0.04)), parse_rate(0.5), parse_rate("1%:5%")
    ((0.02, 0.04), (0.02, 0.04), (0.0, 0.5), (0.01, 0.05))
    """
    parts = given.split(":") if isinstance(given, str) else given if isinstance(given, (tuple, list)) else [given]
    try:
        numbers = [share(part, "a noise rate") for part in parts]
    except OptionError as problem:
        raise OptionError(
            f"a noise rate is a share such as 0.03 or 3%, or a range such as 0.01:0.05; got {given!r}"
        ) from problem
    if len(numbers) not in (1, 2) or not all(0 <= number < 1 for number in numbers):
        raise OptionError(f"a noise rate is a share in [0, 1): 3 % is 0.03, 1 to 5 % is 0.01:0.05; got {given!r}")
    return rate_range((0.0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1]))


@dataclass(frozen=True)
class LabelNoiseReport:
    """The breakdown rate of a claim, and what each rung the user can climb says of every measure.

    `measured` are the values against the labels, `claimed` says which of them the claim is about; `band` is what the
    true value of that one can be: (share of wrong labels, least, most).
    """

    breakdown: Breakdown
    claimed: Key
    known: Known
    rungs: tuple[Rung[Any], ...]
    biases: tuple[Bias, ...]
    rates: tuple[Estimate, ...]
    measured: Mapping[Key, Estimate]
    band: tuple[tuple[float, float, float], ...]
    confidence: Confidence
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> list[Bounds]:
        """The tightest bounds there are of each measure, from the transition table or from the rate."""
        return list(_tightest(self.rungs).values())

    def corrected(self, key: Key) -> list[tuple[Rung[Any], Estimate]]:
        """Find what the rungs that correct say of one measure."""
        return [
            (rung, one)
            for rung in self.rungs
            if rung.letter in "bcf"
            for one in rung.found
            if (one.name, one.class_name, one.average) == key
        ]

    def to_dict(self) -> dict[str, Any]:
        rate = self.known.rate
        return {
            "claim": str(self.breakdown.claim),
            "breakdown": self.breakdown.to_dict(),
            "noise_rate": list(rate) if rate else None,
            "rates": [one.to_dict() for one in self.rates],
            "measures": self._measures(),
            "rungs": [rung.to_dict() for rung in self.rungs],
            "band": [list(point) for point in self.band],
            "warnings": list(self.warnings),
        }

    @property
    def keys(self) -> list[Key]:
        """All measures that something is said of, the one that is claimed first."""
        found = [*(one for rung in self.rungs for one in rung.found), *self.biases]
        return list(dict.fromkeys([self.claimed, *((one.name, one.class_name, one.average) for one in found)]))

    def _measures(self) -> list[dict[str, Any]]:
        bounds = {(one.name, one.class_name, one.average): one for one in self.bounds}
        biases = {(one.name, one.class_name, one.average): one for one in self.biases}
        found = []
        for key in self.keys:
            one, moved = bounds.get(key), biases.get(key)
            found.append(
                {
                    "name": key[0],
                    "class": key[1],
                    "average": key[2],
                    "apparent": finite_or_none(self.measured[key].value) if key in self.measured else None,
                    "bias": moved.to_dict() if moved else None,
                    "bounds": one.to_dict() if one else None,
                    "corrected": [
                        {"rung": rung.letter, "assumption": rung.name, **fixed.to_dict()}
                        for rung, fixed in self.corrected(key)
                    ],
                    "breakdown_rate": self.breakdown.rate if key == self.claimed else None,
                }
            )
        return found


def if_wrong(
    tally: Tally, measured: Sequence[Estimate], given: Known, confidence: Confidence
) -> LabelNoiseReport | None:
    """Climb as far as what is known allows; without anything, the breakdown rate alone is said.

    `tally` counts label × prediction, with `true` where that is known; `measured` are the values against the labels.
    Weighted rows have no such figures.
    """
    if tally.weighted:
        if given.anything or given.claim:
            raise InputError("what wrong labels do to weighted rows is not worked out; leave the weights out")
        return None
    rows = tally.marginal("label", "prediction")
    if given.transition:
        rows = on_classes(rows, given.transition.classes, what="the transition table")
    check_rate(tally, given, confidence)
    broken = breakdown(rows, given.claim)
    claimed = _claimed(broken.claim)
    per_class: list[Measure] = [*MAIN_PER_CLASS]
    per_class += [claimed] if isinstance(claimed, Ratio) and claimed not in per_class else []
    every = [accuracy, error, *(averaged(one, "macro") for one in MAIN_PER_CLASS), *per_class]
    every += [claimed] if claimed not in every else []
    several = len(rows.classes) > 1
    rungs: list[Rung[Any]] = []
    warnings: list[str] = [] if several or not given.rate else [ONE_CLASS]
    sides = confidence.sides
    if given.rate and several:
        rungs.append(bounds_from_rate(rows, every, given.rate))
        try:
            rungs.append(lam_stork(rows, given.rate, **sides))
        except OptionError as problem:
            warnings.append(f"No corrected accuracy from the rate alone: {problem}.")
    if given.transition:
        rungs.append(bounds_from_counted(rows, every, given.transition, seed=confidence.seed, **sides))
        try:
            rungs.append(inversion(rows, every, given.transition, confidence))
        except InputError as problem:
            warnings.append(f"No corrected values from the transition table, only bounds: {problem}.")
    rates: list[Estimate] = []
    if given.sample is not None:
        rungs.append(recheck(rows, given.sample, every, **sides))
        rates = sample_rates(given.sample, rows, confidence)
    elif given.transition is not None:
        rates = given.transition.rates(**sides)
    for rung in rungs:
        warnings += rung.warnings
    warnings += _impossible(rungs)
    at = broken.claim.position(rows) if claimed.per_class else 0
    return LabelNoiseReport(
        broken,
        (claimed.name, rows.classes[at] if claimed.per_class else None, claimed.average),
        given,
        tuple(rungs),
        tuple(bias(tally, every)) if "true" in tally.axes else (),
        tuple(rates),
        {(one.name, one.class_name, one.average): one for one in measured},
        tuple(_band(rows, claimed, at, broken, given)) if several else (),
        confidence,
        tuple(dict.fromkeys(warnings)),
    )


def _claimed(claim: Claim) -> Measure:
    return BY_CLASS[claim.measure] if claim.measure in BY_CLASS else OVERALL[claim.measure]


def _tightest(rungs: Sequence[Rung[Any]]) -> dict[Key, Bounds]:
    tightest: dict[Key, Bounds] = {}
    for one in (one for rung in rungs if rung.letter == "d" for one in rung.found):
        before = tightest.setdefault((one.name, one.class_name, one.average), one)
        if not before.high - before.low < one.high - one.low:
            tightest[one.name, one.class_name, one.average] = one
    return tightest


def _impossible(rungs: Sequence[Rung[Any]]) -> list[str]:
    """Warn where a correction leaves what is possible at all under the same knowledge."""
    possible = _tightest(rungs)
    outside = [
        (rung, one, possible[key])
        for rung in rungs
        if rung.letter in "bcf"
        for one in rung.found
        if (key := (one.name, one.class_name, one.average)) in possible
        and not possible[key].low - 1e-9 <= one.value <= possible[key].high + 1e-9
        and not math.isnan(one.value)
    ]
    if not outside:
        return []
    rung, one, bounds = outside[0]
    more = f" (and {len(outside) - 1} more of its figures)" if len(outside) > 1 else ""
    why = (
        "by chance, or because what was said of the labels is not so" if rung.letter == "f"
        else f"it seems not to be so on these rows that {rung.name}"
    )  # fmt: skip
    return [
        f"The corrected {one.title}, {one.value:.4f}{more}, lies outside of {bounds.low:.4f} to {bounds.high:.4f}, which is all that is possible if {bounds.assumption}: {why}."
    ]


def sample_rates(sample: Tally, rows: Tally, confidence: Confidence) -> list[Estimate]:
    """Give the noise rates that re-checked rows show."""
    classes = merged(rows.classes, sample.classes)
    if len(classes) < 2:
        return []
    pairs = on_classes(sample.marginal("true", "label"), classes, what="the list of classes")
    return Transition.from_tally(pairs).rates(population=rows.n, **confidence.sides)


def check_rate(tally: Tally, given: Known, confidence: Confidence) -> None:
    """Refuse a noise rate that the true classes, the transition table or the re-checked rows contradict."""
    if given.rate is None:
        return
    low, high = given.rate
    stated = f"{low:g} to {high:g}" if low else f"at most {high:g}"
    half = 0.5 / tally.n  # a rate need not be typed to more digits than whole rows
    for who, least, most, sure in _rates_shown(tally, given, confidence):
        if least - half > high or most + half < low:
            ends = f"{least:.4f}" if least == most else f"{least:.4f} to {most:.4f}"
            raise InputError(
                f"{who} that {ends} of the labels are wrong{sure}, which contradicts the noise rate given, {stated}: "
                "one of them is not about these labels"
            )


def _rates_shown(tally: Tally, given: Known, confidence: Confidence) -> Iterator[tuple[str, float, float, str]]:
    """Yield who says how many labels are wrong, from and to which share, and how sure that is."""
    both_sides, table = replace(confidence, alternative="two-sided"), given.transition
    sure = f" ({100 * confidence.level:.4g} % interval)"
    if knows_truth(tally):
        wrong = wrong_label_share(tally)
        yield "the true classes say", wrong, wrong, ""
    if table is not None:
        rows = on_classes(tally.marginal("label"), table.classes, what="the transition table")
        labels = rows.sums("label")[: len(table.classes)]
        if not is_of_these(labels, table):
            ends = counted_rate(labels, table, seed=confidence.seed, **both_sides.sides)
            yield "the transition table, which was counted on some rows, says", *ends, sure
        elif table.counts is not None:
            yield "the transition table, which was counted on these rows, says", table.rate(), table.rate(), ""
        else:
            rate = 1 - float(np.trace(table.joint(labels))) / tally.n
            around = wilson(rate * tally.n, tally.n, **both_sides.sides)
            yield "the transition table says", float(around.low), float(around.high), sure
    if given.sample is not None:
        rates = sample_rates(given.sample, tally, both_sides)
        if rates and (interval := rates[0].interval):
            yield "the re-checked sample says", interval.low, interval.high, sure


def _band(
    rows: Tally, claimed: Measure, at: int, broken: Breakdown, given: Known
) -> Iterator[tuple[float, float, float]]:
    """Give the least and the most the true value can be, against the share of wrong labels, past where the claim breaks."""
    reach = min(1.0, max(0.05, 1.25 * (broken.rate or 0.0), 1.5 * (given.rate[1] if given.rate else 0.0)))
    right = float(accuracy(rows))
    for rate in np.linspace(0, reach, STEPS + 1).tolist():
        if claimed is accuracy:  # in closed form: it is drawn for every evaluation
            yield rate, *accuracy_range(right, 0.0, whole_rows(0.0, rate, rows.n)[1] / rows.n, len(rows.classes))
        else:
            wanted = rows.classes[at] if claimed.per_class else None
            one = next(one for one in bounds_from_rate(rows, [claimed], rate).found if one.class_name == wanted)
            yield rate, one.low, one.high
