"""What `clean` says about probabilities, labels and rows that it cannot use, or should not be believed."""

import numpy as np
import pandas as pd
import pytest

N = 120
RNG = np.random.default_rng(0)
NAMES = np.array(["a", "b", "c"])
TRUE = RNG.integers(3, size=N)
LABEL = np.where(RNG.random(N) < 0.1, (TRUE + 1) % 3, TRUE)
SHARES = RNG.dirichlet(np.ones(3), N) * 0.3
SHARES[np.arange(N), TRUE] += 0.7
GOOD = pd.DataFrame({"label": NAMES[LABEL], **{f"p_{name}": SHARES[:, at] for at, name in enumerate(NAMES)}})


def changed(**cells):
    table = GOOD.copy()
    for column, value in cells.items():
        table.loc[4, column] = value
    return table


def with_shares(shares):
    return GOOD.assign(**{f"p_{name}": shares[:, at] for at, name in enumerate(NAMES)})


REFUSED = {
    "sum": (changed(p_a=0.1, p_b=0.1, p_c=0.1), [], "add up to 1", "row 5"),
    "above 1": (changed(p_a=1.4), [], "between 0 and 1", "row 5"),
    "negative": (changed(p_a=-0.2), [], "between 0 and 1", "row 5"),
    "nan": (changed(p_b=np.nan), [], "No finite number in 'p_b' in", "row 5"),
    "label outside": (changed(label="zebra"), [], "No column of probabilities for class 'zebra'", "a, b, c"),
    "label missing": (changed(label=np.nan), [], "1 missing label", "row 5"),
    "fewer rows than folds": (
        GOOD[["label", "p_a"]][:3],
        ["--features", "p_a"],
        "3 rows cannot be cut into 5",
        "at most 3",
    ),
    "fewer rows than neighbours": (
        GOOD[["label", "p_a"]][:3],
        ["--features", "p_a", "--method", "edited-neighbours"],
        "at most 2 neighbours",
        "neighbours=1",
    ),
    "one class, no probabilities": (
        GOOD.assign(label="a")[["label", "p_a"]],
        ["--features", "p_a"],
        "Every row has the label 'a'",
        "several classes",
    ),
    "one fold": (
        GOOD[["label", "p_a"]],
        ["--features", "p_a", "--k", 1],
        "number of folds, must be 2 or more",
        "got 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_in_one_sentence(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    table, words, *reasons = REFUSED[name]
    table.to_csv("rows.csv", index=False)
    words = words or ["--proba", "p_"]
    ran = run("clean", "rows.csv", *words, "--to", "flagged.csv")
    assert (ran.code, ran.out) == (2, "")
    assert all(reason in " ".join(ran.err.split()) for reason in reasons), ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


def cautions(run, tmp_path, table, *words):
    table.to_csv(tmp_path / "rows.csv", index=False)
    return run("clean", tmp_path / "rows.csv", *(words or ("--proba", "p_")), "--json").json["warnings"]


def test_probabilities_of_training_rows_are_noticed(run, tmp_path):
    learnt = np.full((N, 3), 0.01)
    learnt[np.arange(N), LABEL] = 0.98
    texts = cautions(run, tmp_path, with_shares(learnt))
    assert "as if the model was trained on these rows" in texts[0]
    assert not any("trained on these rows" in text for text in cautions(run, tmp_path, GOOD))


def test_a_class_that_is_never_predicted_is_named(run, tmp_path):
    shares = SHARES.copy()
    shares[:, 2] = 0
    texts = cautions(run, tmp_path, with_shares(shares / shares.sum(axis=1, keepdims=True)))
    assert any("never predicts c" in text for text in texts)


def test_labels_of_one_class_are_noticed(run, tmp_path):
    texts = cautions(run, tmp_path, GOOD.assign(label="a"))
    assert any("Every row has the label a" in text for text in texts)


def test_classes_with_fewer_rows_than_folds_are_dealt_out(run, tmp_path):
    """They were refused with the code of the class, and with an option that `clean` does not have."""
    rare = pd.DataFrame({"label": [*["a", "b"] * 20, "c"], "x": [*[0.0, 1.0] * 20, 5.0]})
    texts = cautions(run, tmp_path, rare, "--features", "x")
    assert any("never predicts c" in text for text in texts)
