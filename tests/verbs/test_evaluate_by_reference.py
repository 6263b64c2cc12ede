"""`justesse evaluate-unlabelled --reference`: files, words, JSON, warnings and what is refused."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import JustesseError
from justesse.verbs.schemas import schema

CLASSES = np.array(["cat", "dog", "owl"])


def rows(n, seed, *, spread=2.0, flatter=1.0, factor=1.5):
    """Draw labels and probabilities; the model multiplies the true logits by `factor`, the world by `flatter`."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, spread, (n, 3))

    def softmax(values):
        return np.exp(values) / np.exp(values).sum(axis=1, keepdims=True)

    label = CLASSES[(rng.random((n, 1)) > softmax(flatter * logits).cumsum(axis=1)).sum(axis=1).clip(max=2)]
    sure = softmax(factor * logits)
    return pd.DataFrame({"label": label, **{f"p_{name}": sure[:, at] for at, name in enumerate(CLASSES)}})


def truth(frame):
    best = CLASSES[frame.filter(like="p_").to_numpy().argmax(axis=1)]
    return float((best == frame.label).mean())


def partly(frame, labelled):
    return frame.assign(label=frame.label.where(np.arange(len(frame)) < labelled))


REFERENCE, HARDER = rows(1500, 0), rows(2000, 1, spread=1.2)


def evaluated(target, reference=REFERENCE, **options):
    return justesse.evaluate_unlabelled(target, reference=reference, **{"proba": "p_", "draws": 200, **options})


def test_harder_rows_without_labels():
    result = evaluated(HARDER.drop(columns="label"))
    assert result.by == "calibrated_confidence"
    assert result.accuracy.value == pytest.approx(truth(HARDER), abs=0.03)
    assert result["average_confidence"].value > truth(HARDER) + 0.05
    assert result["calibrated_classes"].value == pytest.approx(truth(HARDER), abs=0.03)
    assert result.rejected is None
    assert "Not tested: that predictions of the same confidence" in result.warnings[0]
    assert any("over-confident" in line for line in result.warnings)
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(written, schema("evaluate_reference"))
    assert written["assumptions"][0].startswith("predictions of the same confidence are right as often")
    assert sum(cell[2] for cell in written["confusion"]) == pytest.approx(2000)
    assert result.to_columns()["method"][0] == "calibrated_confidence"
    assert list(result.drawings()) == ["estimates", "reliability", "confidences"]


def test_labels_for_some_rows_test_the_assumption(tmp_path):
    kept = evaluated(partly(HARDER, 300))
    assert kept.rejected is False
    assert "not rejected" in kept.warnings[0]
    assert kept.checked.bias.interval.low < 0 < kept.checked.bias.interval.high
    broken = rows(2000, 2, flatter=0.4)
    result = evaluated(partly(broken, 300))
    assert result.rejected
    assert result.by == "prediction_powered"
    assert "Calibration does not carry over" in result.warnings[0]
    assert result.accuracy.interval.low < truth(broken) < result.accuracy.interval.high
    assert result["calibrated_confidence"].interval.low > truth(broken)
    assert result.checked.bias.interval.low > 0
    jsonschema.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)), schema("evaluate_reference"))
    page = result.report(tmp_path / "page.html").read_text()
    assert "Labelled rows of the target" in page
    assert "Expected confusion matrix" in page


def test_the_bias_is_exact_if_every_row_is_labelled():
    result = evaluated(HARDER)
    assert result.checked.powered.n == result.checked.powered.rows == len(HARDER)
    assert "points, exactly: the true class of every row is known." in result.warnings[0]
    assert "95 %" not in result.warnings[0]
    assert "| exact" in result.markdown("full")
    assert (result.by, result.accuracy.value) == ("labelled_rows", truth(HARDER))
    assert "from the labels of all rows" in result.markdown()
    assert "same confidence" not in " ".join(result.to_dict()["assumptions"])
    jsonschema.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)), schema("evaluate_reference"))
    some = evaluated(partly(HARDER, len(HARDER) - 1))
    assert "exact" not in some.warnings[0]
    assert "95 % CI" in some.warnings[0]


def test_the_command_is_the_function(tmp_path, capsys):
    REFERENCE.to_csv(tmp_path / "labelled.csv", index=False)
    partly(HARDER, 100).to_csv(tmp_path / "target.csv", index=False)
    words = ["evaluate-unlabelled", str(tmp_path / "target.csv"), "--reference", str(tmp_path / "labelled.csv")]
    assert main([*words, "--proba", "p_", "--draws", "200", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    frame = evaluated(partly(HARDER, 100)).to_dict()
    assert written["estimates"] == json.loads(json.dumps(frame["estimates"]))
    assert main([*words, "--proba", "q_"]) == 2
    assert "Too few columns of probabilities" in capsys.readouterr().err
    assert main([*words, "--proba", "p_", "--models", "a,b,c"]) == 2
    assert "does not work with a labelled reference" in capsys.readouterr().err
    assert main(words) == 2
    assert "--proba p_" in capsys.readouterr().err
    assert main([*words[:2], "--proba", "p_"]) == 2
    assert "--reference" in capsys.readouterr().err
    assert main([*words[:2], *words[1:], "--proba", "p_"]) == 2
    assert "one table of rows without labels" in capsys.readouterr().err


def test_confidences_alone_and_predictions_of_their_own():
    best = REFERENCE.filter(like="p_")
    reference = {"label": REFERENCE.label, "prediction": CLASSES[best.to_numpy().argmax(axis=1)], "c": best.max(axis=1)}
    values = HARDER.filter(like="p_")
    target = {"prediction": CLASSES[values.to_numpy().argmax(axis=1)], "c": values.max(axis=1)}
    result = evaluated(target, reference, proba=None, confidence="c")
    assert result.by_classes is None
    assert result["calibrated_confidence"] == evaluated(HARDER.drop(columns="label"))["calibrated_confidence"]
    # a column of predictions replaces the most probable class: here, always cat
    always = [frame.assign(prediction="cat") for frame in (HARDER.drop(columns="label"), REFERENCE)]
    result = evaluated(*always)
    assert result.rows.prediction == "prediction"
    assert result.rows.target.confidence == pytest.approx(HARDER.p_cat)
    assert result.accuracy.value == pytest.approx((HARDER.label == "cat").mean(), abs=0.05)


def test_integer_classes_are_matched_with_their_columns():
    names = {"cat": 0, "dog": 1, "owl": 2}
    reference = REFERENCE.assign(label=REFERENCE.label.map(names)).rename(
        columns=lambda c: c.replace("cat", "0").replace("dog", "1").replace("owl", "2")
    )
    result = evaluated(reference.drop(columns="label"), reference)
    assert result.rows.classes == (0, 1, 2)
    assert result.accuracy.value == pytest.approx(truth(REFERENCE), abs=0.01)


def test_warnings_name_what_changed():
    few = evaluated(HARDER.drop(columns="label"), REFERENCE.head(60))
    assert any("reference is small: 60 rows" in line for line in few.warnings)
    cats = HARDER[(HARDER.label == "cat")].drop(columns="label")
    assert any("Other classes are predicted: 'cat'" in line for line in evaluated(cats).warnings)
    sure = REFERENCE[REFERENCE.filter(like="p_").max(axis=1) > 0.8]
    outside = evaluated(HARDER.drop(columns="label"), sure)
    assert any("that no row of the reference has" in line for line in outside.warnings)
    single, some, enough = (evaluated(HARDER.drop(columns="label").head(n)) for n in (1, 29, 30))
    assert any(
        line.startswith("The target has 1 row only. The interval is about rows like it") for line in single.warnings
    )
    assert any("The target has 29 rows only. The interval is about rows like these" in line for line in some.warnings)
    assert not any("The target has" in line for line in enough.warnings)
    gaps = HARDER.drop(columns="label").assign(p_cat=lambda frame: frame.p_cat.where(frame.index > 3))
    assert any("4 rows of the data frame left out" in line for line in evaluated(gaps, missing="drop").warnings)


BAD = {
    "do not add up to 1 in 1 row of": lambda frame: frame.assign(p_cat=frame.p_cat.where(frame.index != 5, 0.999)),
    "between 0 and 1": lambda frame: frame.assign(p_cat=frame.p_cat.where(frame.index != 5, -0.5)),
    "No finite number in": lambda frame: frame.assign(p_cat=frame.p_cat.where(frame.index != 5)),
    "not found in": lambda frame: frame.drop(columns="p_owl"),
    "No rows in": lambda frame: frame.head(0),
}


@pytest.mark.parametrize("words", BAD)
def test_bad_targets_are_refused(words):
    with pytest.raises(JustesseError, match=words):
        evaluated(BAD[words](HARDER.drop(columns="label")))


def test_bad_references_are_refused():
    target = HARDER.drop(columns="label")
    with pytest.raises(JustesseError, match="1 missing label in"):
        evaluated(target, REFERENCE.assign(label=REFERENCE.label.where(REFERENCE.index != 3)))
    with pytest.raises(JustesseError, match="No column of probabilities for class 'fox'"):
        evaluated(target, REFERENCE.assign(label=REFERENCE.label.where(REFERENCE.index != 3, "fox")))
    with pytest.raises(JustesseError, match="lacks a label"):
        evaluated(target, REFERENCE.assign(label=None))
    confident = {"label": ["a", "b"], "prediction": ["a", "b"], "c": [0.5, 7.0]}
    with pytest.raises(JustesseError, match="Confidences must be between 0 and 1"):
        justesse.evaluate_unlabelled(confident, reference=confident, confidence="c")
    with pytest.raises(JustesseError, match="cannot be counted as wrong"):
        evaluated(target, missing="wrong")
    with pytest.raises(JustesseError, match="one of the two"):
        evaluated(target, confidence="c")


def test_a_reference_of_a_few_rows_is_refused():
    rows = {"label": ["a", "b"] * 5, "prediction": ["a", "a"] * 5, "p_a": [0.8] * 10, "p_b": [0.2] * 10}
    with pytest.raises(JustesseError, match="10 labelled rows; its calibration needs at least 20"):
        justesse.evaluate_unlabelled({"p_a": [0.7] * 9, "p_b": [0.3] * 9}, reference=rows, proba="p_")
