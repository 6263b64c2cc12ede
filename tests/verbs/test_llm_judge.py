"""`justesse llm-judge`: tables, words, JSON, biases, warnings and what is refused."""

import json
import re

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import JustesseError, OptionError
from justesse.significance.rating_gap import rating_gap
from justesse.verbs.llm_judge.biases import position_test
from justesse.verbs.schemas import schema

N, RATED = 400, 150


def single(seed=0, right=0.85, models=("m", "n")):
    """Verdicts on single answers of two models, and people's ratings of the first items."""
    rng = np.random.default_rng(seed)
    parts, people = [], []
    for at, name in enumerate(models):
        truth = rng.random(N) < 0.6 + 0.1 * at
        said = np.where(rng.random(N) < right, truth, ~truth)
        rows = pd.DataFrame({"item": range(N), "judge": "j", "model": name, "verdict": said.astype(int)})
        parts.append(rows)
        people.append(rows.assign(verdict=truth.astype(int)).iloc[:RATED])
    return pd.concat(parts), pd.concat(people)


def pairs(seed=0, first=0.0, longer=0.0):
    """Verdicts in both orders; the judge may favour the output shown first, or the longer one."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, N)
    lengths = rng.integers(10, 90, (2, N))
    rows = []
    for swapped in (False, True):
        said = np.where(rng.random(N) < 0.8, truth, 1 - truth)
        said = np.where(rng.random(N) < first, 0 if not swapped else 1, said)
        said = np.where(rng.random(N) < longer, (lengths[1] > lengths[0]).astype(int), said)
        rows.append(
            pd.DataFrame(
                {
                    "item": range(N),
                    "swapped": swapped,
                    "winner": said + 1,
                    "length_1": lengths[0],
                    "length_2": lengths[1],
                }
            )
        )
    return pd.concat(rows), pd.DataFrame({"item": range(RATED), "winner": truth[:RATED] + 1})


def figures(result, model=None):
    return next(each for each in result.judges[0].models if each.model == model).estimates


def test_single_verdicts_are_corrected_per_model():
    rows, people = single()
    result = justesse.llm_judge(rows, human=people)
    assert [each.model for each in result.judges[0].models] == ["m", "n"]
    for name, truth in (("m", 0.6), ("n", 0.7)):
        every = figures(result, name)
        assert every["naive"].n == N
        assert every["people"].n == RATED
        assert abs(every["prediction_powered"].value - truth) < 0.08
        assert abs(every["rogan_gladen"].value - truth) < 0.08
        powered, alone = every["prediction_powered"].interval, every["people"].interval
        assert powered.half_width < alone.half_width
    assert result.judges[0].models[0].helps
    data = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(data, schema("llm_judge"))
    assert {"naive", "corrected", "intervals", "biases"} <= set(data)
    assert {row["by"] for row in data["corrected"]} == {"people", "rogan_gladen", "prediction_powered"}
    assert len(result.to_frame()) == 8


def test_a_figure_is_the_mean_by_hand():
    rows = {"item": [1, 2, 3, 4], "verdict": [1, 1, 0, None]}
    result = justesse.llm_judge(rows, human={"item": [1, 2, 3], "verdict": [1, 0, 0]})
    assert figures(result)["naive"].value == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    dropped = justesse.llm_judge(rows, human={"item": [1, 2, 3], "verdict": [1, 0, 0]}, unparseable="drop")
    assert figures(dropped)["naive"].value == pytest.approx(2 / 3)
    assert result.judges[0].unparseable == 1
    assert result.judges[0].cells.tolist() == [[1, 0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert result.judges[0].errors.agreement.value == pytest.approx(2 / 3)
    assert "1 verdict of 4 cannot be read and count" in " ".join(result.warnings).replace("counts", "count")


def test_position_and_length_biases_are_found_and_only_then():
    rows, people = pairs()
    fair = {bias.name: bias for bias in justesse.llm_judge(rows, human=people).judges[0].biases}
    assert fair["position"].test.pvalue > 0.05
    assert fair["length"].test.pvalue > 0.05
    assert fair["self"].test is None
    both = rows.pivot(index="item", columns="swapped", values="winner")
    assert fair["position"].flips.value == pytest.approx((both[False] != both[True]).mean())
    rows, people = pairs(first=0.3, longer=0.2)
    unfair = {bias.name: bias for bias in justesse.llm_judge(rows, human=people).judges[0].biases}
    assert unfair["position"].gap.value == pytest.approx(0.3 * 0.8, abs=0.08)
    assert unfair["position"].test.pvalue < 0.001
    assert unfair["length"].gap.value > 0.1
    assert unfair["length"].test.pvalue < 0.01


def test_winners_as_shown_are_turned_back():
    rows, people = pairs(first=0.2)
    shown = rows.assign(winner=np.where(rows.swapped, 3 - rows.winner, rows.winner))
    straight, turned = justesse.llm_judge(rows, human=people), justesse.llm_judge(shown, human=people, as_shown=True)
    assert straight.to_dict()["corrected"] == turned.to_dict()["corrected"]


def test_strata_with_other_error_rates_are_reported():
    rng = np.random.default_rng(5)
    truth, hard = rng.integers(0, 2, N), np.arange(N) % 2 == 1
    said = np.where(rng.random(N) < np.where(hard, 0.6, 0.97), truth, 1 - truth)
    rows = {"item": np.arange(N), "stratum": np.where(hard, "hard", "easy"), "verdict": said}
    result = justesse.llm_judge(rows, human={"item": np.arange(RATED), "verdict": truth[:RATED]})
    judge = result.judges[0]
    assert judge.refuted == ("strata",)
    assert any("not the same for all strata" in line for line in result.warnings)
    assert judge.models[0].by == "prediction_powered_strata"
    assert judge.errors.by_stratum["easy"].value > judge.errors.by_stratum["hard"].value
    assert set(figures(result)) >= {"rogan_gladen_strata", "prediction_powered_strata"}


def test_a_poor_judge_is_called_poor():
    rng = np.random.default_rng(0)
    rows = {"item": np.arange(N), "verdict": rng.integers(0, 2, N)}
    result = justesse.llm_judge(rows, human={"item": np.arange(RATED), "verdict": rng.integers(0, 2, RATED)})
    assert result.judges[0].models[0].helps is False
    assert "too poor to help" in result.warnings[0]


def compared(seed=0):
    rng = np.random.default_rng(seed)
    models = np.array(["gpt", "x", "y"])
    one = rng.integers(0, 3, N)
    other = (one + rng.integers(1, 3, N)) % 3
    truth = rng.random(N) < 1 / (1 + np.exp((one - other) * 0.5))
    winner = np.where(truth, one, other)
    own = (one == 0) | (other == 0)
    said = np.where(own & (rng.random(N) < 0.3), 0, winner)
    rows = {"item": np.arange(N), "judge": ["gpt"] * N, "model_1": models[one], "model_2": models[other]}
    return rows | {"winner": models[said]}, {key: values[:RATED] for key, values in rows.items() if key != "judge"} | {
        "winner": models[winner[:RATED]]
    }


def test_strengths_and_self_preference_of_models_in_pairs():
    rows, people = compared()
    result = justesse.llm_judge(rows, human=people)
    judge = result.judges[0]
    own = next(bias for bias in judge.biases if bias.name == "self")
    assert own.gap.value > 0.1
    assert own.test.pvalue < 0.05
    naive, powered = (
        next(item.value for item in judge.strengths[by].strengths if item.class_name == "gpt")
        for by in ("naive", "prediction_powered")
    )
    assert naive > powered
    rates = [figures(result, name)["naive"].value for name in ("gpt", "x", "y")]
    assert all(0 < rate < 1 for rate in rates)
    turned = {**people, "model_1": people["model_2"], "model_2": people["model_1"]}
    assert justesse.llm_judge(rows, human=turned).to_dict()["corrected"] == result.to_dict()["corrected"]
    named = justesse.llm_judge({**rows, "judge": ["other"] * N}, human=people, own=["gpt"])
    assert named.judges[0].biases[1].gap.value == pytest.approx(own.gap.value)


def test_without_ratings_nothing_is_corrected():
    rows, _ = pairs()
    result = justesse.llm_judge(rows)
    assert "Not corrected" in result.warnings[0]
    assert result.to_dict()["corrected"] == []
    assert result.judges[0].biases[0].flips is not None
    jsonschema.validate(json.loads(json.dumps(result.to_dict(), allow_nan=False)), schema("llm_judge"))


def test_the_command_prints_writes_and_repeats_itself(tmp_path, capsys):
    rows, people = pairs(first=0.3)
    rows.to_csv(tmp_path / "v.csv", index=False)
    people.to_csv(tmp_path / "h.csv", index=False)
    words = ["llm-judge", str(tmp_path / "v.csv"), "--human", str(tmp_path / "h.csv")]
    assert main([*words, "--json"]) == 0
    first = capsys.readouterr().out
    jsonschema.validate(json.loads(first), schema("llm_judge"))
    assert main([*words, "--json"]) == 0
    assert capsys.readouterr().out == first
    assert main([*words, "--report", str(tmp_path / "page.html"), "--full"]) == 0
    text = capsys.readouterr().out
    assert "Win rate of the first output" in text
    assert "favours the output shown first" in re.sub(r"\s+", " ", text)
    assert "Rogan-Gladen" in (tmp_path / "page.html").read_text()


def test_several_people_and_several_judges():
    rows, people = single(models=("m",))
    two = pd.concat([rows, rows.assign(judge="k", verdict=1 - rows.verdict)])
    many = pd.concat([people, people, people.iloc[:10].assign(verdict=1 - people.verdict.iloc[:10])])
    result = justesse.llm_judge(two, human=many)
    assert [judge.name for judge in result.judges] == ["j", "k"]
    assert any("People disagree about 10 units" in line for line in result.warnings)
    assert np.isnan(result.judges[1].models[0].estimates["rogan_gladen"].value)
    assert len(justesse.llm_judge(two, human=many, only="K").judges) == 1


ROWS = {"item": [1, 2, 3], "winner": ["1", "2", "tie"]}
PEOPLE = {"item": [1, 2], "winner": ["1", "2"]}


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("No column with verdicts", lambda: justesse.llm_judge({"item": [1]})),
        ("No item column", lambda: justesse.llm_judge({"winner": ["1"]})),
        ("may or may not count from 0", lambda: justesse.llm_judge({"item": [1, 2], "winner": [0, 1]})),
        ("No value of column 'winner'", lambda: justesse.llm_judge({"item": [1, 2], "winner": ["up", "down"]})),
        ("cannot be read (row 2)", lambda: justesse.llm_judge(ROWS, human={"item": [1, 2], "winner": ["1", "maybe"]})),
        ("No item of", lambda: justesse.llm_judge(ROWS, human={"item": [8, 9], "winner": ["1", "2"]})),
        ("at least 2 are needed", lambda: justesse.llm_judge(ROWS, human={"item": [1], "winner": ["1"]})),
        ("1 missing item", lambda: justesse.llm_judge({**ROWS, "item": ["a", None, "b"]})),
        ("compared with itself", lambda: justesse.llm_judge({**ROWS, "model_1": list("aab"), "model_2": list("bab")})),
        ("Only one of the two models", lambda: justesse.llm_judge({**ROWS, "model_1": list("abc")})),
        ("shown in the other order", lambda: justesse.llm_judge({**ROWS, "swapped": ["perhaps", "no", "no"]})),
        ("not both", lambda: justesse.llm_judge(ROWS, winner="winner", verdict="item")),
        ("takes 2 columns", lambda: justesse.llm_judge(ROWS, lengths=["item"])),
        ("needs a random sample", lambda: justesse.llm_judge(ROWS, human={**PEOPLE, "probability": [0.5, 0.1]})),
        ("No judge of", lambda: justesse.llm_judge(ROWS, human=PEOPLE, only="GPT")),
        ("two parts", lambda: justesse.llm_judge(ROWS, stratum="winner")),
        ("swapped", lambda: justesse.llm_judge(ROWS, as_shown=True)),
        ("does not say which", lambda: justesse.llm_judge(single()[0], human={"item": [1, 2], "verdict": [1, 0]})),
    ],
)  # fmt: skip
def test_bad_input_is_explained(words, call):
    with pytest.raises(JustesseError, match=re.escape(words)):
        call()


def test_bad_options_are_refused():
    for options in ({"level": 95}, {"draws": 3}, {"unparseable": "wrong"}, {"about": "x"}, {"own": "gpt"}):
        with pytest.raises(OptionError):
            justesse.llm_judge(ROWS, human=PEOPLE, **options)


def test_one_unparseable_word_is_counted_not_refused(tmp_path, capsys):
    (tmp_path / "v.csv").write_text("item,winner\n1,1\n2,I cannot say\n3,2\n")
    (tmp_path / "h.csv").write_text("item,label\n1,1\n3,1\n")
    assert main(["llm-judge", str(tmp_path / "v.csv"), "--human", str(tmp_path / "h.csv")]) == 0
    assert "cannot be read" in capsys.readouterr().out
    assert main(["llm-judge", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_pairs_named_the_other_way_round_count_as_the_other_order():
    n = 40
    rows = {
        "item": np.repeat(np.arange(n), 2),
        "model_1": ["A", "B"] * n,
        "model_2": ["B", "A"] * n,
        "winner": ["1", "1"] * n,  # always the output shown first
        "swapped": [False, False] * n,
    }
    position = justesse.llm_judge(rows, draws=100).judges[0].biases[0]
    assert position.gap.value == 1
    one_order = {**rows, "swapped": [False, True] * n, "winner": ["1", "2"] * n}  # A is shown first throughout
    assert np.isnan(justesse.llm_judge(one_order, draws=100).judges[0].biases[0].gap.value)


def test_named_models_have_the_intervals_of_their_pairs():
    rng = np.random.default_rng(3)
    better = rng.random(1000) < 0.5
    says = np.where(rng.random(1000) < 0.75, better, ~better)
    models = {"model_1": ["A"] * 1000, "model_2": ["B"] * 1000}
    rows = {"item": np.arange(1000), "winner": np.where(says, 1, 2), **models}
    people = {"item": np.arange(200), "winner": np.where(better, 1, 2)[:200]}
    people |= {name: values[:200] for name, values in models.items()}
    result = justesse.llm_judge(rows, human=people, draws=100)
    first, second = (figures(result, name)["rogan_gladen"] for name in "AB")
    assert first.interval.half_width > 1.96 * np.sqrt(0.25 / 1000) / 0.5 * 0.9  # as with rates that are known
    assert second.interval.low == pytest.approx(1 - first.interval.high, abs=1e-6)


def test_pairs_of_one_item_are_not_independent_evidence_of_position_bias():
    item = np.repeat(np.arange(20), 10)
    towards = np.where(np.arange(20) < 13, 1.0, -1.0)[item]  # all pairs of an item flip alike
    test = position_test(towards, item)
    assert test.test == "mcnemar-cr2"
    assert test.pvalue > 0.1
    assert position_test(towards[::10], np.arange(20)).pvalue > 0.1


def test_a_gap_between_items_has_the_degrees_of_freedom_of_items():
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(8), 10)
    verdict = (rng.random(80) < rng.random(8)[item]).astype(float)
    few = rating_gap(verdict, item < 2, np.ones(80), item, draws=100).difference
    assert few.interval.half_width > 0.9  # one degree of freedom
    alone = rating_gap(verdict, item < 1, np.ones(80), item, draws=100).difference
    assert alone.interval is None
    assert "one item" in alone.undefined


@pytest.mark.parametrize("ahead", range(3, 20, 4))
def test_verdicts_that_all_flip_are_tested(ahead):
    item = np.repeat(np.arange(8), [3, 7, 11, 9, 10, 6, 5, 13])
    towards = np.where(np.arange(len(item)) % 20 < ahead, 1.0, -1.0)
    assert 0 <= position_test(towards, item).pvalue <= 1


def test_a_figure_is_of_the_output_and_names_its_judge():
    rng = np.random.default_rng(0)
    people = rng.choice(["1", "2"], 60)
    rows = {
        "item": [*range(60), *range(60)],
        "judge": ["GPT-4"] * 60 + ["Claude"] * 60,
        "winner": [*people[:59].tolist(), "?!", *rng.choice(["1", "2"], 60).tolist()],
    }
    result = justesse.llm_judge(rows, human={"item": range(60), "winner": people})
    text = result.markdown("full")
    assert "Win rate of the first output, judged by GPT-4: " in text
    assert "| the first output, judged by Claude |" in text
    assert "of GPT-4:" not in text
    assert "1 verdict of 120 cannot be read and counts as half a point" in text


def test_items_of_which_people_rated_one_pair_of_two_are_not_known_exactly():
    rng = np.random.default_rng(5)
    n = 60
    better, right = rng.random((n, 2)) < 0.5, rng.random((n, 2)) < 0.8
    says = np.where(right, better, ~better)
    rows = {
        "item": np.repeat(np.arange(n), 2), "model_1": ["A"] * 2 * n, "model_2": ["B", "C"] * n,
        "winner": np.where(says, 1, 2).ravel(),
    }  # fmt: skip
    rated = np.arange(n) * 2 + rng.integers(0, 2, n)
    people = {name: np.asarray(values)[rated] for name, values in rows.items()}
    people["winner"] = np.where(better, 1, 2).ravel()[rated]
    of_a = figures(justesse.llm_judge(rows, human=people, about="rows", draws=100), "A")
    for method in ("people", "prediction_powered"):
        assert of_a[method].interval is not None
        assert of_a[method].interval.half_width > 0.04


def test_items_with_many_comparisons_do_not_count_more_because_they_are_rated_more_often():
    # A loses the ten items that it meets one model on, and wins against all five models on the ten others
    item = np.concatenate([np.arange(10), np.repeat(np.arange(10, 20), 5)])
    rows = {
        "item": item, "model_1": ["A"] * 60, "model_2": np.array(list("B" * 10 + "BCDEF" * 10)),
        "winner": np.where(item < 10, 2, 1),
    }  # fmt: skip
    rated = np.concatenate([[0, 1], np.arange(10, 60, 5)])  # a fifth of the comparisons of each kind
    people = {name: np.asarray(values)[rated] for name, values in rows.items()}
    of_a = figures(justesse.llm_judge({**rows, "winner": ["tie"] * 60}, human=people, draws=100), "A")
    assert of_a["people"].value == pytest.approx(0.5)  # 10/12 if every rated item counted alike
    assert of_a["prediction_powered"].value == pytest.approx(0.5)


def test_few_ratings_give_an_interval_first_and_no_figure_in_large_type():
    verdicts, people = pairs()
    few = justesse.llm_judge(verdicts, human=people[:5])
    words = str(few.document().headline)
    model = few.judges[0].models[0]
    assert words.startswith("Too few ratings: the win rate")
    assert f"{100 * model.best.value:.1f}" not in words.replace("\u00a0", " ").split("judge alone")[0]
    assert "from 5 ratings of people about it" in words.replace("\u00a0", " ")
    assert not few.document().figures
    many = justesse.llm_judge(verdicts, human=people)
    assert str(many.document().headline).startswith("Win rate of")
    assert len(many.document().figures) == 3


def test_a_model_with_few_ratings_of_its_own_has_no_headline_figure():
    verdicts, people = single()
    few = people[(people["model"] == "n") | (people["item"] < 6)]
    result = justesse.llm_judge(verdicts, human=few)
    words = str(result.document().headline).replace("\u00a0", " ")
    assert words.startswith("Too few ratings: the accuracy of m is anywhere from")
    assert "from 6 ratings of people about it" in words
