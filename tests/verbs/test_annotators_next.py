"""`justesse annotators next`: goals, rules, prices, when to stop, and what is refused."""

import csv

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import OptionError
from justesse.verbs.schemas import schema
from verbs.test_annotators import CLASSES, columns, drawn, printed, refused, written


@pytest.fixture(scope="module")
def crowd():
    return drawn()


@pytest.fixture
def answers(tmp_path, crowd):
    return written(tmp_path / "answers.csv", crowd[0])


@pytest.fixture
def gold(tmp_path, crowd):
    return written(tmp_path / "gold.csv", [{"item": item, "truth": name} for item, name in crowd[1].items()])


def checked_items(answers, truth, n, seed=0, wrong=()):
    """The next n items of the list to check, with their true classes."""
    result = justesse.annotators_next(answers, target=0.9, number=n, seed=seed)
    items = result.to_dict()["to_check"]
    return [{"item": item, "gold": "fox" if item in wrong and truth[item] != "fox" else truth[item]} for item in items]


def test_next_says_when_to_stop(answers, crowd, tmp_path, capsys):
    _, truth = crowd
    nothing = printed(capsys, "next", answers, "--target", "0.9")
    jsonschema.validate(nothing, schema("annotators_next"))
    assert nothing["stopping"]["decision"] == "go on"
    assert nothing["stopping"]["checks"] == 0
    assert len(nothing["to_check"]) == 10
    assert main(["annotators", "next", answers, "--target", "0.9", "--number", "2"]) == 0
    words = capsys.readouterr().out
    assert words.startswith("No checks yet.")
    assert f"\n{nothing['to_check'][0]} " in words
    assert nothing["to_check"][2] not in words.split("Items to check next")[1].split("Questions")[0].split()
    file = written(tmp_path / "checks.csv", checked_items(answers, truth, 110))
    done = printed(capsys, "next", answers, "--target", "0.9", "--check", file)
    assert done["stopping"]["decision"] == "stop"
    assert 0.9 <= done["stopping"]["at_least"] <= done["stopping"]["right"] / 110 <= done["stopping"]["at_most"]
    assert done["warnings"] == nothing["warnings"]  # the items are those of the list
    assert len(done["to_check"]) == 10
    assert main(["annotators", "next", answers, "--target", "0.9", "--check", file]) == 0
    assert capsys.readouterr().out.startswith("Stop: at least")


def test_checks_do_not_reach_the_model(answers, crowd, tmp_path):
    wrong = [{**row, "gold": "cat"} for row in checked_items(answers, crowd[1], 40)]
    with_checks = justesse.annotators_next(answers, target=0.9, check=columns(wrong)).to_dict()
    without = justesse.annotators_next(answers, target=0.9).to_dict()
    assert with_checks["expected_right"] == without["expected_right"]
    assert with_checks["questions"] == without["questions"]
    assert with_checks["stopping"]["decision"] == "cannot"


def test_checks_used_again_share_the_risk(answers, crowd, tmp_path, capsys):
    rows = columns(checked_items(answers, crowd[1], 60))
    once = justesse.annotators_next(answers, target=0.9, check=rows)
    often = justesse.annotators_next(answers, target=0.9, check=rows, versions=6)
    assert often.stopping.at_least < once.stopping.at_least
    assert often.to_dict()["stopping"]["versions"] == 6
    assert "for all of 6 consensuses together" in str(often.document().sections[0].parts[0].lines[1])
    with pytest.raises(OptionError, match="versions"):
        justesse.annotators_next(answers, versions=2)
    with pytest.raises(OptionError, match="versions must be 1 or more"):
        justesse.annotators_next(answers, target=0.9, versions=0)


def test_the_output_names_the_model(answers):
    facts = dict(justesse.annotators_next(answers).document().facts)
    assert "0.1 added to each cell" in facts["model"]


def test_checks_of_other_items_are_used_in_the_order_of_rows_with_a_warning(answers, crowd):
    truth = crowd[1]
    mine = {"item": list(truth)[:40], "gold": list(truth.values())[:40]}
    result = justesse.annotators_next(answers, target=0.9, check=mine)
    assert any("drawn at random" in str(warning) for warning in result.warnings)
    assert result.stopping.checks == 40


def test_the_goal_of_a_comparison_asks_where_classifiers_differ(answers, crowd, tmp_path, capsys):
    truth = crowd[1]
    rng = np.random.default_rng(2)
    machines = {
        name: [{"item": item, "prediction": right if rng.random() < share else "cat"} for item, right in truth.items()]
        for name, share in (("incumbent", 0.7), ("candidate", 0.9))
    }
    files = {name: written(tmp_path / f"{name}.csv", rows) for name, rows in machines.items()}
    words = ["--goal", "comparison", "--incumbent", files["incumbent"], "--candidate", files["candidate"]]
    result = printed(capsys, "next", answers, *words)
    jsonschema.validate(result, schema("annotators_next"))
    rows = zip(machines["incumbent"], machines["candidate"], strict=True)
    apart = {one["item"] for one, other in rows if one["prediction"] != other["prediction"]}
    assert {each["item"] for each in result["questions"]} <= apart
    both = {
        "item": list(truth),
        "incumbent": [row["prediction"] for row in machines["incumbent"]],
        "candidate": [row["prediction"] for row in machines["candidate"]],
    }
    in_one = justesse.annotators_next(answers, goal="comparison", incumbent=both, candidate=both)
    assert in_one.to_dict()["questions"] == result["questions"]
    goal = result["goal"]
    assert goal["spread"]["after"] < goal["spread"]["now"]
    assert goal["value"] > 0
    assert goal["chance_candidate_better"] > 0.9
    assert main(["annotators", "next", answers, *words]) == 0
    assert "standard deviation of the difference" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("noise_of", ["majority", "w4", "recorded"])
def test_the_goal_of_noise_makes_its_rate_more_certain(noise_of, answers, crowd):
    truth = crowd[1]
    recorded = {"item": list(truth), "label": list(truth.values())}
    result = justesse.annotators_next(answers, goal="noise", noise_of=recorded if noise_of == "recorded" else noise_of)
    goal = result.to_dict()["goal"]
    assert goal["spread"]["after"] < goal["spread"]["now"]
    assert {"majority": 0.02, "w4": 0.25, "recorded": 0.0}[noise_of] <= goal["value"] <= 0.5
    assert (goal["value"] < 0.1) == (noise_of != "w4")


def test_the_goal_of_training_takes_probabilities_or_features(answers, crowd, tmp_path, capsys):
    rows, truth = crowd
    sure = [{"item": item, "cat": 1.0, "dog": 0.0, "fox": 0.0} for item in truth]
    for row in sure[:3]:
        row.update(cat=0.4, dog=0.3, fox=0.3)
    file = written(tmp_path / "probabilities.csv", sure)
    result = printed(capsys, "next", answers, "--goal", "training", "--probabilities", file, "--number", "3")
    jsonschema.validate(result, schema("annotators_next"))
    assert {each["item"] for each in result["questions"]} <= {"i0", "i1", "i2"}
    long = [{**row, "size": CLASSES.index(truth[row["item"]]) + 0.1 * int(row["item"][1:])} for row in rows]
    by_size = justesse.annotators_next(columns(long), goal="training", features=["size"], number=4)
    assert len(by_size.questions) == 4
    assert "teach the classifier" in str(by_size.document().headline)


def test_rules_differ_and_are_named(answers, capsys):
    chosen = {}
    for rule in ("gain", "lam-stork", "uncertainty", "round-robin", "random"):
        result = printed(capsys, "next", answers, "--rule", rule, "--number", "15")
        assert result["rule"] == rule
        chosen[rule] = result["expected_right"]["after"]
    assert chosen["gain"] >= max(chosen.values()) - 1e-3
    assert chosen["gain"] > chosen["round-robin"] + 0.003


def test_questions_are_written_as_a_table(answers, tmp_path, capsys):
    to = tmp_path / "questions.csv"
    assert main(["annotators", "next", answers, "--to", str(to)]) == 0
    assert "Written" in capsys.readouterr().out
    with to.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert {"item", "annotator", "gain", "price"} <= set(rows[0])
    assert "would replace" in refused(capsys, "next", answers, "--to", answers)


def test_the_curve_starts_at_what_is_expected_now_and_passes_through_what_is_expected_after(answers):
    result = justesse.annotators_next(answers, number=7).to_dict()
    assert result["curve"][0] == {"cost": 0.0, "right": result["expected_right"]["now"]}
    assert result["curve"][7]["right"] == pytest.approx(result["expected_right"]["after"], abs=1e-12)
    assert len(result["curve"]) > 50
    assert result["curve"][40]["right"] > result["curve_in_turn"][40]["right"]
    assert sum(each["questions"] for each in result["annotators"]) == 7


def test_when_nobody_is_left_to_ask(capsys):
    full = {"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "answer": ["x", "y", "x", "x"]}
    result = justesse.annotators_next(full)
    assert result.questions == ()
    assert "every annotator has answered every item" in str(result.document().headline)
    assert result.to_dict()["expected_right"]["after"] == result.to_dict()["expected_right"]["now"]
    alone = justesse.annotators_next({"item": [1, 2], "annotator": ["a", "a"], "answer": ["x", "y"]})
    assert alone.questions == ()
    assert any("one annotator" in str(warning) for warning in alone.warnings)
    known = justesse.annotators_next({**full, "item": [1, 1, 2, 3]}, gold={"item": [1, 2, 3], "gold": ["x", "x", "x"]})
    assert known.questions == ()
    assert "no answer is expected to change anything" in str(known.document().headline)


def test_plans_that_cannot_be_are_refused(answers, gold, capsys):
    assert "above 0" in refused(capsys, "next", answers, "--budget", "0")
    assert "above 0" in refused(capsys, "next", answers, "--budget", "-3")
    assert "buys no answer: the lowest price is 1" in refused(capsys, "next", answers, "--budget", "0.5")
    assert "price of 'w0' must be a number above 0" in refused(capsys, "next", answers, "--price", "w0=-1")
    assert "above 0" in refused(capsys, "next", answers, "--price", "w0=nan")
    assert "Annotators: 'w0'" in refused(capsys, "next", answers, "--price", "nobody=3")
    for prices in ({"w0": None}, {"w0": "3"}, [1, 2]):
        with pytest.raises(OptionError, match="price of 'w0' must be a number|Prices are written by annotator"):
            justesse.annotators_next(answers, prices=prices)
    assert "1 or more" in refused(capsys, "next", answers, "--number", "0")
    assert "predictions of two classifiers" in refused(capsys, "next", answers, "--goal", "comparison")
    assert "probabilities or features" in refused(capsys, "next", answers, "--goal", "training")
    assert "is for the goal noise" in refused(capsys, "next", answers, "--noise-of", "w0")
    assert "need a target" in refused(capsys, "next", answers, "--check", gold)
    assert "between 0 and 1" in refused(capsys, "next", answers, "--target", "98")
    assert "above 0.5" in refused(capsys, "next", answers, "--target", "0.9", "--level", "0.4")
    assert "not found" in refused(capsys, "next", answers, "--goal", "noise", "--noise-of", "somebody")
    assert "probability of class 'cat'" in refused(
        capsys, "next", answers, "--goal", "training", "--probabilities", gold
    )
    same = ["--incumbent", answers, "--candidate", answers]
    assert refused(capsys, "next", answers, "--goal", "comparison", *same)


def test_the_headline_of_a_goal_has_enough_digits(answers, crowd):
    """Two standard deviations of 0.27 and 0.25 points once both read 0.3 %."""
    result = justesse.annotators_next(answers, goal="noise", number=1)
    goal = result.to_dict()["goal"]
    now, after = (f"{100 * goal['spread'][when]:.2f}" for when in ("now", "after"))
    assert now != after
    assert f"from {now} to {after} points" in " ".join(repr(result).split())


def test_expected_shares_are_doubted_until_items_are_checked(answers):
    assert any("often too high" in str(text) for text in justesse.annotators_next(answers).warnings)
    assert not any("often too high" in str(text) for text in justesse.annotators_next(answers, target=0.9).warnings)


def test_words_about_training(answers, crowd):
    truth = crowd[1]
    names = sorted(set(truth.values()))
    table = {"item": list(truth), **{name: [1 / len(names)] * len(truth) for name in names}}
    result = justesse.annotators_next(answers, goal="training", probabilities=table)
    assert "about the what" not in repr(result)
    assert "share of what certain labels would teach" in " ".join(repr(result).split())
