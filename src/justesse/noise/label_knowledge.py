"""What the user knows about the labels: a noise rate or its range, a transition table, a re-checked sample, a claim."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.errors import InputError, OptionError
from justesse.core.levels import merged
from justesse.core.results import Estimate
from justesse.core.shares import share
from justesse.core.tally import Tally
from justesse.core.true_sets import knows_truth, wrong_label_share
from justesse.intervals.estimate import Confidence
from justesse.intervals.wilson import wilson
from justesse.noise.claim import Claim
from justesse.noise.counted import on_classes
from justesse.noise.rate_range import rate_range, rate_words

if TYPE_CHECKING:
    from justesse.noise.sample_design import SampleDesign
    from justesse.noise.transition import Transition


@dataclass(frozen=True)
class LabelKnowledge:
    """What the user knows about the labels; everything is optional.

    Parameters
    ----------
    rate
        Lowest and highest share of wrong labels.
    transition
        How often each true class gets which label.
    sample
        Re-checked rows, counted by true × label × prediction.
    claim
        What the user claims about the classifier.
    files
        Files the table and the sample come from, for the list of inputs.
    design
        How the re-checked rows were drawn, if some were likelier than others.
    """

    rate: tuple[float, float] | None = None
    transition: "Transition | None" = None
    sample: Tally | None = None
    claim: Claim | None = None
    files: tuple[Any, ...] = ()
    design: "SampleDesign | None" = None

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Name and value of each item, for the list of inputs and settings."""
        facts = []
        if self.rate:
            facts.append(("noise rate given", f"{self.rate[0]:g} to {self.rate[1]:g}"))
        if self.claim:
            facts.append(("claim", str(self.claim)))
        if self.sample is not None:
            facts.append(("rows re-checked", f"{self.sample.n:,}"))
        return facts

    @property
    def anything(self) -> bool:
        """Whether anything is known about the mistakes."""
        return self.rate is not None or self.transition is not None or self.sample is not None


def parse_rate(rate: Any) -> tuple[float, float]:
    """Read a noise rate: `0.03` means at most 3 %, `0.01:0.05` between 1 and 5 %, `0.03:0.03` exactly 3 %.

    >>> parse_rate("0.02:0.04"), parse_rate((0.02, 0.04)), parse_rate(0.5), parse_rate("1%:5%")
    ((0.02, 0.04), (0.02, 0.04), (0.0, 0.5), (0.01, 0.05))
    """
    parts = rate.split(":") if isinstance(rate, str) else rate if isinstance(rate, (tuple, list)) else [rate]
    try:
        numbers = [share(part, "a noise rate") for part in parts]
    except OptionError as problem:
        raise OptionError(
            f"A noise rate must be a share such as 0.03 or 3%, or a range such as 0.01:0.05; got {rate!r}."
        ) from problem
    if len(numbers) not in (1, 2) or not all(0 <= number < 1 for number in numbers):
        raise OptionError(
            f"A noise rate must be at least 0 and below 1 (3 % is 0.03, 1 to 5 % is 0.01:0.05); got {rate!r}."
        )
    return rate_range((0.0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1]))


def sample_rates(sample: Tally, rows: Tally, confidence: Confidence) -> list[Estimate]:
    """Estimate the noise rates of all `rows` from the re-checked `sample`, overall and for each true class."""
    from justesse.noise.transition import Transition

    classes = merged(rows.classes, sample.classes)
    if len(classes) < 2:
        return []
    pairs = on_classes(sample.marginal("true", "label"), classes, what="the list of classes")
    return Transition.from_tally(pairs).rates(population=rows.n, **confidence.sides)


def check_stated_rate(tally: Tally, knowledge: LabelKnowledge, confidence: Confidence) -> None:
    """Refuse a noise rate that the true classes, the transition table or the re-checked rows contradict."""
    if knowledge.rate is None:
        return
    low, high = knowledge.rate
    half = 0.5 / tally.n  # a rate need not be typed to more digits than whole rows
    for source, least, most, level in _rates_shown(tally, knowledge, confidence):
        if least - half > high or most + half < low:
            ends = f"{100 * least:.3g} %" if least == most else f"{100 * least:.3g} to {100 * most:.3g} %"
            raise InputError(
                f"According to {source}, {ends} of the labels are wrong{level}. This contradicts the noise rate given, "
                f"{rate_words(low, high)}. Check that both are about these labels, or leave one out."
            )


def _rates_shown(
    tally: Tally, knowledge: LabelKnowledge, confidence: Confidence
) -> Iterator[tuple[str, float, float, str]]:
    """Yield each source of a noise rate, the lowest and highest rate it allows, and its confidence level."""
    both_sides, table = replace(confidence, alternative="two-sided"), knowledge.transition
    level = f" ({100 * confidence.level:.4g} % CI)"
    if knows_truth(tally):
        wrong = wrong_label_share(tally)
        yield "the true classes", wrong, wrong, ""
    if table is not None:
        from justesse.noise.counted_rate import counted_rate, is_of_these

        rows = on_classes(tally.marginal("label"), table.classes, what="the transition table")
        labels = rows.sums("label")[: len(table.classes)]
        if not is_of_these(labels, table):
            ends = counted_rate(labels, table, seed=confidence.seed, **both_sides.sides)
            yield "the transition table counted on a sample", *ends, level
        elif table.counts is not None:
            yield "the transition table counted on these rows", table.rate(), table.rate(), ""
        else:
            rate = 1 - float(np.trace(table.joint(labels))) / tally.n
            around = wilson(rate * tally.n, tally.n, **both_sides.sides)
            yield "the transition table", float(around.low), float(around.high), level
    if knowledge.sample is not None and knowledge.design is None:
        rates = sample_rates(knowledge.sample, tally, both_sides)
        if rates and (interval := rates[0].interval):
            yield "the re-checked sample", interval.low, interval.high, level
