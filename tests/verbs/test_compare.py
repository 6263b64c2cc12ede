"""`compare`: the answers of two classifiers in, a verdict out."""

import json
import math

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from statsmodels.stats.multitest import multipletests

import justesse
from justesse import Tally, compare, count
from justesse.core.errors import InputError, OptionError
from justesse.verbs.schemas import schema

SCHEMA = schema("compare")
RNG = np.random.default_rng(0)
ROWS = 600
LABEL = RNG.choice(["cat", "dog", "eel"], size=ROWS, p=[0.5, 0.3, 0.2])


def answers(skill: float, rng=RNG) -> np.ndarray:
    return np.where(rng.random(len(LABEL)) < skill, LABEL, rng.choice(["cat", "dog", "eel"], size=len(LABEL)))


OLD, NEW, ALIKE, BAD = answers(0.7), answers(0.82), answers(0.7), answers(0.5)
FRAME = pd.DataFrame({"id": np.arange(ROWS), "label": LABEL, "old": OLD, "new": NEW, "alike": ALIKE, "bad": BAD})
FRAME["site"] = RNG.choice(["north", "south", None], size=ROWS)


def valid(found) -> dict:
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    jsonschema.validate(written, SCHEMA)
    return written


def single(name: str) -> pd.DataFrame:
    return FRAME[["id", "label", name]].rename(columns={name: "prediction"})


def mid_p(b: int, c: int) -> float:
    """McNemar's mid-p value: twice the smaller tail, its own point counted by half."""
    if b == c:
        return 1.0
    k, n = min(b, c), b + c
    return min(1.0, 2 * stats.binom.cdf(k, n, 0.5) - stats.binom.pmf(k, n, 0.5))


def test_the_answer_in_full():
    found = compare(FRAME, incumbent="old", candidate="new")
    written = valid(found)
    first, second = OLD == LABEL, NEW == LABEL
    b, c = int((first & ~second).sum()), int((~first & second).sum())
    assert written["disagreement"] == {
        "both_right": int((first & second).sum()),
        "only_incumbent": b,
        "only_candidate": c,
        "both_wrong_alike": int((~first & ~second & (OLD == NEW)).sum()),
        "both_wrong_differently": int((~first & ~second & (OLD != NEW)).sum()),
    }
    assert written["verdict"] == "replace"
    assert found.replaces
    assert written["difference"] == pytest.approx((c - b) / ROWS)
    assert written["interval"]["low"] < written["difference"] < written["interval"]["high"]
    assert written["interval"]["method"] == "tango"
    assert written["pvalue"] == pytest.approx(mid_p(b, c))
    assert written["breakdown_rate"]["sign"] == pytest.approx(math.ceil((c - b) / 2) / ROWS)
    assert written["needed_n"] == 0
    assert (written["incumbent"]["name"], written["candidate"]["name"]) == ("old", "new")
    assert written["incumbent"]["value"] == pytest.approx(first.mean())
    assert written["candidate"]["value"] == pytest.approx(second.mean())
    assert (written["schema"], written["version"], written["seed"]) == (2, justesse.__version__, 0)
    assert len(written["comparisons"]) == 1
    assert sum(n for *_, n in written["counts"]) == ROWS
    assert written["luck"] is None
    assert (written["judge"], written["measure"], written["tried"]) == ("paired", "accuracy", 1)


def test_every_way_to_give_the_answers():
    wanted = compare(FRAME, incumbent="old", candidate="new").to_dict()
    cells = FRAME.groupby(["label", "old", "new"]).size().reset_index().itertuples(index=False)
    shuffled = single("new").sample(frac=1, random_state=0)
    ways = {
        "polars": compare(pl.from_pandas(FRAME), incumbent="old", candidate="new"),
        "lazy": compare(pl.from_pandas(FRAME).lazy(), incumbent="old", candidate="new"),
        "a dict": compare({name: FRAME[name].tolist() for name in ("label", "old", "new")}, incumbent="old", candidate="new"),
        "arrays": compare(y_true=LABEL, incumbent=OLD, candidate=NEW),
        "lists": compare(y_true=LABEL.tolist(), incumbent=OLD.tolist(), candidate={"new": NEW.tolist()}),
        "joined": compare(single("old"), shuffled, on="id"),
        "in order": compare(single("old"), single("new")),
        "a tally": compare(Tally.of(("label", "incumbent", "candidate"), [tuple(cell) for cell in cells])),
        "counted": compare(count_of_both()),
    }  # fmt: skip
    for name, found in ways.items():
        same = found.to_dict()
        for side in (same, *same["comparisons"], wanted, *wanted["comparisons"]):
            side["unmatched"] = side["incumbent"]["name"] = side["candidate"]["name"] = None
        assert same == wanted, name


def count_of_both() -> Tally:
    """A tally made by `count`, its axes renamed."""
    return count(FRAME, label="label", prediction="old", true="new").renamed(prediction="incumbent", true="candidate")


PEERS = {
    "accuracy": metrics.accuracy_score,
    "error": lambda y, p: 1 - metrics.accuracy_score(y, p),
    "balanced-accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "macro-f1": lambda y, p: metrics.f1_score(y, p, average="macro"),
    "weighted-precision": lambda y, p: metrics.precision_score(y, p, average="weighted"),
    "recall:dog": lambda y, p: metrics.recall_score(y, p, labels=["dog"], average="macro"),
    "precision:dog": lambda y, p: metrics.precision_score(y, p, labels=["dog"], average="macro"),
    "f1:dog": lambda y, p: metrics.f1_score(y, p, labels=["dog"], average="macro"),
}


@pytest.mark.parametrize("measure", sorted(PEERS))
@pytest.mark.parametrize("judge", ["paired", "classical"])
def test_every_measure_says_what_its_peer_says(measure, judge):
    found = compare(FRAME, incumbent="old", candidate="new", measure=measure, judge=judge, draws=200)
    written = valid(found)
    one, other = (PEERS[measure](LABEL, answer) for answer in (OLD, NEW))
    assert written["incumbent"]["value"] == pytest.approx(one)
    assert written["candidate"]["value"] == pytest.approx(other)
    sign = -1 if measure == "error" else 1
    assert written["difference"] == pytest.approx(sign * (other - one))
    assert written["verdict"] in ("replace", "cannot_tell" if measure == "precision:dog" else "replace")
    if measure not in ("accuracy", "error"):
        assert written["breakdown_rate"]["unknown"]


def test_a_cost_is_better_when_lower():
    costs = pd.DataFrame(5 - 5 * np.eye(3), index=["cat", "dog", "eel"], columns=["cat", "dog", "eel"])
    found = compare(FRAME, incumbent="old", candidate="new", measure="cost", cost=costs, draws=200)
    assert valid(found)["difference"] == pytest.approx(5 * ((NEW == LABEL).mean() - (OLD == LABEL).mean()))
    assert found.verdict.breakdown.sign == pytest.approx(
        compare(FRAME, incumbent="old", candidate="new").verdict.breakdown.sign
    )
    assert "cost is" in found.headline


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=40), st.sampled_from([0.0, 0.1]))
def test_turned_round_the_sign_turns(rows, margin):
    label, one, other = map(list, zip(*rows, strict=True))
    options = {"margin": margin, "classes": list("abc"), "draws": 100}
    there = compare(y_true=label, incumbent=one, candidate=other, **options).to_dict()
    back = compare(y_true=label, incumbent=other, candidate=one, **options).to_dict()
    jsonschema.validate(json.loads(json.dumps(there, allow_nan=False)), SCHEMA)
    assert there["difference"] == pytest.approx(-back["difference"])
    assert there["interval"]["low"] == pytest.approx(-back["interval"]["high"], abs=1e-9)
    assert there["pvalue"] == pytest.approx(back["pvalue"])
    assert (there["verdict"] == "equivalent") == (back["verdict"] == "equivalent")
    if not margin:
        assert (there["verdict"] == "replace") == (back["verdict"] == "keep")
    b, c = there["disagreement"]["only_incumbent"], there["disagreement"]["only_candidate"]
    assert there["pvalue"] == pytest.approx(mid_p(b, c))


def test_identical_answers_are_no_error():
    found = compare(single("old"), single("old"), on="id")
    written = valid(found)
    assert (written["pvalue"], written["difference"], written["verdict"]) == (1.0, 0.0, "cannot_tell")
    assert written["needed_n"] is None
    assert written["breakdown_rate"]["sign"] is None
    assert any("Both give the same prediction for every row" in one for one in written["warnings"])
    assert valid(compare(single("old"), single("old"), margin=0.05))["verdict"] == "equivalent"


@pytest.mark.parametrize(
    ("label", "one", "other"),
    [(["a"], ["a"], ["a"]), (["a"], ["a"], ["b"]), (["a"], ["b"], ["c"]), (["a"] * 9, ["a"] * 9, ["b"] * 9)],
)
@pytest.mark.parametrize("measure", ["accuracy", "mcc", "macro-f1", "recall:a"])
def test_one_row_and_one_class(label, one, other, measure):
    found = compare(y_true=label, incumbent=one, candidate=other, measure=measure)
    valid(found)
    assert not found.replaces
    assert "nan" not in (repr(found) + found._repr_html_()).lower()


@pytest.mark.parametrize(
    ("margin", "decision"), [(0.0, "replace"), (0.01, "replace"), (0.1, "cannot_tell"), (0.5, "equivalent")]
)
def test_the_margin_that_matters(margin, decision):
    found = compare(FRAME, incumbent="old", candidate="new", margin=margin)
    assert found.verdict.decision == decision
    assert (found.verdict.needed_n or 0) > 0 if decision == "cannot_tell" else found.verdict.needed_n == 0
    assert compare(FRAME, incumbent="old", candidate="bad", margin=margin).verdict.decision == (
        "equivalent" if margin == 0.5 else "keep"
    )


def test_several_candidates_are_corrected_for():
    names = ["bad", "new", "alike"]
    found = compare(FRAME, incumbent="old", candidate=names)
    written = valid(found)
    assert [one["candidate"]["name"] for one in written["comparisons"]] == names
    assert written["candidate"]["name"] == found.best.name == "new"
    assert [one["level"] for one in written["comparisons"]] == pytest.approx([1 - 0.05 / 3] * 3)
    raw = [
        mid_p(one["disagreement"]["only_incumbent"], one["disagreement"]["only_candidate"])
        for one in written["comparisons"]
    ]
    assert [one["adjusted_pvalue"] for one in written["comparisons"]] == pytest.approx(
        multipletests(raw, method="holm")[1]
    )
    assert (written["tried"], written["family_level"]) == (3, 0.95)
    assert found.title == "Replace the incumbent with new."
    assert (
        "3 candidates were tried on these rows: intervals are widened from 95 % to 98.33 % each"
        in written["warnings"][0]
    )
    alone = compare(FRAME, incumbent="old", candidate="new", tried=3)
    for key in ("difference", "interval", "verdict", "breakdown_rate", "luck", "per_class"):
        assert alone.to_dict()[key] == written[key], key
    assert compare(FRAME, incumbent="new", candidate=["old", "bad"]).title == (
        "Neither candidate should replace the incumbent."
    )
    files = compare(single("old"), single("bad"), single("new"), single("alike"), on="id")
    assert [one.name for one in files.judged] == ["candidate 1", "candidate 2", "candidate 3"]
    assert [one.verdict.difference for one in files.judged] == [one.verdict.difference for one in found.judged]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_luck_of_the_best(alternative):
    """The chance is that of a candidate that looks *better*, whatever was asked."""
    found = compare(FRAME, incumbent="old", candidate=["new", "bad", "alike"], alternative=alternative, tried=10)
    for one in found.judged:
        b, c = one.verdict.disagreement.only_incumbent, one.verdict.disagreement.only_candidate
        better = stats.binom.sf(c, b + c, 0.5) + stats.binom.pmf(c, b + c, 0.5) / 2
        assert one.luck == pytest.approx(1 - (1 - better) ** 10, abs=1e-9)


def test_more_were_tried_than_are_shown():
    found = compare(FRAME, incumbent="old", candidate="alike", tried=30)
    assert found.verdict.level == pytest.approx(1 - 0.05 / 30)
    assert found.best.adjusted_pvalue == pytest.approx(min(1, 30 * found.verdict.outcome.pvalue))
    assert "30 candidates were tried" in found.warnings[0]
    assert "would look at least as good as alike with a chance of" in found.warnings[0]


def test_true_classes_beside_the_labels():
    true = np.where(RNG.random(ROWS) < 0.9, LABEL, "cat")
    found = compare(FRAME.assign(true=true), incumbent="old", candidate="new")
    against = compare(y_true=true, incumbent=OLD, candidate=NEW)
    assert found.best.truth.disagreement == against.verdict.disagreement
    assert valid(found)["true"]["interval"] == against.to_dict()["interval"]
    wrong = compare(FRAME.assign(truth=OLD), incumbent="old", candidate="new", true="truth")
    assert wrong.title == "Keep the incumbent."
    assert any("would give another verdict (replace) than the true classes (keep)" in one for one in wrong.warnings)


def test_slices():
    found = compare(FRAME, incumbent="old", candidate="new", by="site")
    written = valid(found)
    assert [one["value"] for one in written["by"]] == ["north", "south", None]
    for part in found.best.slices:
        rows = FRAME[FRAME["site"].isna() if part.value is None else FRAME["site"] == part.value]
        alone = compare(rows, incumbent="old", candidate="new", level=1 - 0.05 / 3)
        assert part.difference.value == pytest.approx(alone.verdict.difference.value)
        assert part.difference.interval == alone.verdict.difference.interval
    cells = FRAME.fillna({"site": "none"}).groupby(["label", "old", "new", "site"]).size().reset_index()
    tally = Tally.of(("label", "incumbent", "candidate", "site"), [tuple(one) for one in cells.itertuples(index=False)])
    counted = compare(tally, by="site")
    assert {one.value for one in counted.best.slices} == {"north", "south", "none"}
    assert counted.best.slices[0].column == "site"


def test_class_by_class():
    found = compare(FRAME, incumbent="old", candidate="new")
    for one in found.best.classes:
        peer = {"recall": metrics.recall_score, "precision": metrics.precision_score}[one.name]
        values = [peer(LABEL, answer, labels=[one.class_name], average="macro") for answer in (OLD, NEW)]
        assert [one.incumbent, one.candidate] == pytest.approx(values)
        assert one.difference.interval.level == pytest.approx(1 - 0.05 / 6)  # two measures of three classes
        if one.name == "recall":
            assert one.difference.n == (one.class_name == LABEL).sum()


def scored() -> pd.DataFrame:
    positive = RNG.random(400) < 0.4
    frame = pd.DataFrame({"id": np.arange(400), "label": np.where(positive, "spam", "ham")})
    for name, shift in (("old", 1.0), ("new", 2.0)):
        frame[f"p_{name}"] = np.round(1 / (1 + np.exp(-(RNG.normal(size=400) + shift * positive - 0.7))), 3)
        frame[name] = np.where(frame[f"p_{name}"] > 0.5, "spam", "ham")
    return frame


def test_scores():
    frame = scored()
    options = {"incumbent": "old", "candidate": "new", "score": "p_old", "candidate_score": "p_new"}
    found = compare(frame, **options, positive="spam", measure="auc")
    areas = [metrics.roc_auc_score(frame["label"] == "spam", frame[f"p_{name}"]) for name in ("old", "new")]
    written = valid(found)
    assert written["difference"] == pytest.approx(areas[1] - areas[0])
    assert written["interval"]["method"] == "delong-t"
    assert written["measure"] == "auc of 'spam'"
    assert {"roc", "precision_recall", "calibration"} <= set(json_names(found))
    pair = [
        frame[["id", "label", name, f"p_{name}"]].rename(columns={name: "prediction", f"p_{name}": "p"})
        for name in ("old", "new")
    ]
    joined = compare(
        pair[0], pair[1].sample(frac=1, random_state=0), on="id", score="p", positive="spam", measure="auc"
    )
    assert joined.verdict.difference.value == pytest.approx(areas[1] - areas[0])
    assert joined.verdict.outcome.pvalue == pytest.approx(found.verdict.outcome.pvalue)
    usual = compare(frame, **options, positive="spam")
    assert "ROC AUC of 'spam'" in [one.title for one in usual.best.measures]
    far = frame.assign(p_new=10 * frame["p_new"])
    assert "calibration" not in json_names(compare(far, **options, positive="spam"))


def json_names(found) -> list[str]:
    from justesse.verbs.compare.pictures import names_of

    return names_of(found)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({}, {"candidate_score": None}, "Two score columns are needed"),
        ({}, {"score": None}, "Two score columns are needed"),
        ({}, {"score": "q"}, "Column 'q' not found in .*score column with score"),
        ({"p_new": lambda f: f["p_new"].where(f.index > 2)}, {}, "3 rows of .* lack a finite score of both"),
        ({"p_new": "high"}, {}, "400 rows of .* lack a finite score"),
        ({}, {"positive": "eggs"}, "'eggs'"),
        ({}, {"drop_missing": True}, "leave out the rows with gaps first"),
        ({}, {"candidate": ["new", "old"]}, "cannot be|needs its score column"),
    ],
)
def test_scores_that_cannot_be_used(change, options, message):
    usual = {"incumbent": "old", "candidate": "new", "score": "p_old", "candidate_score": ["p_new"], "positive": "spam"}
    with pytest.raises(InputError, match=message):
        compare(scored().assign(**change), **{**usual, **options})


def test_rows_left_out_are_said():
    frame = FRAME.assign(new=FRAME["new"].where(FRAME.index > 4))
    found = compare(frame, incumbent="old", candidate="new", drop_missing=True)
    assert valid(found)["dropped"] == 5
    assert "5 rows without a label or an answer left out." in found.warnings
    part = compare(single("old")[:500], single("new")[100:], on="id", common=True)
    assert valid(part)["unmatched"] == {"incumbent": 100, "candidate": 100}
    assert any("100 of the incumbent, 100 of the candidate" in one for one in part.warnings)


def test_what_a_reader_must_know():
    few = compare(y_true=["a", "b"] * 50, incumbent=["a", "b"] * 49 + ["a", "a"], candidate=["a", "b"] * 50)
    assert any("On only 1 row exactly one of the two is right" in one for one in few.warnings)
    strange = compare(y_true=["a", "b"] * 50, incumbent=["a", "b"] * 50, candidate=["a", "c"] * 50)
    assert any("of the candidate" in one and "no class of the labels: 'c'" in one for one in strange.warnings)
    rare = compare(y_true=["a"] * 97 + ["b"] * 3, incumbent=["a"] * 100, candidate=["a"] * 100)
    assert any("Fewer than 10 rows are labelled 'b'" in one for one in rare.warnings)
    lazy = compare(y_true=["a"] * 90 + ["b"] * 10, incumbent=["b"] * 100, candidate=["a"] * 100)
    assert any("is no better than always predicting 'a' (0.9000)" in one for one in lazy.warnings)
    classical = compare(FRAME, incumbent="old", candidate="new", judge="classical")
    assert any("misses differences that the judge paired finds" in one for one in classical.warnings)


def test_answers_that_are_no_labels_at_all():
    label, wrong = ["a", "b"] * 20, ["A", "B"] * 20
    with pytest.raises(
        InputError, match="'label' and 'candidate' have no class in common: 'a' and 'A' differ only in capitals"
    ):
        compare(y_true=label, incumbent=label, candidate=wrong)
    label, wrong = ["a", "b"] * 20, ["c", "d"] * 20
    with pytest.raises(InputError, match="No answer of the candidate .*is a class of the labels. They are 'c', 'd'"):
        compare(y_true=label, incumbent=label, candidate=wrong)
    with pytest.raises(InputError, match="No answer of the incumbent"):
        compare(y_true=label, incumbent=wrong, candidate=label)
    assert (
        compare(y_true=label, incumbent=label, candidate=wrong, classes=["a", "b", "c", "d"]).verdict.decision == "keep"
    )


def test_the_seed_is_used_and_said():
    one, two, other = (
        compare(
            FRAME, incumbent="old", candidate="new", measure="mcc", seed=seed, draws=300, bootstrap="percentile"
        ).to_dict()
        for seed in (3, 3, 4)
    )
    assert one == two
    assert one["interval"] != other["interval"]
    assert one["seed"] == 3


def test_results_as_tables_words_and_charts(tmp_path):
    odd = {"cat": "<b>cat</b>", "dog": "d\"o'g", "eel": "été ✓"}
    label, old, new = (pd.Series(one).map(odd) for one in (LABEL, OLD, NEW))
    found = compare(y_true=label, incumbent=old, candidate={"<i>new</i>": new})
    valid(found)
    shown = found._repr_html_()
    assert "&lt;i&gt;new&lt;/i&gt;" in shown
    assert "<i>" not in shown
    assert repr(found).startswith("Replace the incumbent with the candidate.\nThe candidate makes")
    two = compare(FRAME, incumbent="old", candidate=["new", "bad"])
    assert two.to_frame()["verdict"].to_pylist() == ["replace", "keep"]
    csv, parquet = two.save(tmp_path / "a.csv"), two.save(tmp_path / "a.parquet")
    assert pd.read_csv(csv)["difference"].tolist() == pytest.approx(
        [one.verdict.difference.value for one in two.judged]
    )
    assert pyarrow.parquet.read_table(parquet).num_rows == 2
    assert found.chart("classes").to_dict()["layer"]
    assert json_names(two) == ["difference", "disagreement", "noise", "classes", "verdicts"]
    with pytest.raises(OptionError, match="no chart 'roc'. Charts: difference"):
        found.chart("roc")


def test_files_are_named_as_briefly_as_tells_them_apart(tmp_path):
    paths = {}
    for folder, name in (("a/x", "old"), ("b/x", "new"), ("b/y", "bad")):
        (tmp_path / folder).mkdir(parents=True)
        paths[name] = tmp_path / folder / "answers.csv"
        single(name).to_csv(paths[name], index=False)
    found = compare(*paths.values(), on="id")
    assert found.incumbent == "a/x/answers.csv"
    assert [one.name for one in found.judged] == ["b/x/answers.csv", "b/y/answers.csv"]
    assert compare(paths["old"], paths["bad"], on="id").best.name == "y/answers.csv"
    same = compare(paths["old"], paths["old"], on="id")
    assert same.incumbent == same.best.name
    assert compare(paths["old"], single("new"), on="id").best.name == "candidate"
    with pytest.raises(OptionError, match="Name each candidate once"):
        compare(paths["old"], paths["new"], paths["new"], on="id")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level must lie between 0 and 1"),
        ({"level": math.nan}, "level"),
        ({"margin": -1}, "margin, the smallest gain that matters, must be 0 or more"),
        ({"margin": math.nan}, "margin"),
        ({"tried": 0}, "whole number from 1 to 1,000,000,000; got 0"),
        ({"tried": 2.5}, "whole number"),
        ({"candidate": ["new", "bad"], "tried": 1}, "2 candidates are shown, so at least 2 were tried; got tried=1"),
        ({"measure": "acuracy"}, "Unknown measure 'acuracy'. Did you mean 'accuracy'"),
        ({"measure": "recall"}, "recall is about one class. Write recall:CLASS"),
        ({"measure": "recall:ape"}, "Class 'ape' not found. Classes: 'cat', 'dog', 'eel'"),
        ({"measure": "auc"}, "needs the scores of both"),
        ({"measure": "cost"}, "needs a cost table"),
        ({"positive": "ape"}, "Class 'ape' not found"),
        ({"judge": "harsh"}, r"Unknown judge 'harsh'. Did you mean 'sharp'\? Judges: classical, paired, "),
        ({"alternative": "up"}, "alternative must be"),
        ({"draws": 5, "measure": "mcc"}, "whole number from 100 to 1,000,000; got 5"),
        ({"seed": -1}, "seed must be a whole number, 0 or more"),
        ({"classes": ["cat", "dog"]}, "Class 'eel' .*not in the list of classes"),
        ({"candidate": []}, "At least one candidate is needed"),
        ({"candidate": ["new", "new"]}, "Name each candidate once"),
        ({"candidate": "label"}, "both the candidate and the label"),
        ({"candidate": None}, "One table needs the names of two columns"),
        ({"incumbent": "older"}, "Column 'older' not found in .*Did you mean 'old'.*incumbent column with incumbent"),
        ({"on": "id"}, "Rows of one table need no joining"),
        ({"common": True}, "Rows of one table need no joining"),
        ({"prediction": "new"}, "prediction is for tables of one classifier each"),
        ({"by": "town"}, "Column 'town' not found in .*slice column with by"),
        ({"true": "new"}, "both the candidate and the true class"),
        ({"y_true": LABEL}, "y_true is for arrays"),
        ({"cost": np.ones((2, 2)), "measure": "cost"}, "cost table must be 3 × 3"),
    ],
)
def test_options_that_cannot_be(options, message):
    with pytest.raises(InputError, match=message):
        compare(FRAME, **{"incumbent": "old", "candidate": "new", **options})


TALLY = Tally.of(("label", "incumbent", "candidate"), [("a", "a", "b", 5), ("b", "b", "b", 4)])


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ((), {}, "Pass two tables, one table with the columns"),
        ((), {"y_true": LABEL, "incumbent": OLD}, "Pass two tables"),
        ((), {"y_true": LABEL, "incumbent": OLD, "candidate": {}}, "At least one candidate"),
        ((), {"y_true": LABEL, "incumbent": OLD, "candidate": NEW[:5]}, "candidate has 5"),
        ((), {"y_true": LABEL, "incumbent": OLD, "candidate": NEW, "by": "site"}, "by is about the columns of a table, but arrays"),
        ((), {"y_true": LABEL, "incumbent": OLD, "candidate": NEW, "score": "p"}, "score is about the columns"),
        ((), {"y_true": LABEL, "incumbent": OLD, "candidate": NEW, "on": "id"}, "on is about the columns"),
        ((TALLY, FRAME), {}, "A Tally is already counted"),
        ((TALLY,), {"score": "p"}, "score is about the columns of a table, but a Tally has none"),
        ((TALLY,), {"by": "site"}, "no axis 'site'"),
        ((Tally.from_dense([[1, 2], [3, 4]], ["a", "b"]),), {}, "no axis 'incumbent'"),
        ((FRAME, FRAME), {"incumbent": "old"}, "With several tables, use prediction"),
        ((FRAME, FRAME), {"candidate_score": "p", "prediction": "old"}, "score names the score column of each"),
        ((3, 4), {}, "Data must be a path, a data frame"),
        ((FRAME, None), {"prediction": "old"}, "Data must be a path, a data frame"),
    ],
)  # fmt: skip
def test_tables_that_cannot_be(given, options, message):
    with pytest.raises(InputError, match=message):
        compare(*given, **options)


def test_weights_are_refused_not_forgotten():
    cells = count({"label": ["a", "b"], "prediction": ["a", "a"], "true": ["a", "b"], "w": [1.0, 2.0]}, weight="w")
    with pytest.raises(InputError, match="Weighted counts cannot be compared"):
        compare(cells.renamed(prediction="incumbent", true="candidate"))


def test_many_classes():
    rng = np.random.default_rng(1)
    label = rng.integers(300, size=3000)
    one, other = (np.where(rng.random(3000) < skill, label, rng.integers(300, size=3000)) for skill in (0.7, 0.8))
    found = compare(y_true=label, incumbent=one, candidate=other)
    assert found.verdict.decision == "replace"
    assert len(found.best.classes) == 600
    valid(found)


def test_real_networks(data):
    path = data / "cifar10" / "predictions.parquet"
    found = compare(path, incumbent="resnet_basic_32", candidate=["resnet_basic_110", "cudaconvnet"])
    frame = pd.read_parquet(path)
    for one in found.judged:
        right = [frame["label"] == frame[name] for name in ("resnet_basic_32", one.name)]
        assert one.verdict.difference.value == pytest.approx(right[1].mean() - right[0].mean())
        assert one.verdict.disagreement.only_candidate == int((~right[0] & right[1]).sum())
    assert [one.verdict.decision for one in found.judged] == ["replace", "keep"]
    assert found.best.truth is not None
    valid(found)
