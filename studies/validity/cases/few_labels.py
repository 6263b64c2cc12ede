"""Means from pseudo-labels of all rows and the truth of a few of them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.prediction_powered import Stratum, prediction_powered
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


WHAT = (
    "mean, plain",
    "mean, power-tuned",
    "mean, strata",
    "mean of these rows, strata",
    "bias of the pseudo-labels",
    "mean, labelled rows alone",
    "mean, power-tuned, normal",
)
SETTINGS = tuple(
    Setting(
        "few-labels",
        f"{name}, {checked} rows labelled",
        rows,
        tuple(Case(what, instead=NORMAL if what.endswith("normal") else "") for what in WHAT),
        _means(name, rows, checked),
    )
    for name in LAWS
    for rows, checked in ((1000, 50), (10_000, 300))
)
