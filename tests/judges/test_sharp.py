"""The sharp judge against every way there is to re-label: small tables, all placings enumerated."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.all_pairs import AllPairs, shares
from justesse.core.case import Case, Disagreement
from justesse.core.errors import OptionError
from justesse.core.one_vs_rest import OneVsRestPair
from justesse.core.tally import Tally
from justesse.frames.pairwise import count_all_pairs
from justesse.judges import paired, prudent_v1, sharp
from justesse.judges.evidence import Rule
from justesse.judges.paired import lead
from justesse.judges.placing import Budget, placings, worst_placing
from justesse.judges.prudent_v1 import prudent_v1_replaces
from justesse.judges.sharp import sharp_replaces
from justesse.judges.worst_precision import worst_precision
from justesse.noise.paired_bounds import difference_at
from justesse.noise.transition import Transition
from justesse.significance.paired_difference import score_statistic
from justesse.significance.share_spreads import spreads

AXES = ("label", "incumbent", "candidate")
RULES = [Rule(level=0.7), Rule(level=0.95), Rule(0.05, 0.8), Rule(0.2, 0.7)]


def every(cells, rows):
    """All ways to take at most so many rows out of the cells."""
    found = np.array(list(itertools.product(*(range(min(rows, int(cell)) + 1) for cell in cells))))
    return found[found.sum(axis=1) <= rows]


def every_accuracy(table: Disagreement, rows: int) -> Disagreement:
    """Rows of either one's own, and those both get wrong differently, may go to the other two kinds."""
    b, c, wd = table.only_incumbent, table.only_candidate, table.both_wrong_differently
    moved = every((b, b, c, c, wd, wd), rows)
    kept = (moved[:, 0] + moved[:, 1] <= b) & (moved[:, 2] + moved[:, 3] <= c) & (moved[:, 4] + moved[:, 5] <= wd)
    to_c, lost_b, to_b, lost_c, wd_b, wd_c = moved[kept].T
    left = wd - wd_b - wd_c + lost_b + lost_c
    return Disagreement(table.both_right, b - to_c - lost_b + to_b + wd_b, c - to_b - lost_c + to_c + wd_c, table.both_wrong_alike, left)  # fmt: skip


def every_class(table: OneVsRestPair, rows: int, leaving: int = 9, joining: int = 9) -> OneVsRestPair:
    inside = np.array([table.labelled.both_right, table.labelled.only_incumbent, table.labelled.only_candidate, table.labelled.both_wrong_alike])  # fmt: skip
    outside = np.array([table.others.both_right, table.others.only_incumbent, table.others.only_candidate, table.others.both_wrong_alike])  # fmt: skip
    moved = every([*inside, *outside], rows)
    moved = moved[(moved[:, :4].sum(axis=1) <= leaving) & (moved[:, 4:].sum(axis=1) <= joining)]
    now_in, now_out = inside - moved[:, :4] + moved[:, 4:], outside + moved[:, :4] - moved[:, 4:]
    return OneVsRestPair(Disagreement(*now_in.T, 0), Disagreement(*now_out.T, 0))


def drawn_class(rng) -> OneVsRestPair:
    inside = rng.multinomial(rng.integers(2, 40), rng.dirichlet([3, 1, 3, 1]))
    outside = rng.multinomial(rng.integers(2, 20), rng.dirichlet([1, 2, 1, 3]))
    return OneVsRestPair(Disagreement(*map(int, inside), 0), Disagreement(*map(int, outside), 0))


def case_of(table) -> Case:
    if isinstance(table, Disagreement):
        cells = [("a", "a", "a"), ("a", "a", "b"), ("a", "b", "a"), ("a", "b", "b"), ("a", "b", "c")]
        rows = [(*cell, n) for cell, n in zip(cells, table.to_dict().values(), strict=True)]
    else:
        said = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b"), ("b", "c")]
        rows = [
            (label, *answers, n)
            for label, part in (("a", table.labelled), ("b", table.others))
            for answers, n in zip(said, part.to_dict().values(), strict=True)
        ]
    return Case(Tally.of(AXES, rows, classes=["a", "b", "c"]))


def test_accuracy_no_other_placing_is_worse():
    rng = np.random.default_rng(0)
    turned = 0
    for _ in range(80):
        n = int(rng.integers(8, 80))
        b, c, wd = (int(rng.integers(0, most)) for most in (6, min(25, n - 7), 3))
        if b + c + wd > n:
            continue
        table, rows = Disagreement(n - b - c - wd, b, c, 0, wd), int(rng.integers(0, 4))
        ways = every_accuracy(table, rows)
        for rule in RULES:
            exact = bool(np.all(lead(ways, rule) > 0))
            assert exact == bool(lead(worst_placing(table, "accuracy", Budget.of(rows)), rule) > 0)
            assert sharp_replaces(AllPairs("accuracy", table), rule, rate=rows / n) == exact
            turned += exact != bool(lead(table, rule) > 0)
        found = sharp(case_of(table), rate=rows / n, margin=rule.margin, level=rule.level)
        assert found.replaces == exact
        assert found.difference.interval.low <= shares(ways, "accuracy").difference.min() + 1e-9
    assert turned > 10


@pytest.mark.parametrize("measure", ["recall", "precision"])
def test_of_a_class_no_other_placing_is_worse(measure):
    rng = np.random.default_rng(1)
    turned = seen = 0
    for _ in range(60):
        table, rows = drawn_class(rng), int(rng.integers(0, 4))
        if not table.predicted_by_incumbent or not table.predicted_by_candidate:
            continue
        ways = every_class(table, rows)
        n = int(table.n)
        points = shares(ways, measure).difference
        for rule in RULES:
            now = lead(table, rule, measure)
            if measure == "recall":
                defined = ways.labelled.n > 0
                exact = bool(defined.all() and np.all(lead(ways, rule, measure)[defined] > 0))
            else:
                # without any spread after re-labelling the difference itself decides
                ends = lead(ways, rule, measure)
                exact = bool(now > 0 and np.all(np.where(np.isnan(ends), points - rule.margin, ends) > 0))
            assert sharp_replaces(AllPairs(measure, table), rule, rate=rows / n) == exact, (table, rows, rule)
            turned += exact != bool(now > 0)
            seen += exact
        found = sharp(case_of(table), measure=f"{measure}:a", rate=rows / n, margin=0.2, level=0.7, draws=100)
        assert found.replaces == exact
        if not np.isnan(points).any():
            least = min(np.min(shares(way, measure).difference) for way in placings(table, measure, Budget.of(rows)))
            assert least == pytest.approx(points.min())
    assert turned > 5
    assert seen > 25


@pytest.mark.parametrize("z", [0.0, 1.0364, 1.96])
def test_the_least_lower_end_of_precision_is_exact(z):
    """Against every placing of up to five wrong labels. Taking the steepest step each time misses some."""
    rng = np.random.default_rng(7)
    tried = 0
    for _ in range(150):
        inside = rng.multinomial(rng.integers(1, 12), rng.dirichlet([2, 1, 2, 0.5]))
        outside = rng.multinomial(rng.integers(1, 10), rng.dirichlet([1, 1, 1, 1]))
        table = OneVsRestPair(Disagreement(*map(int, inside), 0), Disagreement(*map(int, outside), 0))
        if not table.predicted_by_incumbent or not table.predicted_by_candidate:
            continue
        rows, leaving, joining = (int(most) for most in rng.integers(1, 6, 3))
        ways = every_class(table, rows, leaving, joining)

        def low_end(some):
            return shares(some, "precision").difference - z * spreads(some, "precision").difference

        found = worst_placing(table, "precision", Budget(rows, leaving, joining), z=z)
        assert low_end(found) == pytest.approx(low_end(ways).min(), abs=1e-9), (table, rows, leaving, joining)
        tried += 1
    assert tried > 100


def test_many_wrong_labels_and_many_pairs_at_once():
    """A grid that becomes finer finds what trying every B, I and C finds; pairs at once as one by one."""
    rng = np.random.default_rng(8)
    tables = [
        OneVsRestPair(Disagreement(*rng.integers(20, 90, 4), 0), Disagreement(*rng.integers(20, 90, 4), 0))
        for _ in range(4)
    ]
    cells = [np.array([list(vars(getattr(one, part)).values()) for one in tables]).T for part in ("labelled", "others")]
    together = worst_placing(
        OneVsRestPair(*(Disagreement(*part) for part in cells)), "precision", Budget(70, 50, 40), z=2
    )
    for at, table in enumerate(tables):
        one = worst_placing(table, "precision", Budget(70, 50, 40), z=2)
        assert together.labelled.only_candidate[at] == one.labelled.only_candidate
        assert together.others.both_right[at] == one.others.both_right
        b, i, c = np.meshgrid(*(np.arange(-50, 41),) * 3, indexing="ij")
        moves = np.stack([b, i, c], axis=-1).reshape(-1, 3)
        out, joined = -np.minimum(moves, 0).sum(axis=1), np.maximum(moves, 0).sum(axis=1)
        inside, outside = (np.array([getattr(part, name) for name in ("both_right", "only_incumbent", "only_candidate")])
                           for part in (table.labelled, table.others))  # fmt: skip
        kept = (out <= 50) & (joined <= 40) & (out + joined <= 70)
        kept &= ((moves >= -inside) & (moves <= outside)).all(axis=1)
        now_in, now_out = (inside + moves[kept]).T, (outside - moves[kept]).T
        ways = OneVsRestPair(Disagreement(*now_in, 0, 0), Disagreement(*now_out, 0, 0))
        least = (shares(ways, "precision").difference - 2 * spreads(ways, "precision").difference).min()
        found = shares(one, "precision").difference - 2 * spreads(one, "precision").difference
        assert found == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("measure", ["recall", "precision"])
def test_no_more_labels_of_the_class_than_are_known_to_be_wrong(measure):
    rng = np.random.default_rng(4)
    turned = 0
    for _ in range(80):
        table = drawn_class(rng)
        leaving, joining = (int(most) for most in rng.integers(0, 4, 2))
        if not table.predicted_by_incumbent or not table.predicted_by_candidate or table.labelled.n <= leaving:
            continue
        ways = every_class(table, leaving + joining, leaving, joining)
        joint = np.array([[table.labelled.n - leaving, joining], [leaving, table.others.n - joining]])
        if (joint < 0).any():
            continue
        pairs = AllPairs(measure, table, joint=joint, at=0)
        for rule in RULES:
            ends, now = lead(ways, rule, measure), bool(lead(table, rule, measure) > 0)
            bare = shares(ways, measure).difference - rule.margin
            exact = now and bool(np.all(np.where(np.isnan(ends), bare, ends) > 0))
            assert sharp_replaces(pairs, rule) == exact
            turned += exact != now
    assert turned > 10


@given(
    st.integers(0, 30), st.integers(0, 60), st.integers(0, 20), st.integers(0, 8), st.sampled_from([0, 0.01, 0.05, 0.2])
)
@settings(max_examples=60, deadline=None)  # fmt: skip
def test_the_worst_accuracy_difference_is_the_sharp_bound(b, c, right, wd, rate):
    table = Disagreement(right + 1, b, c, 2, wd)
    found = worst_placing(table, "accuracy", Budget.of(int(np.floor(rate * table.n + 1e-9))))
    assert float(found.difference) == pytest.approx(difference_at(table, rate)[0])


def test_no_wrong_labels_is_the_paired_judge():
    rng = np.random.default_rng(2)
    for _ in range(8):
        case = case_of(drawn_class(rng))
        for measure in ("accuracy", "error", "recall:a", "precision:a", "precision:b"):
            for alternative in ("two-sided", "greater", "less"):
                mine, theirs = (
                    judge(case, measure=measure, alternative=alternative, margin=0.02, draws=100, **options)
                    for judge, options in ((sharp, {"rate": 0.0}), (paired, {}))
                )
                assert mine.decision == theirs.decision
                if theirs.difference.interval:
                    assert mine.difference.interval.low == pytest.approx(theirs.difference.interval.low, abs=1e-8)
                    assert mine.difference.interval.high == pytest.approx(theirs.difference.interval.high, abs=1e-8)
                else:
                    assert mine.difference.interval is None


@given(
    st.lists(st.integers(0, 60), min_size=10, max_size=10),
    st.sampled_from([0.0, 0.003, 0.01, 0.02, 0.05]),
    st.sampled_from(["accuracy", "recall:a", "precision:a"]),
    st.sampled_from([0.0, 0.01]),
)
@settings(max_examples=80, deadline=None)
def test_it_replaces_wherever_prudent_v1_does(cells, rate, measure, margin):
    """With the observed correlation and ratio, and the spread observed: prudent_v1 allows for no less."""
    inside, outside = Disagreement(*cells[:5]), Disagreement(*cells[5:])
    if not inside.n:
        return
    case = case_of(OneVsRestPair(inside, outside))
    how = {"measure": measure, "rate": rate, "margin": margin, "draws": 100}
    if prudent_v1(case, **how, correlation="observed", ratio="observed").replaces:
        assert sharp(case, **how, variance="observed").replaces


@pytest.mark.parametrize("measure", ["recall", "precision"])
def test_it_replaces_wherever_prudent_v1_does_with_the_wrong_labels_of_the_class_known(measure):
    rng = np.random.default_rng(5)
    both = 0
    for _ in range(120):
        inside = rng.multinomial(rng.integers(100, 400), rng.dirichlet([4, 0.5, 3, 1]))
        outside = rng.multinomial(rng.integers(100, 400), rng.dirichlet([0.5, 3, 0.5, 6]))
        table = OneVsRestPair(Disagreement(*map(int, inside), 0), Disagreement(*map(int, outside), 0))
        leaving, joining = (int(rng.integers(0, rows // 10)) for rows in (inside.sum(), outside.sum()))
        joint = np.array([[inside.sum() - leaving, joining], [leaving, outside.sum() - joining]])
        pairs = AllPairs(measure, table, joint=joint, at=0)
        if prudent_v1_replaces(pairs, Rule(), correlation="observed", ratio="observed"):
            both += 1
            assert sharp_replaces(pairs, Rule(), variance="observed")
    assert both > 15


def test_it_replaces_where_prudent_v1_does_and_more():
    """The property is not empty: among lopsided tables both replace often, and sharp more often."""
    rng = np.random.default_rng(3)
    both = more = 0
    for _ in range(200):
        c = int(rng.integers(20, 90))
        case = case_of(Disagreement(700, int(rng.integers(0, 20)), c, 100, 5))
        how = {"rate": 0.01}
        strict = prudent_v1(case, **how, correlation="observed", ratio="observed").replaces
        loose = sharp(case, **how, variance="observed").replaces
        assert loose or not strict
        both, more = both + strict, more + (loose and not strict)
    assert both > 50
    assert more >= 3


def test_shares_of_0_and_1_show_no_spread():
    case = case_of(OneVsRestPair(Disagreement(0, 0, 40, 0, 0), Disagreement(0, 40, 0, 40, 0)))
    how = {"measure": "precision:a", "rate": 0.05}
    assert prudent_v1(case, **how, correlation="observed", ratio="observed").replaces
    assert sharp(case, **how, variance="observed").replaces
    assert sharp(case, **how).difference.interval is None  # as for the paired judge
    assert paired(case, measure="precision:a").difference.interval is None


def test_the_rate_comes_from_the_rate_the_table_or_the_truth():
    cells = [("a", "a", "a", "b", 5), ("a", "a", "b", "a", 60), ("b", "b", "b", "b", 400), ("b", "a", "b", "a", 20), ("a", "a", "a", "a", 515)]  # fmt: skip
    tally = Tally.of(("true", *AXES), cells)
    known = sharp(Case(tally))
    plain = Case(tally.marginal(*AXES))
    assert known.difference.interval == sharp(plain, rate=0.02).difference.interval
    table = Transition.from_tally(tally)
    assert sharp(plain, transition=table).difference.interval == known.difference.interval
    turned = Transition.from_table(table.counts[::-1, ::-1], table.classes[::-1])
    assert sharp(plain, transition=turned).difference.interval == known.difference.interval
    with pytest.raises(OptionError, match=r"The judge sharp needs one of these: .*--noise-rate"):
        sharp(plain)
    with pytest.raises(OptionError, match="variance must be one of worst, observed; got 'least'"):
        sharp(plain, rate=0.1, variance="least")
    with pytest.raises(OptionError, match="sharp compares accuracy"):
        sharp(plain, rate=0.1, measure="mcc")


def test_a_class_that_wrong_labels_could_empty_says_nothing():
    case = case_of(OneVsRestPair(Disagreement(2, 0, 8, 0, 0), Disagreement(0, 0, 0, 90, 0)))
    found = sharp(case, measure="recall:a", rate=0.1, level=0.8)
    assert (found.difference.interval.low, found.difference.interval.high) == (-1, 1)
    assert found.decision == "cannot_tell"


def test_words_and_needed_rows():
    found = sharp(case_of(Disagreement(700, 20, 40, 235, 5)), rate=0.001)
    assert found.assumptions[0] == "at most 0.1 % of the labels are wrong"
    assert found.judge == "sharp"
    assert found.breakdown.sign == 0.01
    assert found.breakdown.unknown == "the verdict already allows for wrong labels"
    beyond = sharp(case_of(Disagreement(700, 20, 40, 235, 5)), rate=0.02)
    assert beyond.decision == "cannot_tell"
    assert beyond.needed_n is None  # however many rows, as large a share of them may be wrong
    close = sharp(case_of(Disagreement(700, 20, 34, 241, 5)), rate=0.001)
    assert close.decision == "cannot_tell"
    assert close.needed_n > 0
    assert float(score_statistic(22, 38, 1000)) > 1.96 > float(score_statistic(21, 33, 1000))


@pytest.mark.parametrize("variance", ["worst", "observed"])
def test_many_pairs_by_precision_are_searched_only_where_one_bad_placing_leaves_it_open(variance, monkeypatch):
    """All pairs are decided as by a search of every one of them, which takes a hundred times as long."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 3000)
    difficulty = rng.beta(0.3, 2.2, 3000)
    answers = [
        np.where(rng.random(3000) < difficulty * ease, (true + 1) % 3, true) for ease in np.linspace(0.3, 1.6, 12)
    ]
    label = np.where(rng.random(3000) < 0.02, (true + 1) % 3, true)
    pairs = count_all_pairs(label, np.array(answers), measure="precision", at=0, true=true)
    searched = []

    def search(table, *options):
        searched.append((np.size(table.n), options))
        return worst_precision(table, *options)

    monkeypatch.setattr("justesse.judges.placing.worst_precision", search)
    rule = Rule()
    decided = sharp_replaces(pairs, rule, variance=variance)
    (everything, _), (left, options) = searched
    assert 0 < decided.sum() <= left < everything / 3
    placed = worst_precision(pairs.labels, *options)
    spread = spreads(pairs.labels if variance == "observed" else placed, "precision").difference
    seen = spreads(pairs.labels, "precision").difference
    exact = shares(placed, "precision").difference - rule.z * np.where(seen > 0, spread, np.nan) > 0
    assert np.array_equal(decided, exact)
