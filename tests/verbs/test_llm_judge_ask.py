"""Asking people about a judge's verdicts: which items next, ratings given back, and stopping once it is decided."""

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import InputError, OptionError
from justesse.verbs.schemas import schema


def verdicts(n=300, skill=0.85, wins=0.7, seed=0, ties=0.1):
    """Pairs of two models in both orders, and what people would prefer: 1, 2 or tie."""
    rng = np.random.default_rng(seed)
    people = rng.choice(["1", "2", "tie"], n, p=[wins * (1 - ties), (1 - wins) * (1 - ties), ties])
    rows = []
    for swapped in (False, True):
        for at in range(n):
            own = people[at] if people[at] != "tie" else rng.choice(["1", "2"])
            said = own if rng.random() < skill else {"1": "2", "2": "1"}[own]
            rows.append((f"q{at}", "atlas", "birch", swapped, said))
    table = pd.DataFrame(rows, columns=["item", "model_1", "model_2", "swapped", "winner"])
    return table, dict(zip([f"q{at}" for at in range(n)], people, strict=True))


def checked(result):
    printed = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    jsonschema.validate(printed, schema("llm_judge_ask"))
    return printed


def follow(table, truth, file, tmp_path, **options):
    """Rate what is asked, ten items at a time, until it is decided; return the last result and all intervals."""
    to = tmp_path / "to_rate.csv"
    result = justesse.llm_judge(table, ask=file, ask_about="atlas", ask_next=10, to=to, **options)
    looks = []
    while result.next_ids:
        listed = pd.read_csv(to, dtype=str)
        listed["winner"] = [truth[item] for item in listed["item"]]
        result = justesse.llm_judge(table, human=listed, ask=file, ask_about="atlas", ask_next=10, to=to, **options)
        looks.append(checked(result)["estimate"]["interval"])
    return result, looks


@pytest.mark.parametrize("about", ["rows", "population"])
def test_people_are_asked_until_it_is_decided(tmp_path, about):
    table, truth = verdicts()
    result, looks = follow(table, truth, tmp_path / "atlas.audit", tmp_path, about=about)
    printed = checked(result)
    won = np.mean([{"1": 1.0, "tie": 0.5, "2": 0.0}[word] for word in truth.values()])
    assert (printed["decision"], printed["figure"], printed["next"]) == ("above", "win_rate", [])
    assert printed["answered"] <= {"rows": 60, "population": 150}[about]
    assert all(look["low"] <= won <= look["high"] for look in looks)
    assert printed["estimate"]["interval"]["low"] > 0.5
    assert "above 50" in result.document().verdict
    sampling = {"rows": None, "population": "wider of clopper-pearson and score"}[about]
    assert printed["method"] == {"ratings": "betting", "sampling": sampling}
    assert ("Clopper and Pearson" in " ".join(result.document().how)) == (about == "population")


def test_a_threshold_below_a_half_and_a_model_that_loses(tmp_path):
    table, truth = verdicts(wins=0.2, seed=1)
    below, _ = follow(table, truth, tmp_path / "a.audit", tmp_path, about="rows")
    assert below.decision == "below"
    above, looks = follow(table, truth, tmp_path / "b.audit", tmp_path, about="rows", above=0.1, budget=300)
    won = np.mean([{"1": 1.0, "tie": 0.5, "2": 0.0}[word] for word in truth.values()])
    assert above.decision == "above"
    assert all(look["low"] <= won <= look["high"] for look in looks)


def test_single_answers_and_a_poor_judge(tmp_path):
    rng = np.random.default_rng(4)
    truth = rng.random(400) < 0.9
    said = np.where(rng.random(400) < 0.55, truth, ~truth)
    table = {"item": np.arange(400), "verdict": said.astype(int)}
    result = justesse.llm_judge(table, ask=tmp_path / "a.audit", above=0.7, about="rows", ask_next=25)
    while result.next_ids:
        items = [int(name) for name in result.next_ids]
        rated = {"item": items, "verdict": truth[items].astype(int)}
        result = justesse.llm_judge(table, human=rated, ask=tmp_path / "a.audit", above=0.7, about="rows", ask_next=25)
    printed = checked(result)
    assert (printed["decision"], printed["figure"], printed["model"]) == ("above", "accuracy", None)
    assert printed["naive"] < 0.65  # the judge alone would have said otherwise


def test_ratings_that_exist_count_only_when_they_are_drawn(tmp_path):
    table, truth = verdicts(seed=2)
    known = {
        "item": list(truth)[:50],
        "model_1": ["atlas"] * 50,
        "model_2": ["birch"] * 50,
        "winner": list(truth.values())[:50],
    }
    result = justesse.llm_judge(table, human=known, ask=tmp_path / "a.audit", ask_about="atlas", ask_next=10)
    drawn = {result.status.audit.disputes[question.row].id for question in result.status.audit.drawn}
    assert checked(result)["answered"] <= len(drawn & set(known["item"])) < 50
    assert len(drawn) == 10 + len(drawn & set(known["item"]))
    assert not set(result.next_ids) & set(known["item"])
    again = justesse.llm_judge(table, human=known, ask=tmp_path / "a.audit", ask_about="atlas", ask_next=10)
    assert again.next_ids == result.next_ids


def test_a_change_of_a_rating_is_a_correction(tmp_path):
    table, _ = verdicts(seed=3)
    first = justesse.llm_judge(table, ask=tmp_path / "a.audit", ask_about="atlas", ask_next=3)
    for word in ("1", "2"):
        rated = {"item": list(first.next_ids), "model_1": ["atlas"] * 3, "model_2": ["birch"] * 3, "winner": [word] * 3}
        result = justesse.llm_judge(table, human=rated, ask=tmp_path / "a.audit", ask_about="atlas")
        assert (result.estimate.value > 0.5) == (word == "1")
    assert result.status.audit.state.answered == 3
    assert len(result.status.audit.diary) == 6


def test_several_comparisons_of_an_item(tmp_path):
    rows = {"item": [], "model_1": [], "model_2": [], "winner": []}
    for item in range(30):
        for one, other in (("atlas", "birch"), ("atlas", "cedar"), ("cedar", "birch")):
            for name, value in zip(rows, (item, one, other, 1 + item % 2), strict=True):
                rows[name].append(value)
    with pytest.raises(OptionError, match="about='rows'"):
        justesse.llm_judge(rows, ask=tmp_path / "a.audit", ask_about="atlas")
    result = justesse.llm_judge(rows, ask=tmp_path / "a.audit", ask_about="atlas", about="rows", ask_next=5)
    assert checked(result)["n"] == 60
    assert all(" against " in name for name in result.next_ids)
    columns = result.to_columns()
    assert list(columns) == ["item", "model_1", "model_2", "winner"]
    alone = justesse.llm_judge(rows, ask=tmp_path / "b.audit", ask_about="atlas", against="cedar", ask_next=5)
    assert (checked(alone)["n"], alone.units.against) == (30, "cedar")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ask_about": "dune"}, "No model is called 'dune'"),
        ({}, "name it with ask_about"),
        ({"ask_about": "atlas", "above": 1.5}, "between 0 and 1"),
        ({"ask_about": "atlas", "to": "x.csv"}, "Say how many"),
        ({"ask_about": "atlas", "ask_next": -1}, "0 or more"),
        ({"ask_about": "atlas", "budget": 0}, "1 or more"),
        ({"ask_about": "atlas", "against": "atlas"}, "the other model"),
    ],
)
def test_what_cannot_be_asked(tmp_path, options, message):
    table, _ = verdicts(30)
    with pytest.raises(OptionError, match=message):
        justesse.llm_judge(table, ask=tmp_path / "a.audit", **options)
    assert not (tmp_path / "a.audit").exists()


def test_options_of_asking_need_a_file_and_the_same_question(tmp_path):
    table, _ = verdicts(40)
    with pytest.raises(OptionError, match=r"ask='my\.audit'"):
        justesse.llm_judge(table, ask_about="atlas")
    justesse.llm_judge(table, ask=tmp_path / "a.audit", ask_about="atlas")
    with pytest.raises(InputError, match="asks something else"):
        justesse.llm_judge(table, ask=tmp_path / "a.audit", ask_about="birch")
    with pytest.raises(InputError, match="asks something else"):
        justesse.llm_judge(table, ask=tmp_path / "a.audit", ask_about="atlas", above=0.6)
    with pytest.raises(OptionError, match=r"above \(--above\) is for asking people"):
        justesse.llm_judge(table, above=0.5)


@pytest.mark.parametrize("where", ["verdicts.csv", "rated.csv", "a.audit", "new.audit"])
def test_the_items_to_rate_never_replace_another_file(tmp_path, where):
    table, truth = verdicts(20)
    table.to_csv(tmp_path / "verdicts.csv", index=False)
    rated = pd.DataFrame({"item": list(truth), "winner": list(truth.values())})
    rated.assign(model_1="atlas", model_2="birch").to_csv(tmp_path / "rated.csv", index=False)
    justesse.llm_judge(table, ask=tmp_path / "a.audit", ask_about="atlas")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    options = {"human": tmp_path / "rated.csv", "ask_about": "atlas", "ask_next": 5, "to": tmp_path / where}
    options["ask"] = tmp_path / ("new.audit" if where == "new.audit" else "a.audit")
    with pytest.raises(OptionError, match="overwrite|must end in"):
        justesse.llm_judge(tmp_path / "verdicts.csv", **options)
    words = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    assert main(["llm-judge", str(tmp_path / "verdicts.csv"), *words]) == 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def rated(items, words):
    return {"item": items, "model_1": ["atlas"] * len(items), "model_2": ["birch"] * len(items), "winner": words}


def test_a_single_rating_can_be_given_back(tmp_path):
    table, _ = verdicts(30)
    question = {"ask": tmp_path / "a.audit", "ask_about": "atlas"}
    first = justesse.llm_judge(table, ask_next=1, **question)
    result = justesse.llm_judge(table, human=rated(first.next_ids, ["1"]), **question)
    assert (checked(result)["answered"], result.warnings) == (1, [])
    with pytest.raises(InputError, match="at least 2"):
        justesse.llm_judge(table, human=rated(first.next_ids, ["1"]))


def test_ratings_of_unknown_items_are_refused_by_name_and_disagreement_is_stated(tmp_path):
    table, _ = verdicts(30)
    question = {"ask": tmp_path / "a.audit", "ask_about": "atlas"}
    item = justesse.llm_judge(table, ask_next=1, **question).next_ids[0]
    with pytest.raises(InputError, match="no verdict on: 'q99'"):
        justesse.llm_judge(table, human=rated([item, "q99"], ["1", "1"]), **question)
    assert justesse.llm_judge(table, **question).status.audit.state.answered == 0
    result = justesse.llm_judge(table, human=rated([item, item], ["1", "2"]), **question)
    assert "People disagree about 1 item" in checked(result)["warnings"][0]
    assert result.status.audit.diary[0].classes == ("tie",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"about": "rows"}, "--about population"),
        ({"level": 0.9}, "--level 0.95"),
        ({"seed": 7}, "--seed 0"),
        ({"budget": 20}, r"--budget 10\).*justesse audit extend .*a\.audit --budget 20"),
    ],
)
def test_settings_that_a_file_has_not_are_refused(tmp_path, options, message):
    table, _ = verdicts(40)
    question = {"ask": tmp_path / "a.audit", "ask_about": "atlas"}
    justesse.llm_judge(table, **question, budget=10)
    justesse.llm_judge(table, **question, budget=10, about="population", level=0.95, seed=0)
    with pytest.raises(OptionError, match=message):
        justesse.llm_judge(table, **question, **options)


def test_other_verdicts_are_refused(tmp_path):
    table, _ = verdicts(40)
    question = {"ask": tmp_path / "a.audit", "ask_about": "atlas"}
    justesse.llm_judge(table, **question)
    justesse.llm_judge(table.iloc[::-1], **question)
    table.loc[3, "winner"] = {"1": "2", "2": "1"}[table.loc[3, "winner"]]
    with pytest.raises(InputError, match=r"not those that a\.audit was started with: 1 item has .*'q3'"):
        justesse.llm_judge(table, **question)


@pytest.mark.parametrize(("about", "where"), [("rows", "on these items"), ("population", "in the population")])
def test_a_small_budget_is_used_up_and_the_text_names_the_remedy(tmp_path, about, where):
    table, truth = verdicts(200, wins=0.7)
    file = tmp_path / "a.audit"
    first = justesse.llm_judge(table, ask=file, ask_about="atlas", about=about, budget=4, ask_next=2)
    document = first.document()
    assert where in document.verdict
    assert "audit extend" in document.headline
    result, _ = follow(table, truth, file, tmp_path, about=about, budget=4)
    assert result.status.audit.state.stop == "budget"
    assert (
        f"The budget of 4 ratings is used up. To continue: justesse audit extend {file} --budget N."
        in result.document().headline
    )


def test_after_few_ratings_the_output_leads_with_the_interval(tmp_path):
    table, truth = verdicts()
    asked = {"ask": tmp_path / "a.audit", "ask_about": "atlas", "about": "rows", "ask_next": 5}
    first = justesse.llm_judge(table, **asked).to_columns()
    first["winner"] = [truth[item] for item in first["item"]]
    result = justesse.llm_judge(table, human=first, **asked)
    words = str(result.document().headline).replace("\u00a0", " ")
    assert words.startswith("Too few ratings for one figure: the win rate is anywhere from")
    assert "from 5 ratings of people" in words
    assert (
        f"{100 * result.estimate.value:.1f} %"
        not in words.partition("The judge alone")[0].partition("anywhere from")[0]
    )
