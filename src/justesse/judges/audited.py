"""The audited judge: asks an expert about well-chosen disagreements, and stops as soon as it can answer."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.all_pairs import AllPairs
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.choices import PairedResampling
from justesse.core.errors import OptionError
from justesse.core.levels import AGAINST_TRUTH
from justesse.core.results import Alternative, TestResult
from justesse.core.tally import Tally
from justesse.core.true_sets import DIFFER, has_true_sets, knows_truth
from justesse.core.verdict import Verdict, VerdictBreakdown
from justesse.intervals.estimate import Confidence
from justesse.judges import judge_named
from justesse.judges.audit_plan import plan_audit
from justesse.judges.audit_questions import Question, next_questions
from justesse.judges.audit_rule import METHOD
from justesse.judges.audit_state import AuditRun, AuditState
from justesse.judges.audit_targets import QUESTIONS, About
from justesse.judges.conclude import both_estimates, conclude
from justesse.judges.entrant import Decisions, Entrant, Scene, Settings
from justesse.judges.evidence import Evidence, Rule
from justesse.judges.quantity import quantity
from justesse.judges.simulated_audits import simulate_audits
from justesse.judges.words import reason

AT_ONCE = 20_000  # audits run together, so that a million of them fit into memory
TEST_SET = (
    "audited (test set) decides who is better on these very rows. Its type I errors may be gains too small for the "
    'reference to detect: see "Worse candidates accepted".'
)
NO_PVALUE = "a p-value is available for the test set, with an expert who is always right"
NO_BREAKDOWN = VerdictBreakdown(None, None, "an audit does not depend on the labels: wrong ones only cost more answers")


def audited(
    case: Case,
    *,
    measure: str = "accuracy",
    level: float = Rule.level,
    margin: float = Rule.margin,
    alternative: Alternative = Rule.alternative,
    seed: int = Rule.seed,
    draws: int = Rule.draws,
    bootstrap: PairedResampling = Rule.bootstrap,
    expert_error: float = 0.0,
    budget: int = 200,
    question: About = "test set",
    futility: bool = True,
) -> Verdict:
    """Judge by an expert's answers on some rows where the two disagree; here the true classes are the expert.

    Parameters
    ----------
    case
        The counted rows: labels, the answers of both classifiers, and the true classes if they are known.
    measure
        `accuracy` or `error`.
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
    expert_error
        Largest chance that the expert is wrong about a row, independently from row to row.
    budget
        Number of questions at most.
    question
        Who is better on the `test set`, or in the `population` it was drawn from.
    futility
        Whether to stop when the remaining questions are unlikely to settle it.

    Returns
    -------
    Verdict
        The decision, both estimates, the difference with its interval, a significance test and the assumptions.

    Notes
    -----
    ::

        difference = (rows won by the candidate - rows won by the incumbent) / n,  by an always-valid sequence

    The share of worse candidates that ever replace the incumbent is at most the risk (half of it for a two-sided
    level), however often one looks and however wrong the labels are. `needed_n` counts answers, not rows. Do not use it
    with an expert who is wrong more often than `expert_error`. `simulated_audit` returns both questions and every look;
    use `plan_audit` to ask a real expert. Waudby-Smith and Ramdas (2024); Shekhar et al. (2023).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 1, 700), (1, 0, 1, 0, 20), (1, 1, 1, 0, 40), (1, 1, 0, 1, 80), (1, 1, 0, 0, 160)]
    >>> verdict = audited(Case(Tally.of(("true", "label", "incumbent", "candidate"), cells)))
    >>> verdict.decision, verdict.outcome.n, verdict.difference.interval.low > 0
    ('replace', 47, True)
    """
    asked = quantity(measure, case.tally.classes)
    if not asked.counts_errors:
        raise OptionError(f"The judge audited compares accuracy and error, not {asked.words}. Use measure=accuracy.")
    rule = Rule(margin, level, alternative, draws, seed, bootstrap)
    state = simulated_audit(
        case,
        level=level,
        margin=margin,
        alternative=alternative,
        seed=seed,
        expert_error=expert_error,
        budget=budget,
        question=question,
        futility=futility,
    )
    result = state.finding.difference
    outcome = TestResult(
        f"audit of the {question}, {METHOD}",
        result.value,
        state.pvalue,
        state.answered,
        alternative,
        state.assumptions,
        undefined=NO_PVALUE if math.isnan(state.pvalue) else None,
    )
    evidence = Evidence(result.interval, outcome, NO_BREAKDOWN, state.expected_more)
    both = both_estimates(case, asked, Confidence(level, draws=draws, seed=seed))
    verdict = conclude(case, asked, evidence, both, judge="audited", rule=rule)
    difference = replace(verdict.difference, value=result.value)
    why = reason(verdict.decision, difference, margin, alternative)
    spent = f"The expert answered {state.answered} of the {state.disputed} rows on which the two disagree."
    return replace(
        verdict,
        difference=difference,
        assumptions=("both classifiers answered the same rows", *state.assumptions),
        reason=f"{why} {spent}",
    )


def audited_replaces(
    pairs: AllPairs, rule: Rule, *, seed: int = 0, question: About = "test set", **options: Any
) -> Array:
    """Decide every ordered pair by an audit that the true classes answer; see `audits_of_pairs`."""
    disagreements = pairs.disagreements
    if disagreements is None:
        raise OptionError(
            "The judge audited needs the rows on which each pair disagrees. Count them with count_disagreements(…)."
        )
    rows = int(np.max(pairs.labels.n))
    return audits_of_pairs(disagreements, rows, rule, seed=seed, question=question, **options).replaces


def audits_of_pairs(
    disagreements: Array, rows: int, rule: Rule, *, seed: int = 0, question: About = "test set", **options: Any
) -> Decisions:
    """Audit every ordered pair and count the answers each audit took.

    Parameters
    ----------
    disagreements
        M × M × 3 × 3 counts of rows on which a pair disagrees, by whom label and true class agree with.
    rows
        Number of rows of the test set.
    rule
        Margin, level and alternative.
    seed
        Seed of the questions.
    question
        Who is better on the test set, or in the population.
    options
        `budget` and `expert_error`, as for `audited`.
    """
    different = ~np.eye(len(disagreements), dtype=bool)
    counts = disagreements[different]
    how: dict[str, Any] = {**options, "question": question, "margin": rule.margin, **rule.sides}
    parts = [
        simulate_audits(counts[at : at + AT_ONCE], rows, seed=seed + at, **how) for at in range(0, len(counts), AT_ONCE)
    ]
    replaces, answers = np.zeros(different.shape, dtype=bool), np.zeros(different.shape, dtype=np.int64)
    replaces[different] = np.concatenate([part.replaced for part in parts])
    answers[different] = np.concatenate([part.answered for part in parts])
    return Decisions(replaces, answers)


def audited_entrants(settings: Settings) -> list[Entrant]:
    """List one entrant for each question that an audit can answer."""
    options: dict[str, Any] = {"budget": settings.budget, "expert_error": settings.expert_error}

    def entrant(question: About) -> Entrant:
        def decide(scene: Scene) -> Decisions:
            how: dict[str, Any] = {**options, "question": question, "seed": settings.seed}
            return audits_of_pairs(scene.disagreements, len(scene.true), scene.rule, **how)

        caution = TEST_SET if question == "test set" else ""
        shown = {**options, "question": question}
        return Entrant(f"audited ({question})", judge_named("audited"), decide, shown, caution=caution)

    return [entrant(question) for question in QUESTIONS]


def simulated_audit(
    case: Case,
    *,
    level: float = 0.95,
    margin: float = 0.0,
    alternative: Alternative = "two-sided",
    seed: int = 0,
    expert_error: float = 0.0,
    budget: int = 200,
    question: About = "test set",
    futility: bool = True,
) -> AuditState:
    """Audit two classifiers with an expert who answers the true classes of the case, until the audit stops.

    Parameters
    ----------
    case
        The counted rows: true classes, labels and the answers of both classifiers.
    level
        Confidence level of the rule.
    margin
        Smallest difference in accuracy that matters: 0.01 is one point.
    alternative
        `two-sided`; `greater` can only show that the candidate is better, `less` only that it is worse.
    seed
        Seed of the questions.
    expert_error
        Largest chance that the expert is wrong about a row, independently from row to row.
    budget
        Number of questions at most.
    question
        Who is better on the `test set`, or in the `population` it was drawn from.
    futility
        Whether to stop when the remaining questions are unlikely to settle it.

    Returns
    -------
    AuditState
        Where the audit stands after its last answer, for both questions.

    Notes
    -----
    The audit allows for `expert_error`, but the answers given here are the true ones. The result shows what an audit
    would have cost; it is no evidence about an expert.

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> cells = [(1, 1, 1, 1, 900), (1, 0, 1, 0, 30), (1, 1, 0, 1, 5)]
    >>> state = simulated_audit(Case(Tally.of(("true", "label", "incumbent", "candidate"), cells)))
    >>> state.stop, state.test_set.decision, state.population.decision
    ('keep', 'keep', 'cannot_tell')
    """
    if not knows_truth(case.tally):
        raise OptionError(
            "The judge audited needs the true classes. Name their column with true=… (--true COL). To ask a "
            "person instead: audit_start (justesse audit start)."
        )
    true, label, first, other = _disputed(case.tally)
    plan = plan_audit(
        label,
        first,
        other,
        n=case.n,
        seed=seed,
        level=level,
        margin=margin,
        alternative=alternative,
        expert_error=expert_error,
        budget=budget,
        question=question,
        futility=futility,
    )
    run = AuditRun(plan)
    asked: list[Question] = []
    answers: dict[int, int | None] = {}
    while not (state := run.state()).stop:
        asked += next_questions(plan, asked, answers)
        row = asked[-1].row
        answers[row] = int(true[row])
        run.take(asked[-1], answers[row])
    return state


def _disputed(tally: Tally) -> Array:
    """List the rows on which the two disagree: codes of true class, label and both answers.

    Where rows accept several classes, codes say who is right: 0 the incumbent alone, 1 the candidate alone, 2 both or
    neither.
    """
    if not has_true_sets(tally):
        rows = tally.marginal("true", "label", "incumbent", "candidate")
        apart = rows.codes[:, 2] != rows.codes[:, 3]
        return np.asarray(np.repeat(rows.codes[apart], rows.counts[apart], axis=0).T)

    def codes(axis: str) -> Array:
        return tally.codes[:, tally.axis(axis)]

    def winner(label: str, incumbent: str, candidate: str) -> Array:
        first, other = codes(incumbent) == codes(label), codes(candidate) == codes(label)
        return np.where(first & ~other, 0, np.where(other & ~first, 1, 2))

    differ = np.array(tally.levels[tally.axis(DIFFER)], dtype=bool)[codes(DIFFER)]
    by_truth, by_label = winner(*AGAINST_TRUTH.values()), winner(*AGAINST_TRUTH)
    result = np.stack([by_truth, by_label, np.zeros_like(by_truth), np.ones_like(by_truth)])
    return np.repeat(result[:, differ], tally.counts[differ], axis=1)
