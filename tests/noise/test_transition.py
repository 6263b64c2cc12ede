import numpy as np
import pytest

from justesse import Tally
from justesse.core.errors import InputError
from justesse.intervals import wilson
from justesse.noise.transition import Transition

CIFAR10 = ["avion", "voit.", "oiseau", "chat", "cerf", "chien", "gren.", "cheval", "bateau", "camion"]
# thesis figure 6.3: CIFAR10 noised at 10 %, test part; rows true, columns label
FIGURE_6_3 = [
    [1135, 3, 15, 10, 0, 0, 6, 4, 15, 12],
    [10, 1160, 1, 2, 0, 6, 0, 0, 10, 11],
    [48, 0, 1024, 22, 30, 22, 35, 12, 4, 3],
    [17, 3, 52, 936, 25, 92, 40, 20, 6, 9],
    [20, 0, 33, 28, 1063, 7, 18, 27, 4, 0],
    [5, 2, 31, 120, 32, 947, 16, 47, 0, 0],
    [9, 0, 33, 24, 7, 7, 1110, 6, 3, 1],
    [9, 0, 14, 27, 16, 21, 2, 1103, 2, 6],
    [24, 8, 7, 3, 1, 1, 0, 2, 1146, 8],
    [17, 20, 2, 3, 2, 2, 3, 3, 11, 1137],
]


def test_figure_6_3_of_the_thesis():
    found = Transition.from_table(FIGURE_6_3, CIFAR10)
    assert found.counts.sum() == 12_000
    assert found.counts.sum(axis=1).tolist() == [1200] * 10
    assert found.rate() == pytest.approx(0.10325, abs=1e-12) == 1 - 10761 / 12000
    overall, *by_class = found.rates()
    assert (overall.value, overall.n) == (pytest.approx(0.10325), 12_000)
    assert overall.interval.low == pytest.approx(float(wilson(1239, 12_000).low))
    assert by_class[5].class_name == "chien"
    assert by_class[5].value == pytest.approx(1 - 947 / 1200)
    assert by_class[5].interval.high == pytest.approx(float(wilson(253, 1200).high))
    np.testing.assert_allclose(found.true_given_label().sum(axis=0), 1)
    assert not found.symmetric


def test_models():
    uniform, flip = Transition.uniform("abcd", 0.2), Transition.pair_flip("abcd", 0.2)
    np.testing.assert_allclose(uniform.matrix, 0.8 * np.eye(4) + 0.2 / 3 * (1 - np.eye(4)))
    assert flip.matrix[3].tolist() == pytest.approx([0.2, 0, 0, 0.8])
    assert uniform.symmetric
    assert not flip.symmetric
    assert uniform.rate() == flip.rate() == pytest.approx(0.2)
    assert Transition.pair_flip("ab", 0.2).symmetric


def test_a_tally_of_pairs_and_its_table_agree():
    cells = [("a", "a", 8), ("a", "b", 2), ("b", "b", 5)]
    found = Transition.from_tally(Tally.of(["true", "label"], cells, classes=["a", "b", "c"]))
    assert found.counts.tolist() == [[8, 2, 0], [0, 5, 0], [0, 0, 0]]
    assert np.isnan(found.matrix[2]).all()
    assert found.rate() == pytest.approx(2 / 15)
    assert "no re-checked row" in found.rates()[3].undefined
    for use in (found.inverse, lambda: next(found.draws(1))):
        with pytest.raises(InputError, match="'c'"):
            use()


def test_rate_needs_shares_only_when_classes_differ():
    found = Transition.from_table([[0.9, 0.1], [0.4, 0.6]], ["a", "b"])
    with pytest.raises(InputError, match="shares"):
        found.rate()
    assert found.rate(shares=[3, 1]) == pytest.approx(0.75 * 0.1 + 0.25 * 0.4)
    overall, first, _ = found.rates()
    assert np.isnan(overall.value)
    assert "shares" in overall.undefined
    assert first.value == pytest.approx(0.1)
    assert first.interval is None
    assert Transition.uniform("ab", 0.1).rates()[0].value == pytest.approx(0.1)


def test_few_wrong_labels_of_a_known_number_get_an_exact_interval():
    found = Transition.from_table([[45, 5], [2, 48]], ["a", "b"])
    interval = found.rates(population=200)[0].interval
    assert interval.method == "hypergeometric"
    assert (interval.low, interval.high) == (0.04, 0.115)
    assert interval.half_width < found.rates()[0].interval.half_width


def test_the_whole_set_makes_the_rate_surer_and_all_of_it_exact():
    found = Transition.from_table([[43, 7], [5, 45]], ["a", "b"])
    wide, narrow = found.rates()[0].interval, found.rates(population=200)[0].interval
    worth = 100 * 199 / 100
    assert narrow.low == pytest.approx(float(wilson(0.12 * worth, worth).low))
    assert narrow.half_width < wide.half_width
    exact = found.rates(population=100)[0]
    assert exact.interval is None
    assert "every label" in exact.undefined
    with pytest.raises(InputError, match="more than the 99 labels in all"):
        found.rates(population=99)


def test_truth_behind_labels_three_ways():
    shares = np.array([0.5, 0.3, 0.2])
    given = Transition.from_table([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]], "abc")
    joint = shares[:, None] * given.matrix
    expected = joint / joint.sum(axis=0)
    np.testing.assert_allclose(given.true_given_label(shares=shares), expected)
    np.testing.assert_allclose(given.true_given_label(labels=joint.sum(axis=0)), expected)
    counts = Transition.from_table(np.round(joint * 1000).astype(int), "abc")
    np.testing.assert_allclose(counts.true_given_label(), expected)
    np.testing.assert_allclose(counts.joint([40, 20, 40]).sum(axis=0), [40, 20, 40])
    with pytest.raises(InputError, match="or of the labels"):
        given.true_given_label()


def test_labels_that_the_table_cannot_have_made_are_refused():
    with pytest.raises(InputError, match=r"true class 'b' would have a share of -0\.0"):
        Transition.uniform("ab", 0.2).true_shares([0.85, 0.15])


def test_a_label_that_was_never_re_checked_is_named():
    found = Transition.from_table(np.array([[5, 0], [1, 0]]), "ab")
    with pytest.raises(InputError, match="no row labelled 'b', but 3 rows"):
        found.joint([7, 3])
    assert found.joint([6, 0]).tolist() == [[5, 0], [1, 0]]


def test_draws_are_dirichlet_with_one_row_of_prior_and_do_not_depend_on_chunks():
    counts = np.array([[45, 5, 0], [2, 40, 8], [0, 0, 30]])
    found = Transition.from_table(counts, "abc")
    drawn = np.concatenate(list(found.draws(4000, seed=3)))
    np.testing.assert_allclose(drawn.sum(axis=2), 1)
    total = counts.sum(axis=1, keepdims=True) + 1
    mean = (counts + 1 / 3) / total
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=0.003)
    np.testing.assert_allclose(drawn.var(axis=0), mean * (1 - mean) / (total + 1), rtol=0.15, atol=1e-6)
    again = np.concatenate(list(found.draws(4000, seed=3, chunk=7)))
    np.testing.assert_array_equal(drawn, again)
    assert not np.array_equal(drawn, np.concatenate(list(found.draws(4000, seed=4))))
    with pytest.raises(InputError, match="counts"):
        next(Transition.uniform("ab", 0.1).draws(3))


@pytest.mark.parametrize(
    ("table", "classes", "message"),
    [
        ([[0.9, 0.1], [0.5, 0.6]], "ab", r"true class 'b' sums to 1\.1"),
        ([[0.9, 0.1]], "ab", r"2 × 2.*\(1, 2\)"),
        ([[0.9, 0.1], [0.5, 0.5]], "abc", "3 × 3"),
        ([[1.1, -0.1], [0.5, 0.5]], "ab", "'a'"),
        ([[np.nan, 1.0], [0.5, 0.5]], "ab", "finite.*'a'"),
        ([[3, -1], [2, 2]], "ab", "0 or more; got -1"),
        ([[0, 0], [0, 0]], "ab", "is empty"),
        ([["x", "y"], ["z", "t"]], "ab", "numbers"),
        ([[1.0]], "a", "at least two classes"),
        ([[0.5, 0.5], [0.5, 0.5]], ["a", "a"], "must differ"),
        ([1, 2], "ab", "2 × 2"),
    ],
)
def test_nonsense_tables_are_refused(table, classes, message):
    with pytest.raises(InputError, match=message):
        Transition.from_table(table, classes)


@pytest.mark.parametrize("call", [lambda: Transition.uniform("ab", 1.5), lambda: Transition.pair_flip("a", 0.1)])
def test_nonsense_models_are_refused(call):
    with pytest.raises(InputError, match="noise rate|two classes"):
        call()


def test_nearly_singular_tables_are_refused_with_their_condition_number():
    with pytest.raises(InputError, match="condition number inf|condition number .*e"):
        Transition.uniform("abc", 2 / 3).inverse()
    with pytest.raises(InputError, match="condition number"):
        Transition.uniform("ab", 0.4999).inverse()
    np.testing.assert_allclose(
        Transition.uniform("ab", 0.4).inverse() @ Transition.uniform("ab", 0.4).matrix, np.eye(2), atol=1e-12
    )


def test_weighted_pairs_are_refused():
    weighted = Tally.from_codes(
        ["true", "label"],
        [(np.array([0, 1], np.int32), ["a", "b"])] * 2,
        np.array([3, 4]),
        weights=np.array([1.5, 2.0]),
        squares=np.array([1.0, 1.0]),
    )
    with pytest.raises(InputError, match="weights"):
        Transition.from_tally(weighted)
