"""`justesse.noise_…`: each part against the room that computes it, and what it hands back."""

import html
import json

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import hypergeom
from statsmodels.stats.proportion import proportion_confint

import justesse
from justesse import Tally
from justesse.core.errors import InputError, OptionError
from justesse.frames.transition_table import transition_table
from justesse.measures import accuracy, cost, recall
from justesse.noise.bias import bias
from justesse.noise.bounds import bounds_from_rate, bounds_from_transition
from justesse.noise.profile import profile
from justesse.noise.transition import Transition
from justesse.verbs.schemas import schema

VALID = jsonschema.Draft202012Validator(schema("noise"))
CELLS = [("a", "a", "a", 60), ("a", "b", "b", 6), ("a", "b", "a", 4), ("b", "a", "b", 10), ("b", "b", "b", 18), ("b", "b", "a", 2)]  # fmt: skip
TALLY = Tally.of(["true", "label", "prediction"], CELLS)
FRAME = pd.DataFrame(
    [(t, label, p) for t, label, p, n in CELLS for _ in range(n)], columns=["true", "label", "prediction"]
).assign(id=lambda frame: np.arange(len(frame)))
PLAIN = FRAME.drop(columns="true")
CHECKED = FRAME.sample(40, random_state=3)[["id", "true"]]
COSTS = [[0, 5], [1, 0]]
PARTS = {
    "estimate": lambda data, **o: justesse.noise_estimate(data, **o),
    "profile": lambda data, **o: justesse.noise_profile(data, **o),
    "bias": lambda data, **o: justesse.noise_bias(data, **o),
    "bounds": lambda data, **o: justesse.noise_bounds(data, noise_rate=0.1, **o),
    "breakdown": lambda data, **o: justesse.noise_breakdown(data, **o),
}


def with_spaces(shown):
    """Write no-break spaces as others."""
    return html.unescape(shown).replace("\N{NO-BREAK SPACE}", " ")


def said(found):
    whole = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    VALID.validate(whole)
    return whole


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_part_shows_itself(part, tmp_path):
    found = PARTS[part](FRAME)
    whole = said(found)
    assert list(whole)[:6] == ["schema", "version", "run", "n", "answer", part]
    assert whole["n"] == 100
    assert whole["answer"].endswith(".")
    assert whole["assumptions"]
    assert isinstance(found.to_frame(), pd.DataFrame)
    assert len(found.to_frame()) == len(whole[part])
    assert " ".join(repr(found).split()).startswith(whole["answer"])
    assert found.markdown().rstrip().endswith(f"{whole['assumptions'][-1]}.*")
    assert whole["answer"] in with_spaces(found._repr_html_())
    page = found.report(tmp_path / "page.html").read_text()
    assert whole["answer"] in with_spaces(page)
    for ending in ("csv", "parquet"):
        assert len(getattr(pd, f"read_{ending}")(found.save(tmp_path / f"t.{ending}"))) == len(whole[part])


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_kind_of_data_says_the_same(part, tmp_path):
    wanted = said(PARTS[part](TALLY))
    FRAME.to_csv(tmp_path / "a.csv", index=False)
    FRAME[:50].to_csv(tmp_path / "p-1.csv", index=False)
    FRAME[50:].to_csv(tmp_path / "p-2.csv", index=False)
    shapes = [FRAME, pl.from_pandas(FRAME), pl.from_pandas(FRAME).lazy(), pa.Table.from_pandas(FRAME)]
    shapes += [FRAME.to_dict("list"), tmp_path / "a.csv", str(tmp_path / "p-*.csv")]
    for data in shapes:
        assert said(PARTS[part](data)) == wanted, type(data)
    assert isinstance(PARTS[part](shapes[1]).to_frame(), pl.DataFrame)


def test_estimate_against_a_plain_count():
    found = said(justesse.noise_estimate(FRAME, level=0.9))
    assert found["answer"].startswith("20.0 % of the labels are wrong (90 % CI ")
    assert [(one["class"], one["value"], one["n"]) for one in found["estimate"]] == [
        (None, 0.2, 100), ("a", 10 / 70, 70), ("b", 10 / 30, 30)
    ]  # fmt: skip
    for one, (wrong, n) in zip(found["estimate"], [(20, 100), (10, 70), (10, 30)], strict=True):
        ends = proportion_confint(wrong, n, alpha=0.1, method="wilson")
        assert (one["interval"]["low"], one["interval"]["high"]) == pytest.approx(ends)
    assert found["transition"] == [["a", "a", 60], ["a", "b", 10], ["b", "a", 10], ["b", "b", 20]]
    assert found["classes"] == ["a", "b"]


def test_estimate_from_re_checked_rows():
    found = said(justesse.noise_estimate(PLAIN, audited=CHECKED, on="id"))
    beside = FRAME.loc[CHECKED.index]
    share = float(np.mean(beside["label"] != beside["true"]))
    assert found["estimate"][0]["value"] == pytest.approx(share)
    assert found["answer"] == "20.0 % of the labels are wrong (95 % CI 12.0 to 32.0 %, n = 40 re-checked of 100)."
    wrong = round(share * 40)  # fewer than 10: exact, from every number of wrong labels that may be among the 100
    likely = [
        total / 100
        for total in range(101)
        if min(hypergeom.cdf(wrong, 100, total, 40), hypergeom.sf(wrong - 1, 100, total, 40)) > 0.025
    ]
    ends = (min(likely), max(likely))
    assert (found["estimate"][0]["interval"]["low"], found["estimate"][0]["interval"]["high"]) == pytest.approx(ends)
    assert "the re-checked rows are a random sample of all rows" in found["assumptions"]
    assert found["warnings"] == []
    assert said(justesse.noise_estimate(PLAIN[["id", "label"]], audited=CHECKED, on="id")) == found


def test_estimate_warns_of_small_and_chosen_samples():
    small = justesse.noise_estimate(PLAIN, audited=CHECKED[:9], on="id")
    assert small.warnings == ("Only 9 rows were re-checked: the intervals are rough.",)
    many = pd.concat([FRAME] * 5, ignore_index=True).assign(id=np.arange(500))
    chosen = many[many["label"] != many["prediction"]][["id", "true"]]
    odd = justesse.noise_estimate(many.drop(columns="true"), audited=chosen, on="id")
    assert "do not look like a random sample" in odd.warnings[-1]
    label = many[many["label"] == "b"][:60][["id", "true"]]
    without = justesse.noise_estimate(many[["id", "label"]], audited=label, on="id")
    assert "do not look like a random sample" in without.warnings[-1]


def test_a_sample_may_miss_classes():
    ones = FRAME[(FRAME["label"] == "a") & (FRAME["true"] == "a")][:5][["id", "true"]]
    found = said(justesse.noise_estimate(PLAIN, audited=ones, on="id"))
    assert [one["class"] for one in found["estimate"]] == [None, "a", "b"]
    assert found["estimate"][2]["undefined"] == "no re-checked row is truly of this class"


def test_estimate_writes_the_table_that_transition_takes(tmp_path):
    path = justesse.noise_estimate(FRAME).write_transition(tmp_path / "t.csv")
    assert path.read_text().splitlines() == ['"true","a","b"', '"a",60,10', '"b",10,20']
    counts, names = transition_table(path, ["a", "b"])
    assert Transition.from_table(counts, names).rate() == pytest.approx(0.2)
    with pytest.raises(OptionError, match="written as .csv"):
        justesse.noise_estimate(FRAME).write_transition(tmp_path / "t.parquet")


def test_profile_bias_and_bounds_are_those_of_the_room():
    assert said(justesse.noise_profile(FRAME, level=0.9))["profile"] == json.loads(
        json.dumps([one.to_dict() for one in profile(TALLY, level=0.9)])
    )
    found = {(one["name"], one["class"]): one for one in said(justesse.noise_bias(FRAME, cost=COSTS))["bias"]}
    assert found["accuracy", None] == bias(TALLY, [accuracy])[0].to_dict()
    assert found["recall", "b"] == bias(TALLY, [recall])[1].to_dict()
    paid = bias(TALLY, [cost(np.array(COSTS, dtype=float))])[0]
    assert found["cost", None]["bias"] == pytest.approx(paid.bias)
    table = TALLY.marginal("label", "prediction")
    wanted = [one.to_dict() for one in bounds_from_rate(table, [accuracy, recall], (0.05, 0.1)).figures]
    listed = said(justesse.noise_bounds(FRAME, noise_rate="0.05:0.1"))["bounds"]
    assert [one for one in wanted if one not in listed] == []
    known = Transition.from_table([[60, 10], [10, 20]], ["a", "b"])
    wanted = [one.to_dict() for one in bounds_from_transition(table, [accuracy, recall], known).figures]
    listed = said(justesse.noise_bounds(FRAME, transition=[[60, 10], [10, 20]], transition_of="these"))["bounds"]
    assert [one for one in wanted if one not in listed] == []


def test_bounds_have_the_keys_that_were_promised():
    for options in ({"noise_rate": 0.1}, {"transition": [[0.9, 0.1], [0.1, 0.9]]}):
        for one in said(justesse.noise_bounds(FRAME, cost=COSTS, **options))["bounds"]:
            assert list(one)[:8] == ["name", "class", "average", "apparent", "low", "high", "sharp", "assumption"]


def test_costs_of_a_table_counted_on_other_rows():
    def paid(transition, **options):
        found = said(justesse.noise_bounds(FRAME, transition=transition, cost=COSTS, **options))
        return next(one for one in found["bounds"] if one["name"] == "cost"), found["answer"]

    (known, _), (counted, answer) = paid([[0.9, 0.1], [0.1, 0.9]]), paid([[9, 1], [1, 9]])
    assert counted["low"] <= known["low"] < known["high"] < counted["high"]
    assert (known["sharp"], counted["sharp"]) == (True, False)
    assert "if the transition table was counted on 20 random rows like these (95 % level)." in answer


def test_costs_and_a_class_that_only_the_table_knows():
    names = ["a", "b", "c"]
    costs = {true: {said: float(true != said) for said in names} for true in names}
    table = {
        "a": {"a": 0.9, "b": 0.1, "c": 0.0},
        "b": {"a": 0.1, "b": 0.9, "c": 0.0},
        "c": {"a": 0.5, "b": 0.0, "c": 0.5},
    }
    found = {one["name"]: one for one in said(justesse.noise_bounds(FRAME, transition=table, cost=costs))["bounds"]}
    assert (found["cost"]["low"], found["cost"]["high"]) == pytest.approx(
        (found["error"]["low"], found["error"]["high"])
    )


def test_the_answers_of_bias_say_which_way():
    assert justesse.noise_bias(TALLY).answer == (
        "Accuracy 84.0 % against the labels, 92.0 % against the true classes: a bias of -8.0 points (n = 100)."
    )
    right = Tally.of(["true", "label", "prediction"], [("a", "a", "a", 5), ("b", "b", "a", 5)])
    assert justesse.noise_bias(right).answer == (
        "Accuracy 50.0 % against the labels, 50.0 % against the true classes: a bias of +0.0 points (n = 10)."
    )


def test_several_claims_in_turn():
    found = said(justesse.noise_breakdown(FRAME, claim=["accuracy>=0.8", "recall:b>0.5", "accuracy>=0.99"]))
    assert [one["claim"] for one in found["breakdown"]] == ["accuracy >= 0.8", "recall of b > 0.5", "accuracy >= 0.99"]
    assert [one["claim_holds"] for one in found["breakdown"]] == [True, True, False]
    assert found["breakdown"][0]["count"] == 5  # 84 right answers of 100, and 79 are fewer than 80
    assert found["answer"].count("The claim ") == 3
    assert found["assumptions"] == ["any of these labels may be wrong, in any way"]


def test_undefined_is_said_not_zero():
    clean = FRAME.assign(true=FRAME["label"])
    found = said(justesse.noise_profile(clean))
    assert [one["value"] for one in found["profile"][:3]] == [0.84, None, None]
    assert found["profile"][1]["undefined"] == "no label is wrong"
    assert found["answer"].endswith("No label is wrong.")


def test_long_tables_are_cut_on_the_screen_only():
    classes = [f"c{k:03}" for k in range(50)]
    tally = Tally.from_dense(np.eye(50, dtype=int) * 9 + 1, classes)
    found = justesse.noise_bounds(tally, noise_rate=0.01)
    text = found.markdown()
    assert "… and 30 more rows." in text
    assert text.count("at most 1 % of the labels are wrong") == 2  # in the answer and among the assumptions
    assert "c049" in found.markdown("full")
    assert len(found.to_frame()) == 155


BAD = {
    "nothing known": (lambda: justesse.noise_bounds(FRAME), "Bounds need either a noise rate"),
    "too much known": (lambda: justesse.noise_bounds(FRAME, noise_rate=0.1, transition=[[9, 1], [1, 9]]), "need either"),
    "one class": (lambda: justesse.noise_bounds(Tally.from_dense([[9]], ["a"]), noise_rate=0.1), "two classes; got 9 rows and the classes"),
    "weights": (lambda: justesse.noise_bounds(FRAME, weight="id", noise_rate=0.1), "weighted rows"),
    "weighted profile": (lambda: justesse.noise_profile(FRAME, weight="id"), "weighted rows"),
    "no truth for bias": (lambda: justesse.noise_bias(PLAIN), "Name their column with true"),
    "no truth for profile": (lambda: justesse.noise_profile(PLAIN), "Name their column with true"),
    "no truth to estimate from": (lambda: justesse.noise_estimate(PLAIN), "has no column 'true'.*--audited FILE --on id"),
    "no truth in a tally": (lambda: justesse.noise_estimate(TALLY.marginal("label", "prediction")), "True classes are needed"),
    "truth from two places": (lambda: justesse.noise_estimate(FRAME, true="true", audited=CHECKED, on="id"), "Use one of them"),
    "label as truth": (lambda: justesse.noise_estimate(FRAME, true="label"), "cannot be both"),
    "an id for nothing": (lambda: justesse.noise_estimate(FRAME, on="id"), "Pass them with audited"),
    "no id": (lambda: justesse.noise_estimate(PLAIN, audited=CHECKED), "Name its column with on"),
    "a tally re-checked": (lambda: justesse.noise_estimate(TALLY, audited=CHECKED, on="id"), "Pass the data as a path"),
    "a tally with columns": (lambda: justesse.noise_bounds(TALLY, label="x", noise_rate=0.1), "already counted, so label"),
    "a tally with a truth": (lambda: justesse.noise_estimate(TALLY, true="x"), "already counted, so true"),
    "no such claim": (lambda: justesse.noise_breakdown(FRAME, claim="mcc>0.5"), "Claims about 'mcc' are not supported"),
    "no such class": (lambda: justesse.noise_breakdown(FRAME, claim="recall:z>0.5"), "Class 'z' not found"),
    "a rate above 1": (lambda: justesse.noise_bounds(FRAME, noise_rate=1.2), r"at least 0 and below 1"),
    "a level above 1": (lambda: justesse.noise_profile(FRAME, level=95), "level must lie between 0 and 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(BAD))
def test_what_cannot_be_answered(case):
    ask, message = BAD[case]
    with pytest.raises(InputError, match=message):
        ask()


def test_bounds_show_the_lowest_and_highest_possible_accuracy_first():
    result = PARTS["bounds"](PLAIN)
    lowest, highest = result.document().figures
    low, high = result.rows[0]["low"], result.rows[0]["high"]
    assert (lowest.estimate.value, highest.estimate.value) == (low, high)
    assert lowest.value == f"{100 * low:.1f} %"
    assert lowest.basis == "n = 100; if at most 10 % of the labels are wrong"
