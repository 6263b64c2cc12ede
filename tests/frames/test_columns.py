import pytest

from justesse.core.errors import ColumnError
from justesse.frames.columns import resolve


@pytest.mark.parametrize("label", ["label", "y", "y_true", "target", "Label", "Y_True"])
@pytest.mark.parametrize("answer", ["prediction", "pred", "y_pred", "yhat"])
def test_usual_names_are_guessed(label, answer):
    roles = resolve(["id", label, answer], where="a.csv")
    assert (roles.label, roles.prediction, roles.true) == (label, answer, None)


def test_true_is_only_true():
    roles = resolve(["label", "prediction", "true"], where="a.csv")
    assert roles.true == "true"
    assert resolve(["y_true", "y_pred"], where="a.csv").true is None


def test_without_labels_the_truth_is_what_answers_are_compared_with():
    roles = resolve(["true", "prediction"], where="a.csv")
    assert (roles.label, roles.true) == ("true", None)


def test_our_own_word_wins_and_other_choices_are_asked():
    assert resolve(["x", "y", "label", "prediction"], where="a.csv").label == "label"
    with pytest.raises(ColumnError, match="Several columns of .* could be the label: 'y', 'target'"):
        resolve(["y", "target", "prediction"], where="a.csv")


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (
            ["label", "prediction"],
            {"label": "lable"},
            "Column 'lable' not found in .*Did you mean 'label'.*label column with label",
        ),
        (["a", "b"], {}, "No label column found"),
        (["label", "b"], {}, "No prediction column found"),
        (["label", "predicted_class"], {}, "Did you mean 'predicted_class'"),
        (["label"], {"prediction": "label"}, "cannot be both"),
        (["label", "prediction"], {"by": ["site"]}, "Column 'site' not found in .*slice column with by"),
        (["label", "prediction"], {"by": ["label"]}, "cannot be a slice"),
        ([f"c{i}" for i in range(30)], {}, "and 10 more"),
    ],
)
def test_columns_that_are_not_there(columns, options, message):
    with pytest.raises(ColumnError, match=message):
        resolve(columns, where="a.csv", **options)
