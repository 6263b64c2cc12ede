"""A short, seeded look at how often audits let a candidate replace that is no better."""

import numpy as np
import pytest
from studies.validity.audits import POOLS, audit_sizes


@pytest.fixture(scope="module")
def found():
    return audit_sizes(repetitions=40)


def test_betting_keeps_its_risk_and_finds_better_candidates(found):
    for row in found["replaced"]:
        shares = dict(zip(POOLS, row["shares"], strict=True))
        assert shares["exact ties"] <= 0.15
        assert shares["worse by 12 rows"] <= 0.05
        assert shares["better by 20 rows"] > 0.7
    assert np.mean([row["shares"][0] for row in found["replaced"]]) <= 0.08


def test_the_risk_is_kept_with_few_rows_few_answers_and_hostile_labels(found):
    assert len(found["tiny"]) == 7
    for row in found["tiny"]:
        assert row["measured"] <= 0.05 + 3 * (0.05 * 0.95 / 40) ** 0.5


def test_audits_that_give_up_would_seldom_have_been_settled(found):
    given_up = sum(row["given_up"] for row in found["given up"])
    assert given_up > 50
    assert sum(row["false"] for row in found["given up"]) <= 0.1 * given_up
    assert sum(row["answers"] for row in found["given up"]) < 0.9 * sum(row["without"] for row in found["given up"])


def test_bounds_cover_at_all_looks_together(found):
    assert min(row["measured"] for row in found["covered"]) >= 0.8
    assert np.mean([row["measured"] for row in found["covered"]]) > 0.93


def test_an_expert_who_errs_is_allowed_for(found):
    for row in found["expert"]:
        if row["allowed"]:
            assert row["measured"] <= 0.12


def test_the_population_is_another_question(found):
    for row in found["population"]:
        if row["question"] == "population" and row["gain"] == 0:
            assert row["measured"] <= 0.15
    tie = [row["measured"] for row in found["population"] if row["question"] == "test set" and row["gain"] == 0]
    assert np.mean(tie) > 0.2  # on half of the test sets the candidate is better
