"""Switched class names are found: by gold classes, and where some annotators switch them."""

import numpy as np
import pytest

import justesse


def answers(switching, people=7, n=200, seed=3):
    """Annotators who are right in 92 %, of whom the first `switching` call b c and c b."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    given = np.where(rng.random((n, people)) < 0.88, truth[:, None], rng.integers(0, 3, (n, people)))
    given[:, :switching] = np.array([0, 2, 1])[given[:, :switching]]
    names = np.array(list("abc"))
    table = {
        "item": np.repeat(np.arange(n), people),
        "annotator": np.tile([f"p{at}" for at in range(people)], n),
        "answer": names[given.ravel()],
    }
    return table, {"item": np.arange(n), "true": names[truth]}


def switched(table, **options):
    result = justesse.annotators_infer(table, draws=0, **options)
    return [str(line) for line in result.warnings if "names wrongly" in str(line) or "consensus switches" in str(line)]


def test_gold_classes_show_a_consensus_with_switched_classes():
    table, gold = answers(4)
    first, second = switched(table, check=gold)
    assert first.startswith("The consensus switches classes: it is right on 3")
    assert "c means b and b means c" in first
    assert second.startswith("p")


@pytest.mark.parametrize("switching", [2, 4])
def test_annotators_who_switch_classes_are_named(switching):
    (line,) = switched(answers(switching)[0])
    named = {"p0", "p1"} if switching == 2 else {"p4", "p5", "p6"}
    assert {f"p{at}" for at in range(7) if f"p{at}" in line.split(" switch classes")[0]} == named


def test_careful_and_careless_annotators_are_not_accused():
    table, gold = answers(0)
    assert switched(table, check=gold) == []
    rng = np.random.default_rng(0)
    guess = {"item": np.repeat(np.arange(100), 4), "annotator": np.tile(list("wxyz"), 100)}
    assert switched({**guess, "answer": rng.choice(list("abc"), 400)}) == []
