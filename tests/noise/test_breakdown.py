"""Breakdown rates against every truth that small tables allow."""

import json
from fractions import Fraction

import numpy as np
import pytest

from justesse import Tally
from justesse.core.errors import InputError
from justesse.measures import accuracy, averaged, balanced_accuracy, error, f1, precision, recall, specificity
from justesse.noise.breakdown import breakdown
from justesse.noise.claim import COMPARE, Claim
from noise.every import values

SMALL = (
    ((2, 1), (1, 2)),
    ((4, 0), (1, 2)),
    ((0, 3), (2, 1)),
    ((2, 0, 1), (1, 1, 0), (0, 1, 0)),
    ((3, 0, 0), (0, 2, 0), (0, 0, 1)),
)
SHARP = {"accuracy": accuracy, "error": error, "macro-precision": averaged(precision, "macro")}
BY_CLASS = {"precision": precision, "recall": recall, "f1": f1, "specificity": specificity}
OUTER = {
    "balanced-accuracy": balanced_accuracy,
    "macro-recall": averaged(recall, "macro"),
    "macro-f1": averaged(f1, "macro"),
}
THRESHOLDS = ("0", "0.25", "1/3", "0.4", "0.5", "0.6", "2/3", "0.75", "1")


def exactly(measure, table, k=0):
    """Give the fewest wrong labels that lead to each value there is, as an exact fraction."""
    wrong, value = values(measure, table)
    found = {}
    for m, one in zip(wrong.tolist(), value[:, k].tolist(), strict=True):
        if not np.isnan(one):
            key = Fraction(one).limit_denominator(10_000)
            found[key] = min(m, found.get(key, m))
    return found


def by_hand(found, sign, threshold):
    """Give the fewest wrong labels that break a claim, `None` if none do."""
    return min((m for one, m in found.items() if not COMPARE[sign](one, Fraction(threshold))), default=None)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_against_every_truth(table):
    tally = Tally.from_dense(np.array(table), [f"c{k}" for k in range(len(table))])
    cases = [(name, measure, None) for name, measure in SHARP.items()]
    cases += [(name, measure, k) for name, measure in BY_CLASS.items() for k in range(len(table))]
    for name, measure, k in cases:
        every = exactly(measure, table, k or 0)
        if np.isnan(np.atleast_1d(measure(tally))[k or 0]):
            with pytest.raises(InputError, match="no value"):
                breakdown(tally, Claim.parse(f"{name}:c{k}>0.5"))
            continue
        for sign in COMPARE:
            for threshold in THRESHOLDS:
                claim = Claim.parse(f"{name}{'' if k is None else f':c{k}'}{sign}{threshold}")
                found = breakdown(tally, claim)
                expected = by_hand(every, sign, threshold)
                assert (found.count, found.sharp) == (expected, True), claim
                assert found.claim_holds == (expected != 0)
                assert found.rate == (None if expected is None else expected / tally.n)
                assert (found.undefined is None) == (expected not in (0, None))


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_averages_are_never_promised_to_break_too_late(table):
    tally = Tally.from_dense(np.array(table))
    for name, measure in OUTER.items():
        every = exactly(measure, table)
        for sign in COMPARE:
            for threshold in THRESHOLDS[1::3]:
                found = breakdown(tally, Claim.parse(f"{name}{sign}{threshold}"))
                expected = by_hand(every, sign, threshold)
                assert not found.sharp
                assert found.claim_holds == (expected != 0)
                if expected is not None:
                    assert found.count <= expected


def test_the_default_claim_beats_the_majority():
    tally = Tally.from_dense([[60, 10], [8, 22]], ["a", "b"])
    found = breakdown(tally)
    assert str(found.claim) == "accuracy > 0.7"
    assert (found.count, found.rate) == (12, 0.12)
    poor = breakdown(Tally.from_dense([[60, 10], [30, 0]], ["a", "b"]))
    assert (poor.claim_holds, poor.rate, poor.count) == (False, 0.0, 0)
    assert "false with the labels" in poor.undefined
    assert found.rung.letter == "e"
    assert json.loads(json.dumps(found.to_dict()))["claim"] == "accuracy > 0.7"


def test_no_rounding_at_the_very_threshold():
    # 0.7·10 and 7 agree only if 0.7 is taken as written
    tally = Tally.from_dense([[4, 1], [2, 3]])
    assert breakdown(tally, Claim.parse("accuracy>=0.7")).count == 1
    assert breakdown(tally, Claim.parse("accuracy>0.7")).count == 0
    large = Tally.from_dense([[3 * 10**14, 0], [7 * 10**14, 0]])
    assert breakdown(large, Claim.parse("accuracy>=0.3")).count == 1
    assert breakdown(large, Claim.parse("accuracy<=0.3")).count == 1


def test_ten_billion_rows_cost_no_more():
    tally = Tally.from_dense([[45 * 10**8, 5 * 10**8], [10 * 10**8, 40 * 10**8]], ["a", "b"])
    found = breakdown(tally, Claim.parse("recall:a>=0.8"))
    # above one half a row added to the class costs less recall than one taken from it: 4.5e9 / (5e9 + m) < 0.8
    assert found.count == 45 * 10**8 * 10 // 8 - 5 * 10**9 + 1
    fewer = Tally.from_dense([[45_000, 5000], [10_000, 40_000]], ["a", "b"])
    assert breakdown(fewer, Claim.parse("macro-recall>=0.8")).count < 10_000


def test_claims_are_read():
    assert Claim.parse(" Recall:<5 years >= 80 % ".replace(" %", "%")) == Claim(
        "recall", ">=", Fraction(4, 5), "<5 years"
    )
    assert Claim.parse("macro_f1<1e-1").threshold == Fraction(1, 10)
    assert Claim.parse("recall:a:b>.5").class_name == "a:b"
    tally = Tally.from_dense([[4, 1], [2, 3]], [True, False])
    assert breakdown(tally, Claim.parse("recall:true>=0.5")).claim_holds
    with pytest.raises(InputError, match="Class 'maybe' not found"):
        breakdown(tally, Claim.parse("recall:maybe>=0.5"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("accuracy", "compares a measure"),
        ("accuracy=0.9", "compares a measure"),
        ("auc>0.9", "Claims about 'auc' are not supported"),
        ("recall>=0.9", "recall:CLASS"),
        ("accuracy:cat>=0.9", "without a class"),
        ("accuracy>=high", "not a number"),
        ("accuracy>=", "not a number"),
        ("accuracy>=90", "between 0 and 1"),
        ("accuracy>=-0.1", "between 0 and 1"),
        (">=0.9", "compares a measure"),
    ],
)
def test_nonsense_claims_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        Claim.parse(text)


def test_without_rows_and_with_one_class():
    empty = Tally.of(["label", "prediction"], [], classes=["a", "b"])
    with pytest.raises(InputError, match="no rows"):
        breakdown(empty)
    with pytest.raises(InputError, match="needs at least one row"):
        breakdown(empty, Claim.parse("accuracy>=0.9"))
    alone = breakdown(Tally.from_dense([[5]]), Claim.parse("accuracy>=0.9"))
    assert (alone.claim_holds, alone.rate) == (True, None)
    assert "no number of wrong labels" in alone.undefined


def test_claims_are_written_with_the_digits_typed_and_computed_shares_with_four():
    assert str(Claim.parse("accuracy>=0.99995")) == "accuracy >= 0.99995"
    tally = Tally.from_dense([[100, 84], [800, 813]])
    assert str(Claim.beats_majority(tally)) == "accuracy > 0.8976"
    assert str(Claim("accuracy", ">", Fraction(1797, 17_560))) == "accuracy > 0.1023"
