"""A short version of the page's part on leaks."""

import pytest
from studies.validity.leaks import CHANGES, alarms, numbers, real_alarms, texts


@pytest.mark.parametrize(
    ("change", "least"),
    [
        ("none", (1, 1, 1, 1)),
        ("capitals, punctuation, spacing", (0, 1, 1, 1)),
        ("1 letter mistyped", (0, 0, 0.98, 0.99)),
    ],
)
def test_planted_texts_are_found_and_no_others(change, least):
    found = texts(CHANGES[change]).values()
    assert all(one.recall >= wanted for one, wanted in zip(found, least, strict=True))
    assert all(one.false_alarms == 0 for one in found)


def test_planted_numbers_are_found_and_no_others():
    found = numbers(1e-7)
    assert found["equal (JU001)"].recall == 0
    assert found["6 digits (JU002)"].recall > 0.7
    assert found["3 digits (JU002)"].recall > 0.99
    assert found["3 digits (JU002)"].false_alarms == 0


@pytest.mark.parametrize(("name", "bins"), [("iris", None), ("iris", 12), ("wine", 4), ("diabetes", 4)])
def test_a_random_split_of_a_real_set_is_no_leak(name, bins):
    """Iris has equal rows of different flowers; cut into classes, most rows are equal to others."""
    assert real_alarms(name, bins, leaked=0, repetitions=8) == 0


@pytest.mark.parametrize("name", ["answers of ten networks", "votes of a crowd", "answers of a crowd"])
def test_a_random_split_of_people_s_and_networks_answers_is_no_leak(data, name):
    assert real_alarms(name, None, leaked=0, repetitions=4) == 0


def test_copies_planted_in_real_sets_are_found():
    assert real_alarms("iris", None, leaked=10, repetitions=3) == 1
    assert real_alarms("wine", None, leaked=1, moved=1e-9, repetitions=3) == 1
    assert real_alarms("wine", 4, leaked=10, repetitions=3) == 1


def test_chance_is_no_leak_and_a_leak_is():
    assert alarms("4 columns of 12 values", leaked=0, repetitions=12)["failed"] <= 2 / 12
    assert alarms("4 columns of 12 values", leaked=50, repetitions=4)["failed"] == 1
    assert alarms("the same, going together", leaked=0, repetitions=6)["failed"] <= 1 / 6
    assert alarms("3 columns of 4 values", leaked=0, repetitions=2)["failed"] == 0
