"""What `evaluate` says if some labels are wrong."""

import json
from itertools import pairwise

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse import Tally
from justesse.core.errors import InputError, OptionError
from justesse.intervals.estimate import Confidence
from justesse.measures import accuracy, f1, precision, recall
from justesse.noise.bounds import bounds_from_rate
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.inversion import inversion
from justesse.noise.label_knowledge import parse_rate
from justesse.noise.lam_stork import lam_stork
from justesse.noise.recheck import recheck
from justesse.noise.transition import Transition
from justesse.verbs.label_knowledge import label_knowledge
from justesse.verbs.schemas import schema

VALID = jsonschema.Draft202012Validator(schema("evaluate"))
TABLE = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
CLASSES = np.array(["a", "b", "c"])


def evaluate(*data, **options):
    """Do without resampling what is not asked about here."""
    return justesse.evaluate(*data, **{"bootstrap": "none", "draws": 200, **options})


def rows(seed=0, n=600, noise=0.06):
    rng = np.random.default_rng(seed)
    true = rng.integers(3, size=n)
    label = np.where(rng.random(n) < noise, (true + rng.integers(1, 3, size=n)) % 3, true)
    prediction = np.where(rng.random(n) < 0.85, true, rng.integers(3, size=n))
    frame = {"id": np.arange(n), "label": CLASSES[label], "prediction": CLASSES[prediction], "true": CLASSES[true]}
    return pd.DataFrame(frame)


ROWS = rows()
PLAIN = ROWS.drop(columns="true")
CHECKED = ROWS.sample(100, random_state=1)[["id", "true"]]
TRANSITION = Transition.from_table([[95, 3, 2], [3, 95, 2], [4, 2, 94]], list("abc"))


def said(found):
    VALID.validate(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    return found.to_dict()["noise"]


def measure(noise, name, cls=None, average=None):
    return next(m for m in noise["measures"] if (m["name"], m["class"], m["average"]) == (name, cls, average))


def test_with_nothing_known_the_breakdown_rate_is_still_said():
    found = evaluate(TABLE)
    noise = said(found)
    assert noise["claim"] == "accuracy > 0.5"
    assert noise["breakdown"]["rate"] == 0.35  # 85 right answers, 50 of the most frequent label
    assert noise["measures"] == [
        {"name": "accuracy", "class": None, "average": None, "apparent": 0.85, "bias": None, "bounds": None,
         "corrected": [], "breakdown_rate": 0.35}
    ]  # fmt: skip
    assert (noise["rungs"], noise["rates"], noise["noise_rate"], noise["warnings"]) == ([], [], None, [])


@pytest.mark.parametrize(
    ("claim", "rate", "holds"),
    [
        ("accuracy>=0.8", 0.06, True),
        ("accuracy>=0.85", 0.01, True),
        ("accuracy>0.85", 0.0, False),
        ("accuracy>=0.9", 0.0, False),
        ("error<=20%", 0.06, True),
        ("accuracy>=0", None, True),
    ],
)
def test_a_claim_and_what_breaks_it(claim, rate, holds):
    found = said(evaluate(TABLE, claim=claim))["breakdown"]
    assert (found["rate"], found["claim_holds"]) == (rate, holds)


@pytest.mark.parametrize(
    ("claim", "key"),
    [
        ("recall:a>=0.6", ("recall", "a", None)),
        ("precision:b>0.5", ("precision", "b", None)),
        ("specificity:a>0.5", ("specificity", "a", None)),
        ("macro-f1>=0.6", ("f1", None, "macro")),
        ("balanced-accuracy>0.5", ("balanced_accuracy", None, None)),
        ("error<0.4", ("error", None, None)),
    ],
)
def test_the_measure_that_is_claimed_comes_first_with_its_rate_and_its_band(claim, key):
    found = evaluate(TABLE, claim=claim, noise_rate=0.05)
    noise = said(found)
    first = noise["measures"][0]
    assert (first["name"], first["class"], first["average"]) == key
    assert first["breakdown_rate"] == noise["breakdown"]["rate"] > 0
    assert first["bounds"]["low"] <= first["apparent"] <= first["bounds"]["high"]
    assert [m["breakdown_rate"] for m in noise["measures"][1:]] == [None] * (len(noise["measures"]) - 1)
    rate, low, high = zip(*noise["band"], strict=True)
    assert rate[0] == 0
    assert rate[-1] >= noise["breakdown"]["rate"]
    assert low[0] == pytest.approx(high[0]) == pytest.approx(first["apparent"])
    assert all(a >= b - 1e-12 for a, b in pairwise(low))
    assert all(a <= b + 1e-12 for a, b in pairwise(high))
    threshold = float(found.noise.breakdown.claim.threshold)
    beyond = (low[-1] < threshold) if found.noise.breakdown.claim.wants_much else (high[-1] > threshold)
    assert beyond  # the picture reaches past where the claim breaks


def test_each_rung_says_what_the_room_below_says():
    found = evaluate(PLAIN, noise_rate="0.02:0.08", transition=TRANSITION, audited=CHECKED, on="id")
    noise, tally = said(found), found.tally
    assert [rung["letter"] for rung in noise["rungs"]] == ["d", "b", "d", "c", "f"]
    sample = Tally.of(
        ["true", "label", "prediction"],
        [
            (*row, 1)
            for row in ROWS[ROWS["id"].isin(CHECKED["id"])][["true", "label", "prediction"]].to_numpy().tolist()
        ],
    )
    own = [accuracy, precision, recall, f1]
    for rung in (
        bounds_from_rate(tally, own, (0.02, 0.08)),
        lam_stork(tally, (0.02, 0.08)),
        bounds_from_counted(tally, own, TRANSITION),
        inversion(tally, own, TRANSITION, Confidence(bootstrap="none", draws=200)),
        recheck(tally, sample, own),
    ):
        listed = next(one for one in noise["rungs"] if one["name"] == rung.name)["found"]
        wanted = json.loads(json.dumps([one.to_dict() for one in rung.figures]))
        assert [one for one in wanted if one not in listed] == []


def test_bounds_are_those_of_the_table_where_both_are_given():
    noise = said(evaluate(PLAIN, noise_rate=0.5, transition=TRANSITION))
    bounds = measure(noise, "accuracy")["bounds"]
    assert bounds["assumption"] == "the transition table was counted on 300 random rows like these (95 % level)"
    assert measure(said(evaluate(PLAIN, noise_rate=0.5)), "accuracy")["bounds"]["low"] < bounds["low"]


def test_bounds_are_those_of_the_rate_where_that_is_known_better_than_a_counted_table():
    noise = said(evaluate(PLAIN, noise_rate="0.04:0.05", transition=TRANSITION))
    assert measure(noise, "accuracy")["bounds"]["assumption"] == "4 to 5 % of the labels are wrong"


def test_corrected_values_name_their_rung_and_what_it_assumes():
    noise = said(evaluate(PLAIN, noise_rate=0.06, transition=TRANSITION, audited=CHECKED, on="id"))
    found = measure(noise, "accuracy")
    assert [one["rung"] for one in found["corrected"]] == ["b", "c", "f"]
    assert found["corrected"][0]["assumption"] == "label errors are independent of the classifier's errors"
    assert found["apparent"] == pytest.approx(np.mean(ROWS["label"] == ROWS["prediction"]))
    assert [one["rung"] for one in measure(noise, "recall", "a")["corrected"]] == ["c", "f"]


def test_measured_values_are_there_whatever_is_known():
    for options in ({"audited": CHECKED, "on": "id"}, {"transition": TRANSITION}, {"noise_rate": 0.03}):
        noise = said(evaluate(PLAIN, **options))
        assert [m["name"] for m in noise["measures"] if m["apparent"] is None] == []


def test_true_classes_show_the_bias():
    found = evaluate(ROWS)
    noise = said(found)
    moved = measure(noise, "accuracy")["bias"]
    apparent, true = (np.mean(ROWS[name] == ROWS["prediction"]) for name in ("label", "true"))
    assert (moved["apparent"], moved["true"]) == (pytest.approx(apparent), pytest.approx(true))
    assert moved["bias"] == pytest.approx(apparent - true)
    assert measure(noise, "f1", average="macro")["bias"]["method"] == "direct"


def test_the_truth_lies_within_bounds_that_are_right():
    counts = np.array(pd.crosstab(ROWS["true"], ROWS["label"]))
    exact = float(np.mean(ROWS["label"] != ROWS["true"]))
    noise = said(evaluate(ROWS, noise_rate=(exact, exact), transition=counts))
    for one in noise["measures"]:
        for rung in noise["rungs"]:
            for bounds in rung["found"] if rung["letter"] == "d" else ():
                if (bounds["name"], bounds["class"], bounds["average"]) == (one["name"], one["class"], one["average"]):
                    assert bounds["low"] - 1e-9 <= one["bias"]["true"] <= bounds["high"] + 1e-9


def test_a_correction_that_is_not_possible_at_all_is_warned_of():
    """Half of those truly a are labelled b, and the classifier repeats that: the table, inverted, flatters."""
    cells = [("a", "a", 45), ("a", "b", 5), ("b", "b", 140), ("b", "a", 10), ("c", "c", 90), ("c", "a", 10)]
    tally = Tally.of(["label", "prediction"], cells)
    found = evaluate(tally, transition=[[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    (warning,) = [one for one in found.warnings if "is outside its bounds" in one]
    bounds = measure(said(found), "precision", "b")["bounds"]
    (corrected,) = measure(said(found), "precision", "b")["corrected"]
    assert not bounds["low"] <= corrected["value"] <= bounds["high"]
    assert "the assumption that label errors depend on the true class only does not seem to hold here" in warning
    assert warning in said(found)["warnings"]


def test_a_rate_that_the_sample_contradicts():
    with pytest.raises(InputError, match="contradicts the noise rate given, at most 0.1 %. Check that both"):
        evaluate(PLAIN, noise_rate=0.001, audited=CHECKED, on="id")
    with pytest.raises(InputError, match="contradicts the noise rate given, 30 to 40 %"):
        evaluate(PLAIN, noise_rate="0.3:0.4", audited=CHECKED, on="id")
    assert evaluate(PLAIN, noise_rate="0.001:0.4", audited=CHECKED, on="id").noise.rates[0].value > 0.01


def test_a_rate_that_the_true_classes_contradict():
    wrong = float(np.mean(ROWS["label"] != ROWS["true"]))
    with pytest.raises(
        InputError, match=rf"According to the true classes, {100 * wrong:.3g} % of the labels are wrong. This contra"
    ):
        evaluate(ROWS, noise_rate=0.03)
    with pytest.raises(InputError, match="contradicts the noise rate given, 20 to 30 %. Check that both are about"):
        evaluate(ROWS, noise_rate="0.2:0.3")
    for rate in (wrong, (wrong, wrong), f"{wrong:.4f}:{wrong:.4f}", 0.3):
        assert evaluate(ROWS, noise_rate=rate).noise.rungs
    assert evaluate(PLAIN, noise_rate=0.03).noise.rungs  # nobody knows better


OF_THESE = Transition.from_table(np.array(pd.crosstab(ROWS["true"], ROWS["label"])), list("abc")).counted_on("these")


@pytest.mark.parametrize(
    ("table", "who"),
    [
        (TRANSITION, r"the transition table counted on a sample, 2\.\d+ to [89]\.\d+ % of"),
        (OF_THESE, r"counted on these rows, \d\.\d+ % of"),
        (
            TRANSITION.matrix,
            r"According to the transition table, [\d.]+ to [\d.]+ % of the labels are wrong \(95 % CI\)",
        ),
    ],
    ids=["counted", "of these rows", "shares"],
)
def test_a_rate_that_the_table_contradicts(table, who):
    for rate in (0.01, "0.3:0.4"):
        with pytest.raises(InputError, match=who + ".*contradicts the noise rate given"):
            evaluate(PLAIN, noise_rate=rate, transition=table)
    for alternative in ("two-sided", "greater", "less"):
        with pytest.raises(InputError, match="contradicts"):
            evaluate(PLAIN, noise_rate=0.001, transition=table, alternative=alternative)
        assert evaluate(PLAIN, noise_rate="0.03:0.08", transition=table, alternative=alternative).noise.rungs


def test_macro_averages_from_re_checked_rows():
    noise = said(evaluate(PLAIN, audited=CHECKED, on="id", claim="balanced-accuracy>=0.7"))
    for name in ("precision", "recall", "f1"):
        (corrected,) = measure(noise, name, average="macro")["corrected"]
        classes = [measure(noise, name, cls)["corrected"][0]["value"] for cls in "abc"]
        assert corrected["value"] == pytest.approx(np.mean(classes))
        assert corrected["interval"]["method"] == "recheck-kinds"
        assert corrected["interval"]["low"] < corrected["value"] < corrected["interval"]["high"]
    assert measure(noise, "balanced_accuracy")["corrected"][0]["value"] == pytest.approx(
        measure(noise, "recall", average="macro")["corrected"][0]["value"]
    )


def test_rates_are_shown_where_they_are_known():
    shown = said(evaluate(PLAIN, audited=CHECKED, on="id"))["rates"]
    wrong = ROWS.loc[CHECKED.index]
    assert shown[0]["value"] == pytest.approx(np.mean(wrong["label"] != wrong["true"]))
    assert shown[0]["interval"]["low"] < 0.06 < shown[0]["interval"]["high"]
    given = said(evaluate(PLAIN, transition=TRANSITION.matrix))["rates"]
    assert given[1]["value"] == pytest.approx(0.05)
    assert given[0]["undefined"]


def test_samples_that_are_small_or_chosen():
    with pytest.raises(InputError, match="At least two rows must be re-checked"):
        evaluate(PLAIN, audited=CHECKED[:1], on="id")
    few = evaluate(PLAIN, audited=CHECKED[:12], on="id")
    assert "Only 12 rows were re-checked: the intervals are rough." in few.warnings
    chosen = ROWS[ROWS["label"] != ROWS["prediction"]][["id", "true"]]
    odd = [one for one in evaluate(PLAIN, audited=chosen, on="id").warnings if "random sample" in one]
    assert len(odd) == 1
    assert "If they were not drawn at random, these estimates are wrong." in odd[0]
    assert not any("random sample" in one for one in evaluate(PLAIN, audited=CHECKED, on="id").warnings)


def test_a_sample_may_miss_classes():
    ones = ROWS[(ROWS[["label", "prediction", "true"]] == "a").all(axis=1)][:5][["id", "true"]]
    rates = said(evaluate(PLAIN, audited=ones, on="id"))["rates"]
    assert [one["class"] for one in rates] == [None, "a", "b", "c"]


def test_many_warnings_alike_are_one_sentence():
    found = evaluate(PLAIN, audited=CHECKED[:12], on="id")
    assert sum("was re-checked. The value assumes that their labels are right" in one for one in found.warnings) == 1
    assert len(found.noise.warnings) <= 4


def test_weighted_rows_have_none_of_it():
    heavy = PLAIN.assign(w=np.linspace(0.5, 2, len(PLAIN)))
    assert evaluate(heavy, weight="w").to_dict()["noise"] is None
    options = [{"noise_rate": 0.1}, {"claim": "accuracy>0.5"}, {"transition": TRANSITION}]
    for option in [*options, {"audited": CHECKED, "on": "id"}]:
        with pytest.raises(InputError, match="not available for weighted rows"):
            evaluate(heavy, weight="w", **option)


def test_one_class():
    same = pd.DataFrame({"id": range(20), "label": ["a"] * 20, "prediction": ["a"] * 20})
    assert said(evaluate(same))["breakdown"]["claim_holds"] is False
    found = evaluate(same, noise_rate=0.1, claim="accuracy>=0.5")
    assert any("only one class, so no label can be wrong" in one for one in found.warnings)
    assert said(found)["breakdown"]["rate"] is None
    two = said(evaluate(same, noise_rate=0.1, classes=["a", "b"], claim="accuracy>=0.95"))
    assert two["breakdown"]["count"] == 2
    assert measure(two, "accuracy")["bounds"]["low"] == pytest.approx(0.9)
    checked = said(evaluate(same, audited={"id": [0, 1, 2], "true": ["a", "b", "a"]}, on="id"))
    assert measure(checked, "accuracy")["corrected"][0]["value"] == pytest.approx(2 / 3)
    assert said(evaluate(same, audited={"id": [0, 1, 2], "true": ["a"] * 3}, on="id"))["rates"] == []


def test_a_class_that_only_the_table_knows():
    table = [[90, 5, 5, 0], [5, 90, 4, 1], [5, 4, 90, 1], [1, 1, 1, 10]]
    names = list("abcd")
    counts = {true: dict(zip(names, row, strict=True)) for true, row in zip(names, table, strict=True)}
    noise = said(evaluate(PLAIN, transition=counts, noise_rate=0.1))
    extra = measure(noise, "recall", "d")
    assert (extra["apparent"], extra["bounds"]["low"]) == (None, 0.0)  # some rows may truly be d, and none is found
    assert extra["bounds"]["undefined"] == "with these labels: it never occurs among the labels"


def test_a_table_that_cannot_be_inverted_leaves_bounds():
    found = evaluate(PLAIN, transition=np.full((3, 3), 10))
    assert [rung.letter for rung in found.noise.rungs] == ["d"]
    assert any(one.startswith("No corrected values from the transition table, only bounds") for one in found.warnings)
    found = evaluate(PLAIN, transition=[[90, 5, 5], [5, 90, 5], [0, 0, 0]])
    assert any("has no row of true class 'c'" in one for one in found.warnings)
    with pytest.raises(InputError, match="Count the table on re-checked rows, give the noise rate alone, or re-check"):
        evaluate(PLAIN, transition=np.full((3, 3), 1 / 3))


def test_a_table_that_cannot_have_made_these_labels():
    with pytest.raises(InputError, match="does not fit these labels: true class 'b'"):
        evaluate(PLAIN, transition=[[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])


def test_a_rate_at_which_labels_say_nothing():
    found = evaluate(PLAIN, noise_rate="0.5:0.8")
    assert any(one.startswith("No corrected accuracy from the noise rate") for one in found.warnings)
    assert measure(said(found), "accuracy")["bounds"]["low"] >= 0


def test_tallies_and_lazy_frames():
    tally = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 50), ("b", "a", "b", 5), ("b", "b", "b", 45)])
    assert measure(said(evaluate(tally, noise_rate=0.05)), "accuracy")["bias"]["bias"] == pytest.approx(-0.05)
    with pytest.raises(InputError, match="Pass the data as a path or a frame"):
        evaluate(tally, audited=CHECKED, on="id")
    with pytest.raises(InputError, match="Pass the data as a path or a frame"):
        evaluate(y_true=["a"], y_pred=["a"], audited=CHECKED, on="id")
    lazy = pl.from_pandas(PLAIN).lazy()
    assert said(evaluate(lazy, noise_rate=0.05)) == said(evaluate(PLAIN, noise_rate=0.05))
    with pytest.raises(InputError, match="Collect the frame first"):
        evaluate(lazy, audited=CHECKED, on="id")


def test_scores_without_a_column_of_classes():
    frame = pd.DataFrame({"id": range(60), "label": [0, 1] * 30, "p": np.linspace(0, 1, 60)})
    assert said(evaluate(frame, score="p", noise_rate=0.1))["rungs"]
    checked = {"id": [1, 2, 3], "true": [1, 0, 1]}
    with pytest.raises(InputError, match="Add a column with it next to the scores"):
        evaluate(frame, score="p", audited=checked, on="id")
    named = frame.assign(prediction=(frame["p"] > 0.5).astype(int))
    assert said(evaluate(named, score="p", audited=checked, on="id"))["rungs"][0]["letter"] == "f"


def test_one_sided_levels_are_kept():
    found = evaluate(PLAIN, noise_rate=0.05, transition=TRANSITION, audited=CHECKED, on="id", alternative="greater")
    for one in measure(said(found), "accuracy")["corrected"]:
        assert one["interval"]["high"] in (1.0, None)
        assert one["interval"]["low"] > 0.5


def test_the_same_seed_gives_the_same_and_another_another():
    one, two, other = (said(evaluate(PLAIN, transition=TRANSITION, seed=seed)) for seed in (1, 1, 2))
    assert one == two != other


@pytest.mark.parametrize("given", [-0.1, 1, 1.5, "x", "0.1:", "0.5:0.1", "1:2", "0.1:0.2:0.3", float("nan"), [], {}])
def test_rates_that_cannot_be(given):
    with pytest.raises(OptionError, match="noise rate"):
        parse_rate(given)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [(0, (0.0, 0.0)), ("0.03:0.03", (0.03, 0.03)), ((0.01, 0.02), (0.01, 0.02)), (np.float64(0.5), (0.0, 0.5))],
)
def test_rates_as_people_write_them(given, wanted):
    assert parse_rate(given) == wanted


def test_what_is_known_is_read_once():
    given = label_knowledge(["a", "b"], noise_rate=0.1, transition=[[9, 1], [1, 9]], claim="accuracy>=0.9")
    assert given.anything
    assert given.transition.counts.sum() == 20
    assert not label_knowledge(["a", "b"], claim="accuracy>=0.9").anything
    with pytest.raises(OptionError, match="got ''"):
        label_knowledge(["a"], claim="")


def test_on_goes_with_audited():
    with pytest.raises(OptionError, match="Pass them with audited"):
        evaluate(PLAIN, on="id")
