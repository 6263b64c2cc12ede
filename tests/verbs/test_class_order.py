"""`positive` puts its class first everywhere, and changes no figure."""

import json

import numpy as np
import pytest

from justesse import evaluate
from justesse.cli.main import main

RNG = np.random.default_rng(0)
TRUE = RNG.choice(["a", "b", "c"], 300)
LABEL = np.where(RNG.random(300) < 0.05, "a", TRUE)
PREDICTION = np.where(RNG.random(300) < 0.8, TRUE, RNG.choice(["a", "b", "c"], 300))
COLUMNS = {"label": LABEL, "prediction": PREDICTION, "true": TRUE, "site": np.arange(300) % 2}
COSTS = np.array([[0, 1, 2], [3, 0, 4], [5, 6, 0]])


def _classes_of(estimates):
    return list(dict.fromkeys(one.class_name for one in estimates if one.class_name is not None))


def test_the_positive_class_is_first_in_counts_measures_slices_and_truth():
    result = evaluate(COLUMNS, positive="c", by="site")
    assert result.tally.classes == ("c", "a", "b")
    assert _classes_of(result.estimates) == ["c", "a", "b"]
    assert [_classes_of(part.estimates) for part in result.slices] == [["c", "a", "b"]] * 2
    assert _classes_of(result.truth.estimates) == ["c", "a", "b"]
    written = result.to_dict()
    assert written["classes"] == ["c", "a", "b"]
    assert written["counts"][0][:2] == ["c", "c"]
    shown = result.markdown("full").replace("| c |", "\nc |").replace("| a |", "\na |").replace("| b |", "\nb |")
    shown = shown[shown.index("Each class") :]
    assert shown.index("\nc ") < shown.index("\na ") < shown.index("\nb ")


def test_no_figure_changes():
    plain = evaluate(COLUMNS, by="site", cost=COSTS).to_dict()
    named = evaluate(COLUMNS, positive="c", by="site", cost=COSTS).to_dict()

    def figures(written):
        return sorted(json.dumps(one, sort_keys=True) for one in written["measures"])

    assert figures(plain) == figures(named)
    assert sorted(plain["counts"]) == sorted(named["counts"])
    assert plain["baselines"] == named["baselines"]


def test_the_table_of_classes_and_the_charts_begin_with_it(tmp_path, write, capsys):
    rows = [",".join(row) for row in zip(LABEL, PREDICTION, strict=True)]
    path = write("a.csv", "\n".join(["label,prediction", *rows]) + "\n")
    assert main(["evaluate", str(path), "--positive", "c", "--full"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    firsts = [words[0] for words in lines if words and words[0] in ("a", "b", "c") and len(words) > 4]
    assert firsts[:3] == ["c", "a", "b"]
    chart = evaluate(path, positive="c").chart("confusion").to_dict()
    assert json.dumps(chart).index('"c"') < json.dumps(chart).index('"a"')


@pytest.mark.parametrize("positive", [None, "a"])
def test_without_a_name_or_with_the_first_the_order_stays(positive):
    assert evaluate(COLUMNS, positive=positive).tally.classes == ("a", "b", "c")
