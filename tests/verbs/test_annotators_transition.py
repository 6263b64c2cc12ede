"""Transition tables from annotators: every command that takes `--transition` reads them, with their uncertainty."""

import csv
import json

import numpy as np
import pytest

import justesse
from justesse.annotators.recorded_labels import recorded_labels
from justesse.cli.main import main
from justesse.core.annotations import Annotations
from justesse.core.errors import ClassError, OptionError

NAMES = np.array(["ham", "spam"])
RIGHT = (0.9, 0.85, 0.8, 0.75)


def crowd(seed, n=200):
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=n)
    answers = np.where(rng.random((n, len(RIGHT))) < RIGHT, truth[:, None], 1 - truth[:, None])
    return truth, answers


def notes_of(answers):
    people = range(answers.shape[1])
    rows = [(item, f"p{who}", NAMES[answers[item, who]].item()) for item in range(len(answers)) for who in people]
    return Annotations.of(rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("transition")
    truth, answers = crowd(0)
    rng = np.random.default_rng(1)
    tables = {
        "answers": [("item", "annotator", "answer")]
        + [(item, f"p{who}", NAMES[answers[item, who]]) for item in range(200) for who in range(4)],
        "labelled": [("id", "label", "prediction", "other", "x")]
        + [
            (
                item,
                NAMES[answers[item, 3]],
                NAMES[truth[item] if rng.random() < 0.9 else 1 - truth[item]],
                NAMES[truth[item] if rng.random() < 0.7 else 1 - truth[item]],
                item,
            )
            for item in range(200)
        ],
    }
    for name, rows in tables.items():
        with open(place / f"{name}.csv", "w", newline="") as stream:
            csv.writer(stream).writerows(rows)
    table = place / "t.csv"
    assert (
        main(["annotators", "infer", str(place / "answers.csv"), "--transition-to", str(table), "--labels-of", "p3"])
        == 0
    )
    return place


COMMANDS = {
    "evaluate": ["evaluate", "labelled.csv"],
    "compare": ["compare", "labelled.csv", "--incumbent", "other", "--candidate", "prediction", "--gate", "none"],
    "noise bounds": ["noise", "bounds", "labelled.csv"],
    "noise inject": [
        "noise",
        "inject",
        "labelled.csv",
        "--noise",
        "transition",
        "--label",
        "label",
        "--to",
        "noisy.csv",
    ],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_a_transition_table_reads_it(name, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main([*COMMANDS[name], "--transition", "t.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_the_list_of_commands_is_complete():
    from justesse.verbs.assess import options as assess
    from justesse.verbs.audit import options as audit
    from justesse.verbs.compare import options as compare
    from justesse.verbs.inspect import options as inspect
    from justesse.verbs.noise import options as noise
    from justesse.verbs.options import label_noise
    from justesse.verbs.plan import options as plan
    from justesse.verbs.tournament import options as tournament

    groups = [
        value
        for module in (assess, audit, compare, inspect, noise, label_noise, plan, tournament)
        for value in vars(module).values()
        if isinstance(value, type) and "transition" in getattr(value, "__dataclass_fields__", {})
    ]
    assert {group.__name__ for group in groups} <= {
        "NoiseRateOptions", "LabelNoiseOptions", "RecheckedNoiseOptions", "InjectedNoiseOptions",
    }  # fmt: skip


def test_the_uncertainty_of_the_table_is_carried(folder):
    result = justesse.annotators_infer(folder / "answers.csv").transition("p3")
    rates = result.rates()
    assert rates[0].interval.low < 0.25 < rates[0].interval.high
    assert result.counts.sum() < 200
    evaluation = justesse.evaluate(folder / "labelled.csv", transition=result)
    shares = justesse.evaluate(folder / "labelled.csv", transition=result.matrix)
    with_counts, with_shares = (
        next(part for part in each.to_dict()["noise"]["rungs"] if part["letter"] == "d")["found"][0]
        for each in (evaluation, shares)
    )
    assert with_counts["name"] == with_shares["name"] == "accuracy"
    assert with_counts["high"] - with_counts["low"] > with_shares["high"] - with_shares["low"]
    assert f"counted on {result.counts.sum()} random rows" in with_counts["assumption"]


def test_planted_noise_rates_are_covered():
    covered = {"p2": 0, "majority": 0}
    for seed in range(10):
        _, answers = crowd(seed, n=150)
        notes = notes_of(answers)
        for name in covered:
            table = recorded_labels(notes, name, seed=seed)
            rate = justesse.noise.Transition.from_table(table.counts, notes.classes).rates()[0]
            wrong = 1 - RIGHT[2] if name == "p2" else _vote_error()
            covered[name] += rate.interval.low <= wrong <= rate.interval.high
    assert min(covered.values()) >= 8


def _vote_error():
    truth, answers = crowd(99, n=100_000)
    votes = answers.sum(axis=1)
    decided = votes != 2
    return float(((votes > 2) != (truth == 1))[decided].mean())


def test_bad_names_and_places_are_refused(folder):
    result = justesse.annotators_infer(folder / "answers.csv")
    with pytest.raises(ClassError, match="Annotator 'nobody' not found"):
        result.transition("nobody")
    with pytest.raises(OptionError, match=r"written as \.csv"):
        result.write_transition(folder / "t.parquet")
