"""Plans of rows in clusters: design effects by simulation, the cheapest size by trying all, and bad input."""

import json

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from justesse import plan_difference, plan_precision
from justesse.core.errors import OptionError
from justesse.intervals.clustered import clustered_share
from justesse.intervals.planning.clusters import ClusterDesign, best_size, clusters_needed, design_effect
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.verbs.schemas import schema


def test_the_effective_n_is_that_of_drawn_clusters():
    """Draw clusters with a known intraclass correlation: their mean varies as that of so many independent rows."""
    rng = np.random.default_rng(0)
    design, share = ClusterDesign(40, 5, 0.25), 0.7
    k = 1 / design.correlation - 1
    chance = rng.beta(share * k, (1 - share) * k, (20_000, design.clusters))
    means = rng.binomial(design.size, chance).sum(1) / design.rows
    assert means.var() == pytest.approx(share * (1 - share) / design.effective_n, rel=0.03)
    assert chance.mean(1).var() / means.var() == pytest.approx(design.between, abs=0.02)


@settings(max_examples=60, deadline=None)
@given(st.floats(0.02, 0.98), st.floats(0, 50), st.floats(0.05, 5))
def test_the_size_chosen_is_the_cheapest(correlation, cluster_price, row_price):
    def paid(size):
        return (cluster_price + size * row_price) * design_effect(size, correlation) / size

    chosen = best_size(correlation, cluster_price, row_price)
    assert paid(chosen) == pytest.approx(min(paid(size) for size in range(1, 400)), rel=1e-9)


def test_enough_clusters_are_planned_and_one_fewer_is_not():
    needed = clusters_needed(2014, 4, 0.4)
    assert needed.reach([0.025]) >= 2014
    assert ClusterDesign(needed.clusters - 1, 4, 0.4).reach([0.025]) < 2014
    assert clusters_needed(2014, 1, 0.4).rows == 2014


def test_few_large_clusters_have_the_half_width_planned():
    """Before, three clusters of 1,000 independent rows were planned for ±0.02; their intervals are ±0.039."""
    plan = plan_precision(half_width=0.02, correlation=0, cluster_size=1000, clusters="3x1000,1x500")
    details = plan.to_dict()["clusters"]
    assert details["clusters"] == 5
    assert details["designs"][1]["half_width"] is None  # one cluster shows nothing
    assert "fewer than 20 clusters" in plan.answer
    rng = np.random.default_rng(1)
    for design in (details, details["designs"][0]):
        many = design["clusters"]
        ends = [clustered_share(rng.binomial(1000, 0.5, many), np.full(many, 1000)) for _ in range(300)]
        width = np.median([(each.high[0] - each.low[0]) / 2 for each in ends])
        assert width == pytest.approx(design["half_width"], rel=0.02)


def test_few_clusters_have_the_power_planned():
    """Draw independent rows in clusters: the cluster-robust test finds the difference about as often as planned."""
    plan = plan_difference(difference=0.05, disagreement=0.1, correlation=0, cluster_size=100).to_dict()["clusters"]
    rng, hits = np.random.default_rng(2), 0
    for _ in range(500):
        b, c, _ = rng.multinomial(100, [0.025, 0.075, 0.9], plan["clusters"]).T
        hits += clustered_mcnemar(b, c, np.full(plan["clusters"], 100)).pvalue < 0.05
    assert hits >= 0.75 * 500


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5000), st.integers(2, 500), st.floats(0, 1), st.floats(0.001, 0.2), st.floats(0.05, 0.45))
def test_a_design_reaches_what_students_t_leaves(clusters, size, correlation, tail, other):
    design = ClusterDesign(clusters, size, correlation)
    ratio = (stats.t.isf(tail, clusters - 1) + stats.t.isf(other, clusters - 1)) / (
        stats.norm.isf(tail) + stats.norm.isf(other)
    )
    assert design.reach([tail, other]) == pytest.approx(design.effective_n / ratio**2)
    assert design.reach([tail]) <= design.effective_n
    assert ClusterDesign(clusters + 1, size, correlation).reach([tail]) > design.reach([tail])


def test_four_samples_or_one(run):
    options = {"half_width": 0.02, "expected": 0.7, "correlation": 0.4}
    result = plan_precision(**options, clusters="500x4,2000x1").to_dict()
    few, many = result["clusters"]["designs"]
    assert (few["rows"], many["rows"]) == (2000, 2000)
    assert many["half_width"] < few["half_width"]
    assert result["n"] == result["clusters"]["rows"] == 4444
    assert result["clusters"]["independent_rows"] == plan_precision(half_width=0.02, expected=0.7).n
    ran = run(
        "plan",
        "precision",
        "--half-width",
        "0.02",
        "--expected",
        "0.7",
        "--correlation",
        "0.4",
        "--clusters",
        "500x4,2000x1",
        "--json",
    )
    assert json.loads(ran.out)["clusters"] == result["clusters"]
    jsonschema.validate(result, schema("plan"))
    priced = plan_precision(**options, cluster_price=2, row_price=0.05)
    assert priced.to_dict()["clusters"]["cluster_size"] == best_size(0.4, 2, 0.05)
    assert "the least for" in priced.answer
    assert "would be cheaper" in plan_precision(**options, cluster_size=1, cluster_price=2, row_price=0.05).answer
    apart = plan_difference(difference=0.02, disagreement=0.08, correlation=0.2, cluster_size=4)
    assert apart.n == clusters_needed(plan_difference(difference=0.02, disagreement=0.08).n, 4, 0.2, (0.025, 0.2)).rows


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cluster_size": 4}, "need their intraclass correlation"),
        ({"correlation": 1.2}, "between 0 and 1"),
        ({"correlation": 0.2, "clusters": "500"}, "such as 500x4"),
        ({"correlation": 0.2, "clusters": ["0x4"]}, "at least 1"),
        ({"correlation": 0.2, "cluster_price": 2}, "Give both prices"),
        ({"correlation": 0.2, "cluster_price": -2, "row_price": 1}, "from 0 up"),
        ({"correlation": 0.2, "cluster_price": 0, "row_price": 0}, "above 0"),
        ({"correlation": 0.2, "cluster_size": 0}, "must have 1 to"),
    ],
)
def test_bad_clusters_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        plan_precision(half_width=0.02, **options)
