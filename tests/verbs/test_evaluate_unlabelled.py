"""`justesse evaluate-unlabelled`: files, words, JSON, warnings and what is refused."""

import json
import warnings

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import InputError, JustesseError, OptionError
from justesse.verbs.schemas import schema

ERRORS = (0.2, 0.1, 0.08, 0.25)


def table(n=3000, shared=0.0, labelled=600):
    rng = np.random.default_rng(0)
    true = rng.integers(3, size=n)
    codes = {}
    hard = rng.random(n) < shared
    for name, error in zip("abcd", ERRORS, strict=True):
        wrong = np.where(rng.random(n) < error, rng.integers(1, 3, size=n), 0)
        codes[name] = (true + np.where(hard, 1, wrong)) % 3
    label = [int(t) if row < labelled else None for row, t in enumerate(true)]
    return {"id": list(range(n)), **{name: column.tolist() for name, column in codes.items()}, "label": label}


def test_error_rates_fit_and_labels_agree(tmp_path, capsys):
    result = justesse.evaluate_unlabelled(table(), draws=200)
    assert [item.name for item in result.classifiers] == list("abcd")
    assert [item.error.value for item in result.classifiers] == pytest.approx(ERRORS, abs=0.03)
    assert result.rejected is False
    assert "only labels do" in result.warnings[0]
    assert result["c"].bounds[0] < result["c"].error.value < result["c"].bounds[1]
    checked = justesse.evaluate_unlabelled(table(), label="label", draws=200)
    assert checked["a"].labelled.n == 600
    assert not any(item.contradicted for item in checked.classifiers)
    jsonschema.validate(json.loads(json.dumps(checked.to_dict(), allow_nan=False)), schema("evaluate_unlabelled"))
    page = checked.report(tmp_path / "page.html").read_text()
    assert "Error rates without labels" in page
    assert checked.to_columns()["classifier"] == list("abcd")
    frames = [{"id": table()["id"], "prediction": table()[name]} for name in "abc"]
    three = justesse.evaluate_unlabelled(*frames, draws=200)
    assert three.rejected is None
    assert "is untestable with three of them: any agreement fits" in three.warnings[0]
    assert three.least_dependence == pytest.approx(0, abs=1e-9)
    rows = "\n".join(",".join(map(str, row)) for row in zip(*(table()[name] for name in "abcd"), strict=True))
    (tmp_path / "all.csv").write_text("a,b,c,d\n" + rows)
    assert main(["evaluate-unlabelled", str(tmp_path / "all.csv"), "--draws", "200", "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["classifiers"] == json.loads(json.dumps(result.to_dict()))["classifiers"]
    assert main(["evaluate-unlabelled", str(tmp_path / "all.csv"), "--models", "a,b", "--draws", "200"]) == 2
    assert "three classifiers or more; got 2" in capsys.readouterr().err
    assert main(["evaluate-unlabelled"]) == 2


def test_shared_mistakes_are_shown_by_labels_alone():
    result = justesse.evaluate_unlabelled(table(shared=0.1), label="label", draws=200)
    assert "The labels contradict the error rates" in result.warnings[0]
    assert result["c"].contradicted
    assert result["c"].error.value < result["c"].labelled.value


def test_two_that_copy_each_other_are_shown_by_the_fit():
    data = table()
    copied = {**data, "d": [a if row % 2 else d for row, (a, d) in enumerate(zip(data["a"], data["d"], strict=True))]}
    result = justesse.evaluate_unlabelled(copied, draws=200)
    assert result.rejected
    assert "do not err independently" in result.warnings[0]
    assert result.least_dependence > 0.001
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # none of numpy's reach the reader
        none = justesse.evaluate_unlabelled(copied, draws=200, dependence=0.0001)
    assert np.isnan(none.classifiers[0].bounds).all()
    assert "no bounds" in none.warnings[1]
    assert "no bounds" not in " ".join(justesse.evaluate_unlabelled(copied, draws=200, dependence=0.1).warnings)
    jsonschema.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)), schema("evaluate_unlabelled"))


def test_what_is_not_identified_is_refused_in_words():
    rng = np.random.default_rng(0)
    data = {name: rng.integers(2, size=300).tolist() for name in "abc"}
    result = justesse.evaluate_unlabelled(data, draws=200)
    assert "not identified" in repr(result)
    assert result.drawings() == {}
    jsonschema.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)), schema("evaluate_unlabelled"))


def test_bad_input_is_refused_with_a_remedy():
    data = table(n=60)
    cases = [
        (InputError, "Pass one table", lambda: justesse.evaluate_unlabelled()),
        (InputError, "got 1", lambda: justesse.evaluate_unlabelled({"a": [0, 1]})),
        (OptionError, "use models", lambda: justesse.evaluate_unlabelled(data, prediction="a")),
        (OptionError, "use prediction", lambda: justesse.evaluate_unlabelled(data, data, data, models=["a"])),
        (OptionError, "between 0 and 0.25", lambda: justesse.evaluate_unlabelled(data, dependence=0.5)),
        (OptionError, "between 0 and 1", lambda: justesse.evaluate_unlabelled(data, coincidence=2)),
        (OptionError, "level", lambda: justesse.evaluate_unlabelled(data, level=95)),
        (InputError, "not among the classes", lambda: justesse.evaluate_unlabelled(data, classes=[0, 1])),
        (JustesseError, "'z' not found", lambda: justesse.evaluate_unlabelled(data, models=["a", "b", "z"])),
        (JustesseError, "not found", lambda: justesse.evaluate_unlabelled(data, label="truth")),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words):
            call()


def test_a_missing_answer_cannot_be_counted_as_wrong():
    with pytest.raises(OptionError, match=r"\(--missing drop\)"):
        justesse.evaluate_unlabelled({"a": ["x", None], "b": ["x", "y"], "c": ["x", "x"]}, missing="wrong")


def test_a_classifier_that_is_no_column_names_the_option_of_classifiers():
    with pytest.raises(JustesseError, match=r"Column 'd' not found in .*\(--models\)"):
        justesse.evaluate_unlabelled({"a": ["x"], "b": ["x"], "c": ["x"]}, models=["a", "b", "d"])
