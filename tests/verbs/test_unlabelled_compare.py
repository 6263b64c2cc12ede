"""`justesse compare --judge unsupervised --reference …`: files, words, JSON, and what is refused."""

import json

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import ColumnError, InputError, JustesseError, MissingValueError, OptionError
from justesse.verbs.schemas import schema

NAMES = np.array(["cat", "dog", "owl"])


def table(n=2000, errors=(0.2, 0.1, 0.1, 0.25), seed=0, classes=3):
    rng = np.random.default_rng(seed)
    true = rng.integers(classes, size=n)
    wrong = (true[:, None] + rng.integers(1, classes, size=(n, len(errors)))) % classes
    codes = np.where(rng.random((n, len(errors))) < errors, wrong, true[:, None])
    label = np.where(np.arange(n) < 500, NAMES[true], None)
    answers = {name: NAMES[codes[:, at]].tolist() for at, name in enumerate(("old", "new", "third", "fourth"))}
    return {"id": list(range(n)), **answers, "label": label.tolist(), "true": NAMES[true].tolist()}


def compare(data, reference="third", **options):
    return justesse.compare(
        data, incumbent="old", candidate="new", judge="unsupervised", reference=reference, **options
    )


def test_columns_frames_and_files_give_the_same(tmp_path, capsys):
    data = table()
    one = compare(data)
    frames = [{"id": data["id"], "prediction": data[name]} for name in ("old", "new", "third")]
    turned = {key: value[::-1] for key, value in frames[2].items()}  # joined by the id, whatever the order
    many = justesse.compare(*frames[:2], judge="unsupervised", reference=turned)
    assert one.difference.value == many.difference.value
    assert one.replaces
    for name in ("old", "new", "third"):
        rows = [f"{i},{answer}" for i, answer in zip(data["id"], data[name], strict=True)]
        (tmp_path / f"{name}.csv").write_text("id,prediction\n" + "\n".join(rows) + "\n")
    files = [str(tmp_path / f"{name}.csv") for name in ("old", "new", "third")]
    assert main(["compare", *files[:2], "--judge", "unsupervised", "--reference", files[2], "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    jsonschema.validate(written, schema("compare_unlabelled"))
    assert written["difference"] == one.difference.value
    assert written["independence"] == {"tested": False, "rejected": None, "tests": []}
    assert main(["compare", files[1], files[0], "--judge", "unsupervised", "--reference", files[2]]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "Keep the incumbent." in shown
    assert "The order survives a dependence up to 0." in shown
    assert "Three classifiers cannot show whether the reference errs independently" in shown


def test_a_fourth_classifier_or_labels_test_the_independence():
    data = table()
    four = compare(data, ["third", "fourth"])
    assert four.independence.tested
    assert not four.independence.rejected
    assert "not rejected" in four.warnings[0]
    jsonschema.validate(json.loads(json.dumps(four.to_dict(), allow_nan=False)), schema("compare_unlabelled"))
    labelled = compare(data, label="label")
    assert [by for by, _ in labelled.independence.tests] == ["labels"]
    assert labelled.independence.tests[0][1].n < 500
    assert not labelled.independence.rejected
    assert four.to_columns()["reference"] == ["third", "fourth"]


def test_a_reference_that_copies_the_incumbent_is_found_out():
    data = table(n=4000)
    rng = np.random.default_rng(5)
    data["third"] = [
        old if copies else own
        for old, own, copies in zip(data["old"], data["third"], rng.random(4000) < 0.6, strict=True)
    ]
    fooled = compare(data)
    assert fooled.decision == "keep"  # three classifiers cannot show it
    assert "cannot show" in fooled.warnings[0]
    for options in ({"reference": ["third", "fourth"]}, {"label": "label"}):
        caught = compare(data, **options)
        assert caught.independence.rejected
        assert caught.decision == "cannot_tell"
        assert "do not err independently" in caught.warnings[0]
        jsonschema.validate(json.loads(json.dumps(caught.to_dict(), allow_nan=False)), schema("compare_unlabelled"))
    assert "favour different classifiers" in " ".join(compare(data, ["third", "fourth"]).warnings)


def test_the_document_in_every_medium(tmp_path):
    result = compare(table(), ["third", "fourth"], label="label")
    page = result.report(tmp_path / "page.html").read_text()
    assert "What the reference does where the two differ" in page
    assert "Tolerates" in result.markdown("full")
    assert "no labels used" in repr(result)
    assert result.chart() is not None
    with pytest.raises(TypeError):
        bool(result)


def test_gates():
    result = compare(table())
    assert result.passes()
    assert result.passes("none")
    assert not result.passes("better", robust=True)
    with pytest.raises(OptionError, match="needs labels"):
        compare(table(), margin=0.01).passes("not-worse")


def test_bad_input_is_refused_with_a_remedy():
    data = table(n=50)
    gap = {**data, "third": [None, *data["third"][1:]]}
    cases = [
        (OptionError, "needs a reference classifier", lambda: justesse.compare(data, incumbent="old", candidate="new", judge="unsupervised")),
        (OptionError, "reference is for the judge unsupervised", lambda: justesse.compare(data, incumbent="old", candidate="new", reference="third")),
        (ColumnError, "'fifth' not found", lambda: compare(data, "fifth")),
        (ColumnError, "named twice", lambda: compare(data, "new")),
        (MissingValueError, "row 1", lambda: compare(gap)),
        (OptionError, "cannot be counted as wrong", lambda: compare(gap, missing="wrong")),
        (OptionError, "cost .* does not work without labels", lambda: compare(data, cost={"a": {"a": 0}})),
        (OptionError, "one candidate", lambda: justesse.compare(data, incumbent="old", candidate=["new", "third"], judge="unsupervised", reference="fourth")),
        (OptionError, "compares accuracy", lambda: compare(data, measure="macro-f1")),
        (InputError, "only one class", lambda: compare({name: ["x"] * 9 for name in ("old", "new", "third")})),
        (InputError, "another kind", lambda: compare({**data, "third": [1] * 50})),
        (ColumnError, "joined by an id", lambda: justesse.compare({"prediction": [0, 1]}, {"prediction": [0, 1]}, judge="unsupervised", reference={"prediction": [0, 1]})),
        (InputError, "not in every table", lambda: justesse.compare({"id": [1, 2], "prediction": [0, 1]}, {"id": [1, 3], "prediction": [0, 1]}, judge="unsupervised", reference={"id": [1, 2], "prediction": [0, 1]})),
        (InputError, "occurs 2 times", lambda: justesse.compare({"id": [1, 1], "prediction": [0, 1]}, {"id": [1, 3], "prediction": [0, 1]}, judge="unsupervised", reference={"id": [1, 2], "prediction": [0, 1]})),
        (OptionError, "y_true .* does not work without labels", lambda: justesse.compare(y_true=[0], incumbent=[0], candidate=[0], judge="unsupervised", reference=[0])),
        (InputError, "data frames or dicts", lambda: justesse.compare(incumbent=[0], candidate=[0], judge="unsupervised", reference=[0])),
    ]  # fmt: skip
    for kind, words, call in cases:
        with pytest.raises(JustesseError, match=words) as raised:
            call()
        assert isinstance(raised.value, kind), (kind, raised.value)
    dropped = compare({**gap, "old": data["old"]}, missing="drop")
    assert dropped.rows.dropped == 1
    assert any("1 row without an answer" in words for words in dropped.warnings)
    common = justesse.compare(
        {"id": [1, 2, 4], "prediction": [0, 1, 0]}, {"id": [1, 3, 2], "prediction": [0, 1, 1]},
        judge="unsupervised", reference={"id": [1, 2], "prediction": [0, 1]}, common=True,
    )  # fmt: skip
    assert common.rows.unmatched == 2


def test_one_table_of_a_file_that_is_missing_exits_with_2(tmp_path, capsys):
    assert (
        main(["compare", "a.csv", "b.csv", "--judge", "unsupervised", "--reference", str(tmp_path / "none.csv")]) == 2
    )
    assert "a.csv" in capsys.readouterr().err
