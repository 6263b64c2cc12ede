"""The checks of a test: brute force, SciPy and simulation as oracles."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse import csr_matrix

from justesse import Tally
from justesse.core.errors import InputError, OptionError
from justesse.frames.sides import side
from justesse.intervals.planning.difference import mcnemar_power
from justesse.procedures.annotator_bias import annotator_bias, check_annotator_bias
from justesse.procedures.conditions import TITLES, Check
from justesse.procedures.disjoint import check_common, check_repeated, check_shared
from justesse.procedures.enough import (
    check_difference_seen,
    check_precision,
    check_smallest_class,
    detectable_difference,
)
from justesse.procedures.representative import Spread, check_lacking, check_spreads, check_time_order, check_unseen
from justesse.procedures.same_shares import same_shares


def test_codes_are_in_order_and_a_check_can_be_written_as_json():
    assert list(TITLES) == sorted(TITLES)
    check = Check("JU202", "failed", "a", "b", "site", {"x": 1})
    assert json.loads(json.dumps(check.to_dict()))["title"] == "slice shares as in the population: site"


@given(st.lists(st.integers(30, 400), min_size=2, max_size=6), st.integers(0, 2**20))
def test_shares_as_scipy_s_goodness_of_fit(counts, seed):
    shares = np.random.default_rng(seed).dirichlet(np.full(len(counts), 8.0))
    if sum(counts) * shares.min() < 5:
        return
    found = same_shares(dict(enumerate(counts)), dict(enumerate(shares)), counted=False)
    oracle = stats.chisquare(counts, shares * sum(counts))
    assert found.statistic == pytest.approx(oracle.statistic, rel=1e-9)
    assert found.pvalue == pytest.approx(oracle.pvalue, rel=1e-9, abs=1e-300)
    assert found.effect == pytest.approx(math.sqrt(oracle.statistic / sum(counts)), rel=1e-9)


@given(st.lists(st.tuples(st.integers(10, 90), st.integers(10, 90)), min_size=2, max_size=6))
def test_two_samples_as_scipy_s_contingency_table(cells):
    ours, theirs = zip(*cells, strict=True)
    if min((a + b) * min(sum(ours), sum(theirs)) / (sum(ours) + sum(theirs)) for a, b in cells) < 5:
        return
    found = same_shares(dict(enumerate(ours)), dict(enumerate(theirs)), counted=True)
    oracle = stats.chi2_contingency([ours, theirs], correction=False)
    assert found.statistic == pytest.approx(oracle.statistic, rel=1e-9, abs=1e-9)
    assert found.pvalue == pytest.approx(oracle.pvalue, rel=1e-7)
    assert 0 <= found.moved <= 1


def test_few_rows_are_drawn_not_curved():
    exact = stats.fisher_exact([[3, 1], [1, 5]]).pvalue
    found = same_shares({"a": 3, "b": 1}, {"a": 1, "b": 5}, counted=True)
    assert found.method == "10,000 draws"
    assert found.pvalue == pytest.approx(exact, abs=0.02)
    known = same_shares({"a": 4, "b": 0}, {"a": 0.5, "b": 0.5}, counted=False)
    assert known.pvalue == pytest.approx(0.125, abs=0.015)


def test_the_test_of_shares_keeps_its_size():
    rng = np.random.default_rng(0)
    shares = np.array([0.6, 0.3, 0.08, 0.02])
    found = [
        same_shares(
            dict(enumerate(rng.multinomial(60, shares))), dict(enumerate(shares)), counted=False, seed=at
        ).pvalue
        for at in range(400)
    ]
    assert np.mean(np.array(found) < 0.05) < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_a_value_the_population_does_not_know():
    found = same_shares({"a": 5, "new": 1}, {"a": 1.0}, counted=False)
    assert found.pvalue == 0
    assert math.isinf(found.effect)
    assert check_spreads([Spread("JU202", "site", {"a": 5, "new": 1}, {"a": 1.0}, False)])[0].state == "failed"


def test_nothing_to_compare_is_refused():
    with pytest.raises(InputError, match="at least one row"):
        same_shares({}, {"a": 1.0}, counted=False)
    with pytest.raises(OptionError, match="number from 0 up"):
        check_spreads([], effect=-1)


def test_a_difference_that_does_not_matter_passes_however_many_rows():
    many = {"a": 5_050_000, "b": 4_950_000}
    found = check_spreads([Spread("JU201", "label", many, {"a": 0.5, "b": 0.5}, False)])[0]
    assert found.figures["pvalue"] < 1e-9
    assert found.state == "passed"
    assert "too small to matter" in found.sentence


def test_columns_are_corrected_together():
    one = Spread("JU202", "x", {"a": 61, "b": 39}, {"a": 0.5, "b": 0.5}, False)
    other = Spread("JU202", "y", {"a": 50, "b": 50}, {"a": 0.5, "b": 0.5}, False)
    assert check_spreads([one])[0].state == "failed"
    assert check_spreads([one, other, other])[0].state == "passed"


def test_values_that_training_never_saw():
    assert check_unseen("label", {1: 5, 2: 1}, {1: 9, 2: 3}).state == "passed"
    found = check_unseen("label", {1: 5, 2: 1, None: 2}, {1: 9})
    assert found.figures["unseen"] == [[2, 1]]


def test_a_rare_value_may_be_absent_by_chance():
    assert check_lacking("site", {"a": 100}, {"a": 0.999, "b": 0.001}).state == "passed"
    assert check_lacking("site", {"a": 100}, {"a": 0.9, "b": 0.1}).state == "failed"


def test_time_order_lets_the_last_moment_be_shared():
    assert check_time_order("t", np.array([4.0, 5.0]), np.array([1.0, 4.0]), written=["4", "4"]).state == "passed"


@pytest.mark.parametrize("n", [50, 300, 2000, 50_000])
def test_the_smallest_detectable_difference_has_just_the_power(n):
    found = detectable_difference(n, disagreement=0.2, power=0.8)
    assert mcnemar_power(n, difference=found, disagreement=0.2) >= 0.8
    assert mcnemar_power(n, difference=found - 2e-5, disagreement=0.2) < 0.8


def test_too_few_rows_detect_nothing():
    assert math.isnan(detectable_difference(10, disagreement=0.05))
    found = check_difference_seen(10, difference=0.02, disagreement=0.05)
    assert found.state == "failed"
    assert found.figures["difference"] is None
    assert "No difference" in found.sentence
    with pytest.raises(OptionError, match="disagreement"):
        check_difference_seen(100, difference=0.2, disagreement=0.1)


def test_precision_says_how_many_rows_are_missing():
    found = check_precision(100, half_width=0.05)
    assert found.state == "failed"
    assert check_precision(found.figures["needed"], half_width=0.05).state == "passed"
    assert check_precision(found.figures["needed"] - 1, half_width=0.05).state == "failed"


def test_groups_are_worth_less_than_their_rows():
    found = check_precision(1000, half_width=0.05, groups=10)
    assert found.figures["half_width_of_groups"] > 5 * found.figures["half_width"]


def test_all_classes_that_are_too_small_are_listed():
    labels = Tally.of(["label"], [("a", 500), ("b", 20), ("c", 3)])
    found = check_smallest_class(labels, half_width=0.1)
    assert found.figures["class"] == "c"
    assert found.figures["too_small"] == [["b", 20], ["c", 3]]


def test_coarse_columns_make_equal_rows_meaningless():
    rng = np.random.default_rng(0)

    def draw(n):
        return {"sex": rng.integers(0, 2, n), "old": rng.integers(0, 4, n)}

    test, train = side(draw(200), "test"), side(draw(300), "train")
    options = {"digits": 6, "label": None}
    assert check_shared(test, train, ["sex", "old"], how="exact", **options).state == "not applicable"
    assert check_repeated(test, ["sex", "old"], **options).state == "not applicable"
    by_columns, by_split = (
        check_repeated(test, ["sex", "old"], train=other, **options).sentence for other in (None, train)
    )
    assert "columns with too few distinct values to detect duplicates" in by_columns
    assert "not clearly more often than in a random split of all rows (p" in by_split


def test_one_coarse_column_says_nothing_and_one_telling_column_does():
    coarse = side({"ink": ["light", "heavy"] * 100}, "test")
    assert check_repeated(coarse, ["ink"], digits=6, label=None).state == "not applicable"
    assert check_shared(coarse, coarse, ["ink"], how="exact", digits=6, label=None).state == "not applicable"
    telling = side({"a": [*range(200), 7], "b": [*range(300, 500), 307]}, "test")
    assert check_repeated(telling, ["a", "b"], digits=6, label=None).figures["examples"] == [[201, 8]]


def test_a_few_equal_rows_by_chance_are_no_leak():
    rng = np.random.default_rng(3)

    def draw(n):
        return {f"x{at}": rng.integers(0, 12, n) for at in range(4)}

    states = [
        check_shared(
            side(draw(150), "test"),
            side(draw(300), "train"),
            ["x0", "x1", "x2", "x3"],
            how="exact",
            digits=6,
            label=None,
        ).state
        for _ in range(20)
    ]
    assert states.count("failed") <= 3


def test_a_leak_among_numbers_is_found():
    rng = np.random.default_rng(4)
    train = rng.normal(size=(300, 4))
    test = np.vstack([rng.normal(size=(97, 4)), train[:3] * (1 + 1e-9)])
    sides = [
        side({f"x{at}": rows[:, at] for at in range(4)}, name) for rows, name in ((test, "test"), (train, "train"))
    ]
    columns = ["x0", "x1", "x2", "x3"]
    assert check_shared(*sides, columns, how="exact", digits=6, label=None).state == "passed"
    found = check_shared(*sides, columns, how="written alike", digits=6, label=None)
    assert found.figures["examples"] == [[98, 1], [99, 2], [100, 3]]
    assert check_repeated(sides[0], columns, digits=6, label=None).state == "passed"


def test_ids_are_the_same_however_they_are_typed():
    found = check_common("JU005", side({"id": [1, 2]}, "test"), side({"id": ["2", "3"]}, "train"), "id")
    assert found.figures["examples"] == ["2"]


def people(seed, n=600, annotators=6, lean=0.0, style=0.0, offset=0.0):
    """Rows whose labels lean, or whose features tell, by annotator."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, annotators, n)
    x = rng.normal(size=(n, 3))
    shift = np.linspace(-1, 1, annotators)[who]
    y = (x[:, 0] + lean * shift + rng.normal(scale=0.3, size=n) > 0).astype(int)
    x[:, 1] += style * who
    return x, y, who


def test_annotators_who_lean_are_found_out():
    found = annotator_bias(*people(0, lean=1.5), repeats=5)
    assert found.with_name.difference.interval.low > 0
    assert found.accuracy_with_name > found.accuracy + 0.05


def test_annotators_with_a_style_are_told_apart():
    found = annotator_bias(*people(1, style=2.0), repeats=5)
    assert found.predictable.difference.interval.low > 0.2
    assert found.with_name.difference.interval.low < 0.05


def test_new_annotators_cost_what_the_old_ones_gave_away():
    # the features betray the annotator, and each annotator labels by a rule of his own
    rng = np.random.default_rng(2)
    who = rng.integers(0, 12, 900)
    x = np.column_stack([rng.normal(size=900), who + rng.normal(scale=0.05, size=900)])
    y = ((x[:, 0] > 0) ^ (who % 2 == 0)).astype(int)
    checks = check_annotator_bias(x, y, who, text=False)
    assert [check.code for check in checks] == ["JU008", "JU009", "JU010"]
    assert checks[2].state == "failed"
    assert checks[1].state == "failed"


def test_honest_annotators_pass_nearly_always():
    states = [check.state for seed in range(2) for check in check_annotator_bias(*people(seed, n=250), text=False)]
    assert states.count("failed") <= 2


def test_annotators_nobody_can_tell_apart_are_not_predictable():
    """Predicting at random must not beat the most frequent annotator, as it did where splits changed the shares."""
    gains = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        x, who = csr_matrix(rng.normal(size=(60, 3))), rng.permutation(np.arange(60) % 3)
        bias = annotator_bias(x, rng.integers(0, 2, 60), who, text=True, repeats=5, seed=seed)
        gains.append(bias.predictable.difference.value)
        assert bias.most_frequent == pytest.approx(1 / 3)
    assert abs(np.mean(gains)) < 0.03


def test_same_seed_same_figures():
    x, y, who = people(5, n=200)
    one, other = (annotator_bias(x, y, who, repeats=3, seed=7) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("y", "who", "why"),
    [
        (np.zeros(40, dtype=int), np.arange(40) % 2, "same label"),
        (np.arange(40) % 2, np.zeros(40, dtype=int), "Fewer than two annotators"),
        (np.arange(40) % 2, np.arange(40), "Fewer than two annotators"),
    ],
)
def test_nothing_to_tell_apart(y, who, why):
    for check in check_annotator_bias(np.ones((40, 1)), y, who, text=False):
        assert check.state == "not applicable"
        assert why in check.sentence


def test_two_annotators_cannot_be_kept_apart():
    x, y, who = people(6, n=100, annotators=2)
    assert [check.state for check in check_annotator_bias(x, y, who, text=False)][2] == "not applicable"
