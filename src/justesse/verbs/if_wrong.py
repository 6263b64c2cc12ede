"""What an evaluation says if some labels are wrong: the ladder of assumptions, as far as the user can climb it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError
from justesse.core.results import Average, ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.transition_table import transition_table
from justesse.intervals.estimate import Confidence
from justesse.measures import Measure, accuracy, averaged, error, f1, precision, recall
from justesse.measures.averages import Averaged
from justesse.noise.bias import Bias, bias
from justesse.noise.bounds import Bounds, bounds_from_rate
from justesse.noise.breakdown import Breakdown, breakdown
from justesse.noise.claim import Claim
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import lam_stork
from justesse.noise.rate_range import rate_range
from justesse.noise.recheck import recheck
from justesse.noise.rung import Rung
from justesse.noise.transition import Transition

RATES = np.linspace(0, 0.5, 51)
CONTRADICTED = (
    "The re-checked sample says that {low:.4f} to {high:.4f} of the labels are wrong ({level:g} % interval), which "
    "contradicts the noise rate given, {given}: one of them is not about these labels."
)

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
    classes: Sequence[ClassName], *, noise_rate: Any = None, transition: Any = None, sample: Tally | None = None,
    claim: str | None = None, audited: Any = None,
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
    return Known(
        None if noise_rate is None else parse_rate(noise_rate),
        table,
        sample,
        Claim.parse(claim) if claim else None,
        (transition, audited),
    )


def parse_rate(given: Any) -> tuple[float, float]:
    """Read a noise rate: `0.03` means at most 3 %, `0.01:0.05` between 1 and 5 %, `0.03:0.03` exactly 3 %.

    >>> parse_rate("0.02:0.04"), parse_rate((0.02, 0.04)), parse_rate(0.5)
    ((0.02, 0.04), (0.02, 0.04), (0.0, 0.5))
    """
    parts = given.split(":") if isinstance(given, str) else given if isinstance(given, (tuple, list)) else [given]
    try:
        numbers = [float(part) for part in parts]
    except (TypeError, ValueError) as problem:
        raise OptionError(
            f"a noise rate is a share such as 0.03, or a range such as 0.01:0.05; got {given!r}"
        ) from problem
    if len(numbers) not in (1, 2) or not all(0 <= number < 1 for number in numbers):
        raise OptionError(f"a noise rate is a share in [0, 1): 3 % is 0.03, 1 to 5 % is 0.01:0.05; got {given!r}")
    return rate_range((0.0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1]))


@dataclass(frozen=True)
class IfWrong:
    """The breakdown rate of a claim, and what each rung the user can climb says of every measure."""

    breakdown: Breakdown
    known: Known
    rungs: tuple[Rung[Any], ...]
    biases: tuple[Bias, ...]
    rates: tuple[Estimate, ...]
    apparent: Estimate
    band: tuple[tuple[float, float, float], ...]
    values: dict[Key, float]
    warnings: tuple[str, ...]

    @property
    def bounds(self) -> list[Bounds]:
        """The tightest bounds there are: from the transition table, else from the rate."""
        bounding = [rung for rung in self.rungs if rung.letter == "d"]
        return list(bounding[-1].found) if bounding else []

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

    def _measures(self) -> list[dict[str, Any]]:
        bounds = {(one.name, one.class_name, one.average): one for one in self.bounds}
        biases = {(one.name, one.class_name, one.average): one for one in self.biases}
        keys: list[Key] = list(dict.fromkeys([*bounds, *biases, *self._corrected_keys()]))
        found = []
        for key in keys:
            one, moved = bounds.get(key), biases.get(key)
            fixes = self.corrected(key)
            apparent = self.values.get(key, math.nan)
            found.append(
                {
                    "name": key[0],
                    "class": key[1],
                    "average": key[2],
                    "apparent": None if math.isnan(apparent) else apparent,
                    "bias": moved.to_dict() if moved else None,
                    "bounds": one.to_dict() if one else None,
                    "corrected": [
                        {"rung": rung.letter, "assumption": rung.name, **fixed.to_dict()} for rung, fixed in fixes
                    ],
                    "breakdown_rate": self.breakdown.rate if self._claimed(key) else None,
                }
            )
        return found

    def _corrected_keys(self) -> list[Key]:
        return [
            (one.name, one.class_name, one.average) for rung in self.rungs if rung.letter in "bcf" for one in rung.found
        ]

    def _claimed(self, key: Key) -> bool:
        claim = self.breakdown.claim
        name = f"macro_{key[0]}" if key[2] == "macro" else key[0]
        return claim.measure == name and (claim.class_name is None or str(claim.class_name) == str(key[1]))


def if_wrong(tally: Tally, apparent: Estimate, given: Known, confidence: Confidence) -> IfWrong | None:
    """Climb as far as what is known allows; without anything, the breakdown rate alone is said.

    `tally` counts label × prediction, with `true` where that is known. Weighted rows have no such figures.
    """
    if tally.weighted:
        if given.anything or given.claim:
            raise InputError("what wrong labels do to weighted rows is not worked out; leave the weights out")
        return None
    rows = tally.marginal("label", "prediction")
    measures: list[Measure] = [accuracy, error, precision, recall, f1]
    macro: list[Averaged] = [averaged(one, "macro") for one in (precision, recall, f1)]
    several = len(rows.classes) > 1
    rungs: list[Rung[Any]] = []
    warnings: list[str] = []
    sides = {"level": confidence.level, "alternative": confidence.alternative}
    if given.rate and several:
        rungs.append(bounds_from_rate(rows, [*measures, *macro], given.rate))
        try:
            rungs.append(lam_stork(rows, given.rate, **sides))  # type: ignore[arg-type]
        except OptionError as problem:
            warnings.append(f"No corrected accuracy from the rate alone: {problem}.")
    if given.transition and several:
        seeded = {**sides, "seed": confidence.seed}
        rungs.append(bounds_from_counted(rows, [*measures, *macro], given.transition, **seeded))  # type: ignore[arg-type]
        try:
            rungs.append(inversion(rows, [*measures, *macro], given.transition, confidence))
        except OptionError as problem:
            warnings.append(f"No corrected values from the transition table, only bounds: {problem}.")
    rates: list[Estimate] = []
    if given.sample is not None:
        rungs.append(recheck(rows, given.sample, measures, **sides))  # type: ignore[arg-type]
        rates = Transition.from_tally(given.sample).rates(population=rows.n, **sides)  # type: ignore[arg-type]
        check_rate(rates[0], given)
    elif given.transition is not None:
        rates = given.transition.rates(**sides)  # type: ignore[arg-type]
    for rung in rungs:
        warnings += rung.warnings
    warnings += _impossible(rungs)
    biases = bias(tally, [*measures, *macro]) if "true" in tally.axes else []
    return IfWrong(
        breakdown(rows, given.claim),
        given,
        tuple(rungs),
        tuple(biases),
        tuple(rates),
        apparent,
        tuple(_band(rows)) if several else (),
        _values(rows, [*measures, *macro]),
        tuple(dict.fromkeys(warnings)),
    )


def _values(rows: Tally, measures: Sequence[Measure]) -> dict[Key, float]:
    """Give the measured values, by name, class and average."""
    found: dict[Key, float] = {}
    for measure in measures:
        names = rows.classes if measure.per_class else (None,)
        for name, value in zip(names, np.atleast_1d(measure(rows)).tolist(), strict=True):
            found[measure.name, name, measure.average] = value
    return found


def _impossible(rungs: Sequence[Rung[Any]]) -> list[str]:
    """Warn where a correction leaves what is possible at all under the same knowledge."""
    possible = {(one.name, one.class_name, one.average): one for r in rungs if r.letter == "d" for one in r.found}
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


def check_rate(rate: Estimate, given: Known) -> None:
    """Refuse a noise rate that the re-checked sample contradicts."""
    if given.rate is None or rate.interval is None:
        return
    low, high = given.rate
    if rate.interval.low > high or rate.interval.high < low:
        shown = f"{low:g} to {high:g}" if low else f"at most {high:g}"
        ends = {"low": rate.interval.low, "high": rate.interval.high, "level": 100 * rate.interval.level}
        raise InputError(CONTRADICTED.format(given=shown, **ends))


def _band(rows: Tally) -> list[tuple[float, float, float]]:
    """Give the least and the most the true accuracy can be, against the share of wrong labels."""
    found = []
    for rate in RATES.tolist():
        one = bounds_from_rate(rows, [accuracy], rate).found[0]
        found.append((rate, one.low, one.high))
    return found
