"""Means from pseudo-labels of all rows and the truth of a few of them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.planning.active import active_design
from justesse.intervals.prediction_powered import Stratum, prediction_powered
from justesse.measures import accuracy
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.sample_design import SampleDesign
from studies.validity.case import Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
RIGHT = [(1, 1), (0, 1), (0, 0), (1, 0)]
COSTS = [(0, 0), (1, 0), (20, 0), (0, 1), (1, 1), (20, 20), (1, 20)]
AHEAD = [(0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1), (0, 1), (0, -1), (1, 0), (-1, 0)]
# name, (value, proxy) of a row, their chances, least and greatest value
LAWS: dict[str, tuple[list[tuple[int, int]], list[float], tuple[float, float]]] = {
    "good pseudo-labels": (RIGHT, [0.89, 0.01, 0.08, 0.02], (0.0, 1.0)),
    "hardly a wrong pseudo-label": (RIGHT, [0.946, 0.004, 0.048, 0.002], (0.0, 1.0)),
    "useless pseudo-labels": (RIGHT, [0.45, 0.05, 0.05, 0.45], (0.0, 1.0)),
    "rare high costs": (COSTS, [0.86, 0.03, 0.004, 0.02, 0.06, 0.02, 0.006], (0.0, 20.0)),
    "differences of two classifiers": (AHEAD, [0.86, 0.05, 0.03, 0.005, 0.005, 0.015, 0.01, 0.015, 0.01], (-1.0, 1.0)),
}
NORMAL = "ends='mover', the default"


def _means(name: str, rows: int, checked: int) -> Run:
    cells, chances, bounds = LAWS[name]
    values, proxies = np.array(cells, dtype=float).T
    truth = float(values @ np.array(chances))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "prediction-powered", name, str(rows), str(checked))
        pairs: dict[str, list[tuple[Interval, float]]] = {what: [] for what in WHAT}
        for _ in range(repetitions):
            whole = rng.multinomial(rows, chances)
            part = rng.multivariate_hypergeometric(whole, checked, method="marginals")
            one = [Stratum(proxies, whole, values, proxies, part)]
            kinds = [
                Stratum([proxy], [whole[at].sum()], values[at], proxies[at], part[at])
                for proxy in np.unique(proxies)
                if whole[at := proxies == proxy].sum()
            ]
            options: dict[str, Any] = {"bounds": bounds}
            plain = prediction_powered(one, tuning="plain", **options)
            tuned = prediction_powered(one, **options)
            here = float(values @ whole) / rows
            rows_only = prediction_powered(kinds, about="rows", **options)
            normal = prediction_powered(one, ends="normal", **options)
            pairs["mean, plain"].append((plain.interval, truth))
            pairs["mean, power-tuned"].append((tuned.interval, truth))
            pairs["mean, strata"].append((prediction_powered(kinds, **options).interval, truth))
            pairs["mean of these rows, strata"].append((rows_only.interval, here))
            pairs["bias of the pseudo-labels"].append((plain.bias_interval, float(proxies @ whole) / rows - here))
            pairs["mean, labelled rows alone"].append((plain.alone, truth))
            pairs["mean, power-tuned, normal"].append((normal.interval, truth))
        return {what: covered([ends for ends, _ in seen], [true for _, true in seen]) for what, seen in pairs.items()}

    return run


DRAWN = ("accuracy, rows drawn actively", "difference, rows drawn actively", "accuracy of these rows, always valid")


def _drawn(helpful: bool, rows: int, checked: int) -> Run:
    """Draw rows with unequal probabilities, by scores that tell where labels are wrong, or that tell nothing."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "rows drawn actively", str(helpful), str(rows), str(checked))
        pairs: dict[str, list[tuple[Interval | None, float]]] = {what: [] for what in DRAWN}
        for at in range(repetitions):
            hard = rng.random(rows) ** 4  # chance that a row is difficult, for the labels and for both classifiers
            true = rng.integers(3, size=rows)
            label, old, new = (
                np.where(rng.random(rows) < share * hard, (true + 1) % 3, true) for share in (0.4, 0.6, 0.5)
            )
            scores = np.clip(0.4 * hard, 0, 1) if helpful else rng.random(rows)
            design = active_design(scores, checked, kinds=label == new, seed=at)
            picked, many = design.drawn, len(design.sizes)
            strata = SampleDesign(tuple(range(many)), tuple(design.sizes.tolist()), tuple(design.chances.tolist()))
            names: Any = range(3)
            coded = {"true": true, "label": label, "incumbent": old, "candidate": new}
            axes = [(coded[axis][picked], names) for axis in coded]
            axes += [(design.stratum[picked], range(many)), (np.arange(checked), range(checked))]
            sample = Tally.from_codes([*coded, "stratum", "order"], axes, np.ones(checked, dtype=int))
            whole = Tally.from_codes(
                ["label", "incumbent", "candidate"],
                [(coded[axis], names) for axis in list(coded)[1:]],
                np.ones(rows, int),
            )
            case = Rows(whole)
            both = recheck_difference(case, sample, design=strata).figures[0]
            rung = recheck(
                whole.marginal("label", "candidate").renamed(candidate="prediction"),
                sample.marginal("true", "label", "candidate", "stratum", "order").renamed(candidate="prediction"),
                [accuracy],
                design=strata,
            )
            assert rung.powered is not None
            pairs[DRAWN[0]].append((rung.figures[0].interval, 1 - 0.5 / 5))
            pairs[DRAWN[1]].append((both.interval, 0.1 / 5))
            pairs[DRAWN[2]].append((rung.powered.always_valid, float(np.mean(new == true))))
        return {what: covered([ends for ends, _ in seen], [true for _, true in seen]) for what, seen in pairs.items()}

    return run


WHAT = (
    "mean, plain",
    "mean, power-tuned",
    "mean, strata",
    "mean of these rows, strata",
    "bias of the pseudo-labels",
    "mean, labelled rows alone",
    "mean, power-tuned, normal",
)
SETTINGS = (
    *(
        Setting(
            "few-labels",
            f"{'helpful' if helpful else 'useless'} scores, {checked} rows drawn",
            rows,
            tuple(Case(what) for what in DRAWN),
            _drawn(helpful, rows, checked),
        )
        for helpful in (True, False)
        for rows, checked in ((1000, 60),)
    ),
    *(
        Setting(
            "few-labels",
            f"{name}, {checked} rows labelled",
            rows,
            tuple(Case(what, instead=NORMAL if what.endswith("normal") else "") for what in WHAT),
            _means(name, rows, checked),
        )
        for name in LAWS
        for rows, checked in ((1000, 50), (10_000, 300))
    ),
)
