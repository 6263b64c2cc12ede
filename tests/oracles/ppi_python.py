"""Reference values of ppi-python for tests/intervals/test_prediction_powered.py.

ppi-python needs 476 MB with its dependencies, so its values are stored. To make them again, in an environment of its own:

    pip install ppi-python
    python tests/oracles/ppi_python.py > tests/oracles/ppi_python.json
"""

import json
from importlib.metadata import version

import numpy as np

# name, values of rows, and for each (value, proxy) the number of labelled and of unlabelled rows
CASES = (
    ("accuracy", [(1, 1, 169, 8330), (0, 1, 3, 101), (0, 0, 19, 960), (1, 0, 9, 409)]),
    ("few labels", [(1, 1, 40, 400), (0, 1, 5, 45), (0, 0, 10, 90), (1, 0, 5, 65)]),
    ("bad pseudo-labels", [(1, 1, 50, 500), (0, 1, 48, 480), (0, 0, 50, 510), (1, 0, 52, 510)]),
    ("against the truth", [(1, 1, 5, 60), (0, 1, 60, 500), (0, 0, 10, 90), (1, 0, 55, 550)]),
    ("costs", [(0, 0, 150, 4000), (5, 0, 6, 140), (1, 1, 30, 800), (0, 1, 8, 190), (5, 5, 20, 510), (1, 5, 4, 60)]),
    (
        "difference",
        [(1, 1, 20, 300), (-1, -1, 12, 200), (0, 0, 250, 4100), (1, -1, 3, 40), (0, 1, 2, 25), (-1, 1, 1, 9)],
    ),
)


def main():
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate  # the tests' environment lacks it

    cases = []
    for name, cells in CASES:
        values, proxies, labelled, rest = (np.array(part) for part in zip(*cells, strict=True))
        truth, guess = np.repeat(values, labelled).astype(float), np.repeat(proxies, labelled).astype(float)
        unlabelled = np.repeat(proxies, rest).astype(float)
        for tuning, lam in (("plain", 1 - len(truth) / (len(truth) + len(unlabelled))), ("power", None), ("none", 0)):
            low, high = ppi_mean_ci(truth, guess, unlabelled, alpha=0.05, lam=lam)
            value = ppi_mean_pointestimate(truth, guess, unlabelled, lam=lam)
            numbers = {"value": value, "low": low, "high": high}
            numbers = {key: float(np.ravel(number)[0]) for key, number in numbers.items()}
            cases.append({"name": name, "cells": cells, "tuning": tuning, **numbers})
    print(json.dumps({"ppi-python": version("ppi-python"), "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
