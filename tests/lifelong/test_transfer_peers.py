"""Forgetting and transfer against Avalanche, CapyMOA and Continuum themselves, on dozens of matrices."""

import json
from pathlib import Path

import numpy as np
import pytest

from justesse.lifelong.transfer import transfer_figures

STORED = json.loads((Path(__file__).parents[1] / "oracles" / "lifelong_transfer.json").read_text())
CASES = [pytest.param(case, id=case["name"]) for case in STORED["cases"]]
DIAZ = "Díaz-Rodríguez et al. (2018)"


def scores(case):
    return np.array(case["right"]) / case["items"]


def figures(case):
    start = np.array(case["right before training"]) / case["items"]
    return {(figure.name, figure.source): figure.value for figure in transfer_figures(scores(case), start=start)}


@pytest.mark.parametrize("case", CASES)
def test_avalanches_figures(case):
    ours, theirs = figures(case), case["avalanche"]
    assert ours["forgetting", "Avalanche"] == pytest.approx(theirs["StreamForgetting"], abs=1e-12)
    assert ours["forgetting", "Avalanche"] == pytest.approx(np.mean(theirs["functional.forgetting"][:-1]), abs=1e-12)
    assert ours["backward transfer", "GEM, paper"] == pytest.approx(theirs["StreamBWT"], abs=1e-12)
    assert ours["forward transfer", "GEM, paper"] == pytest.approx(np.mean(theirs["ForwardTransfer"]), abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_capymoas_figures(case):
    ours, theirs = figures(case), case["capymoa"]
    backward = ours["backward transfer", f"{DIAZ}, Continuum, CapyMOA"]
    assert backward == pytest.approx(theirs["backward"], abs=1e-12)
    assert ours["forward transfer", f"{DIAZ}, CapyMOA; CLEAR"] == pytest.approx(theirs["forward"], abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_continuums_accuracy(case):
    assert figures(case)["accuracy", f"{DIAZ}, Continuum"] == pytest.approx(case["continuum"]["accuracy_A"], abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_what_the_released_continuum_computes_instead(case):
    """Continuum 1.2.7 ends its loops too early; its repository has it right since 2022 (docs/errata.md)."""
    theirs, r = case["continuum"], scores(case)
    size = len(r)
    pairs = size * (size - 1) / 2
    two_later = sum(r[i, j] - r[j, j] for i in range(size) for j in range(i - 1))
    assert theirs["backward_transfer"] == pytest.approx(two_later / pairs, abs=1e-12)
    assert theirs["remembering"] == pytest.approx(1 - abs(min(two_later / pairs, 0)), abs=1e-12)
    assert theirs["forward_transfer"] == pytest.approx(r[np.tril_indices(size, -1)].sum() / pairs, abs=1e-12)
    falls = sum(r[j : size - 2, j].max() - r[-1, j] for j in range(size - 2))
    assert theirs["forgetting"] == pytest.approx(falls / (size - 1), abs=1e-12)


def test_the_released_continuum_sees_no_forgetting_between_two_periods():
    case = next(case for case in STORED["cases"] if case["name"] == "forgets, 2 periods")
    assert case["continuum"]["backward_transfer"] == case["continuum"]["forgetting"] == 0
    assert figures(case)["forgetting", "Chaudhry et al. (2018)"] == pytest.approx(0.1)


def test_the_best_version_may_come_before_the_training_of_the_period():
    """Chaudhry et al., equation 3, take the best of all earlier versions; Continuum only of those that learnt it."""
    case = next(case for case in STORED["cases"] if case["name"] == "best before its own training, 3 periods")
    r = scores(case)
    from_any = np.mean([r[:2, j].max() - r[2, j] for j in range(2)])
    from_learnt = np.mean([r[j:2, j].max() - r[2, j] for j in range(2)])
    assert figures(case)["forgetting", "Chaudhry et al. (2018)"] == pytest.approx(from_any)
    assert from_any == pytest.approx(from_learnt + 0.1)
