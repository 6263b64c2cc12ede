"""Where the true classes are known, they decide; what the labels say stands below."""

import pandas as pd
import pytest

import justesse
from justesse.report.document import Table

# the labels repeat the incumbent's mistakes: by them it looks better, by the true classes the candidate is
ROWS = [("a", "a", "a", "a")] * 300 + [("b", "b", "b", "b")] * 300
WRONG = [("a", "b", "b", "a")] * 80  # true, label, incumbent, candidate
OTHER = [("a", "a", "a", "b")] * 20
FRAME = pd.DataFrame(ROWS + WRONG + OTHER, columns=["true", "label", "old", "new"])


@pytest.fixture
def both(tmp_path):
    FRAME.to_csv(tmp_path / "both.csv", index=False)
    return tmp_path / "both.csv"


def test_the_verdict_on_the_truth_is_the_headline():
    found = justesse.compare(FRAME, incumbent="old", candidate="new", label="label", true="true")
    assert (found.verdict.decision, found.decisive.decision) == ("keep", "replace")
    assert found.replaces
    assert found.title == "Replace the incumbent with the candidate."
    assert found.headline.startswith("Against the true classes: The candidate makes 8.6 fewer errors per 100 cases")
    assert "wrong labels" not in found.headline  # a breakdown rate is about labels
    assert found.by_labels.startswith("Against the labels (11 % of the labels are wrong): Keep the incumbent.")
    written = found.to_dict()
    assert (written["headline"]["which"], written["headline"]["verdict"]) == ("true", "replace")
    assert (written["verdict"], written["true"]["verdict"]) == ("keep", "replace")
    assert written["headline"]["difference"] == written["true"]["difference"] == pytest.approx(60 / 700)
    assert written["true"]["assumptions"][0] == "the true classes are right"
    assert written["true"]["measures"][0]["candidate"] == pytest.approx(680 / 700)
    text = repr(found)
    assert text.index("Replace the incumbent") < text.index("Against the labels (11 %")
    assert "+0.0857" in text
    assert "Against the true classes" in found._repr_html_()


def test_without_truth_the_labels_are_the_headline():
    found = justesse.compare(FRAME.drop(columns="true"), incumbent="old", candidate="new", label="label")
    assert not found.replaces
    assert found.by_labels is None
    assert found.to_dict()["headline"]["which"] == "labels"
    assert found.decisive is found.verdict


def test_several_candidates_are_ranked_by_the_truth():
    frame = FRAME.assign(best_by_labels=FRAME.label)  # by the labels it comes first: no worse than the incumbent
    found = justesse.compare(
        frame, incumbent="old", candidate=["best_by_labels", "new"], label="label", true="true", judge="paired"
    )
    assert found.best.name == "new"
    assert found.title == "Replace the incumbent with new."
    written = found.to_dict()
    assert [one["headline"]["verdict"] for one in written["comparisons"]] == ["cannot_tell", "replace"]
    assert [one["verdict"] for one in written["comparisons"]] == ["cannot_tell", "keep"]
    assert written["headline"]["adjusted_pvalue"] < 0.001
    columns = found.to_columns()
    assert columns["headline"] == ["cannot_tell", "replace"]
    assert columns["verdict"] == ["cannot_tell", "keep"]


def test_a_judge_that_asks_the_truth_speaks_for_itself():
    found = justesse.compare(
        FRAME, incumbent="old", candidate="new", label="label", true="true", judge="audited", budget=90
    )
    assert found.decisive is found.verdict
    assert found.to_dict()["headline"]["which"] == "true"


def test_the_exit_code_the_terminal_and_the_page_follow(run, both, tmp_path):
    words = ["compare", both, "--incumbent", "old", "--candidate", "new"]
    ran = run(*words, "--report", tmp_path / "page.html")
    assert ran.code == 0
    assert ran.out.startswith("Replace the incumbent with the candidate.\nAgainst the true classes:")
    assert ran.out.index("Against the labels (11 %") < ran.out.index("Against the true classes\nmeasure")
    assert "The labels alone would give another verdict (keep)" in " ".join(ran.out.split())
    page = (tmp_path / "page.html").read_text()
    assert page.index("Replace the incumbent") < page.index("Verdicts on the true classes and on the labels")
    FRAME.drop(columns="true").to_csv(both, index=False)
    assert run(*words).code == 1


def test_accuracy_against_the_truth_leads_an_evaluation(run, both, tmp_path):
    found = justesse.evaluate(FRAME, label="label", prediction="new", true="true")
    assert found.headline.startswith("Accuracy against the true classes 97.1 % (95 % CI 95.6 to 98.1 %, n = 700).")
    assert found.headline.endswith(
        "Against the labels (11 % of the labels are wrong) 85.7 % (95 % CI 82.9 to 88.1 %, n = 700)."
    )
    written = found.to_dict()["headline"]
    assert (written["which"], written["name"], written["value"]) == ("true", "accuracy", pytest.approx(680 / 700))
    assert found["accuracy"].value == pytest.approx(600 / 700)
    plain = justesse.evaluate(FRAME.drop(columns="true"), label="label", prediction="new").to_dict()["headline"]
    assert (plain["which"], plain["value"]) == ("labels", pytest.approx(600 / 700))
    ran = run("evaluate", both, "--prediction", "new", "--positive", "a", "--report", tmp_path / "page.html")
    assert ran.out.index("Against the true classes\n") < ran.out.index("All classes, against the labels")
    assert "Recall of class 'a' 95.0 %" in " ".join(ran.out.split())
    page = (tmp_path / "page.html").read_text()
    assert page.index("Accuracy against the true classes 97.1") < page.index("Every other section is about the labels")


def test_with_true_classes_everything_about_the_labels_says_so():
    found = justesse.evaluate(FRAME, label="label", prediction="new", true="true", positive="a")
    document = found.document()
    assert document.assumptions[0] == "the true classes are right (11.4 % of the labels differ from them)"
    assert not any("labels are right" in str(one) for one in document.assumptions)
    about_labels = [section for section in document.sections if section.id not in ("truth", "noise")]
    assert len(about_labels) >= 5
    for section in about_labels:
        assert section.title.endswith(", against the labels")
        captions = [part.caption for part in section.parts if isinstance(part, Table)]
        assert all(caption.endswith(", against the labels") for caption in captions)
    assert [figure.name for figure in document.figures][:3] == [
        "Accuracy, true classes", "Accuracy, labels", "Recall of 'a', labels"
    ]  # fmt: skip
    plain = justesse.evaluate(FRAME.drop(columns="true"), label="label", prediction="new").document()
    assert not any("against the labels" in section.title for section in plain.sections)
    assert plain.figures[0].name == "Accuracy"


def test_a_class_may_have_braces_in_its_name():
    labels = ["{a}", "b{0}"] * 20
    result = justesse.evaluate(labels, labels[:30] + ["b{0}"] * 10, positive="{a}", draws=100)
    assert "Recall of class '{a}' 75.0 %" in result.headline


def test_shares_of_wrong_labels_are_never_written_with_an_exponent():
    result = justesse.evaluate(["a", "b"] * 5, ["b", "a"] * 5, true=["b", "a"] * 5, draws=100)
    assert "Against the labels (100 % of the labels are wrong)" in result.headline
    assert any(warning.startswith("100 % of the labels differ") for warning in result.warnings)


@pytest.mark.parametrize("true", [None, "true"])
def test_the_area_of_scores_is_a_key_figure_also_next_to_those_of_the_positive_class(true):
    frame = FRAME.assign(score=[0.9 if prediction == "a" else 0.1 for prediction in FRAME["new"]])
    found = justesse.evaluate(frame, label="label", prediction="new", score="score", positive="a", true=true)
    names = [figure.name.removesuffix(", labels") for figure in found.document().figures]
    assert len(names) == 5
    assert names[-1] == "ROC AUC"
    assert {"Accuracy", "Recall of 'a'", "Precision of 'a'"} < set(names)
