"""The judge without labels: agreement with a reference, and the dependence that the order tolerates."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.judges.evidence import Rule
from justesse.judges.paired import paired
from justesse.judges.reference_dependence import reference_dependence
from justesse.judges.unsupervised import unsupervised

AXES = ("label", "incumbent", "candidate")


def case(*cells):
    return Case(Tally.of(AXES, cells))


def answers(n, errors, classes, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(classes, size=n)
    wrong = (true[:, None] + rng.integers(1, classes, size=(n, len(errors)))) % classes
    return np.where(rng.random((n, len(errors))) < errors, wrong, true[:, None]), true


def judged(codes, classes):
    patterns = AnswerPatterns.from_codes(["a", "b", "r"], range(classes), codes)
    return Case(patterns.tally(incumbent=0, candidate=1, label=2))


def test_the_agreement_is_that_of_raj_and_others():
    """pr + (1-p)(1-r)s: 0.8·0.9 + 0.2·0.1 = 0.74 for two classes, + 0.2·0.1/9 for ten with even errors."""
    for classes, share in ((2, 1.0), (10, 1 / 9)):
        codes, _ = answers(400_000, [0.2, 0.1, 0.1], classes)
        verdict = unsupervised(judged(codes, classes))
        assert verdict.incumbent.value == pytest.approx(0.8 * 0.9 + 0.2 * 0.1 * share, abs=0.003)
        assert verdict.difference.value == pytest.approx(0.1 * (0.9 - 0.1 * share), abs=0.003)
        assert verdict.decision == "replace"


def test_the_test_is_mcnemars_on_the_agreements():
    rows = case((1, 1, 1, 400), (0, 0, 0, 400), (1, 0, 1, 15), (0, 0, 1, 5))
    verdict = unsupervised(rows)
    assert verdict.outcome.test == "mcnemar-mid-p"
    assert verdict.outcome.pvalue == pytest.approx(0.0266, abs=5e-5)  # mcnemar(15, 5) of Fagerland and others
    plain = paired(rows)
    assert (verdict.difference.value, verdict.difference.interval) == (
        plain.difference.value,
        plain.difference.interval,
    )


@pytest.mark.parametrize("kinds", [2, 3])
def test_the_tolerated_dependence_is_the_smallest_that_allows_the_other_order(kinds):
    """Brute force: search over laws of who is right and what the reference does, with g1, g2 on a grid, by LP."""
    rows = case((1, 1, 1, 850), (1, 0, 1, 90), (0, 0, 1, 50), *([(2, 0, 1, 30)] if kinds == 3 else []))
    lean = reference_dependence(rows, Rule()).lean.value

    def possible(delta):
        """Tell whether p1 < p2 is possible with a dependence of at most delta and g1 + g2 > 0."""
        steps = np.linspace(-1, 1, 81)
        for first, second in itertools.product(steps, steps):
            if first + second <= 0 or abs(first - second) / 2 > delta + 1e-12:
                continue
            # unknown: p1, p2, p0 and the lean of the rows where neither is right, as two one-sided parts
            none = 1.0 if kinds == 3 else 0.0
            result = linprog(
                [1, -1, 0, 0, 0],  # the least p1 - p2
                A_eq=[[1, 1, 1, 0, 0], [first, -second, 0, 1, -1]],
                b_eq=[1, lean],
                A_ub=[[0, 0, -delta, 1, 1]],
                b_ub=[0],
                bounds=[(0, 1), (0, 1), (0, none), (0, 1), (0, 1)],
            )
            if result.status == 0 and result.fun < -1e-9:
                return True
        return False

    assert not possible(lean - 0.01)
    assert possible(lean + 0.03)


def test_two_classes_bound_the_difference_of_two_right_shares():
    """P(R = candidate) = p·r1 + (1-p)(1-r2): with p = 1/2 the lean is r1 - r2."""
    for p, first, second in itertools.product((0.3, 0.5, 0.8), (0.6, 0.9), (0.55, 0.9)):
        lean = 2 * (p * first + (1 - p) * (1 - second)) - 1
        assert lean == pytest.approx((2 * p - 1) * (first + second - 1) + first - second)
        if abs(first - second) < abs(lean) - 1e-9:
            assert np.sign(lean) == np.sign(2 * p - 1)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 60), min_size=12, max_size=12))
def test_swapping_the_two_swaps_the_verdict(counts):
    cells = [
        (label, first, other, many)
        for (label, (first, other)), many in zip(
            itertools.product(range(3), ((0, 0), (1, 1), (0, 1), (1, 0))), counts, strict=True
        )
        if many
    ]
    if not cells:
        return
    rows = Case(Tally.of(AXES, cells, classes=[0, 1, 2]))
    turned = Case(rows.tally.renamed(incumbent="candidate", candidate="incumbent"))
    first, other = unsupervised(rows), unsupervised(turned)
    assert {first.decision: other.decision}.items() <= {
        "replace": "keep",
        "keep": "replace",
        "cannot_tell": "cannot_tell",
    }.items()
    one, two = reference_dependence(rows, Rule()), reference_dependence(turned, Rule())
    assert one.tolerated == pytest.approx(two.tolerated)
    assert 0 <= one.tolerated <= (abs(one.lean.value) if one.differ else 0) + 1e-12


def test_a_reference_no_better_than_chance_decides_nothing():
    rng = np.random.default_rng(9)
    codes, _ = answers(3000, [0.2, 0.1, 0.1], 2)
    codes[:, 2] = rng.integers(2, size=3000)
    verdict = unsupervised(judged(codes, 2))
    assert verdict.decision == "cannot_tell"
    assert "no better than chance" in verdict.reason
    codes[:, 2] = 1 - answers(3000, [0.2, 0.1, 0.1], 2)[0][:, 2]  # worse than chance
    assert unsupervised(judged(codes, 2)).decision == "cannot_tell"


def test_a_reference_like_the_incumbent_sides_with_it_however_many_rows():
    """What the judge cannot see: the reference copies half of the incumbent's mistakes."""
    codes, true = answers(20_000, [0.2, 0.15, 0.2], 2)
    copies = np.random.default_rng(1).random(20_000) < 0.5
    codes[copies, 2] = codes[copies, 0]
    assert (codes[:, 1] == true).mean() > (codes[:, 0] == true).mean()
    assert unsupervised(judged(codes, 2)).decision == "keep"


def test_it_never_says_equivalent():
    codes, _ = answers(50_000, [0.1, 0.1, 0.1], 2)
    verdict = unsupervised(judged(codes, 2), margin=0.05)
    assert verdict.decision == "cannot_tell"
    assert "without labels" in verdict.reason
    assert unsupervised(judged(answers(5000, [0.3, 0.1, 0.1], 2)[0], 2), margin=0.05).decision == "replace"


def test_same_answers_and_other_measures():
    same = case((1, 1, 1, 50), (0, 0, 0, 50), (1, 0, 0, 5))
    assert unsupervised(same).decision == "cannot_tell"
    assert reference_dependence(same, Rule()).differ == 0
    with pytest.raises(OptionError, match="compares accuracy"):
        unsupervised(same, measure="macro-f1")


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_side_only(alternative):
    rows = judged(answers(5000, [0.3, 0.1, 0.1], 2)[0], 2)
    verdict = unsupervised(rows, alternative=alternative)
    assert verdict.decision == ("replace" if alternative == "greater" else "cannot_tell")
    assert (reference_dependence(rows, Rule(alternative=alternative)).tolerated > 0) == (alternative == "greater")
