"""Judges on LLMBar: the known agreement of GPT-4, flips, and the recorded figures of the study."""

import os
from pathlib import Path

import pytest
from studies.expected import load
from studies.llm_judges.run import EXPECTED, all_figures, read, sampled_figures

import justesse

DATA = os.environ.get("JUSTESSE_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="needs JUSTESSE_DATA")
FOLDER = Path(DATA or "") / "llm" / "llmbar"


def test_gpt_4_agrees_with_experts_as_known():
    result = justesse.llm_judge(
        FOLDER / "verdicts.parquet", human=FOLDER / "items.parquet", only="GPT-4, Vanilla_NoRules", draws=199
    )
    [judge] = result.judges
    strata = judge.errors.by_stratum
    assert strata["Natural"].value == pytest.approx(0.935)
    others = [item for name, item in strata.items() if name != "Natural"]
    assert sum(item.value * item.n for item in others) / 319 == pytest.approx(0.712, abs=0.0005)
    assert judge.refuted == ("strata",)
    assert judge.biases[2].gap.value > 0.1  # longer outputs


def test_the_study_finds_what_it_recorded():
    expected = {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}
    verdicts = read()
    figures = all_figures(verdicts)
    assert figures["flips, lowest"] == pytest.approx(0.07, abs=0.01)
    assert figures["flips, highest"] == pytest.approx(0.87, abs=0.01)
    figures |= {
        name: value
        for name, value in sampled_figures(verdicts, ["GPT-4, Vanilla_NoRules"], repetitions=20).items()
        if "naive" in name or "experts" in name
    }
    for name, value in figures.items():
        assert value == pytest.approx(expected[name][0], abs=expected[name][1]), name
