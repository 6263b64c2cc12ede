import numpy as np
import pytest
from studies.cleaned_judges.page import NONE, means, parts
from studies.cleaned_judges.run import FIELDS, SIMULATED, STEPS, add, judged, kept
from studies.cleaned_judges.worlds import World


def world():
    rng = np.random.default_rng(1)
    true = rng.integers(3, size=600)
    labels = np.where(rng.random(600) < 0.1, (true + 1) % 3, true)
    answers = np.array(
        [np.where(rng.random(600) < skill, true, rng.integers(3, size=600)) for skill in (0.6, 0.7, 0.9)]
    )
    return World(
        "made up", "uniform", 0, labels, true, answers, rng.dirichlet(np.ones(3), 600), rng.normal(size=(600, 2))
    )


def test_rows_are_kept_and_make_the_tables(tmp_path):
    rows = judged(world())
    assert set(rows[0]) == set(FIELDS)
    add(rows, tmp_path / "results.csv")
    again = kept(tmp_path / "results.csv")
    assert [row["filter"] for row in again] == [row["filter"] for row in rows]
    assert means(again, "agreement")[NONE, ("made up", "uniform")] == float(f"{rows[0]['agreement']:.6g}")
    assert all("made up: uniform" in table for table in parts(again).values())


def test_simulated_steps_stand_beside_the_filters():
    rows = [row for row in judged(world()) if row["source"] == SIMULATED]
    assert len(rows) == len(STEPS) == 12
    assert all(set(row) == set(FIELDS) for row in rows)
    plain = {row["filter"]: row for row in rows if row["action"] == "remove"}
    gentle, rough = plain["NETT(0.6, 0.1)"], plain["NETT(0.9, 0.6)"]
    assert gentle["flagged"] == pytest.approx(0.1 * 0.6 + 0.9 * 0.1, abs=0.04)
    assert rough["flagged"] == pytest.approx(0.1 * 0.9 + 0.9 * 0.6, abs=0.06)


def test_rows_that_all_classifiers_miss_do_not_change_a_paired_comparison():
    """Consensus vote removes rows where both classifiers are wrong, so the paired differences keep their sign and size."""
    rows = {(row["filter"], row["action"]): row for row in judged(world())}
    none, consensus = rows["none", ""], rows["consensus-vote", "remove"]
    assert consensus["flagged"] > 0
    assert consensus["paired agreement"] == none["paired agreement"]
