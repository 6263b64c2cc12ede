"""Every judge on thirty networks with labels of people: as expected, and as other ways of counting find."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint
from studies.expected import load, surprises
from studies.human_judges.judging import decisions, references
from studies.human_judges.page import PAGE, parts
from studies.human_judges.run import EXPECTED, VOTE, expected_figures, run
from studies.human_judges.settings import Settings
from studies.noise_ladder.images import Images

from justesse.noise.ranking import Ranking


@pytest.fixture(scope="module")
def settings():
    return Settings.read()


def test_a_short_run_finds_what_is_expected(data, settings):
    found = run(replace(settings, draws=1, rates=[], risks=[0.05]))
    expected = expected_figures()
    # one draw of the votes is not the mean of twenty: five times the tolerance
    wide = {name: (value, 5 * tolerance) for name, (value, tolerance) in expected.items()}
    assert len(found.figures) > 60
    assert set(found.figures) <= set(wide)
    assert list(surprises(found.figures, {name: wide[name] for name in found.figures})) == []
    tables = parts(found)
    assert tables["judges, one vote"].count("\n") == 29  # nine of judges, twenty after filters
    best = next(row for row in found.audited if row["labels"] == VOTE and "other networks" in row["audit"])
    assert best["worse accepted"] == 0
    assert best["clear found"] == 1
    assert best["answers, mean"] < 55


def test_the_page_is_that_of_the_last_run():
    text = PAGE.read_text()
    rows = {row["figure"]: float(row["value"]) for row in load(EXPECTED)}
    audit = "audited, test set, risk 0.05, strata by label and votes of the other networks"
    assert f"| {100 * rows[f'{VOTE}, sharp: type II, mean']:.1f} % |" in text
    agreements = {
        action: [
            value - rows[f"{VOTE}, classical: agreement, mean"]
            for name, value in rows.items()
            if name.startswith(f"{VOTE}, cleaned, ") and name.endswith(f", {action}: agreement, mean")
        ]
        for action in ("remove", "correct")
    }
    assert {action: len(values) for action, values in agreements.items()} == {"remove": 9, "correct": 9}
    assert sum(value > 0.0011 for value in agreements["remove"]) == 7
    assert all(value > 0 for value in agreements["remove"])
    assert sum(value > 0 for value in agreements["correct"]) == 3
    assert min(agreements["correct"]) == pytest.approx(-0.013, abs=0.001)
    worse = {name for name, value in rows.items() if ", cleaned, " in name and "worse accepted, most" in name and value}
    assert worse == {"30% wrong, cleaned, majority-vote, remove: worse accepted, most"}
    assert f"**{rows[f'{VOTE}, {audit}: answers, mean, mean']:.0f}** questions" in text
    assert rows[f"{VOTE}, {audit}: clear found, least"] == 1
    assert rows[f"{VOTE}, {audit}: worse accepted, most"] == 0


def test_classical_prudent_and_reference_counted_with_pandas_and_statsmodels(data, settings):
    frame = pd.read_parquet(data / "cifar10" / "predictions.parquet")
    images = Images.read(settings.predictions, settings.votes)
    label = images.one_vote(0)
    names = np.array(images.classes)[label]
    rate = float((names != frame["true"]).mean())

    def ends(against):
        hits = [int((frame[network] == against).sum()) for network in images.networks]
        return np.array(proportion_confint(hits, len(frame), 0.05, method="wilson"))

    low, high = ends(names)
    by_truth = ends(frame["true"])
    ranking = Ranking.from_votes(images.votes, labels=images.true, classes=range(10))
    found = dict(decisions(images, label, ranking, settings, seed=0))
    assert np.array_equal(found["classical"], low[None, :] > high[:, None])
    assert np.array_equal(found["prudent_v1"], low[None, :] - rate > high[:, None] + rate)
    known = references(images, label, settings)
    assert np.array_equal(known["overlap"], by_truth[0][None, :] > by_truth[1][:, None])
