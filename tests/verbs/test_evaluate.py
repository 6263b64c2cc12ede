"""The library's side: the data frame people have in, the same kind out."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from justesse import Tally, count, evaluate
from justesse.core.errors import InputError, OptionError

ROWS = {"label": ["a", "a", "b", "b"] * 30, "prediction": ["a", "b", "b", "b"] * 30, "site": ["x", "y"] * 60}


@pytest.mark.parametrize(
    ("make", "kind"),
    [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table), (dict, pa.Table)],
)
def test_measures_come_back_in_the_caller_s_kind(make, kind):
    found = evaluate(make(ROWS), by="site")
    assert isinstance(found.measures, kind)
    assert isinstance(found.to_frame(), kind)
    assert len(found.measures) == len(found.estimates) + sum(len(part.estimates) for part in found.slices)


def test_lazy_frames_give_back_what_their_library_has():
    assert isinstance(evaluate(pl.DataFrame(ROWS).lazy()).measures, pl.DataFrame)


def test_scikit_learn_users_pass_arrays():
    found = evaluate(y_true=np.array([1, 0, 1, 1]), y_pred=np.array([1, 0, 0, 1]))
    assert found["accuracy"].value == 0.75
    assert found["recall", 1].value == pytest.approx(2 / 3)
    assert found["f1", "macro"].average == "macro"
    assert found["macro f1"] == found["f1", "macro"]
    with pytest.raises(OptionError, match="has no class True"):
        found["recall", True]
    with pytest.raises(OptionError, match="per class or averaged"):
        found["recall"]
    with pytest.raises(InputError, match="mean the same"):
        evaluate(y_true=[1], label=[1], y_pred=[1])


def test_a_class_named_like_an_average_is_the_class():
    found = evaluate(y_true=["macro", "b"] * 10, y_pred=["macro", "macro"] * 10)
    assert found["recall", "macro"].value == 1.0
    assert found["macro recall"].value == 0.5


def test_slices_of_arrays():
    found = evaluate(y_true=ROWS["label"], y_pred=ROWS["prediction"], by={"site": ROWS["site"]})
    assert [part.n for part in found.slices] == [60, 60]
    with pytest.raises(InputError, match="dict of name"):
        evaluate(y_true=ROWS["label"], y_pred=ROWS["prediction"], by="site")


def test_two_classes_have_one_interval_for_one_quantity():
    found = evaluate(ROWS)
    assert found["specificity", "macro"].interval == found["recall", "macro"].interval
    for name in ("precision", "recall", "specificity", "npv", "f1"):
        assert found[name, "micro"].interval == found["accuracy"].interval


def test_a_tally_is_enough():
    tally = count(ROWS, by="site")
    found = evaluate(tally, by="site")
    assert found.to_dict() == {**evaluate(ROWS, by="site").to_dict()}
    assert evaluate(Tally.from_json(tally.to_json()))["accuracy"].value == 0.75
    with pytest.raises(InputError, match="already counted"):
        evaluate(tally, weight="w")
    with pytest.raises(OptionError, match="has no axis 'day'"):
        evaluate(tally, by="day")
    with pytest.raises(InputError, match="no rows to evaluate"):
        evaluate(Tally.of(["label", "prediction"], [], classes=["a"]))


def test_tallies_of_two_sites_evaluate_as_one():
    one, two = ({name: values[at::2] for name, values in ROWS.items()} for at in (0, 1))
    assert evaluate(count(one) + count(two)).to_dict()["measures"] == evaluate(ROWS).to_dict()["measures"]


def test_repr_and_html_say_the_answer_and_escape_names():
    found = evaluate(y_true=["<b>", "a"] * 40, y_pred=["<b>", "<b>"] * 40)
    text = " ".join(repr(found).split())
    assert "Accuracy 50.0 % (95 % CI 39.3 to 60.7 %, n = 80), if the labels are right." in text
    assert "! Never predicted: 'a'" in text
    assert "measure value 95 % CI n method Accuracy 0.5000" in text
    html = found._repr_html_()
    assert "<td class='left'>Accuracy</td>" in html
    assert "'<b>'" not in html
    assert "&#x27;&lt;b&gt;&#x27;" in html


def test_costs_as_array_dict_or_file(tmp_path):
    (tmp_path / "c.csv").write_text("label,a,b\na,0,3\nb,1,0\n")
    values = [
        evaluate(ROWS, cost=costs)["cost"].value
        for costs in (np.array([[0, 3], [1, 0]]), {"a": {"a": 0, "b": 3}, "b": {"a": 1, "b": 0}}, tmp_path / "c.csv")
    ]
    assert values == [0.75, 0.75, 0.75]
    with pytest.raises(InputError, match="2 × 2"):
        evaluate(ROWS, cost=np.zeros((3, 3)))


def test_balanced_class_weights_are_one_minus_balanced_accuracy():
    found = evaluate(ROWS, class_weight={"a": 1, "b": 1})
    assert found["class_weighted_error"].value == pytest.approx(1 - found["balanced_accuracy"].value)


def test_slices_are_the_evaluations_of_their_rows():
    found = evaluate(ROWS, by="site")
    frame = pd.DataFrame(ROWS)
    for part in found.slices:
        alone = evaluate(frame[frame["site"] == part.value])
        assert {e.title: e.value for e in part.estimates}["accuracy"] == alone["accuracy"].value
        assert part.n == alone.tally.n


def test_weighted_proportions_use_the_effective_n_of_their_own_rows():
    frame = pd.DataFrame({"label": ["a", "a", "b", "b"], "prediction": ["a", "b", "b", "b"], "w": [1.0, 3.0, 1.0, 1.0]})
    found = evaluate(frame, weight="w")
    assert found["accuracy"].value == pytest.approx(0.5)
    assert found["accuracy"].n == pytest.approx(36 / 12)
    assert found["recall", "a"].value == pytest.approx(0.25)
    assert found["recall", "a"].n == pytest.approx(16 / 10)


def test_unclipped_ends_stay_available():
    found = evaluate(y_true=["a"] * 20 + ["b"], y_pred=["a"] * 19 + ["b", "b"], method="wald")
    interval = found["recall", "a"].interval
    assert interval.high == 1 < interval.unclipped_high


@pytest.mark.parametrize(("method", "wrong", "warns"), [("wald", 3, True), ("wald", 30, True), ("wilson", 3, False)])
def test_wald_intervals_with_few_mistakes_are_cautioned(method, wrong, warns):
    tally = Tally.from_dense([[80, wrong], [0, 60]])
    cautions = " ".join(evaluate(tally, method=method).to_dict()["warnings"])
    assert ("Wald intervals are far too narrow" in cautions) == warns
    assert ("as for the accuracy here" in cautions) == (warns and wrong < 10)
    assert ("as for 1:" in cautions) == (warns and wrong >= 10)  # every row of class 1 is right
    many = evaluate(Tally.from_dense([[80, 30], [20, 60]]), method=method).to_dict()["warnings"]
    assert "Wald" not in " ".join(many)


@pytest.mark.parametrize(("bootstrap", "warns"), [(None, False), ("percentile", True)])
def test_only_plain_bootstraps_take_a_class_without_mistakes_as_certain(bootstrap, warns):
    tally = Tally.from_dense([[40, 5, 0], [3, 40, 0], [0, 0, 12]])
    cautions = " ".join(evaluate(tally, bootstrap=bootstrap).to_dict()["warnings"])
    assert ("too narrow" in cautions) == warns
