"""Write reference.json: what cleanlab 2.9.0 and imbalanced-learn 0.14.2 flag on the data of `data.py` and on CIFAR-10.

Both are heavy, so the tests read what they gave. In an environment with cleanlab, imbalanced-learn, pyarrow and pandas,
and with JUSTESSE_DATA set: `python tests/cleaning/oracles/make.py`.
"""

import json
import os
import warnings
from pathlib import Path

import numpy as np

PRUNE = {
    "by-noise-rate": "prune_by_noise_rate",
    "by-class": "prune_by_class",
    "both": "both",
    "off-diagonal": "confident_learning",
}


def flagged(labels, probabilities):
    from cleanlab.count import compute_confident_joint
    from cleanlab.filter import find_label_issues

    return {
        "joint": compute_confident_joint(labels, probabilities).tolist(),
        **{
            ours: np.flatnonzero(find_label_issues(labels, probabilities, filter_by=theirs, n_jobs=1)).tolist()
            for ours, theirs in PRUNE.items()
        },
    }


def removed(features, labels, kind):
    from imblearn.under_sampling import EditedNearestNeighbours

    peer = EditedNearestNeighbours(sampling_strategy="all", n_neighbors=3, kind_sel=kind).fit(features, labels)
    peer.fit_resample(features, labels)
    return sorted(set(range(len(labels))) - set(peer.sample_indices_.tolist()))


def main():
    import pandas as pd

    from data import drawn_probabilities, drawn_rows

    warnings.simplefilter("ignore")
    folder = Path(os.environ["JUSTESSE_DATA"]) / "cifar10"
    shares, rows = (pd.read_parquet(folder / f"{name}.parquet") for name in ("probabilities", "predictions"))
    classes = [name for name in shares.columns if name != "id"]
    labels = np.array([classes.index(name) for name in rows["label"]])
    reference = {
        "cifar10": flagged(labels, shares[classes].to_numpy(float)),
        "drawn": {str(seed): flagged(*drawn_probabilities(seed)) for seed in range(4)},
        "neighbours": {kind: removed(*drawn_rows(), kind) for kind in ("mode", "all")},
    }
    Path(__file__).with_name("reference.json").write_text(json.dumps(reference) + "\n")


if __name__ == "__main__":
    main()
