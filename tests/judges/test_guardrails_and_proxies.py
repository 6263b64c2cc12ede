"""Guardrails and proxies of on-line comparisons, against brute force and the formulas of their sources."""

import json

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.core.errors import ColumnError, MissingValueError, OptionError, ScoreError
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import lower_difference
from justesse.judges.proxied import ProxyArm, tuned_interval
from justesse.verbs.ab.plan import read_guardrails
from justesse.verbs.schemas import schema

AB = schema("ab")


def traffic(n, seed=0, complaint=(0.02, 0.02), right=(0.5, 0.5), agree=(0.9, 0.9), known=1.0):
    rng = np.random.default_rng(seed)
    at = rng.integers(0, 2, n)
    y = (rng.random(n) < np.array(right)[at]).astype(int)
    grade = np.where(rng.random(n) < np.array(agree)[at], y, 1)  # wrong grades are too kind
    return {
        "variant": np.array(["old", "new"])[at].tolist(),
        "outcome": [int(x) if keep else None for x, keep in zip(y, rng.random(n) < known, strict=True)],
        "complaint": (rng.random(n) < np.array(complaint)[at]).astype(int).tolist(),
        "grade": grade.tolist(),
    }


def valid(result):
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(written, AB)
    return written


def test_a_harmful_candidate_is_stopped_though_its_outcomes_are_better():
    data = traffic(4000, right=(0.4, 0.6), complaint=(0.02, 0.10))
    assert valid(justesse.ab(data))["verdict"] == "replace"
    written = valid(justesse.ab(data, guardrail="complaint<0.01"))
    assert (written["verdict"], written["stopped_by"], written["gates"]["better"]) == ("keep", "complaint<0.01", False)
    assert written["decided_after"] == written["guardrails"][0]["broken_after"] < 4000
    assert "complaint<0.01 broken after" in written["reason"]
    kept = valid(justesse.ab(data, guardrail="complaint<0.2"))
    assert (kept["verdict"], kept["stopped_by"], kept["guardrails"][0]["broken"]) == ("replace", None, False)


def test_the_bound_is_the_always_valid_one_of_the_difference_and_guardrails_share_the_risk():
    data = traffic(1500, 1, complaint=(0.05, 0.10))
    codes = np.array([name == "new" for name in data["variant"]])
    values = np.array(data["complaint"], dtype=float)
    both = valid(justesse.ab(data, guardrail=["complaint<0.01", "outcome>-0.1"]))["guardrails"]
    assert [guard["level"] for guard in both] == pytest.approx([0.975, 0.975])
    # the last bound needs the same looks: blocks grow as the file is read
    from justesse.core.event_blocks import look_edges

    edges = look_edges(1500)
    sums = []
    for chosen in (codes, ~codes):
        counts = [np.add.reduceat(part * chosen, [0, *edges[:-1]]) for part in (np.ones(1500), values, values**2)]
        sums.append(ArmSums.of_blocks(*counts))
    assert both[0]["bound"] == pytest.approx(lower_difference(*sums, risk=0.025)[-1])
    assert both[0]["difference"] == pytest.approx(values[codes].mean() - values[~codes].mean())


def test_both_sides_and_other_ranges_mean_the_same():
    data = traffic(3000, 2, complaint=(0.02, 0.12))
    data["calm"] = [500 * (1 - x) for x in data["complaint"]]
    less, more = (
        valid(justesse.ab(data, guardrail=words))["guardrails"][0] for words in ("complaint<0.01", "calm>-5 in 0..500")
    )
    assert (less["side"], more["side"]) == ("below", "above")
    assert more["bound"] == pytest.approx(-500 * less["bound"], rel=1e-3)
    assert more["broken_after"] == less["broken_after"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("complaint", "A guardrail says"),
        ("complaint<x", "A guardrail says"),
        ("complaint<-0.1", "broken by two equal variants"),
        ("outcome>0.1", "broken by two equal variants"),
        ("latency<20", "can never be broken"),
        ("latency<20 in 5..1", "A guardrail says"),
        (["latency<1 in 0..5", "latency<2 in 0..9"], "two different ranges"),
    ],
)
def test_guardrails_that_cannot_be_meant(words, expected):
    with pytest.raises(OptionError, match=expected):
        read_guardrails(words)


def test_wrong_numbers_of_guardrails_and_proxies_are_explained():
    data = traffic(20)
    with pytest.raises(ColumnError, match="Column 'cost' not found"):
        justesse.ab(data, guardrail="cost<0.1")
    data["cost"] = [0.0] * 19 + [7.0]
    with pytest.raises(ScoreError, match=r"row 20: cost 7 is not between 0 and 1.*--guardrail"):
        justesse.ab(data, guardrail="cost<0.1")
    with pytest.raises(OptionError, match="open outcomes are always taken as missing at random. Leave out"):
        justesse.ab(data, proxy="grade", missing="random")
    with pytest.raises(OptionError, match="Leave out guardrail"):
        justesse.ab(data, shadow=True, incumbent="grade", candidate="outcome", guardrail="cost<0.1")


def test_a_biased_proxy_is_corrected_and_named():
    """The proxy takes wrong answers of the new variant for right ones: it alone would replace an equal variant."""
    data = traffic(20_000, 3, agree=(0.97, 0.6), known=0.3)
    alone = justesse.ab({"variant": data["variant"], "outcome": data["grade"]})
    assert alone.verdict.decision == "replace"
    for method in ("betting", "asymptotic"):
        result = justesse.ab(data, proxy="grade", method=method)
        written = valid(result)
        assert written["verdict"] == "cannot_tell"
        assert written["interval"]["low"] < 0 < written["interval"]["high"]
        assert written["proxy"]["bias_differs"]
        assert written["proxy"]["alone"]["value"] == pytest.approx(alone.verdict.difference.value)
        assert any("The proxy favours new over old" in words for words in written["warnings"])
        assert "by known outcomes alone" in result.markdown("full")


def test_the_corrected_mean_is_that_of_prediction_powered_inference():
    data = traffic(3000, 4, right=(0.4, 0.5), known=0.2)
    written = valid(justesse.ab(data, proxy="grade"))
    means = []
    for name in ("old", "new"):
        rows = [at for at, v in enumerate(data["variant"]) if v == name]
        labelled = [at for at in rows if data["outcome"][at] is not None]
        grade, y = np.array(data["grade"]), data["outcome"]
        means.append(grade[rows].mean() + np.mean([y[at] - grade[at] for at in labelled]))
    assert written["difference"] == pytest.approx(means[1] - means[0])
    assert written["incumbent"]["mean"] == pytest.approx(means[0])


def test_the_tuned_mean_has_the_variance_that_is_claimed():
    """Against the spread of 4,000 simulated means, with a good and a useless proxy."""
    rng = np.random.default_rng(0)
    for agree in (0.95, 0.5):
        means, claimed, plain = [], [], []
        for _ in range(4000):
            y = rng.random(2000) < 0.3
            f = np.where(rng.random(2000) < agree, y, ~y).astype(float)
            lab = np.arange(2000) < 300
            parts = [f, (1 + y[lab] - f[lab]) / 2, y[lab].astype(float)]
            sums = [ArmSums(*(np.array([v]) for v in (len(x), x.sum(), ((x - x.mean()) ** 2).sum()))) for x in parts]
            arm = ProxyArm(*sums, tuned=True)
            means.append(arm.mean[0])
            claimed.append(arm.variance[0])
            plain.append(y[lab].mean())
        assert np.var(means) == pytest.approx(np.mean(claimed), rel=0.08)
        assert np.mean(means) == pytest.approx(0.3, abs=0.002)
        assert np.var(means) <= np.var(plain) * 1.02
        if agree == 0.95:
            assert np.var(means) < 0.5 * np.var(plain)


def test_a_tuned_interval_waits_for_enough_outcomes():
    few = ProxyArm(*(ArmSums.of_blocks([n], [n / 2], [n / 2]) for n in (100, 20, 20)), tuned=True)
    assert [end.tolist() for end in tuned_interval(few, few, risk=0.05)] == [[-1.0], [1.0]]


def test_empty_cells_of_a_guardrail_are_refused_with_their_row():
    data = traffic(600, right=(0.3, 0.7))
    data["complaint"][41] = None
    with pytest.raises(MissingValueError, match=r"row 42: no value in column 'complaint'.*--missing random"):
        justesse.ab(data, guardrail="complaint<0.01")
    counted = valid(justesse.ab(data, guardrail="complaint<0.5", missing="random"))
    assert (counted["verdict"], counted["guardrails"][0]["missing"]) == ("replace", 1)
    assert any("1 event has no value" in words for words in counted["warnings"])


@pytest.mark.parametrize("missing", ["random", "worst-case"])
@pytest.mark.parametrize("without", [("old", "new"), ("new",)])
def test_a_candidate_is_not_taken_while_a_guardrail_has_no_values(missing, without):
    data = traffic(2000, right=(0.3, 0.7))
    assert valid(justesse.ab(data, guardrail="complaint<0.2", missing=missing))["verdict"] == "replace"
    data["complaint"] = [None if v in without else x for v, x in zip(data["variant"], data["complaint"], strict=True)]
    result = justesse.ab(data, guardrail="complaint<0.2", missing=missing, margin=0.01)
    written = valid(result)
    assert (written["verdict"], written["decided_after"], written["breakdown_rate"]) == ("cannot_tell", None, None)
    assert written["gates"] == {"better": False, "not_worse": False}
    assert "complaint<0.2 cannot be checked" in written["reason"]
    assert "More events would not" not in str(result)
    assert any("no value" in words for words in written["warnings"])


def test_a_decision_with_guardrails_says_what_may_undo_it():
    data = traffic(2000, right=(0.3, 0.7))
    assert (
        "do not undo this, unless a guardrail breaks later."
        in justesse.ab(data, guardrail="complaint<0.2").to_dict()["reason"]
    )
    assert justesse.ab(data).to_dict()["reason"].endswith("Later events do not undo this.")
