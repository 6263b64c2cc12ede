"""A cleaning step first, then another judge on the labels it leaves."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, get_args

import numpy as np

from justesse.cleaning.simulated import REMOVED, Nett
from justesse.core.all_pairs import AllPairs, right_rows
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import InputError, OptionError
from justesse.core.quantity import quantity
from justesse.core.results import Alternative
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.judges import judge_named
from justesse.judges.classical import classical, classical_replaces
from justesse.judges.conclude import LABELS
from justesse.judges.entrant import Decisions, Entrant, RowCleaner, Scene, Settings
from justesse.judges.evidence import Rule
from justesse.judges.paired import paired, paired_replaces
from justesse.judges.quantity import Quantity

Then = Literal["classical", "paired"]
USUAL = Nett(0.6, 0.1)
FLAGGED = "flagged"
FEWEST = 20  # rows that cleaning must leave for a decision


class Cleaner(Protocol):
    """Anything that gives a tally with other labels, or fewer rows, and says in words what it does."""

    @property
    def words(self) -> str: ...

    def clean(self, tally: Tally, *, seed: int = 0) -> Tally: ...


@dataclass(frozen=True)
class FlaggedRows:
    """Leave out the rows that a filter flagged; the axis `flagged` of the tally says which.

    >>> tally = Tally.of(("label", "incumbent", "candidate", FLAGGED), [("a", "a", "b", 0, 7), ("a", "b", "a", 1, 2)])
    >>> FlaggedRows().clean(tally).n
    7
    """

    words: str = "leaving out the flagged rows"

    def clean(self, tally: Tally, *, seed: int = 0) -> Tally:
        """Keep the rows that are not flagged."""
        if FLAGGED not in tally.axes:
            raise OptionError("No row says whether a filter flagged it. Name a column with flagged=… (--flagged COL).")
        levels = tally.levels[tally.axis(FLAGGED)]
        marks = {level: _mark(level) for level in levels}
        if unknown := [level for level, mark in marks.items() if mark is None]:
            got = "an empty cell" if unknown[0] in (None, "") else repr(unknown[0])
            got += f" in {quantity(tally.select(**{FLAGGED: unknown[:1]}).n, 'row')}"
            raise OptionError(
                "The column of flagged rows (flagged, --flagged) must hold 1 or true for flagged rows, 0 or false for "
                f"others; got {got}. Name a column that justesse clean --cleaned-to wrote, or correct it."
            )
        kept = [level for level, mark in marks.items() if not mark]
        return (
            tally.select(**{FLAGGED: kept}) if kept else replace(tally, codes=tally.codes[:0], counts=tally.counts[:0])
        )


def _mark(level: object) -> bool | None:
    """Read a mark: 1, true, 0 or false; `None` if it is neither."""
    return {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}.get(str(level).lower())


def cleaned(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    cleaner: Cleaner = USUAL,
    then: Then = "classical",
) -> Verdict:
    """Judge by the labels that a cleaning step leaves, as if they were right.

    Parameters
    ----------
    case
        The counted rows: labels, the answers of both classifiers, and the true classes if they are known.
    measure
        What to compare, by its name (`accuracy`, `recall:spam`) or as a `Quantity`. Default: accuracy.
    level
        Confidence level of the rule, such as 0.9. Default: 0.95.
    margin
        Smallest difference that matters, in the measure's unit, such as 0.01 for one point of accuracy. Default: 0.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse. Default:
        two-sided.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    draws
        Number of permutations and bootstrap resamples. Default: 2000.
    bootstrap
        How to resample differences that are not of shares; `none` uses the delta method. Default: none.
    cleaner
        The cleaning step. Default: the simulated NETT(s = 0.6, e = 0.1), which needs the true classes.
    then
        The judge after cleaning: `classical` or `paired`.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    Among the steps in the thesis that remove rows, the default agrees most with the reference. It is drawn by `seed`:
    another seed may lead to another verdict. Do not trust it if the cleaning relies on a model similar to one of the
    two: it then favours that one. Benjelloun (2021), 6.5.4 and table 6.3.

    Examples
    --------
    >>> cells = [(1, 1, 1, 1, 700), (1, 1, 1, 0, 20), (1, 1, 0, 1, 80), (1, 0, 1, 0, 200)]
    >>> case = Case(Tally.of(("true", "label", "incumbent", "candidate"), cells))
    >>> [cleaned(case, cleaner=Nett(detects, 0, 1)).decision for detects in (0, 1)]
    ['replace', 'keep']
    """
    _check(then)
    tally = cleaner.clean(case.tally, seed=seed)
    if not tally.n:
        raise InputError(
            f"{cleaner.words[:1].upper()}{cleaner.words[1:]} removed all {case.n:,} rows, so nothing is left to judge. "
            "Use a gentler cleaning step."
        )
    judge = classical if then == "classical" else paired
    rule = {"level": level, "margin": margin, "alternative": alternative}
    verdict = judge(Case(tally), measure=measure, seed=seed, draws=draws, bootstrap=bootstrap, **rule)  # type: ignore[arg-type]
    cleaned_labels = f"the labels are right after {cleaner.words} ({case.n - tally.n:,} of {case.n:,} rows removed)"
    assumptions = tuple(cleaned_labels if words == LABELS else words for words in verdict.assumptions)
    verdict = replace(verdict, judge="cleaned", assumptions=assumptions)
    if tally.n < FEWEST and verdict.decision != "cannot_tell":
        few = f"Cleaning leaves {tally.n} of {case.n:,} rows, and fewer than {FEWEST} decide nothing."
        return replace(verdict, decision="cannot_tell", reason=few, needed_n=None)
    return verdict


def cleaned_replaces(pairs: AllPairs, rule: Rule, *, then: Then = "classical") -> Array:
    """Return for every ordered pair whether `cleaned` replaces; `pairs` holds its cleaned labels."""
    _check(then)
    left = pairs.need("cleaned", "labels after a cleaning step")
    after = replace(pairs, labels=left)
    replaces = classical_replaces(after, rule) if then == "classical" else paired_replaces(after, rule)
    return np.asarray(replaces & (np.asarray(right_rows(left).n) >= FEWEST))


def cleaned_entrants(settings: Settings) -> list[Entrant]:
    """List one entrant for each simulated cleaning step, and one for each filter."""

    def entrant(name: str, words: str, clean: Callable[[Scene], Array], options: dict[str, Any]) -> Entrant:
        def decide(scene: Scene) -> Decisions:
            labels = clean(scene)
            left = labels != REMOVED
            if not left.any():
                raise InputError(f"{words} removed all {len(labels):,} rows. Leave out the judge cleaned.")
            pairs = replace(scene.pairs, cleaned=scene.count(labels, left))
            return Decisions(cleaned_replaces(pairs, scene.rule))

        return Entrant(name, judge_named("cleaned"), decide, options, needs_joint="s" in options)

    def simulated(step: Nett) -> Entrant:
        def clean(scene: Scene) -> Array:
            before, true = (part.astype(np.int64) for part in (scene.labels, scene.true))
            return step.clean_rows(before, true, classes=scene.classes, seed=settings.seed)

        chances = [step.detects, step.mistakes, *([] if step.corrects is None else [step.corrects])]
        name = f"cleaned ({', '.join(f'{chance:g}' for chance in chances)})"
        return entrant(name, step.words, clean, dict(zip("sec", chances, strict=False)))

    def real(cleaner: RowCleaner) -> Entrant:
        def clean(scene: Scene) -> Array:
            labels = scene.labels.astype(np.int64)
            return cleaner.clean_rows(labels, scene.answers, classes=scene.classes, seed=settings.seed)

        return entrant(f"cleaned ({cleaner.words})", cleaner.words, clean, {"filter": cleaner.words})

    return [
        *(simulated(Nett(*chances)) for chances in settings.cleaning),
        *(real(cleaner) for cleaner in settings.cleaners),
    ]


def _check(then: str) -> None:
    if then not in get_args(Then):
        raise OptionError(f"then must be one of {', '.join(get_args(Then))}; got {then!r}.")
