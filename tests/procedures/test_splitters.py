"""Procedures cut rows as they say, and scikit-learn takes them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from justesse.core.errors import ClassError, OptionError
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.by_time import time_blocks
from justesse.procedures.folds import Folds, LeaveOneOut, five_by_two
from justesse.procedures.holdout import Holdout
from justesse.procedures.splits import name_of, splits

RNG = np.random.default_rng(0)
Y = np.repeat(["a", "b", "c"], [60, 30, 12])
X = RNG.normal(size=(len(Y), 3)) + (Y == "b")[:, None]
GROUPS = np.arange(len(Y)) % 17
ALL = [
    Holdout(),
    Holdout(0.3, repeats=4, kind="plain"),
    Holdout(0.25, repeats=3, kind="grouped"),
    Holdout(kind="by-time"),
    Folds(5),
    Folds(3, repeats=4, kind="plain"),
    Folds(4, repeats=2, kind="grouped"),
    Folds(6, kind="by-time"),
    five_by_two(),
    LeaveOneOut(),
    Bootstrap(7),
    Bootstrap(7, kind="stratified"),
    Bootstrap(7, kind="grouped"),
    Bootstrap(3, second_draw=True),
]


@pytest.mark.parametrize("procedure", ALL, ids=name_of)
def test_a_procedure_keeps_its_promises(procedure):
    groups = GROUPS if procedure.kind == "grouped" else None
    made = list(procedure.split(X, Y, groups))
    assert len(made) == procedure.get_n_splits(X, Y, groups)
    again = list(procedure.split(X, Y, groups))
    for (train, test), (train2, test2) in zip(made, again, strict=True):
        assert np.array_equal(train, train2)
        assert np.array_equal(test, test2)
        assert len(train)
        assert len(test)
        if not getattr(procedure, "second_draw", False):
            assert not np.intersect1d(train, test).size
        if procedure.kind == "grouped":
            assert not set(GROUPS[train]) & set(GROUPS[test])
        if procedure.kind == "by-time":
            assert train.max() < test.min()
    scores = cross_val_score(GaussianNB(), X, Y, groups=groups, cv=procedure)
    assert len(scores) == len(made)
    assert np.all((scores >= 0) & (scores <= 1))


@pytest.mark.parametrize(
    "procedure", [Folds(5, repeats=3), Folds(4, repeats=2, kind="grouped"), five_by_two()], ids=name_of
)
def test_every_repetition_tests_every_row_once(procedure):
    tested: dict[int, list[int]] = {}
    groups = GROUPS if procedure.kind == "grouped" else None
    for one in splits(procedure, len(Y), Y, groups):
        tested.setdefault(one.repetition, []).extend(one.test.tolist())
    assert len(tested) == procedure.repeats
    for rows in tested.values():
        assert sorted(rows) == list(range(len(Y)))
    first = [one.test.tolist() for one in splits(procedure, len(Y), Y, groups) if one.fold == 0]
    assert len({tuple(rows) for rows in first}) == procedure.repeats


def test_stratified_splits_keep_the_shares():
    for procedure in (Folds(6), Holdout(1 / 6, repeats=6)):
        for _, test in procedure.split(X, Y):
            assert [int((Y[test] == name).sum()) for name in "abc"] == [10, 5, 2]
    for train, _ in Bootstrap(5, kind="stratified").split(X, Y):
        assert [int((Y[train] == name).sum()) for name in "abc"] == [60, 30, 12]


@given(rows=st.integers(8, 60), k=st.integers(2, 6))
def test_folds_by_time_are_those_of_scikit_learn_when_no_two_times_are_equal(rows, k):
    ours, theirs = Folds(k, kind="by-time").split(range(rows)), TimeSeriesSplit(k).split(np.arange(rows))
    for (train, test), (train2, test2) in zip(ours, theirs, strict=True):
        assert np.array_equal(train, train2)
        assert np.array_equal(test, test2)


@given(st.lists(st.integers(0, 12), min_size=30, max_size=60), st.integers(2, 3))
def test_rows_of_one_time_are_never_on_both_sides(times, k):
    try:
        made = list(Folds(k, kind="by-time").split(times, groups=times))
    except OptionError:  # too few different times for so many folds
        return
    when = np.array(times)
    for train, test in made:
        assert when[train].max() < when[test].min()


def test_dates_and_missing_times():
    days = np.array(["2024-01-03", "2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    assert [block.tolist() for block in time_blocks(days, 3, [1])] == [[1], [2, 0]]
    with pytest.raises(OptionError, match="some are missing"):
        time_blocks([1.0, np.nan, 2.0], 3, [1])
    with pytest.raises(OptionError, match="comparable"):
        time_blocks(np.array(["a", 1, 2], dtype=object), 3, [1])


def test_a_share_of_63_per_cent_is_drawn():
    n = 400
    shares = [len(np.unique(train)) / n for train, _ in Bootstrap(60).split(range(n))]
    assert np.mean(shares) == pytest.approx(1 - (1 - 1 / n) ** n, abs=0.01)
    both = [np.isin(test, train).mean() for train, test in Bootstrap(60, second_draw=True).split(range(n))]
    assert np.mean(both) == pytest.approx(0.632, abs=0.02)


def test_two_rows_can_be_drawn():
    for train, test in Bootstrap(20).split(range(2)):
        assert set(train) | set(test) == {0, 1}


def test_splitters_of_scikit_learn_are_numbered_too():
    repeated = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    assert [(one.repetition, one.fold) for one in splits(repeated, len(Y), Y)] == [
        (r, f) for r in (0, 1) for f in (0, 1, 2)
    ]
    assert [one.repetition for one in splits(ShuffleSplit(3, random_state=0), 10)] == [0, 1, 2]


def test_a_search_takes_them():
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=Folds(3)).fit(X, Y)
    assert search.best_params_["max_depth"] in (1, 3)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: list(Folds(20).split(X, Y)), ClassError, "20 folds need at least 20 rows of each class, but class 'c' has 12"),
        (lambda: list(Folds(20, kind="grouped").split(X, Y, GROUPS)), OptionError, "need at least 20 groups; got 17"),
        (lambda: list(Folds(3, kind="grouped").split(X, Y)), OptionError, "group of each row"),
        (lambda: list(Folds(5).split(X, RNG.normal(size=len(X)))), OptionError, "hardly repeat"),
        (lambda: list(Folds(5).split(X, Y, GROUPS)), OptionError, "ignores groups"),
        (lambda: list(Folds(5).split(X)), OptionError, "class of each row"),
        (lambda: list(Folds(5, kind="plain").split(range(3))), OptionError, "at least 5 rows; got 3"),
        (lambda: list(Holdout(0.01).split(X, Y)), OptionError, "cannot be split"),
        (lambda: list(Folds(4, kind="by-time").split(range(9), groups=[1] * 9)), OptionError, "different times"),
        (lambda: Folds(1), OptionError, "must be at least 2; got 1"),
        (lambda: Folds(kind="layered"), OptionError, "layered"),
        (lambda: Folds(3, repeats=2, kind="by-time"), OptionError, "cannot be repeated; got repeats=2"),
        (lambda: Holdout(1.0), OptionError, "test_share=1.0"),
        (lambda: Bootstrap(0), OptionError, "draws=0"),
        (lambda: Bootstrap(kind="by-time"), OptionError, "cannot be 'by-time'"),
        (lambda: list(Bootstrap().split([1])), OptionError, "two rows"),
        (lambda: Folds(random_state=-1), OptionError, "seed"),
        (lambda: list(splits(7, 10)), OptionError, "split and get_n_splits"),
    ],
)  # fmt: skip
def test_what_cannot_be_split_is_said(make, error, words):
    with pytest.raises(error, match=words):
        make()
