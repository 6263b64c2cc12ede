"""Reference values of nannyml's CBPE for tests/intervals/test_expected_confusion.py.

nannyml needs about 2 GB with its dependencies, so its values are stored. To make them again, in an environment of its own:

    pip install nannyml
    python tests/oracles/nannyml_cbpe.py > tests/oracles/nannyml_cbpe.json
"""

import json
from importlib.metadata import version

import numpy as np

# name, classes, rows of the reference, rows of the target, factor of the logits (above 1: over-confident)
CASES = (
    ("two classes", 2, 3000, 1000, 2.0),
    ("three classes", 3, 4000, 1500, 2.5),
    ("under-confident", 3, 4000, 700, 0.4),
)
METRICS = ("accuracy", "precision", "recall", "f1")


def rows(classes, reference, target, factor):
    """Draw labels and over-confident probabilities; the target's rows are harder."""
    rng = np.random.default_rng(0)
    parts = []
    for n, spread in ((reference, 2.0), (target, 1.2)):
        logits = rng.normal(0, spread, (n, classes)) + np.linspace(0, 0.5, classes)
        true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        label = (rng.random((n, 1)) > true.cumsum(axis=1)).sum(axis=1)
        sharp = np.exp(factor * logits)
        parts.append((np.round(sharp / sharp.sum(axis=1, keepdims=True), 6), np.minimum(label, classes - 1)))
    return parts


def main():
    import nannyml
    import pandas as pd

    cases = []
    for name, classes, *numbers in CASES:
        frames = []
        for probabilities, label in rows(classes, *numbers):
            frame = pd.DataFrame({f"p{at}": probabilities[:, at] for at in range(classes)})
            frames.append(frame.assign(label=label, prediction=probabilities.argmax(axis=1)))
        two = classes == 2
        estimator = nannyml.CBPE(
            y_pred_proba="p1" if two else {at: f"p{at}" for at in range(classes)}, y_pred="prediction", y_true="label",
            problem_type="classification_binary" if two else "classification_multiclass",
            metrics=list(METRICS), chunk_size=numbers[1],
        )  # fmt: skip
        estimator.fit(frames[0])
        table = estimator.estimate(frames[1].drop(columns="label")).filter(period="analysis").to_df()
        calibrated = (
            [bool(estimator.needs_calibration)]
            if two
            else [type(item).__name__ == "IsotonicCalibrator" for item in estimator._calibrators.values()]
        )
        values = {metric: float(table[metric]["value"].iloc[0]) for metric in METRICS}
        cases.append({"name": name, "calibrated": calibrated, **values})
    print(json.dumps({"nannyml": version("nannyml"), "cases": cases}, indent=1))


if __name__ == "__main__":
    main()
