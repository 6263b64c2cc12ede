"""When to stop: bounds from checks that hold at every look."""

import numpy as np
import pytest
from studies.validity.cases.checked_items import looks

from justesse.annotators.checked_share import check_order, checked_share, least_right
from justesse.core.errors import OptionError

REPETITIONS = 300


@pytest.mark.parametrize(("items", "target"), [(200, 0.9), (60, 0.95)])
def test_looking_after_every_check_stops_wrongly_no_more_often_than_the_risk(items, target):
    short = least_right(target, items) - 1  # one right item too few
    stopped, missed = looks(items, target, short, REPETITIONS, seed=1)
    assert stopped.mean() <= 0.05 + 2 * (0.05 * 0.95 / REPETITIONS) ** 0.5
    assert missed[~stopped].all()  # once all are checked it is known that the target is missed
    stopped, missed = looks(items, target, short + 1, REPETITIONS, seed=2)
    assert missed.mean() <= 0.05 + 2 * (0.05 * 0.95 / REPETITIONS) ** 0.5


def test_bounds_are_those_of_row_by_row_looks_and_end_at_the_truth():
    rng = np.random.default_rng(3)
    right = rng.random(120) < 0.9
    results = [checked_share(right[:n].tolist(), 120, target=0.8) for n in range(0, 121, 10)]
    assert all(each.at_least <= right.mean() <= each.at_most for each in results)
    assert results[-1].at_least == results[-1].at_most == right.mean()
    lows = [each.at_least for each in results]
    assert lows == sorted(lows)  # what is shown once stays shown


def test_fewer_checks_are_forecast_the_more_were_right():
    none, some = checked_share([True] * 20, 1000), checked_share([True] * 100, 1000)
    assert none.decision == some.decision == "go on"
    assert some.more < none.more
    settled = checked_share([True] * (100 + some.more), 1000)
    assert settled.decision == "stop"
    assert settled.more is None


def test_what_the_model_expects_cannot_decide():
    for expected in (0.5, 0.98, 1.0):
        assert checked_share([], 500, expected=expected).decision == "go on"
    assert checked_share([False] * 40 + [True] * 40, 500, expected=1.0).decision == "cannot"


def test_the_order_of_checks_depends_on_names_and_seed_only():
    names = [f"item {at}" for at in range(200)]
    first = [names[at] for at in check_order(names, 0)]
    assert first == [names[::-1][at] for at in check_order(names[::-1], 0)]
    assert first != [names[at] for at in check_order(names, 1)]
    assert sorted(first) == sorted(names)


@pytest.mark.parametrize("target", [0, 1, 98])
def test_impossible_targets_are_refused(target):
    with pytest.raises(OptionError, match="between 0 and 1"):
        checked_share([True], 10, target=target)


def test_checks_that_serve_several_consensuses_share_the_risk():
    right = [True] * 200
    alone, shared = checked_share(right, 1000, level=0.99), checked_share(right, 1000, level=0.94, versions=6)
    assert (shared.at_least, shared.at_most, shared.decision) == (alone.at_least, alone.at_most, alone.decision)
    assert (shared.level, shared.versions) == (0.94, 6)
    with pytest.raises(OptionError, match="1 or more; got 0"):
        checked_share(right, 1000, versions=0)


def test_six_consensuses_with_the_same_checks_stop_wrongly_in_at_most_five_percent():
    from studies.validity.cases.checked_items import STOPS, _versions

    assert _versions(200, 0.9, 6)(400, 1)[STOPS].share < 0.05
