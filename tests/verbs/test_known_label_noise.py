"""What is known about wrong labels is in the headline and in what is assumed, not only further down."""

import pandas as pd
import pytest

import justesse

FRAME = pd.DataFrame(
    [(str(at), label, prediction) for at, (label, prediction) in enumerate(
        [("a", "a")] * 120 + [("b", "b")] * 70 + [("a", "b")] * 6 + [("b", "a")] * 4
    )],
    columns=["id", "label", "prediction"],
)  # fmt: skip


@pytest.fixture
def checked():
    """Re-check every fourth row: three labels that the classifier repeats are wrong."""
    sample = FRAME[::4].rename(columns={"label": "true"})[["id", "true"]].reset_index(drop=True)
    sample.loc[:2, "true"] = "b"
    return sample


def test_re_checked_rows_are_the_headline(checked):
    result = justesse.evaluate(FRAME, audited=checked, on="id", positive="a", require=["accuracy>=0.9", "mcc>=0.5"])
    accuracy = next(estimate for estimate in result.noise.rechecked if estimate.name == "accuracy")
    assert accuracy.value < result["accuracy"].value - 0.03
    assert result.headline.startswith(f"Accuracy by the re-checked rows {100 * accuracy.value:.1f} % (95 % CI ")
    assert "(3 of 50 re-checked labels are wrong) 95.0 %" in result.headline
    assert "if the labels are right" not in result.headline
    precision = result.best_known("precision", "a")
    assert precision.interval.method == "recheck-kinds"
    assert f"Precision of class 'a' {100 * precision.value:.1f} %" in result.headline
    written = result.to_dict()
    assert written["headline"]["which"] == "re-checked"
    assert written["headline"]["value"] == accuracy.value
    assert [one["which"] for one in written["requirements"]] == ["re-checked", "labels"]
    assert written["requirements"][0]["bound"] == accuracy.interval.low
    assert not result.passes
    assert written["assumptions"][0].startswith("the 50 re-checked rows are a random sample")
    names = [figure.name for figure in result.document().figures]
    assert names[:2] == ["Accuracy, re-checked rows", "Accuracy, labels"]
    assert "All classes, against the labels" in result.markdown()


def test_a_noise_rate_is_in_the_headline_and_in_what_is_assumed():
    result = justesse.evaluate(FRAME, noise_rate="1%:3%")
    bounds = next(item for item in result.noise.bounds if item.name == "accuracy")
    assert result.headline.endswith(
        f"If 1 to 3 % of the labels are wrong, the true accuracy of these rows lies between {100 * bounds.low:.1f} % "
        f"and {100 * bounds.high:.1f} %."
    )
    assert result.assumptions[0] == 'the labels are right, except under "If some labels are wrong" (1 to 3 % wrong)'


def test_without_such_knowledge_the_labels_are_assumed_right():
    result = justesse.evaluate(FRAME)
    assert result.assumptions[0] == "the labels are right"
    assert result.to_dict()["headline"]["which"] == "labels"
    assert "true accuracy" not in result.headline
