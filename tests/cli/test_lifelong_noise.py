"""`justesse lifelong score` and `compare` when labels may be wrong."""

import json

import pytest

from justesse.cli.main import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def systems(tmp_path):
    """Two systems, two versions, two months of 20 items; one label of February is wrong."""
    paths = []
    for name, wrong in (("old", ((2, 6), (4, 5))), ("new", ((3, 6), (5, 1)))):
        lines = ["id,version,time,label,prediction,true"]
        for version, errors in zip(("v1", "v2"), wrong, strict=True):
            for month, bad in zip(("01", "02"), errors, strict=True):
                lines += [
                    f"{month}-{item},{version},2024-{month}-10,cat,{'dog' if item < bad else 'cat'},"
                    f"{'dog' if (month, item) == ('02', 0) else 'cat'}"
                    for item in range(20)
                ]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


def scored(capsys, path, *options):
    code, out, err = run(capsys, "lifelong", "score", path, "--period", "month", *options, "--json")
    return code, json.loads(out)["label_noise"] if out else " ".join(err.split())


def test_bounds_put_the_wrong_labels_where_the_policy_weighs_most(systems, capsys):
    code, noise = scored(capsys, systems[0], "--policy", "recent", "--noise-rate", "5%")
    assert code == 0
    last = noise["score"][1]  # 4 of 20 and 5 of 20 errors, weights 1/3 and 2/3; 2 of 40 labels
    assert last["apparent"] == pytest.approx(0.2 / 3 + 0.25 * 2 / 3)
    assert last["low"] == pytest.approx(last["apparent"] - 2 * (2 / 3) / 20)
    assert last["high"] == pytest.approx(last["apparent"] + 2 * (2 / 3) / 20)
    forgetting = next(one for one in noise["transfer"] if one["source"] == "Avalanche")
    # 0.9 - 0.8 in January: a wrong label of an item that only v1 got right moves it by 2/20
    assert (forgetting["apparent"], forgetting["low"], forgetting["high"]) == pytest.approx((0.1, -0.1, 0.1))
    assert forgetting["turned_by"] == 1
    assert noise["shared_labels"]


def test_without_ids_labels_may_be_wrong_row_by_row(systems, capsys):
    path = systems[0]
    path.write_text("\n".join(line.split(",", 1)[1] for line in path.read_text().splitlines()) + "\n")
    _, noise = scored(capsys, path, "--noise-rate", "5%")
    forgetting = next(one for one in noise["transfer"] if one["source"] == "Avalanche")
    assert not noise["shared_labels"]
    assert (forgetting["low"], forgetting["high"]) == pytest.approx((-0.1, 0.3))  # 4 of 80 rows, 1/20 each
    assert "no ids" in noise["assumptions"][1]


def test_rates_by_period(systems, tmp_path, capsys):
    rates = tmp_path / "rates.csv"
    rates.write_text("period,rate\n2024-01,10%\n2024-02,0\n")
    _, noise = scored(capsys, systems[0], "--noise-rate", rates)
    assert noise["noise_rate"] == {"2024-01": [0.0, 0.1], "2024-02": [0.0, 0.0]}
    last = noise["score"][1]
    assert last["high"] - last["apparent"] == pytest.approx(2 / 40)  # two labels of January
    rates.write_text("period,rate\n2024-01,10%\n")
    code, err = scored(capsys, systems[0], "--noise-rate", rates)
    assert code == 2
    assert "no rate for period '2024-02'" in err


def test_the_bias_is_that_of_the_true_classes(systems, capsys):
    _, noise = scored(capsys, systems[0], "--true", "true")
    true = noise["score"][1]["true"]
    # the wrong label is on an item that v2 gets right in truth: the labels add 1/20 of February, weight 1/2
    assert true["bias"] == pytest.approx(0.5 / 20)
    assert true["value"] == pytest.approx((4 / 20 + 4 / 20) / 2)
    assert true["wrong_labels"] == pytest.approx(0.5 / 20)


@pytest.mark.parametrize(
    ("claim", "holds", "labels"),
    [("error<=0.3", True, 4), ("error<0.275", True, 2), ("accuracy>=0.9", False, 5), ("error<0.1", False, 6)],
)
def test_the_labels_that_turn_a_claim(systems, capsys, claim, holds, labels):
    _, noise = scored(capsys, systems[0], "--claim", claim)
    last = noise["score"][1]  # error 0.225, each label 0.025
    assert (last["claim_holds"], last["turned_by"]) == (holds, labels)


def test_bounds_and_bias_of_a_comparison(systems, capsys):
    _, out, _ = run(
        capsys, "lifelong", "compare", *systems, "--period", "month", "--noise-rate", "5%", "--true", "true", "--json"
    )
    data = json.loads(out)
    noise = data["label_noise"]
    # January 5 instead of 4 errors, February 1 instead of 5: +0.075; two labels move it by 2/40 each
    assert data["difference"]["value"] == pytest.approx(0.075)
    assert (noise["low"], noise["high"]) == pytest.approx((-0.025, 0.125))
    # both err on the item with the wrong label, so both gain by the truth
    assert (noise["true"]["value"], noise["bias"]) == pytest.approx((0.075, 0.0))
    assert any("either system may be better" in line for line in data["warnings"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--noise-rate", "1.5"], "A noise rate must be at least 0 and below 1"),
        (["--claim", "f1:cat>=0.5"], "a claim is about error or accuracy"),
        (["--true", "truth"], "'truth' not found"),
        (["--noise-rate", "3%", "--on", "item"], "'item' not found"),
    ],
)
def test_bad_knowledge_gets_a_sentence(systems, capsys, options, words):
    code, err = scored(capsys, systems[0], *options)
    assert code == 2
    assert words in err


def test_items_with_two_labels_are_refused(systems, capsys):
    path = systems[0]
    text = path.read_text()
    path.write_text(text.replace("01-3,v2,2024-01-10,cat", "01-3,v2,2024-01-10,dog"))
    code, err = scored(capsys, path, "--noise-rate", "3%")
    assert code == 2
    assert "Item '01-3' has two labels" in err
    path.write_text(text + "01-3,v1,2024-01-10,cat,cat,cat\n")
    code, err = scored(capsys, path, "--noise-rate", "3%")
    assert code == 2
    assert "Version 'v1' answered item '01-3' more than once" in err


def test_a_function_and_a_dict_are_policies():
    from justesse import lifelong_score

    rows = {
        "version": ["a"] * 4,
        "time": [1, 1, 2, 2],
        "trained": [3] * 4,
        "label": ["x"] * 4,
        "prediction": list("xyyy"),
    }
    options = {"trained": "trained", "period": 1}
    assert lifelong_score(rows, policy=lambda at, last: at, **options).scores[0].value == pytest.approx(2.5 / 3)
    assert lifelong_score(rows, policy={"1": 3, "2": 1}, **options).scores[0].value == pytest.approx(2.5 / 4)
