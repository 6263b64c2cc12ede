"""Conventions of transfer and forgetting, against values measured with the packages themselves."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from justesse.core.errors import OptionError
from justesse.lifelong.transfer import ALL, transfer_figures

SCORES = [[0.9, 0.4, 0.3, 0.2], [0.8, 0.92, 0.45, 0.35], [0.85, 0.7, 0.88, 0.5], [0.75, 0.65, 0.8, 0.95]]
# computed by hand from the definitions: final scores .75 .65 .8 .95, own scores .9 .92 .88 .95
BY_HAND = {
    ("final accuracy", "GEM (Lopez-Paz and Ranzato 2017)"): (0.75 + 0.65 + 0.8 + 0.95) / 4,
    ("backward transfer", "GEM, paper"): -(0.15 + 0.27 + 0.08) / 3,
    ("backward transfer", "GEM, code"): -(0.15 + 0.27 + 0.08) / 4,
    ("forward transfer", "GEM, paper"): (0.15 + 0.2 + 0.25) / 3,
    ("forward transfer", "GEM, code"): (0.15 + 0.2 + 0.25) / 4,
    ("forgetting", "Avalanche"): (0.15 + 0.27 + 0.08) / 3,
    ("forgetting", "Chaudhry et al. (2018)"): (0.15 + 0.27 + 0.08) / 3,
    ("backward transfer", "Díaz-Rodríguez et al. (2018), Continuum, CapyMOA"): -(0.1 + 0.05 + 0.22 + 0.15 + 0.27 + 0.08)
    / 6,
    ("remembering", "Díaz-Rodríguez et al. (2018)"): 1 - 0.145,
    ("accuracy", "Díaz-Rodríguez et al. (2018), Continuum"): 0.82,
    ("forward transfer", "Díaz-Rodríguez et al. (2018), CapyMOA; CLEAR"): (0.4 + 0.3 + 0.2 + 0.45 + 0.35 + 0.5) / 6,
    ("forward transfer", "Continuum; next domain of CLEAR"): 0.45,
    ("in-domain accuracy", "CLEAR (Lin et al. 2021)"): 0.9125,
    ("plasticity", "learning accuracy, Riemer et al. (2019)"): (0.9 + 0.92 + 0.88 + 0.95) / 4,
    ("backward transfer", "CLEAR (Lin et al. 2021)"): (0.8 + 0.85 + 0.7 + 0.75 + 0.65 + 0.8) / 6,
    ("positive backward transfer", "Díaz-Rodríguez et al. (2018)"): 0.0,
    ("intransigence", "Chaudhry et al. (2018), last period"): 0.97 - 0.95,
    ("intransigence", "Chaudhry et al. (2018), mean over periods"): (0.02 + 0.01 + 0.06 + 0.02) / 4,
}
IN_FILE = {
    "GEM paper BWT 1/(T-1)": ("backward transfer", "GEM, paper"),
    "GEM code BWT mean over T": ("backward transfer", "GEM, code"),
    "GEM paper FWT 1/(T-1)": ("forward transfer", "GEM, paper"),
    "GEM code FWT mean over T": ("forward transfer", "GEM, code"),
    "Avalanche StreamForgetting (mean over seen-before exps)": ("forgetting", "Avalanche"),
    "Continuum backward_transfer (Diaz)": ("backward transfer", "Díaz-Rodríguez et al. (2018), Continuum, CapyMOA"),
    "Continuum forward_transfer (no b)": ("forward transfer", "Continuum; next domain of CLEAR"),
    "Continuum forgetting (Chaudhry max)": ("forgetting", "Chaudhry et al. (2018)"),
    "Continuum accuracy_A": ("accuracy", "Díaz-Rodríguez et al. (2018), Continuum"),
    "remembering": ("remembering", "Díaz-Rodríguez et al. (2018)"),
    "CapyMOA BWT": ("backward transfer", "Díaz-Rodríguez et al. (2018), Continuum, CapyMOA"),
    "CapyMOA FWT": ("forward transfer", "Díaz-Rodríguez et al. (2018), CapyMOA; CLEAR"),
    "CLEAR in-domain": ("in-domain accuracy", "CLEAR (Lin et al. 2021)"),
    "CLEAR next-domain": ("forward transfer", "Continuum; next domain of CLEAR"),
    "CLEAR BwT (mean lower tri)": ("backward transfer", "CLEAR (Lin et al. 2021)"),
    "CLEAR FwT (mean upper tri)": ("forward transfer", "Díaz-Rodríguez et al. (2018), CapyMOA; CLEAR"),
    "GEM ACC": ("final accuracy", "GEM (Lopez-Paz and Ranzato 2017)"),
}


JOINT = (0.92, 0.93, 0.94, 0.97)


def figures(scores=SCORES, start=(0.25,) * 4, joint=JOINT):
    return {(figure.name, figure.source): figure.value for figure in transfer_figures(scores, start=start, joint=joint)}


def test_every_convention_equals_its_definition_by_hand():
    assert figures() == pytest.approx(BY_HAND, abs=1e-12)
    assert len(BY_HAND) == len(ALL)


def test_the_measured_values_of_the_packages():
    folder = os.environ.get("JUSTESSE_DATA")
    if not folder:
        pytest.skip("needs JUSTESSE_DATA: lifelong/golden_conventions.json")
    golden = json.loads((Path(folder) / "lifelong" / "golden_conventions.json").read_text())
    ours = figures(golden["R"], golden["b"])
    assert {name: ours[key] for name, key in IN_FILE.items()} == pytest.approx(
        {name: golden[name] for name in IN_FILE}, abs=1e-12
    )
    losses = np.diag(golden["R"]) - np.array(golden["R"])[-1]
    assert losses == pytest.approx(golden["Avalanche functional.forgetting last row"])


def test_a_system_that_never_changes_neither_forgets_nor_transfers():
    constant = np.tile([0.7, 0.6, 0.9], (3, 1))
    ours = figures(constant, [0.7, 0.6, 0.9], [0.7, 0.6, 0.9])
    moves = {
        key: value
        for key, value in ours.items()
        if key[0] in ("backward transfer", "forgetting", "intransigence") and "CLEAR" not in key[1]
    }
    assert moves == pytest.approx(dict.fromkeys(moves, 0.0))


def test_what_cannot_be_computed_gives_its_reason():
    without = {(figure.name, figure.source): figure for figure in transfer_figures(SCORES)}
    assert without["forward transfer", "GEM, paper"].undefined == (
        "needs the scores before any training (untrained=…, --untrained)"
    )
    assert without["intransigence", "Chaudhry et al. (2018), last period"].undefined == (
        "needs the scores of a jointly trained model (joint=…, --joint)"
    )
    assert without["forgetting", "Avalanche"].undefined is None
    assert all(figure.undefined for figure in transfer_figures([[0.9]]))
    missing = np.array(SCORES)
    missing[3, 0] = np.nan
    assert {figure.undefined for figure in transfer_figures(missing) if figure.name == "forgetting"} == {
        "a score is missing"
    }


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(OptionError, match="as many versions as periods"):
        transfer_figures([[0.9, 0.8]])
