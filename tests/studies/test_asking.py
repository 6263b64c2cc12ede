"""The study of asking: how answers are counted, and that its recorded figures say what the page says."""

import os
from pathlib import Path

import numpy as np
import pytest
from studies.asking.page import PAGE, needed_table, parts, recorded
from studies.asking.run import RULES, STARTS, Crowd, Curve, Needed, follow, needed

from justesse.core.annotations import Annotations

DATA = os.environ.get("JUSTESSE_DATA")
START = next(iter(STARTS))


def curve(rule, seed, slope):
    answers = np.arange(0.0, 101.0, 10.0)
    return Curve("planted", START, rule, seed, answers, np.minimum(0.5 + slope * answers, 1.0))


def test_answers_needed_are_read_off_the_curve():
    line = curve("gain", 0, 0.01)
    assert line.needed(0.75) == pytest.approx(25)
    assert line.needed(0.5) == 0
    assert np.isnan(curve("gain", 0, 0.001).needed(0.9))


def test_the_share_is_that_of_random_asking():
    runs = [curve("random", seed, 0.002 + 0.0001 * seed) for seed in range(4)]
    runs += [curve("gain", seed, 0.004 + 0.0002 * seed) for seed in range(4)]
    rows = {row.rule: row for row in needed(runs, {"planted": 100})}
    assert rows["random"].share == 1
    assert rows["gain"].share == pytest.approx(0.5, abs=1e-6)
    assert rows["gain"].share_low <= 0.5 <= rows["gain"].share_high
    assert rows["gain"].missed == 0


def test_all_rules_start_alike_and_ask_only_what_was_recorded():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40)
    item, who = np.nonzero(rng.random((40, 10)) < 0.6)
    answer = np.where(rng.random(len(item)) < 0.8, truth[item], 1 - truth[item])
    crowd = Crowd("planted", Annotations.sorted(range(40), range(10), (0, 1), item, who, answer), truth)
    for start in STARTS:
        curves = [follow(crowd, start, rule, 0, batch=10, up_to=1.0) for rule in RULES]
        assert len({line.right[0] for line in curves}) == 1
        # with all answers asked, the order no longer matters
        assert len({(line.answers[-1], line.right[-1]) for line in curves}) == 1
        assert curves[0].answers[-1] == len(item)


def test_fewer_answers_are_needed_by_gain_on_every_recorded_crowd():
    rows = [row for row in recorded() if row["rule"] == "gain"]
    assert {row["crowd"] for row in rows} == {"bluebird", "rte", "dog", "web"}
    assert {row["start"] for row in rows} == set(STARTS)
    assert all(int(row["seeds"]) >= 10 for row in rows)
    assert all(float(row["share_high"]) < 1 for row in rows)
    shares = [float(row["share"]) for row in rows]
    how_to = PAGE.parents[1] / "how-to" / "annotators.md"
    assert f"{min(shares):.0%} to {max(shares):.0%}".replace("%", " %").replace(" % to", " to") in how_to.read_text()


def test_the_page_shows_the_recorded_figures():
    kinds = Needed.__annotations__
    rows = [
        Needed(**{name: float(text) if kinds[name] is float else int(text) if kinds[name] is int else text
                  for name, text in row.items()})
        for row in recorded()
    ]  # fmt: skip
    page = PAGE.read_text()
    for start, text in parts(rows).items():
        assert text in page, start
    assert needed_table(rows[:1])


@pytest.mark.skipif(not DATA, reason="needs JUSTESSE_DATA: crowd")
def test_bluebird_needs_fewer_answers_by_gain():
    crowd = Crowd.read("bluebird", Path(DATA) / "crowd" / "bluebird")
    runs = [follow(crowd, START, rule, seed, batch=40, up_to=0.52) for rule in ("random", "gain") for seed in range(3)]
    rows = {row.rule: row for row in needed(runs, {"bluebird": len(crowd.notes)})}
    assert rows["gain"].share < 0.75
