import math

import pytest

from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, tail_levels


def test_a_displayed_interval_stays_in_range_and_keeps_its_ends():
    interval = Interval(-0.02, 1.3, 0.95, "wald", (0.0, 1.0))
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert (interval.unclipped_low, interval.unclipped_high) == (-0.02, 1.3)
    assert interval.to_dict() == {"low": 0.0, "high": 1.0, "level": 0.95, "method": "wald"}


def test_a_one_sided_bound_without_range_is_null_in_json():
    assert Interval(0.5, math.inf, 0.95, "student").to_dict()["high"] is None


def test_undefined_is_null_with_its_reason():
    found = Estimate("precision", math.nan, 0, undefined="it is never predicted", class_name="a")
    assert found.to_dict()["value"] is None
    assert found.to_dict()["undefined"] == "it is never predicted"
    assert found.title == "precision of 'a'"


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan")])
def test_levels_outside_their_range_are_refused(level):
    with pytest.raises(OptionError, match="level"):
        tail_levels(level, "two-sided")


def test_unknown_alternative():
    with pytest.raises(OptionError, match="'both'"):
        tail_levels(0.95, "both")


def test_a_whole_number_of_rows_is_an_integer():
    assert repr(Estimate("accuracy", 0.9, 899.0).n) == "899"
    assert Estimate("accuracy", 0.9, 12.5).n == 12.5
