"""`justesse.plan_…`: how many rows are enough, before they are gathered."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.core.version import SCHEMA, __version__
from justesse.intervals import PlainMethod
from justesse.intervals.planning.difference import check_difference, difference_n
from justesse.intervals.planning.labels import label_choice
from justesse.intervals.planning.noise import noise_n
from justesse.intervals.planning.precision import precision_n
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.verbs.options.plans import (
    DifferencePlanOptions,
    LabelPlanOptions,
    NoisePlanOptions,
    PrecisionPlanOptions,
)

LEVELS = (0.90, 0.95, 0.99)


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """The smallest n for a goal, other goals and their n beside it, and what it all rests on."""

    plan: str
    n: int
    answer: str
    inputs: dict[str, Any]
    alternatives: tuple[dict[str, Any], ...]
    assumptions: tuple[str, ...]
    details: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "plan": self.plan,
            "n": self.n,
            "answer": self.answer,
            "inputs": self.inputs,
            **self.details,
            "alternatives": list(self.alternatives),
            "assumptions": list(self.assumptions),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        return {name: [row[name] for row in self.alternatives] for name in self.alternatives[0]}

    def _is_asked_for(self, goal: dict[str, Any]) -> bool:
        """Tell whether a goal of the table is the one asked for, rather than a neighbour."""
        return all(self.inputs[name] == value for name, value in goal.items() if name in self.inputs)

    def document(self) -> Document:
        columns = self.to_columns()
        head = [Column(name.replace("_", " "), "text" if name == "better" else "general") for name in columns]
        rows = [[*row.values(), "asked for" if self._is_asked_for(row) else ""] for row in self.alternatives]
        head.append(Column("", "text"))
        return Document(
            f"How many rows are enough: {self.plan}",
            self.answer,
            [
                Section(
                    "alternatives",
                    "This goal and others",
                    [Table("This goal and others", head, rows, most=40)],
                    "headline",
                )
            ],
            self.to_dict(),
            name="plan",
            assumptions=self.assumptions,
            facts=[(name.replace("_", " "), str(value)) for name, value in self.inputs.items() if value is not None],
        )


def plan_precision(
    *,
    half_width: float,
    expected: float = PrecisionPlanOptions.expected,
    level: float = PrecisionPlanOptions.level,
    method: PlainMethod = PrecisionPlanOptions.method,
    assurance: float | None = None,
) -> Plan:
    """Compute how many rows are needed to know accuracy, or any share of rows, to ± a half-width.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    expected
        Accuracy, or other share, that you expect, such as 0.9. Default: 0.5, the worst case.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.
    assurance
        Probability with which the interval is as narrow as that, such as 0.9. Default: only if the share is as
        expected.

    Returns
    -------
    Plan
        `n` is the number of rows. For precision or recall of a class it counts the rows predicted or labelled as that
        class.

    Examples
    --------

    >>> plan_precision(half_width=0.01, expected=0.9).n
    3461
    """
    n = precision_n(half_width, expected=expected, level=level, method=method, assurance=assurance)
    widths = (2 * half_width, half_width, half_width / 2)
    alternatives = []
    for width, share, at in product(widths, dict.fromkeys((expected, 0.5)), sorted({*LEVELS, level})):
        with suppress(OptionError):  # a neighbour out of reach is not a reason to refuse the question
            needed = precision_n(width, expected=share, level=at, method=method, assurance=assurance)
            alternatives.append({"half_width": width, "expected": share, "level": at, "n": needed})
    kept = f" with probability {assurance:g}" if assurance else ""
    return Plan(
        "precision",
        n,
        f"{n:,} rows: a share around {expected:g} is then known to ±{half_width:g}{kept} ({100 * level:g} % CI, {method}).",
        {"half_width": half_width, "expected": expected, "level": level, "method": method, "assurance": assurance},
        tuple(alternatives),
        (
            "rows are independent draws from the population of interest",
            f"the share observed is {expected:g}" if assurance is None else f"the true share is {expected:g}",
            "labels are right",
        ),
        {},
    )


def plan_difference(
    *,
    difference: float,
    disagreement: float,
    power: float = DifferencePlanOptions.power,
    level: float = DifferencePlanOptions.level,
    alternative: Alternative = DifferencePlanOptions.alternative,
) -> Plan:
    """Compute how many rows two classifiers must both answer for a difference of accuracy to be seen.

    Parameters
    ----------
    difference
        How much better the candidate is, in accuracy, such as 0.02 for 2 points.
    disagreement
        Share of rows on which exactly one of the two is right, such as 0.08.
    power
        Probability of finding the difference, such as 0.9. Default: 0.8.
    level
        Confidence level of the test, such as 0.9. Default: 0.95.
    alternative
        Side of the test: greater or less for a one-sided test. Default: two-sided.

    Returns
    -------
    Plan
        `n` is the number of rows.

    Notes
    -----
    The disagreement is at least the difference. Two good classifiers that make the same mistakes disagree little, and then
    few rows are enough.

    Examples
    --------

    >>> plan_difference(difference=0.02, disagreement=0.08).n
    1556
    """
    n = difference_n(difference, disagreement=disagreement, power=power, level=level, alternative=alternative)
    alternatives = []
    for size in (difference / 2, difference, difference * 2):
        for apart in (disagreement / 2, disagreement, disagreement * 2):
            for chance in sorted({0.8, 0.9, power}):
                if abs(size) <= apart <= 1 and abs(size) < 1:
                    needed = difference_n(size, disagreement=apart, power=chance, level=level, alternative=alternative)
                    alternatives.append({"difference": size, "disagreement": apart, "power": chance, "n": needed})
    check_difference(difference, disagreement)
    return Plan(
        "difference",
        n,
        f"{n:,} rows answered by both: McNemar's mid-p test at {100 * level:g} % then finds a difference of "
        f"{abs(difference):g} with probability {power:g}, if exactly one of the two is right on {100 * disagreement:g} % of rows.",
        {
            "difference": difference,
            "disagreement": disagreement,
            "power": power,
            "level": level,
            "alternative": alternative,
        },
        tuple(alternatives),
        ("both classifiers answer the same rows, drawn independently", "labels are right"),
        {},
    )


def plan_noise(
    *,
    half_width: float,
    noise_rate: float = NoisePlanOptions.noise_rate,
    population: int | None = None,
    level: float = NoisePlanOptions.level,
    method: PlainMethod = NoisePlanOptions.method,
) -> Plan:
    """Compute how many labels to re-check, drawn at random, to know which share of them is wrong.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    noise_rate
        Share of wrong labels that you expect, such as 0.02. Default: 0.05.
    population
        Number of labels in all, such as 10000: fewer need re-checking if there are few. Default: unlimited.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.

    Returns
    -------
    Plan
        `n` is the number of labels.

    Examples
    --------

    >>> plan_noise(half_width=0.01, noise_rate=0.05, population=10_000).n
    1553
    """
    n = noise_n(half_width, rate=noise_rate, population=population, level=level, method=method)
    alternatives = tuple(
        {
            "half_width": width,
            "rate": share,
            "n": noise_n(width, rate=share, population=population, level=level, method=method),
        }
        for width in (2 * half_width, half_width, half_width / 2)
        if width < 0.5
        for share in sorted({noise_rate / 2, noise_rate, min(2 * noise_rate, 0.5)})
    )
    of = f" of {population:,}" if population else ""
    return Plan(
        "noise",
        n,
        f"Re-check {n:,}{of} labels drawn at random: a noise rate around {noise_rate:g} is then known to "
        f"±{half_width:g} ({100 * level:g} % CI, {method}).",
        {"half_width": half_width, "rate": noise_rate, "population": population, "level": level, "method": method},
        alternatives,
        ("labels to re-check are drawn at random, not because they look suspicious", "whoever re-checks them is right"),
        {},
    )


def plan_labels(
    *,
    half_width: float,
    noise_rate: float,
    expected: float = LabelPlanOptions.expected,
    classes: int = LabelPlanOptions.classes,
    expert_price: float = LabelPlanOptions.expert_price,
    cheap_price: float = LabelPlanOptions.cheap_price,
    level: float = LabelPlanOptions.level,
) -> Plan:
    """Compare the price of a few expert labels with that of many cheap ones, for the same half-width.

    Parameters
    ----------
    half_width
        Precision you need for the accuracy, such as 0.02 for ±2 points.
    noise_rate
        Share of cheap labels that are wrong, such as 0.05.
    expected
        Accuracy that you expect, such as 0.8. Default: 0.9.
    classes
        Number of classes, such as 10. Default: 2.
    expert_price
        Price of one expert label, in any currency, such as 5. Default: 1.
    cheap_price
        Price of one cheap label, in the same currency, such as 0.1. Default: 1.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.

    Returns
    -------
    Plan
        `n` is the number of labels of the cheaper kind.

    Examples
    --------

    >>> plan_labels(half_width=0.02, noise_rate=0.05, expert_price=5).details["better"]
    'cheap'
    """
    prices = {"expert_price": expert_price, "cheap_price": cheap_price}
    choice = label_choice(half_width, rate=noise_rate, expected=expected, classes=classes, level=level, **prices)
    expert = choice.better == "expert"
    n = choice.expert_n if expert else choice.cheap_n
    rates = sorted({noise_rate / 2, noise_rate, *([2 * noise_rate] if 2 * noise_rate < 1 - 1 / classes else [])})
    alternatives = []
    for at in rates:
        other = label_choice(half_width, rate=at, expected=expected, classes=classes, level=level, **prices)
        alternatives.append(
            {
                "rate": at,
                "expert_n": other.expert_n,
                "cheap_n": other.cheap_n,
                "expert_cost": other.expert_cost,
                "cheap_cost": other.cheap_cost,
                "better": other.better,
            }
        )
    return Plan(
        "labels",
        n,
        f"{'Few expert' if expert else 'Many cheap'} labels: ±{half_width:g} takes {choice.expert_n:,} expert labels "
        f"(cost {choice.expert_cost:,.10g}) or {choice.cheap_n:,} cheap ones (cost {choice.cheap_cost:,.10g}); cheap ones win "
        f"below {choice.break_even:.2f} of an expert's price. This holds only if mistakes are uniform: otherwise cheap "
        f"labels leave a bias of up to ±{choice.worst_bias:g} that no quantity removes.",
        {
            "half_width": half_width,
            "rate": noise_rate,
            "expected": expected,
            "classes": classes,
            **prices,
            "level": level,
        },
        tuple(alternatives),
        (
            "the experts are right",
            "cheap labels are wrong at this rate, known exactly, uniformly over classes and independently of the classifier",
        ),
        {
            "better": choice.better,
            "expert_n": choice.expert_n,
            "cheap_n": choice.cheap_n,
            "expert_cost": choice.expert_cost,
            "cheap_cost": choice.cheap_cost,
            "break_even": choice.break_even,
            "apparent": choice.apparent,
            "worst_bias": choice.worst_bias,
        },
    )
