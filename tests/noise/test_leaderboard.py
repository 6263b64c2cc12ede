"""Several classifiers ranked by a re-checked sample: each figure against its own estimator, all of them together."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from justesse import Tally
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.measures import accuracy
from justesse.noise.leaderboard import CheckedPair, leaderboard
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.sample_design import SampleDesign

WHOLE, PART = ("label", "incumbent", "candidate"), ("true", "label", "incumbent", "candidate")
ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "ppi_python.json").read_text())["cases"]


def drawn(rng, n, checked, skills, wrong=0.08):
    """Draw rows of three classes with labels that are wrong at times, which classifiers repeat half of the time."""
    true = rng.integers(3, size=n)
    label = np.where(rng.random(n) < wrong, (true + 1) % 3, true)
    answers = []
    for skill in skills:
        follows = np.where(rng.random(n) < 0.5, label, true)
        answers.append(np.where(rng.random(n) < skill, follows, (true + 2) % 3))
    return true, label, answers, rng.choice(n, checked, replace=False)


def pairs_of(true, label, answers, picked):
    names = range(3)

    def counted(axes, columns):
        return Tally.from_codes(axes, [(column, names) for column in columns], np.ones(len(columns[0]), dtype=int))

    return {
        (i, j): CheckedPair(
            Case(counted(WHOLE, (label, answers[i], answers[j]))),
            counted(PART, tuple(column[picked] for column in (true, label, answers[i], answers[j]))),
        )
        for i, j in combinations(range(len(answers)), 2)
    }


def names_of(answers):
    return [f"net {at}" for at in range(len(answers))]


def test_every_figure_is_that_of_its_own_estimator_at_the_corrected_level():
    rows = drawn(np.random.default_rng(4), 3000, 300, (0.7, 0.95, 0.8, 0.94))
    pairs = pairs_of(*rows)
    board = leaderboard(names_of(rows[2]), pairs)
    by_name = {row.name: row for row in board.standings}
    for at, name in enumerate(names_of(rows[2])):
        key = next(pair for pair in pairs if at in pair)
        side = ("incumbent", "candidate")[key.index(at)]
        sample = pairs[key].sample.marginal("true", "label", side).renamed(**{side: "prediction"})
        table = getattr(pairs[key].case, side)
        assert by_name[name].accuracy == recheck(table, sample, [accuracy], level=1 - 0.05 / 4).figures[0]
        assert by_name[name].measured == pytest.approx(np.mean(rows[2][at] == rows[1]))
    assert len(board.leads) == 6
    for lead in board.leads:
        first, second = (int(name.removeprefix("net ")) for name in (lead.first, lead.second))
        low, high = sorted((first, second))
        plain = recheck_difference(pairs[low, high].case, pairs[low, high].sample, level=1 - 0.05 / 6).figures[0]
        sign = 1 if first == high else -1
        assert lead.difference.value == pytest.approx(sign * plain.value)
        assert sorted(abs(end) for end in (lead.difference.interval.low, lead.difference.interval.high)) == (
            pytest.approx(sorted(abs(end) for end in (plain.interval.low, plain.interval.high)))
        )
        assert lead.difference.interval.low <= lead.difference.value <= lead.difference.interval.high


def test_where_the_two_always_disagree_the_difference_is_that_of_ppi_python():
    """Its plain estimate has no strata. The incumbent answers 0 and the candidate 1 on every row."""
    case = next(case for case in ORACLE if (case["name"], case["tuning"]) == ("difference", "plain"))
    right = {1: 1, -1: 0, 0: 2}  # class that makes a row's difference +1, -1 or 0
    cells = [(right[value], right[proxy], 0, 1, few, few + rest) for value, proxy, few, rest in case["cells"]]
    whole = Tally.of(WHOLE, [(*row[1:4], row[5]) for row in cells])
    part = Tally.of(PART, [row[:5] for row in cells])
    lead = leaderboard(["old", "new"], {(0, 1): CheckedPair(Case(whole), part)}).leads[0]
    assert (lead.first, lead.second) == ("new", "old")
    assert lead.difference.value == pytest.approx(case["value"], abs=1e-9)


def test_ranks_follow_from_the_differences_and_do_not_depend_on_the_order():
    rows = drawn(np.random.default_rng(5), 4000, 400, (0.6, 0.95, 0.8, 0.94, 0.81))
    board = leaderboard(names_of(rows[2]), pairs_of(*rows))
    sure = {(lead.ahead, ({lead.first, lead.second} - {lead.ahead}).pop()) for lead in board.leads if lead.ahead}
    assert sure
    for row in board.standings:
        assert row.best_rank == 1 + sum(loser == row.name for _, loser in sure)
        assert row.worst_rank == 5 - sum(winner == row.name for winner, _ in sure)
    assert board.contenders == tuple(row.name for row in board.standings if row.best_rank == 1)
    order = [3, 0, 4, 1, 2]
    true, label, answers, picked = rows
    turned = leaderboard([f"net {at}" for at in order], pairs_of(true, label, [answers[at] for at in order], picked))
    assert {(row.name, row.best_rank, row.worst_rank) for row in turned.standings} == {
        (row.name, row.best_rank, row.worst_rank) for row in board.standings
    }


def test_all_differences_and_ranks_hold_together():
    rng, skills, repetitions = np.random.default_rng(6), (0.9, 0.9, 0.85, 0.9, 0.7), 120
    # a classifier that repeats half of the wrong labels is right where it follows the truth
    chance = np.array([skill * (1 - 0.08 / 2) for skill in skills])
    held = {"differences": 0, "accuracies": 0, "ranks": 0}
    for _ in range(repetitions):
        rows = drawn(rng, 1500, 150, skills)
        board = leaderboard(names_of(rows[2]), pairs_of(*rows))
        at = {name: number for number, name in enumerate(names_of(rows[2]))}
        held["differences"] += all(
            lead.difference.interval.low
            <= chance[at[lead.first]] - chance[at[lead.second]]
            <= lead.difference.interval.high
            for lead in board.leads
        )
        held["accuracies"] += all(
            row.accuracy.interval.low <= chance[at[row.name]] <= row.accuracy.interval.high for row in board.standings
        )
        held["ranks"] += all(
            row.best_rank <= 1 + (chance > chance[at[row.name]] + 1e-9).sum()
            and row.worst_rank >= len(chance) - (chance < chance[at[row.name]] - 1e-9).sum()
            for row in board.standings
        )
    assert min(held.values()) / repetitions >= 0.9, held


def test_more_tried_than_shown_widens_everything():
    rows = drawn(np.random.default_rng(7), 2000, 200, (0.8, 0.9, 0.85))
    few, many = (leaderboard(names_of(rows[2]), pairs_of(*rows), tried=tried) for tried in (None, 30))
    for lead, wider in zip(few.leads, many.leads, strict=True):
        assert wider.difference.interval.low < lead.difference.interval.low
        assert wider.difference.interval.level == pytest.approx(1 - 0.05 / 435)
    for row, wider in zip(few.standings, many.standings, strict=True):
        assert wider.accuracy.interval.high > row.accuracy.interval.high


def test_two_that_agree_on_every_re_checked_row_are_not_ranked():
    true, label, answers, _ = drawn(np.random.default_rng(8), 500, 50, (0.9, 0.9, 0.5))
    answers[1] = answers[0].copy()
    apart = np.arange(20)
    answers[1][apart] = (answers[0][apart] + 1) % 3
    picked = np.arange(100, 180)
    board = leaderboard(names_of(answers), pairs_of(true, label, answers, picked))
    lead = next(lead for lead in board.leads if {lead.first, lead.second} == {"net 0", "net 1"})
    assert lead.difference.interval is None
    assert "agree on every re-checked row" in lead.difference.undefined
    assert lead.ahead is None


def test_rows_drawn_from_strata():
    rng = np.random.default_rng(9)
    true, label, answers, _ = drawn(rng, 1000, 10, (0.9, 0.8, 0.7))
    stratum = (np.arange(1000) >= 200).astype(int)
    picked = np.concatenate([rng.choice(200, 60, replace=False), 200 + rng.choice(800, 60, replace=False)])
    pairs = {}
    for key, pair in pairs_of(true, label, answers, picked).items():
        columns = [true, label, answers[key[0]], answers[key[1]]]
        axes = [(column[picked], range(3)) for column in columns] + [(stratum[picked], range(2))]
        pairs[key] = CheckedPair(pair.case, Tally.from_codes([*PART, "stratum"], axes, np.ones(len(picked), dtype=int)))
    board = leaderboard(names_of(answers), pairs, design=SampleDesign((0, 1), (200, 800)))
    assert {row.accuracy.interval.method for row in board.standings} == {"recheck-drawn"}
    assert {lead.difference.interval.method for lead in board.leads} == {"recheck-drawn"}


@pytest.mark.parametrize(("names", "tried"), [(["one"], None), (["one", "two"], 1)])
def test_too_few_classifiers_are_refused(names, tried):
    rows = drawn(np.random.default_rng(1), 100, 20, (0.9, 0.8))
    with pytest.raises(OptionError, match="two classifiers or more"):
        leaderboard(names, pairs_of(*rows), tried=tried)


def test_different_rows_are_refused():
    rng = np.random.default_rng(1)
    pairs = pairs_of(*drawn(rng, 100, 20, (0.9, 0.8, 0.7)))
    pairs[1, 2] = pairs_of(*drawn(rng, 90, 20, (0.9, 0.8, 0.7)))[1, 2]
    with pytest.raises(OptionError, match="different rows"):
        leaderboard(["a", "b", "c"], pairs)
