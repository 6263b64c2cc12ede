"""What `compare` says if some labels are wrong."""

import json

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

import justesse
from justesse import Tally, compare
from justesse.core.case import Case
from justesse.core.errors import InputError
from justesse.noise.paired_bounds import difference_from_rate, difference_from_transition
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.transition import Transition
from justesse.verbs.schemas import schema

VALID = jsonschema.Draft202012Validator(schema("compare"))
CLASSES = np.array(["a", "b", "c"])
AXES = ("label", "incumbent", "candidate")


def frame(seed=0, n=800, noise=0.05):
    rng = np.random.default_rng(seed)
    true = rng.integers(3, size=n)
    label = np.where(rng.random(n) < noise, (true + 1) % 3, true)
    one, other = (np.where(rng.random(n) < skill, true, rng.integers(3, size=n)) for skill in (0.7, 0.85))
    names = {"label": label, "old": one, "new": other, "true": true}
    return pd.DataFrame({"id": rng.permutation(n), **{name: CLASSES[codes] for name, codes in names.items()}})


ROWS = frame()
PLAIN = ROWS.drop(columns="true")
OLD = PLAIN[["id", "label", "old"]].rename(columns={"old": "prediction"})
NEW = PLAIN[["id", "label", "new"]].rename(columns={"new": "prediction"}).sample(frac=1, random_state=0)
CHECKED = ROWS.sample(120, random_state=2)[["id", "true"]]
COUNTS = pd.crosstab(ROWS["true"], ROWS["label"])
TALLY = Tally.of(AXES, [(*row, 1) for row in PLAIN[["label", "old", "new"]].to_numpy().tolist()])
SAMPLE = Tally.of(
    ("true", *AXES), [(*row, 1) for row in ROWS.loc[CHECKED.index][["true", "label", "old", "new"]].to_numpy().tolist()]
)
COLUMNS = {"incumbent": "old", "candidate": "new"}


def said(found):
    whole = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    VALID.validate(whole)
    return whole["noise"]


def test_with_nothing_known_the_band_is_still_there():
    noise = said(compare(PLAIN, **COLUMNS))
    assert noise["rungs"] == []
    assert noise["noise_rate"] is None
    rate, low, high = zip(*noise["band"], strict=True)
    difference = np.mean(PLAIN["new"] == PLAIN["label"]) - np.mean(PLAIN["old"] == PLAIN["label"])
    assert (rate[0], low[0], high[0]) == pytest.approx((0, difference, difference))
    assert low[-1] < 0 < high[-1]  # the picture reaches past where the sign breaks
    assert rate[-1] > noise["breakdown_rate"]["sign"]


def test_each_rung_says_what_the_room_below_says():
    known = {"transition": COUNTS, "transition_of": "these"}
    found = compare(PLAIN, **COLUMNS, noise_rate="0.02:0.08", **known, audited=CHECKED, on="id")
    case = Case(TALLY)
    wanted = [
        difference_from_rate(case.disagreement, 0.08),
        difference_from_transition(case, Transition.from_table(COUNTS.to_numpy(), list("abc"))),
        recheck_difference(case, SAMPLE),
    ]
    assert said(found)["rungs"] == json.loads(json.dumps([rung.to_dict() for rung in wanted]))
    assert said(found)["noise_rate"] == [0.02, 0.08]


def test_a_table_counted_on_other_rows_says_less():
    counts = np.array([[38, 2, 0], [0, 38, 2], [2, 0, 38]])
    found = compare(PLAIN, **COLUMNS, transition=counts)
    (one,) = said(found)["rungs"][0]["found"]
    exact = difference_from_transition(Case(TALLY), Transition.from_table(counts, list("abc"))).figures[0]
    assert one["low"] < exact.low < exact.high < one["high"]
    assert one["sharp"] is False
    assert one["assumption"] == "the transition table was counted on 120 random rows like these (95 % level)"
    wide, narrow = (said(compare(PLAIN, **COLUMNS, transition=counts * n))["rungs"][0]["found"][0] for n in (1, 50))
    assert wide["low"] < narrow["low"] < narrow["high"] < wide["high"]
    above = said(compare(PLAIN, **COLUMNS, transition=counts, alternative="greater"))["rungs"][0]["found"][0]
    assert one["low"] < above["low"]
    assert above["high"] == 1.0
    lows = {
        said(compare(PLAIN, **COLUMNS, transition=counts, seed=seed))["rungs"][0]["found"][0]["low"]
        for seed in range(6)
    }
    assert len(lows) > 1  # by a row or two


def test_the_truth_lies_inside():
    truth = np.mean(ROWS["new"] == ROWS["true"]) - np.mean(ROWS["old"] == ROWS["true"])
    rate = float(np.mean(ROWS["label"] != ROWS["true"]))
    found = said(compare(PLAIN, **COLUMNS, noise_rate=rate, transition=COUNTS, audited=CHECKED, on="id"))
    for rung in found["rungs"]:
        (one,) = rung["found"]
        ends = one if rung["letter"] == "d" else one["interval"]
        assert ends["low"] <= truth <= ends["high"]


def test_every_way_to_give_the_answers(tmp_path):
    wanted = said(compare(PLAIN, **COLUMNS, audited=CHECKED, on="id", noise_rate=0.1))
    OLD.to_csv(tmp_path / "old.csv", index=False)
    NEW.to_parquet(tmp_path / "new.parquet", index=False)
    CHECKED.to_csv(tmp_path / "checked.csv", index=False)
    options = {"audited": CHECKED, "on": "id", "noise_rate": 0.1}
    assert said(compare(OLD, NEW, **options)) == wanted
    assert said(compare(pl.from_pandas(OLD), pl.from_pandas(NEW), **options)) == wanted
    paths = tmp_path / "old.csv", tmp_path / "new.parquet"
    assert said(compare(*paths, on="id", noise_rate=0.1, audited=tmp_path / "checked.csv")) == wanted
    arrays = {"y_true": PLAIN["label"], "incumbent": PLAIN["old"], "candidate": PLAIN["new"]}
    assert said(compare(**arrays, noise_rate=0.1)) == said(compare(TALLY, noise_rate=0.1))
    lazy = compare(pl.from_pandas(OLD).lazy(), pl.from_pandas(NEW).lazy(), on="id", noise_rate=0.1)
    assert said(lazy) == said(compare(TALLY, noise_rate=0.1))


def test_the_warning_says_whether_the_sign_is_open():
    open_ = [one for one in compare(PLAIN, **COLUMNS, noise_rate=0.2).warnings if "either of the two" in one]
    assert len(open_) == 1
    assert open_[0].startswith(
        "If at most 20 % of the labels are wrong, the true difference of accuracy lies between -"
    )
    assert not any("either of the two" in one for one in compare(PLAIN, **COLUMNS, noise_rate=0.01).warnings)
    same = compare(PLAIN.assign(new=PLAIN["old"]), **COLUMNS, noise_rate=0.1)
    assert not any("either of the two" in one for one in same.warnings)


def test_every_candidate_has_its_own():
    data = PLAIN.assign(best=PLAIN["label"])
    found = compare(data, incumbent="old", candidate=["new", "best"], audited=CHECKED, on="id", noise_rate=0.05)
    said(found)
    values = [one["noise"]["rungs"][1]["found"][0]["value"] for one in found.to_dict()["comparisons"]]
    assert values[0] != values[1]
    assert found.to_dict()["noise"] == found.best.noise.to_dict()
    level = found.to_dict()["comparisons"][0]["noise"]["rungs"][1]["found"][0]["interval"]["level"]
    assert level == pytest.approx(0.975)  # widened for two candidates, as the verdict's


def test_other_measures_keep_the_accuracy_there():
    for options in ({"measure": "recall:a"}, {"measure": "mcc"}, {"measure": "cost", "cost": 1 - np.eye(3)}):
        noise = said(compare(PLAIN, **COLUMNS, noise_rate=0.1, **options))
        assert noise["rungs"] == said(compare(PLAIN, **COLUMNS, noise_rate=0.1))["rungs"]


def test_a_true_column_beside_a_sample():
    found = compare(ROWS, **COLUMNS, audited=CHECKED, on="id")
    assert found.best.truth is not None
    assert said(found)["rungs"] == said(compare(PLAIN, **COLUMNS, audited=CHECKED, on="id"))["rungs"]


def test_one_sided_questions():
    (rung,) = said(compare(PLAIN, **COLUMNS, audited=CHECKED, on="id", alternative="greater"))["rungs"]
    (both,) = said(compare(PLAIN, **COLUMNS, audited=CHECKED, on="id", level=0.9))["rungs"]
    assert rung["found"][0]["interval"]["low"] == pytest.approx(both["found"][0]["interval"]["low"])
    assert rung["found"][0]["interval"]["high"] == 1.0


def test_gaps_are_left_out_on_both_sides():
    first = CHECKED["id"].iloc[0]
    holes = OLD.assign(prediction=OLD["prediction"].where(OLD["id"] != first))
    with pytest.raises(InputError, match="Missing values: 1 in 'incumbent'"):
        compare(holes, NEW, on="id", audited=CHECKED)
    found = compare(holes, NEW, on="id", audited=CHECKED, drop_missing=True)
    assert said(found)["rungs"][0]["found"][0]["n"] == len(CHECKED) - 1


def test_common_rows_only():
    part = NEW[NEW["id"] < 500]
    with pytest.raises(InputError, match="Re-checked rows not found"):
        compare(OLD, part, on="id", common=True, audited=CHECKED)
    inside = CHECKED[CHECKED["id"] < 500]
    found = compare(OLD, part, on="id", common=True, audited=inside)
    assert said(found)["rungs"][0]["found"][0]["n"] == len(inside)


def test_how_rows_were_put_together_is_not_confused_with_the_id_of_the_sample():
    assert compare(PLAIN, **COLUMNS, audited=CHECKED, on="id").on is None
    assert compare(OLD, NEW, audited=CHECKED, on="id").on == "id"


BAD = {
    "no id": (lambda: compare(OLD, NEW.sort_index(), audited=CHECKED), "Name its column with on"),
    "an id for nothing": (lambda: compare(PLAIN, **COLUMNS, on="id"), "Rows of one table need no joining"),
    "a tally": (lambda: compare(TALLY, audited=CHECKED, on="id"), "Pass the data as paths or frames"),
    "lazy": (lambda: compare(pl.from_pandas(OLD).lazy(), pl.from_pandas(NEW).lazy(), on="id", audited=CHECKED), "Collect the frame first"),
    "one row": (lambda: compare(PLAIN, **COLUMNS, on="id", audited=CHECKED[:1]), "At least two rows"),
    "a stranger": (lambda: compare(PLAIN, **COLUMNS, on="id", audited=CHECKED.assign(id=CHECKED["id"] + 700)), "Re-checked rows not found"),
    "contradiction": (lambda: compare(PLAIN, **COLUMNS, on="id", audited=CHECKED, noise_rate=0.001), "contradicts the noise rate given"),
    "the truth says otherwise": (lambda: compare(ROWS, **COLUMNS, noise_rate=0.01), "According to the true classes, [0-9.]+ %"),
    "the table says otherwise": (lambda: compare(PLAIN, **COLUMNS, transition=COUNTS, transition_of="these", noise_rate=0.01), "counted on these rows, [0-9.]+ %"),
    "a part of it says otherwise": (lambda: compare(PLAIN, **COLUMNS, transition=9 * np.eye(3, dtype=int) + 1, noise_rate=0.01), "table counted on a sample, [0-9.]+ to [0-9.]+ %"),
    "no table": (lambda: compare(PLAIN, **COLUMNS, transition_of="these"), "--transition-of.* needs a transition table"),
    "rate": (lambda: compare(PLAIN, **COLUMNS, noise_rate=-1), "A noise rate must be at least 0 and below 1"),
    "table": (lambda: compare(PLAIN, **COLUMNS, transition=[[1, 0], [0, 1]]), "must be 3 × 3"),
    "class": (lambda: compare(PLAIN, **COLUMNS, transition={"a": {"a": 1.0}}), "No row for class 'b'"),
}  # fmt: skip


@pytest.mark.parametrize("case", sorted(BAD))
def test_what_cannot_be_compared(case):
    ask, message = BAD[case]
    with pytest.raises(InputError, match=message):
        ask()


def test_small_and_chosen_samples_are_warned_of():
    few = compare(PLAIN, **COLUMNS, on="id", audited=CHECKED[:10])
    assert "Only 10 rows were re-checked: the intervals are rough." in few.warnings
    chosen = ROWS[ROWS["old"] != ROWS["new"]][["id", "true"]][:150]
    assert any("do not look like a random sample" in one for one in compare(PLAIN, **COLUMNS, on="id", audited=chosen).warnings)  # fmt: skip


def test_a_sample_may_miss_classes():
    only = ROWS[(ROWS[["label", "old", "new", "true"]] == "a").all(axis=1)][["id", "true"]][:2]
    some = ROWS[(ROWS[["label", "new", "true"]] == "a").all(axis=1) & (ROWS["old"] == "b")][["id", "true"]][:3]
    found = compare(PLAIN, **COLUMNS, on="id", audited=pd.concat([only, some]))
    assert said(found)["rungs"][0]["found"][0]["value"] is not None


def test_none_of_the_disputed_rows_re_checked():
    alike = ROWS[ROWS["old"] == ROWS["new"]][["id", "true"]][:60]
    found = compare(PLAIN, **COLUMNS, on="id", audited=alike)
    (one,) = said(found)["rungs"][0]["found"]
    assert (one["value"], one["interval"]) == (None, None)
    assert "such rows do not affect the difference" in one["undefined"]
    assert "nan" not in repr(found.chart("noise").to_dict()).lower()


def test_many_classes_take_seconds():
    rng = np.random.default_rng(0)
    label = rng.integers(200, size=5000)
    one, other = (np.where(rng.random(5000) < skill, label, rng.integers(200, size=5000)) for skill in (0.7, 0.8))
    known = Transition.uniform(list(range(200)), 0.05)
    found = justesse.compare(y_true=label, incumbent=one, candidate=other, transition=known)
    bounds = found.best.noise.rungs[0].figures[0]
    assert bounds.low < bounds.apparent < bounds.high


def test_the_warning_names_the_option_that_was_given():
    """A share of wrong labels that comes from --noise-rate is not called --plausible-noise."""
    rows = {"y_true": [0, 1] * 200, "incumbent": [1] * 12 + [0, 1] * 194, "candidate": [0, 1] * 200}
    for options, name in (
        ({"noise_rate": "3%"}, "--noise-rate"),
        ({"plausible_noise": "3%"}, "--plausible-noise"),
        ({"noise_rate": "1%", "plausible_noise": "3%"}, "--plausible-noise"),
    ):
        warnings = " ".join(justesse.compare(**rows, **options).warnings)
        assert f"a share of 3 % is plausible ({name})" in warnings
