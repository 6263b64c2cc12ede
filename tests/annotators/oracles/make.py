"""Make the reference values beside this file: `pip install krippendorff==0.9.0 irrCAC==0.4.4 crowd-kit==1.4.2`, then run.

The crowd sets are read from JUSTESSE_DATA. crowd-kit's Dawid-Skene is run for a fixed number of iterations.
"""

import json
import os
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
SCALES = ("nominal", "ordinal", "interval", "ratio")


def tables():
    """Draw small tables of answers, items × annotators, with every pattern of gaps."""
    rng = np.random.default_rng(15)
    for items, people, classes, gaps in ((12, 2, 2, 0.0), (40, 5, 4, 0.3), (25, 3, 6, 0.6), (60, 8, 3, 0.1)):
        truth = rng.integers(1, classes + 1, items)
        answers = np.where(
            rng.random((items, people)) < 0.7, truth[:, None], rng.integers(1, classes + 1, (items, people))
        ).astype(float)
        answers[rng.random((items, people)) < gaps] = np.nan
        yield answers


def agreement():
    """Compute alpha on every scale, and Fleiss' kappa with gaps."""
    import krippendorff
    from irrCAC.raw import CAC

    for answers in tables():
        cac = CAC(pd.DataFrame(answers))
        cac.digits = 15
        yield {
            "answers": [[None if np.isnan(value) else int(value) for value in row] for row in answers],
            "alpha": {scale: krippendorff.alpha(answers.T, level_of_measurement=scale) for scale in SCALES},
            "fleiss": float(cac.fleiss()["est"]["coefficient_value"]),
        }


def consensus(iterations=20):
    """Run crowd-kit's Dawid-Skene for a fixed number of iterations on the real sets."""
    import crowdkit

    whole = types.ModuleType("crowdkit.aggregation")  # without its text models, which need torch
    whole.__path__ = [str(Path(crowdkit.__file__).parent / "aggregation")]
    sys.modules["crowdkit.aggregation"] = whole
    from crowdkit.aggregation.classification.dawid_skene import DawidSkene

    for name in ("bluebird", "rte", "dog", "web"):
        folder = Path(os.environ["JUSTESSE_DATA"]) / "crowd" / name
        answers = pd.read_csv(folder / "label.csv").rename(columns={"item": "task"})
        truth = pd.read_csv(folder / "truth.csv").set_index("item").truth
        fit = DawidSkene(n_iter=iterations, tol=-np.inf).fit(answers)
        shares = fit.probas_.sort_index().sort_index(axis=1).fillna(0.0)
        right = shares.idxmax(axis=1).reindex(truth.index) == truth
        yield {
            "set": name,
            "iterations": iterations,
            "losses": len(fit.loss_history_),
            "accuracy": float(right.mean()),
            "mean_probability": float(shares.max(axis=1).mean()),
            "first": shares.head(30).to_numpy().round(9).tolist(),
            "highest": shares.max(axis=1).round(6).tolist(),
        }


if __name__ == "__main__":
    (HERE / "agreement.json").write_text(json.dumps(list(agreement()), indent=1) + "\n")
    (HERE / "consensus.json").write_text(json.dumps(list(consensus()), indent=1) + "\n")
