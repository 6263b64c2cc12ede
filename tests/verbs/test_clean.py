"""`justesse.clean`: the list, what people's answers say, what altering does, bad input."""

import csv
import json
import re

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import justesse
from justesse.cleaning import ALL
from justesse.core.choices import CleaningMethod
from justesse.core.errors import ColumnError, JustesseError

RNG = np.random.default_rng(0)
N = 300
TRUE = np.arange(N) % 3
LABEL = np.where(RNG.random(N) < 0.1, (TRUE + 1) % 3, TRUE)
NAMES = np.array(["ant", "bee", "cat"])
X = RNG.normal(0, 0.5, (N, 2)) + np.column_stack([np.cos(2 * TRUE), np.sin(2 * TRUE)]) * 2
SHARES = GaussianNB().fit(X, TRUE).predict_proba(X) * 0.97 + 0.01
ROWS = {
    "key": [f"r{at}" for at in range(N)],
    "label": NAMES[LABEL],
    "real": NAMES[TRUE],
    "a": X[:, 0],
    "b": X[:, 1],
    **{f"p_{name}": SHARES[:, at] for at, name in enumerate(NAMES)},
    **{f"m{epoch}": SHARES[np.arange(N), LABEL] - 0.4 + RNG.normal(0, 0.05, N) for epoch in range(4)},
}
ANSWERS = {
    "item": np.repeat(ROWS["key"], 4),
    "annotator": ["w", "x", "y", "z"] * N,
    "answer": NAMES[np.where(RNG.random(4 * N) < 0.2, RNG.integers(0, 3, 4 * N), np.repeat(TRUE, 4))],
}
COLUMNS = {"label": "label", "id": "key", "proba": "p_", "features": ["a", "b"], "history": "m", "answers": ANSWERS}


def read(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_choices_are_the_registry():
    assert [item.name for item in ALL] == list(CleaningMethod.__args__)


@pytest.mark.parametrize("method", CleaningMethod.__args__)
def test_every_filter_works_on_a_table(method):
    result = justesse.clean(ROWS, method=method, true="real", **COLUMNS)
    s, e = (part[0].value for part in (result.quality.detection, result.quality.false_detection))
    assert s > 0.7
    assert e < 0.15
    listed = result.rows()
    assert list(listed) == ["key", "label", "suggested", "probability_wrong", "reason"]
    values = [value or 0 for value in listed["probability_wrong"]]
    assert values == sorted(values, reverse=True)
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert [row["score"] for row in written["rows"]] == result.score[result.order].tolist()
    assert ((result.score >= 0) & (result.score <= 1)).all()
    correction = result.quality.correction[0]
    if method in ("area-under-margin", "forgetting"):  # they name no class: undefined, not 0 %
        assert (correction.undefined, correction.n) == ("no flagged row has a suggested class", 0)
    else:
        assert correction.value > 0.5
    assert "Labels that are probably wrong" in result.markdown("full")
    wrong = int((result.flagged & (LABEL != TRUE)).sum())
    assert f"Wrong by the true classes: {wrong}." in repr(result)


def test_without_true_classes_the_reader_is_warned_that_nobody_re_checked():
    columns = {"label": "label", "id": "key", "proba": "p_"}
    assert any("No row was re-checked" in str(text) for text in justesse.clean(ROWS, **columns).warnings)
    assert not any(
        "No row was re-checked" in str(text) for text in justesse.clean(ROWS, true="real", **columns).warnings
    )


def test_models_are_trained_where_there_are_no_probabilities():
    result = justesse.clean(
        {name: ROWS[name] for name in ("key", "label", "a", "b")}, model={"own": GaussianNB()}, id="key"
    )
    assert result.read.source == "own, 5-fold cross-validation"
    assert (LABEL != TRUE)[result.flagged].mean() > 0.7


def test_answers_come_back_as_corrections_with_precision_and_recall(tmp_path):
    ask = tmp_path / "ask.csv"
    first = justesse.clean(ROWS, **COLUMNS, recheck=80, recheck_to=ask)
    asked = read(ask)
    assert len(asked) == 80
    assert {row["stratum"] for row in asked} <= {"top", "flagged", "rest"}
    truth = dict(zip(ROWS["key"], ROWS["real"], strict=True))
    answered = {name: [row[name] for row in asked] for name in asked[0]}
    answered["true"] = [None if at == 79 else str(truth[row["key"]]) for at, row in enumerate(asked)]
    result = justesse.clean(ROWS, **COLUMNS, audited=answered)
    wrong = LABEL != TRUE
    for estimate, value in (
        (result.adjudication.precision, wrong[first.flagged].mean()),
        (result.adjudication.recall, first.flagged[wrong].mean()),
        (result.adjudication.noise_rate, wrong.mean()),
    ):
        assert estimate.interval.low - 1e-9 <= value <= estimate.interval.high + 1e-9
    assert result.chances.basis == "audited rows"
    assert len(result.corrections()) == 79
    assert all(item["changed"] == (item["label"] != truth[item["key"]]) for item in result.corrections())
    assert any("1 row of the list has no answer" in str(text) for text in result.warnings)


@pytest.mark.parametrize("action", ["flag", "remove", "weight", "drop-label", "correct"])
def test_an_action_writes_another_table_and_says_that_figures_are_too_high(action, tmp_path):
    source, place = tmp_path / "rows.csv", tmp_path / "cleaned.csv"
    with source.open("w", newline="") as out:
        csv.writer(out).writerows([list(ROWS), *zip(*ROWS.values(), strict=True)])
    before = source.read_bytes()
    result = justesse.clean(source, label="label", id="key", proba="p_", action=action, cleaned_to=place)
    assert source.read_bytes() == before
    made = read(place)
    flagged = result.flagged
    if action == "remove":
        assert [row["key"] for row in made] == [key for key, gone in zip(ROWS["key"], flagged, strict=True) if not gone]
    else:
        assert len(made) == N
    if action == "drop-label":
        assert [row["label"] == "" for row in made] == flagged.tolist()
    if action == "weight":
        assert [float(row["weight"]) < 1 for row in made] == flagged.tolist()
    if action == "correct":
        assert [row["label"] != row["label_before"] for row in made] == flagged.tolist()
    said = any("Do not report figures on cleaned test rows" in str(text) for text in result.warnings)
    assert said == (action != "flag")


def test_what_people_answered_counts_whatever_the_filter_found(tmp_path):
    first = justesse.clean(ROWS, **COLUMNS)
    confirmed = first.order[0]
    missed = int(np.flatnonzero(~first.flagged)[0])
    audited = {
        "key": [ROWS["key"][confirmed], ROWS["key"][missed]],
        "true": [str(NAMES[LABEL[confirmed]]), str(NAMES[(LABEL[missed] + 1) % 3])],
    }
    result = justesse.clean(ROWS, **COLUMNS, audited=audited, action="correct", cleaned_to=tmp_path / "c.csv")
    assert result.altered.labels[confirmed] == LABEL[confirmed]
    assert result.altered.labels[missed] == (LABEL[missed] + 1) % 3
    note = "Where people answered, their answer decides instead."
    assert note in result.markdown("full").replace("\u00a0", " ")
    alone = justesse.clean(ROWS, **COLUMNS, action="correct", cleaned_to=tmp_path / "alone.csv")
    assert note not in alone.markdown("full").replace("\u00a0", " ")


def test_probabilities_of_training_rows_are_noticed():
    sure = {**ROWS, **{f"p_{name}": np.where(at == LABEL, 0.98, 0.01) for at, name in enumerate(NAMES)}}
    warnings = justesse.clean(sure, label="label", proba="p_").warnings
    assert "look as if the model was trained on these rows" in str(warnings[0])
    honest = justesse.clean(ROWS, label="label", proba="p_").warnings
    assert not any("trained on these rows" in str(text) for text in honest)


def test_a_rare_class_of_which_much_is_flagged_is_named():
    rare = np.arange(N) < 20
    label = np.where(rare, "rare", np.where(np.arange(N) % 2, "one", "two"))
    shares = {
        "p_rare": np.where(rare & (np.arange(N) % 2 == 0), 0.9, 0.05),
        "p_one": np.where(label == "one", 0.9, 0.05),
    }
    shares["p_two"] = 1 - shares["p_rare"] - shares["p_one"]
    warnings = justesse.clean({"label": label, **shares}, proba="p_").warnings
    assert any("rare classes (rare)" in str(text) for text in warnings)


def test_a_class_that_is_never_predicted_is_named():
    shares = {"p_a": [0.6] * 40, "p_b": [0.4] * 40}
    warnings = justesse.clean({"label": ["a", "b"] * 20, **shares}, proba="p_").warnings
    assert any("The model never predicts b" in str(text) for text in warnings)


BAD = [
    ({"proba": "q_"}, "Too few columns of probabilities"),
    ({"label": "nothing"}, "Column 'nothing' not found"),
    ({"id": "label"}, "occurs twice"),
    ({"method": "sorting"}, "There is no filter 'sorting'"),
    ({"prune": "both", "method": "entropy"}, "prune belongs to confident-learning"),
    ({"prune": "hard"}, "prune must be one of"),
    ({"action": "remove"}, "--cleaned-to"),
    ({"method": "forgetting"}, "needs history="),
    ({"method": "forgetting", "history": "zz"}, "No column of .* starts with 'zz'"),
    ({"method": "answers"}, "needs answers="),
    ({"method": "answers", "answers": ANSWERS, "id": None}, "found by the id of a row"),
    ({"method": "majority-vote", "k": 1}, "number of folds, must be 2 or more"),
    ({"recheck": 1}, "recheck must be 2 or more"),
    ({"recheck": 9, "recheck_share": 2.0}, "recheck_share must lie"),
    ({"audited": {"key": ["r1"], "true": ["dog"]}}, "True class 'dog' .* is not among the classes"),
    ({"audited": {"key": ["x"], "true": ["cat"]}}, "Row 'x' .* is not among the rows"),
    ({"audited": {"key": ["r1"]}}, "No column 'true'"),
    ({"audited": {"key": ["r1", "r1"], "true": ["cat", "cat"]}}, "occurs twice"),
    ({"audited": {"key": ["r1"], "true": [""]}}, "has a true class"),
    ({"audited": {"key": ["r1"], "true": ["cat"], "stratum": ["all"]}}, "Stratum 'all'"),
    ({"level": 95}, "level"),
]


@pytest.mark.parametrize(("options", "words"), BAD, ids=range(len(BAD)))
def test_bad_options_are_refused_in_a_sentence(options, words):
    usual = {"label": "label", "id": "key", "proba": "p_"}
    if options.get("method") == "majority-vote":
        usual["features"] = ["a", "b"]
    with pytest.raises(JustesseError, match=words) as error:
        justesse.clean(ROWS, **{**usual, **options})
    assert str(error.value).endswith(".")


FILES = [
    ("label,p_a,p_b\na,0.5,0.6\nb,0.2,0.8\n", "add up to"),
    ("label,p_a,p_b\na,,0.6\nb,0.2,0.8\n", "No finite number"),
    ("label,p_a,p_b\na,1,0\na,1,0\n", ""),
    ("label,p_a,p_b\nc,0.5,0.5\nb,0.2,0.8\n", "No column of probabilities for class 'c'"),
    ("label,p_a,p_b\n,0.5,0.5\nb,0.2,0.8\n", "1 missing label"),
]


@pytest.mark.parametrize(("text", "words"), FILES, ids=range(len(FILES)))
def test_bad_files_exit_with_2_and_a_sentence(text, words, tmp_path, run):
    file = tmp_path / "rows.csv"
    file.write_text(text)
    done = run("clean", file, "--proba", "p_")
    assert done.code == (2 if words else 0)
    assert words in done.err
    assert "Traceback" not in done.err


def test_fewer_rows_than_folds_and_one_class_are_refused(tmp_path, run):
    file = tmp_path / "rows.csv"
    file.write_text("label,x\na,1.5\nb,2.5\na,1.5\n")
    assert "3 rows cannot be cut into 5 folds" in run("clean", file).err
    file.write_text("label,x\n" + "".join(f"a,{at % 3}\n" for at in range(20)))
    done = run("clean", file)
    assert done.code == 2
    assert "one class" in done.err


def test_the_command_writes_the_list_and_never_over_its_input(tmp_path, run):
    file, place = tmp_path / "rows.csv", tmp_path / "flagged.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([list(ROWS), *zip(*ROWS.values(), strict=True)])
    words = ["clean", file, "--label", "label", "--proba", "p_", "--method", "confident-learning"]
    done = run(*words, "--to", place, "--json")
    flagged = read(place)
    assert list(flagged[0]) == ["row", "label", "suggested", "probability_wrong", "reason"]
    assert [int(row["row"]) for row in flagged] == [row["row"] for row in done.json["rows"]]
    assert run(*words, "--to", file).code == 2
    assert run(*words, "--action", "remove", "--cleaned-to", file).code == 2


@pytest.mark.parametrize(("action", "name"), [("flag", "flagged"), ("weight", "weight"), ("correct", "label_before")])
def test_a_column_of_the_table_is_never_replaced(action, name, tmp_path):
    table = {**ROWS, name: np.arange(N)}
    to, cleaned = tmp_path / "flagged.csv", tmp_path / "cleaned.csv"
    with pytest.raises(ColumnError, match=f"has a column '{name}' already, .* Rename or remove it"):
        justesse.clean(table, **COLUMNS, action=action, to=to, cleaned_to=cleaned)
    assert not to.exists()
    assert not cleaned.exists()
    justesse.clean(table, **COLUMNS, to=to)
    assert to.exists()


def test_the_warning_of_optimism_uses_what_is_known(tmp_path):
    how = {"label": "label", "id": "key", "proba": "p_", "action": "correct", "cleaned_to": tmp_path / "cleaned.csv"}
    alone, known = justesse.clean(ROWS, **how), justesse.clean(ROWS, **how, true="real")
    made = known.optimism
    assert made.true_optimism == pytest.approx(made.after - np.mean(SHARES.argmax(axis=1) == TRUE))
    by_truth, by_model = (str(result.warnings[0]).replace("\xa0", " ") for result in (known, alone))
    assert f"it is {100 * made.true:.1f} % on the true classes." in by_truth
    assert f"+{100 * (made.after - made.before):.1f} points if all flagged labels are right" in by_model
    assert "This rests on the model's own probabilities" in by_model


def test_messages_of_clean_name_only_options_it_has(tmp_path, run):
    options = set(re.findall(r"--[a-z-]+", run("clean", "--help").out))
    texts = (
        "label,p_a,p_b\na,1.2,-0.2\nb,0.1,0.9\n",
        "label,p_a,p_b\na,0.2,0.2\nb,0.1,0.9\n",
        "label,p_a\na,0.2\nb,0.1\n",
        "label,p_a,p_b\nz,0.2,0.8\nb,0.1,0.9\n",
        "name,x\na,1\nb,2\n",
    )
    for text in texts:
        (tmp_path / "rows.csv").write_text(text)
        done = run("clean", str(tmp_path / "rows.csv"), "--proba", "p_")
        assert done.code == 2
        named = re.findall(r"--[a-z-]+", done.err.replace("justesse evaluate --score", ""))
        assert set(named) <= options, done.err


def _with_a_rare_class(*, wrong_labels):
    """400 cats and dogs, 20 labelled owl: these are wrong and the model knows, or right and it does not predict owls."""
    true = np.array(["cat", "dog"] * 200 + (["cat"] if wrong_labels else ["owl"]) * 20)
    shares = np.column_stack([np.where(true == name, 0.9, 0.05) for name in ("cat", "dog", "owl")])
    if not wrong_labels:
        shares[400:] = [0.9, 0.05, 0.05]
    shares[[0, 1]] = [0.05, 0.05, 0.9]
    label = np.concatenate([true[:400], ["owl"] * 20])
    label[[0, 1]] = "owl"
    return {"label": label, "real": np.where(np.arange(420) < 2, "owl", true)} | {
        f"p_{name}": shares[:, at] for at, name in enumerate(("cat", "dog", "owl"))
    }


def test_known_truth_decides_whether_a_rare_class_is_eaten():
    """Flagged labels of a rare class are no loss if they are wrong."""
    words = "rare classes (owl)"
    wrong, right = (_with_a_rare_class(wrong_labels=each) for each in (True, False))
    options = {"proba": "p_", "method": "classification"}
    for rows, eaten in ((wrong, False), (right, True)):
        unknown = justesse.clean(rows, **options).warnings
        known = justesse.clean(rows, true="real", **options).warnings
        assert any(words in str(text) for text in unknown)
        assert any(words in str(text) for text in known) == eaten


def test_one_answer_is_written_in_the_singular(tmp_path):
    ask = tmp_path / "ask.csv"
    justesse.clean(ROWS, **COLUMNS, recheck=80, recheck_to=ask)
    asked = read(ask)
    answered = {name: [row[name] for row in asked] for name in asked[0]} | {"true": ["ant", *[None] * 79]}
    assert "By 1 answer, " in repr(justesse.clean(ROWS, **COLUMNS, audited=answered))
