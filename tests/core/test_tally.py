import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse import Tally
from justesse.core.errors import ClassError, OptionError, WeightError

NAMES = st.sampled_from(["a", "b", "c", "d"])
CELLS = st.lists(st.tuples(NAMES, NAMES, st.integers(0, 50)), max_size=12)
AXES = ("label", "prediction")


def brute(cells):
    found = {}
    for *names, n in cells:
        found[tuple(names)] = found.get(tuple(names), 0) + n
    return {names: n for names, n in found.items() if n}


def as_dict(tally):
    return {tuple(cell[:-1]): cell[-1] for cell in tally.cells()}


@given(CELLS, CELLS)
def test_merging_tallies_is_counting_together(one, other):
    apart = Tally.of(AXES, one) + Tally.of(AXES, other)
    assert as_dict(apart) == brute(one + other)
    assert apart == Tally.of(AXES, one + other)


@given(CELLS)
def test_json_round_trip_and_equality(cells):
    tally = Tally.of(AXES, cells)
    again = Tally.from_json(tally.to_json())
    assert again == tally
    assert json.loads(tally.to_json()) == tally.to_dict()
    if tally.n:
        more = tally + Tally.of(AXES, [("a", "a", 1)])
        assert more != tally


@given(CELLS, st.permutations(["a", "b", "c", "d"]))
def test_order_of_classes_does_not_matter(cells, order):
    assert Tally.of(AXES, cells, classes=order) == Tally.of(AXES, cells, classes=["a", "b", "c", "d"])
    assert Tally.of(AXES, cells, classes=order).classes == tuple(order)


@given(CELLS)
def test_marginals_and_dense_views_agree_with_brute_force(cells):
    tally = Tally.of(AXES, cells, classes=["a", "b", "c", "d"])
    for at, axis in enumerate(AXES):
        sums = dict.fromkeys(tally.classes, 0)
        for *names, n in cells:
            sums[names[at]] += n
        assert dict(zip(tally.classes, tally.sums(axis).tolist(), strict=True)) == sums
        assert as_dict(tally.marginal(axis)) == {(k,): n for k, n in sums.items() if n}
    assert tally.dense("prediction", "label").tolist() == tally.dense("label", "prediction").T.tolist()


def test_normalisations_sum_to_one_and_say_undefined():
    tally = Tally.of(AXES, [("a", "a", 3), ("a", "b", 1)], classes=["a", "b"])
    by_label = tally.normalise(by="label")
    assert by_label[0].tolist() == [0.75, 0.25]
    assert np.isnan(by_label[1]).all()
    assert tally.normalise(by="prediction").sum(axis=0).tolist() == [1.0, 1.0]
    assert tally.normalise(by="all").sum() == 1.0
    with pytest.raises(OptionError, match="'rows'"):
        tally.normalise(by="rows")


def test_select_by_one_name_drops_the_axis_and_by_several_keeps_it():
    tally = Tally.of(["label", "prediction", "fold"], [("a", "a", 1, 3), ("a", "b", 2, 1), ("b", "b", 3, 5)])
    assert tally.select(fold=1).axes == AXES
    assert tally.select(fold=[1, 2]).axes == ("label", "prediction", "fold")
    assert tally.select(fold=[1, 2]).n == 4
    assert tally.select(fold=1) + tally.select(fold=2) + tally.select(fold=3) == tally.marginal(*AXES)
    with pytest.raises(OptionError, match="9 is not on axis"):
        tally.select(fold=9)


def test_one_and_true_and_the_text_one_are_three_classes():
    tally = Tally.of(["label"], [(1, 2), (True, 3), ("1", 5), (1.0, 7)])
    assert [repr(name) for name in tally.classes] == ["True", "1", "1.0", "'1'"]
    assert tally.counts.tolist() == [3, 2, 7, 5]
    assert tally != Tally.of(["label"], [(1, 2), (True, 5), ("1", 3), (1.0, 7)])


def test_resample_is_multinomial_seeded_and_independent_of_the_chunk():
    tally = Tally.from_dense([[50, 10], [5, 35]])
    whole = next(tally.resample(400, seed=3)).counts
    chunked = np.concatenate([batch.counts for batch in tally.resample(400, seed=3, chunk=7)])
    assert (whole == chunked).all()
    assert (whole.sum(axis=1) == 100).all()
    assert np.allclose(whole.mean(axis=0), tally.counts, atol=1.5)
    share = tally.counts / 100
    assert np.allclose(whole.var(axis=0), 100 * share * (1 - share), rtol=0.25)
    assert (next(tally.resample(400, seed=4)).counts != whole).any()


def test_weights_add_up_and_refuse_resampling():
    codes = [(np.array([0, 0]), ["a"]), (np.array([0, 0]), ["a"])]
    tally = Tally.from_codes(AXES, codes, np.array([1, 1]), weights=np.array([1.0, 3.0]), squares=np.array([1.0, 9.0]))
    assert tally.weights.tolist() == [4.0]
    assert tally.effective_n == pytest.approx(16 / 10)
    assert (tally + tally).effective_n == pytest.approx(64 / 20)
    assert Tally.from_json(tally.to_json()) == tally
    with pytest.raises(WeightError, match="delta method"):
        next(tally.resample(10))
    with pytest.raises(OptionError, match="weighted"):
        tally + Tally.of(AXES, [("a", "a", 1)])


def test_a_thousand_classes_on_three_axes_are_comfortable():
    rng = np.random.default_rng(0)
    columns = [(rng.integers(1000, size=200_000), list(range(1000))) for _ in range(3)]
    tally = Tally.from_codes(["label", "incumbent", "candidate"], columns, np.ones(200_000, dtype=np.int64))
    assert tally.n == 200_000
    assert len(tally.classes) == 1000
    assert tally.marginal("label", "candidate").n == 200_000
    assert (tally + tally).n == 400_000


def test_five_thousand_classes_are_possible_and_more_are_refused():
    names = [f"c{i}" for i in range(5000)]
    assert Tally.of(AXES, [(name, name, 1) for name in names]).dense().shape == (5000, 5000)
    with pytest.raises(ClassError, match="identifier"):
        Tally.of(AXES, [(f"c{i}", f"c{i}", 1) for i in range(5001)])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tally.from_dense([[1, 2, 3]]), "square"),
        (lambda: Tally.from_dense([[0.5, 1], [1, 2]]), "whole numbers"),
        (lambda: Tally.from_dense([[1, -1], [0, 2]]), "negative"),
        (lambda: Tally.from_dense([[1]], classes=["a", "b"]), "1 class names; got 2"),
        (lambda: Tally.of(["label"], [("a", 2.7)]), "a whole number; got 2.7"),
        (lambda: Tally.of(["label", "label"], [("a", "a", 1)]), "differ"),
        (lambda: Tally.of(["label"], [(("a", "b"), 1)]), "class name must be text"),
        (lambda: Tally.of(["label"], [("x", 1)], classes=["a"]), "not among the classes"),
        (lambda: Tally.of(["label"], [("x", 1)], classes=["a", "a", "x"]), "differ"),
        (lambda: Tally.of(AXES, [("a", "a", 1)]).dense("label", "prediction", "fold"), "one or two axes"),
        (lambda: Tally.of(AXES, [("a", "a", 1)]).marginal("fold"), "no axis 'fold'"),
        (lambda: Tally.from_dict({"axes": ["label"]}), "not a tally"),
        (lambda: Tally.of(["label"], [("a", 1)]) + Tally.of(AXES, [("a", "a", 1)]), "axes are the same"),
        (lambda: Tally.of(["fold"], [(1, 1)]).classes, "holds classes"),
        (lambda: next(Tally.of(["fold"], [(1, 1)]).resample(0)), "at least 1"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(make, message):
    with pytest.raises((OptionError, ClassError), match=message):
        make()


def test_text_forms():
    tally = Tally.from_dense(np.arange(16).reshape(4, 4), ["w", "x", "y", "z"])
    assert repr(tally).endswith("… 3 more)")
    assert str(tally).splitlines()[0].split() == ["label", "\\", "prediction", "w", "x", "y", "z"]
    assert "2 resamples" in repr(next(tally.resample(2)))
    empty = Tally.of(AXES, [])
    assert empty.n == 0
    assert empty == Tally.from_json(empty.to_json())
