"""Six judges on LLMBar: draw expert ratings again and again, and compare naive and corrected win rates with the experts'."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream
from justesse.frames.verdict_table import Verdicts
from justesse.frames.verdicts import read_verdicts
from justesse.intervals.judge_rates import judge_rates
from justesse.verbs.llm_judge.biases import position_bias
from justesse.verbs.llm_judge.figures import model_figures
from justesse.verbs.llm_judge.units import JudgeUnits, ModelSides
from justesse.verbs.llm_judge.words import JudgedMethod
from studies.data import data_file

EXPECTED = Path(__file__).with_name("expected.csv")
PROMPT, RATINGS, REPETITIONS = "Vanilla_NoRules", (50, 100, 200), 300
CORRECTED: tuple[JudgedMethod, ...] = (
    "people", "rogan_gladen", "rogan_gladen_strata", "prediction_powered", "prediction_powered_strata",
)  # fmt: skip
NATURAL = "Natural"


def read() -> Verdicts:
    """Read LLMBar; items that are not natural are one stratum, the adversarial ones."""
    verdicts = read_verdicts(data_file("llm/llmbar/verdicts.parquet"), data_file("llm/llmbar/items.parquet"))
    natural = np.array([name == NATURAL for name in verdicts.strata])[verdicts.stratum]
    return replace(verdicts, strata=("adversarial", "natural"), stratum=natural.astype(int))


def judge_names(verdicts: Verdicts) -> list[str]:
    """Name the judges with the plain prompt, one for each language model."""
    return [name for name in verdicts.judges if name.endswith(f", {PROMPT}")]


def longer_sides(units: JudgeUnits) -> ModelSides:
    """Look at every pair from the side of its longer output; pairs of equal length are left out."""
    known = np.isfinite(units.longer)
    turn = units.longer[known] == 0

    def seen(values: FloatArray) -> FloatArray:
        return np.where(turn, 1 - values[known], values[known])

    return ModelSides(
        np.zeros(int(known.sum()), dtype=int), units.item[known], units.stratum[known], seen(units.value),
        seen(units.rating),
    )  # fmt: skip


def all_figures(verdicts: Verdicts) -> dict[str, float]:
    """Compute what needs no sampling: agreement of GPT-4, and how often verdicts flip, over all judges and prompts."""
    flips = []
    for code in range(len(verdicts.judges)):
        bias = position_bias(JudgeUnits.of(verdicts, code, "half"), 0.95)
        if bias.flips is not None:
            flips.append(bias.flips.value)
    units = JudgeUnits.of(verdicts, verdicts.judges.index(f"GPT-4, {PROMPT}"), "half")
    natural = units.stratum == 1
    return {
        "judges with prompts": float(len(verdicts.judges)),
        "flips, lowest": min(flips),
        "flips, highest": max(flips),
        "GPT-4: agreement, natural": float(units.equal[natural].mean()),
        "GPT-4: agreement, adversarial": float(units.equal[~natural].mean()),
    }


def sampled_figures(verdicts: Verdicts, names: Sequence[str], repetitions: int = REPETITIONS) -> dict[str, float]:
    """Compare the win rate of the longer output with the experts', for each judge and number of ratings."""
    figures: dict[str, float] = {}
    for name in names:
        sides = longer_sides(JudgeUnits.of(verdicts, verdicts.judges.index(name), "half"))
        judge = name.removesuffix(f", {PROMPT}")
        truth = float(sides.rating.mean())
        figures["experts: win rate of the longer output"] = truth
        figures[f"{judge}: naive, bias"] = float(sides.value.mean()) - truth
        for n in RATINGS:
            rng = stream(0, "llm judges", judge, str(n))
            seen = [_corrected(sides, rng.permutation(len(sides.rating))[:n]) for _ in range(repetitions)]
            for at, method in enumerate(CORRECTED):
                figures |= {f"{judge}: {method}, {n}, {key}": value for key, value in _summary(seen, at, truth).items()}
    return figures


def _corrected(sides: ModelSides, rated: Array) -> list[tuple[float, float, float]]:
    """Give the value and the ends of each corrected figure; NaN where it is undefined."""
    rating = np.full(len(sides.rating), np.nan)
    rating[rated] = sides.rating[rated]
    drawn = replace(sides, rating=rating)
    known = drawn.chosen(drawn.rated)
    parts = {code: known.chosen(known.stratum == code) for code in (0, 1)}
    figures = model_figures(
        drawn,
        judge_rates(known.value, known.rating, known.item),
        {code: judge_rates(part.value, part.rating, part.item) for code, part in parts.items()},
        None,
        name="win_rate",
        about="rows",
        level=0.95,
    ).estimates
    return [
        (figures[method].value, *((ends.low, ends.high) if (ends := figures[method].interval) else (np.nan, np.nan)))
        for method in CORRECTED
    ]


def _summary(seen: Sequence[Sequence[tuple[float, float, float]]], at: int, truth: float) -> dict[str, float]:
    value, low, high = np.array([row[at] for row in seen]).T
    present = np.isfinite(value) & np.isfinite(low)
    if not present.any():
        return {"undefined": 1.0}
    off = value[present] - truth
    return {
        "bias": float(off.mean()),
        "RMSE": float(np.sqrt((off**2).mean())),
        "covered": float(((low <= truth) & (truth <= high))[present].mean()),
        "width": float((high - low)[present].mean()),
        "undefined": float(1 - present.mean()),
    }
