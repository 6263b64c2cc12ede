"""What is required of an evaluation is required of its confidence bound."""

import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.core.errors import OptionError

LABEL = np.array(["ham"] * 700 + ["spam"] * 300)
ANSWER = LABEL.copy()
ANSWER[:30], ANSWER[700:760] = "spam", "ham"  # accuracy 0.91, lower end 0.8907; recall of spam 0.8


def evaluated(*require, **options):
    return justesse.evaluate(y_true=LABEL, y_pred=ANSWER, require=require, **options)


def test_the_bound_counts_and_not_the_value():
    found = evaluated("accuracy>=0.9")
    assert found["accuracy"].value == 0.91
    assert not found.passes
    assert found.requirements[0].bound == found["accuracy"].interval.low
    assert "Required accuracy >= 0.9: not met (value 0.9100, lower end of the 95 % CI 0.8907)." in repr(found)
    assert evaluated("accuracy>=0.89").passes
    assert evaluated("accuracy >= 89%", "error<=11%", "recall:spam>0.7", "macro-f1>=0.8", "mcc>0.7").passes
    assert not evaluated("accuracy>=0.89", "recall:spam>0.8").passes
    assert not evaluated("error<=0.1").passes
    assert evaluated("accuracy>=0.893", alternative="greater").passes  # a one-sided bound lies nearer


def test_the_true_classes_are_what_is_required_of_where_they_are_known():
    frame = pd.DataFrame({"label": LABEL, "prediction": ANSWER, "true": ANSWER})
    found = justesse.evaluate(frame, require="accuracy>=0.99")
    assert found.passes
    assert found.to_dict()["requirements"][0]["which"] == "true"


def test_scores_and_single_texts():
    found = justesse.evaluate(y_true=[0, 1] * 200, y_score=[0.1, 0.9] * 190 + [0.9, 0.1] * 10, require="roc_auc>=0.9")
    assert found.passes


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("accuracy=0.9", {}, "compares a measure with a number"),
        ("accuracy>=most", {}, "must be a number such as 0.05"),
        ("precision>=0.9", {}, "needs a class or an average"),
        ("recall:eggs>=0.9", {}, "Class 'eggs' of 'recall:eggs>=0.9' not found"),
        ("beauty>=0.9", {}, "not part of this evaluation. Measures: accuracy"),
        ("accuracy>=0.9", {"alternative": "less"}, "needs a lower bound"),
        ("error<=0.9", {"alternative": "greater"}, "needs an upper bound"),
    ],
)
def test_what_cannot_be_required(text, options, message):
    with pytest.raises(OptionError, match=message):
        evaluated(text, **options)


def test_the_command(run, tmp_path):
    path = tmp_path / "rows.csv"
    pd.DataFrame({"label": LABEL, "prediction": ANSWER}).to_csv(path, index=False)
    good = run(
        "evaluate",
        path,
        "--require",
        "accuracy>=89%",
        "--require",
        "recall:spam>=70%",
        "--report",
        tmp_path / "page.html",
    )
    assert good.code == 0
    assert "Required accuracy >= 0.89: met" in good.out
    assert "Required recall of &#39;spam&#39; &gt;= 0.7: met" in (tmp_path / "page.html").read_text().replace(
        "\N{NO-BREAK SPACE}", " "
    )
    bad = run("evaluate", path, "--require", "accuracy>=0.9", "--json")
    assert bad.code == 1
    assert bad.json["passes"] is False
    assert bad.json["requirements"][0]["bound"] == pytest.approx(0.8907, abs=1e-4)
    assert run("evaluate", path, "--require", "accuracy").code == 2


def test_a_false_claim_exits_with_1(run, tmp_path):
    path = tmp_path / "rows.csv"
    pd.DataFrame({"label": LABEL, "prediction": ANSWER}).to_csv(path, index=False)
    assert run("evaluate", path, "--claim", "accuracy>=0.92").code == 1
    assert run("evaluate", path, "--claim", "accuracy>=0.9").code == 0
    assert run("noise", "breakdown", path, "--claim", "accuracy>=0.92").code == 1
    assert run("noise", "breakdown", path, "--claim", "accuracy>=0.9").code == 0
    assert run("noise", "breakdown", path).code == 0


def test_a_claim_that_few_wrong_labels_break_is_warned_of(run, tmp_path):
    found = evaluated(claim="accuracy>=0.905")
    assert any("5 wrong labels of 1,000 (0.50 %) could make the claim" in one for one in found.warnings) or any(
        "6 wrong labels of 1,000 (0.60 %) could make the claim" in one for one in found.warnings
    )
    assert not any("could make the claim" in one for one in evaluated(claim="accuracy>=0.8").warnings)
    assert not any(
        "could make the claim" in one for one in evaluated(claim="accuracy>=0.905", plausible_noise=0.001).warnings
    )


def test_a_threshold_that_no_measure_can_reach_is_refused(run, write):
    path = write("a.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 20)
    ran = run("evaluate", path, "--require", "accuracy>=95")
    assert ran.code == 2
    assert "Write 95% or 0.95" in ran.err
    assert run("evaluate", path, "--require", "accuracy>=50%").code in (0, 1)


@pytest.mark.parametrize(
    "text", ["error<=5", "accuracy>=-1%", "accuracy>=-inf", "accuracy>=inf", "accuracy>=9e999%", "mcc>=1.5"]
)
def test_vacuous_requirements_are_refused(run, write, text):
    path = write("a.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 20)
    assert run("evaluate", path, "--json", "--require", text).code == 2
