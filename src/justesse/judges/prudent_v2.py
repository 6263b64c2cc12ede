"""The second prudent judge: where the two disagree on hard rows, the incumbent is assumed to be right."""

from dataclasses import replace

import numpy as np

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable, shares
from justesse.core.arrays import Array
from justesse.core.case import Case, Disagreement
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.core.results import Alternative
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.judges import judge_named
from justesse.judges.entrant import Decisions, Entrant, Scene, Settings
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.judges.shifted import Biases, judge_shifted, shifted_lead, table_of
from justesse.measures.confusion import ratio as divided
from justesse.noise.hardness import at_random, by_disagreement, hardest
from justesse.significance.overlap import overlap_z

HARD = "labels are right, except that the incumbent may be right on hard rows where the two disagree"


def prudent_v2(
    case: Case,
    *,
    measure: str | Quantity = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    pc: float = 0.1,
    correlation: float = 0.0,
    ratio: float = 1.0,
) -> Verdict:
    """Judge by overlap, assuming that the incumbent is right wherever the two disagree on a hard row.

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
    pc
        Share of the rows that counts as hard: 0 is `classical`, 1 gives the incumbent every disagreement.
    correlation
        Assumed correlation of the two estimates.
    ratio
        Assumed ratio of their standard errors.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    ::

        bias = measured against the labels - measured against the labels as they would then be;   interval - bias

    The axis `hard` of the case holds for each row the share of rows harder than it, or true for hard and false for not
    (`noise.hardness` ranks rows). The verdict is only as good as this ranking: labels of easy rows are assumed right.
    The interval of the difference reaches from this worst case to the labels as they are. Benjelloun (2021), 6.5.4.

    Examples
    --------
    >>> cells = [(1, 1, 1, 0, 700), (1, 1, 0, 0, 20), (1, 0, 1, 0, 50), (1, 0, 1, 1, 30), (1, 0, 0, 0, 200)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate", "hard"), cells))
    >>> [prudent_v2(case, pc=pc).decision for pc in (0, 0.1)]
    ['replace', 'cannot_tell']
    """
    asked = quantity(measure, case.tally.classes)
    about = asked.judgeable("prudent_v2")
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    table = table_of(case, asked)
    hard_rows = _hardest(case.tally, pc)
    hard = None if hard_rows is None else table_of(Case(hard_rows), asked)
    z = overlap_z(level, correlation=correlation, ratio=ratio, alternative=alternative)
    rows = 0 if hard_rows is None else hard_rows.n
    assumptions = (
        f"{rows:,} of {case.n:,} rows are hard (pc = {pc:g})",
        f"the two estimates have correlation {correlation:g} and a ratio of standard errors of {ratio:g}",
    )
    return judge_shifted(
        case,
        asked,
        rule,
        z,
        favoured_biases(table, hard, about),
        judge="prudent_v2",
        labels=HARD,
        assumptions=assumptions,
    )


def prudent_v2_replaces(pairs: AllPairs, rule: Rule, *, correlation: float = 0.0, ratio: float = 1.0) -> Array:
    """Return for every ordered pair whether `prudent_v2` replaces; `pairs` holds its hard rows."""
    z = overlap_z(rule.level, correlation=correlation, ratio=ratio, alternative=rule.alternative)
    biases = favoured_biases(pairs.labels, pairs.need("hard", "the hard rows"), pairs.measure)
    return shifted_lead(pairs.labels, pairs.measure, rule, z, biases) > 0


def prudent_v2_entrants(settings: Settings) -> list[Entrant]:
    """List one entrant for each ranking of the rows by hardness."""

    def entrant(ranking: str) -> Entrant:
        def decide(scene: Scene) -> Decisions:
            hard = hardest(_hardness(ranking, scene, settings.seed), settings.pc)
            pairs = replace(scene.pairs, hard=scene.count(scene.labels, hard))
            return Decisions(prudent_v2_replaces(pairs, scene.rule))

        options = {"pc": settings.pc, "hard_by": ranking}
        return Entrant(f"prudent_v2 ({ranking})", judge_named("prudent_v2"), decide, options)

    return [entrant(ranking) for ranking in settings.rankings]


def _hardness(ranking: str, scene: Scene, seed: int) -> Array:
    """Return a number for each row, larger where it is harder."""
    if ranking == "random":
        return at_random(len(scene.true), seed=seed)
    if ranking == "disagreement":
        return by_disagreement(scene.answers)
    if scene.difficulty is None:
        raise OptionError(
            "To rank rows by difficulty, name a column with difficulty=… (--difficulty COL), or place wrong "
            "labels by a ranking (noise_rates with votes, answers or ranking)."
        )
    return scene.difficulty


def favoured(table: PairTable, hard: PairTable) -> PairTable:
    """Count as if the incumbent's answer were the label on the hard rows where the two disagree.

    >>> list(favoured(Disagreement(80, 6, 10, 3, 1), Disagreement(5, 2, 4, 1, 1)).to_dict().values())
    [80, 11, 6, 3, 0]
    """
    if isinstance(table, Disagreement) and isinstance(hard, Disagreement):
        lost, gained = hard.only_candidate, hard.both_wrong_differently
        return replace(
            table,
            only_incumbent=table.only_incumbent + lost + gained,
            only_candidate=table.only_candidate - lost,
            both_wrong_differently=table.both_wrong_differently - gained,
        )
    assert isinstance(table, OneVsRestPair)
    assert isinstance(hard, OneVsRestPair)
    # rows of the class where the incumbent says another leave it, others where only the incumbent says it join it
    leave, join = hard.labelled, hard.others
    return OneVsRestPair(
        replace(
            table.labelled,
            only_incumbent=table.labelled.only_incumbent + join.only_incumbent,
            only_candidate=table.labelled.only_candidate - leave.only_candidate,
            both_wrong_differently=table.labelled.both_wrong_differently - leave.both_wrong_differently,
        ),
        replace(
            table.others,
            only_incumbent=table.others.only_incumbent - join.only_incumbent,
            only_candidate=table.others.only_candidate + leave.only_candidate,
            both_wrong_differently=table.others.both_wrong_differently + leave.both_wrong_differently,
        ),
    )


def favoured_biases(table: PairTable, hard: PairTable | None, measure: Judgeable) -> Biases:
    """Return the exact biases if the labels that favour the incumbent are the truth."""
    seen = shares(table, measure)
    then = seen if hard is None else shares(favoured(table, hard), measure)
    item = divided(seen.incumbent_right, seen.incumbent_of) - divided(then.incumbent_right, then.incumbent_of)
    other = divided(seen.candidate_right, seen.candidate_of) - divided(then.candidate_right, then.candidate_of)
    return Biases(item, other, np.maximum(item, 0.0), np.minimum(other, 0.0))


def _hardest(tally: Tally, pc: float) -> Tally | None:
    """Keep the rows that count as hard; None if there are none."""
    if not 0 <= pc <= 1:
        raise OptionError(f"pc, the share of rows that count as hard, must lie between 0 and 1; got {pc!r}.")
    if pc == 0:
        return None
    if "hard" not in tally.axes:
        raise OptionError(
            "The judge prudent_v2 needs to know which rows are hard. Name a column with hard=… (--hard COL): true for "
            "hard rows, or the share of rows that are harder."
        )
    levels = tally.levels[tally.axis("hard")]
    if not all(isinstance(level, (bool, int, float)) and 0 <= level <= 1 for level in levels):
        raise OptionError(
            "`hard` must be true or false, or the share of rows that are harder, from 0 (hardest) to below 1; got "
            f"{', '.join(map(repr, levels[:5]))}."
        )
    if all(level == 0 and not isinstance(level, bool) for level in levels):
        raise OptionError(
            "`hard` is 0 in every row: either no row is hard, or all are the hardest. Use true and false, rank the "
            "rows, or use the judge classical if no row is hard."
        )
    marks = all(level in (0, 1) for level in levels)  # marked or not, rather than ranked
    chosen = [level for level in levels if (bool(level) if marks else float(level or 0) < pc)]
    kept = tally.select(hard=chosen) if chosen else None
    return kept if kept is not None and kept.n else None
