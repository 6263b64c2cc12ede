"""All judges on all ordered pairs of the chosen classifiers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.cleaning.simulated import Nett
from justesse.core.all_pairs import AllPairs, Judgeable, PairTable
from justesse.core.case import Disagreement
from justesse.frames.pair_disagreements import count_disagreements
from justesse.frames.pairwise import count_all_pairs, count_around, count_pairs
from justesse.intervals.ends import z_value
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.judges.simulated_audits import simulate_audits
from justesse.judges.tournament import Rates, rates
from justesse.noise.noisy import Noisy
from justesse.significance.overlap import overlap_level
from studies.cleaned_judges.steps import cleaned_decisions

Array = NDArray[Any]
Reference = Literal["overlap", "paired"]
PLAIN = ("classical", "paired", "prudent_v1", "sharp")
AUDITED, POPULATION, LOWER = "audited", "audited, the population", "audited, at 95 %"


@dataclass(frozen=True, eq=False)
class Judged:
    """What a judge decided about every ordered pair, what the reference did, and who is truly better."""

    judge: str
    measure: Judgeable
    class_name: str
    replaces: Array
    references: dict[Reference, Array]
    difference: Array
    answers: float | None = None  # of an expert, for each pair on average

    def rates(self, reference: Reference = "overlap") -> Rates:
        return rates(self.replaces, self.references[reference], self.difference)


@dataclass(frozen=True, eq=False)
class Bench:
    """What judges look at: the answers of the chosen, the labels with the truth beside them, and the rule."""

    answers: Array
    noisy: Noisy
    hard: dict[str, Array]
    rule: Rule

    def of(self, answers: Array) -> "Bench":
        """Give the same with other classifiers."""
        return replace(self, answers=answers)

    def type_two(self, judge: str, measure: Judgeable, at: int) -> float:
        """Give the type II rate of one judge by one measure of a class."""
        pairs = count_all_pairs(self.noisy.label, self.answers, measure=measure, at=at, true=self.noisy.true)
        reference = judge_named("reference").decide_many(pairs, self.rule, form="overlap")
        return rates(judge_named(judge).decide_many(pairs, self.rule), reference, pairs.true_difference).type_two.value

    def judged(
        self, measure: Judgeable = "accuracy", at: int | None = None, name: str = "", *, hard: Sequence[str] = ()
    ) -> Iterator[Judged]:
        """Let every judge decide by one measure, prudent_v2 with each of these rankings of the hard rows."""
        pairs = count_all_pairs(self.noisy.label, self.answers, measure=measure, at=at, true=self.noisy.true)
        told = self._told(pairs, name)
        for judge in PLAIN:
            yield replace(told, judge=judge, replaces=judge_named(judge).decide_many(pairs, self.rule))
        for ranking in hard:
            doubtful = replace(pairs, hard=self._table(self.noisy.label, self.hard[ranking], at))
            replaces = judge_named("prudent_v2").decide_many(doubtful, self.rule)
            yield replace(told, judge=f"prudent_v2, {ranking}", replaces=replaces)

    def cleaned(
        self, netts: Iterable[Nett], *, draws: int, seed: int, full_width: bool = False
    ) -> dict[Nett, list[Judged]]:
        """Let the classical judge decide after simulated cleanings, each drawn again and again.

        `full_width` gives intervals the width of all rows, as if the cleaning had removed none: wrong, but see the page.
        """
        true, label = self.noisy.true, self.noisy.label
        pairs = count_all_pairs(label, self.answers, true=true)
        told = self._told(pairs, "")
        found: dict[Nett, list[Judged]] = {}
        for nett in netts:
            for draw in range(draws):
                mended = nett.clean_rows(label, true, classes=len(self.noisy.classes), seed=seed + draw)
                kept = mended >= 0
                table = count_pairs(mended[kept], self.answers[:, kept])
                if full_width:
                    table = Disagreement(*(part / kept.mean() for part in vars(table).values()))
                after = replace(pairs, cleaned=table)
                judged = replace(told, judge=nett.words, replaces=judge_named("cleaned").decide_many(after, self.rule))
                found.setdefault(nett, []).append(judged)
        return found

    def filtered(self, *, seed: int) -> Iterator[Judged]:
        """Let `cleaned` decide after every real filter that looks at the classifiers' answers, and two simulated steps."""
        true, label = self.noisy.true, self.noisy.label
        told = self._told(count_all_pairs(label, self.answers, true=true), "")
        classes = len(self.noisy.classes)
        for judge, replaces in cleaned_decisions(label, true, self.answers, self.rule, classes=classes, seed=seed):
            yield replace(told, judge=judge, replaces=replaces)

    def audited(self, judge: str, *, level: float | None = None, **options: Any) -> Judged:
        """Ask an expert, who is always right here, about disputed images of every pair."""
        different = ~np.eye(len(self.answers), dtype=bool)
        true, label = self.noisy.true, self.noisy.label
        counts = count_disagreements(label, true, self.answers)[different]
        found = simulate_audits(counts, len(true), level=level or self.rule.level, **options)
        replaces = np.zeros(different.shape, dtype=bool)
        replaces[different] = found.replaced
        told = self._told(count_all_pairs(label, self.answers, true=true), "")
        return replace(told, judge=judge, replaces=replaces, answers=float(found.answered.mean()))

    def _told(self, pairs: AllPairs, name: str) -> Judged:
        """Give what is the same for all judges."""
        overlap, paired = (
            judge_named("reference").decide_many(pairs, self.rule, form=form) for form in ("overlap", "paired")
        )
        references: dict[Reference, Array] = {"overlap": overlap, "paired": paired}
        return Judged("", pairs.measure, name, np.zeros_like(overlap), references, pairs.true_difference)

    def _table(self, label: Array, rows: Array, at: int | None) -> PairTable:
        """Count some rows only."""
        kept = self.answers[:, rows]
        return count_pairs(label[rows], kept) if at is None else count_around(label[rows], kept, at)


def rule_of(level: float) -> Rule:
    """Give the rule of the thesis: intervals of this level that do not overlap, so a rule of a higher one (Knol).

    >>> round(rule_of(0.95).level, 4)
    0.9944
    """
    return Rule(level=overlap_level(z_value((1 - level) / 2)))
