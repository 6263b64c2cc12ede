"""What the label of an item teaches a classifier that is being trained."""

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.pool import standardised
from justesse.core.arrays import FloatArray

RIDGE = 1.0  # what is known about each weight of the classifier before any label


def teaching_by_doubt(probabilities: FloatArray) -> FloatArray:
    """Weigh items by the classifier's doubt, 1 - Σ_k q_k²: the squared error it expects of its own probabilities.

    A label that the classifier already predicts for sure teaches it little. Items without probabilities (NaN) weigh 0.

    >>> teaching_by_doubt(np.array([[0.5, 0.5], [1.0, 0.0], [np.nan, np.nan]])).tolist()
    [0.5, 0.0, 0.0]
    """
    return np.asarray(np.nan_to_num(1 - (probabilities**2).sum(axis=1)))


def teaching_by_features(fit: Consensus, features: FloatArray) -> FloatArray:
    """Weigh items by what their label tells about a logistic regression on the features.

        w_i = v_i·x_iᵀ A⁻¹ x_i,    A = I + Σ_j c_j·v_j·x_j x_jᵀ,    v_i = 1 - Σ_k q_ik²

    q are the regression's probabilities after training on the consensus, each item counting for its class
    probabilities; c_j is the share of the entropy of item j's class that its answers have removed. An item weighs much
    if the classifier doubts its class and few items like it have certain labels. To first order this is the gain in
    the log determinant of the information about the classifier's weights (D-optimality). MacKay, Information-based
    objective functions for active data selection, Neural Computation 4:590-604, 1992.

    Parameters
    ----------
    fit
        The model of the annotators so far.
    features
        Numeric features, items × features.

    Returns
    -------
    array
        Weight of each item.
    """
    from sklearn.linear_model import LogisticRegression

    shares = fit.dense()
    n, k = shares.shape
    scaled = np.asarray(standardised(features), dtype=float)
    answered = fit.support.annotations.per_item > 0
    item, label = np.nonzero((shares > 1e-6) & answered[:, None])
    probabilities = np.zeros((n, k))
    if len(np.unique(label)) < 2:
        probabilities[:, label[:1]] = 1.0
    else:
        model = LogisticRegression(max_iter=1000).fit(scaled[item], label, sample_weight=shares[item, label])
        probabilities[:, model.classes_] = model.predict_proba(scaled)
    doubt = teaching_by_doubt(probabilities)
    entropy = -(shares * np.log(np.maximum(shares, 1e-300))).sum(axis=1)
    certain = np.clip(1 - entropy / np.log(max(k, 2)), 0.0, 1.0)
    points = np.column_stack([np.ones(n), scaled])
    known = RIDGE * np.eye(points.shape[1]) + (points * (certain * doubt)[:, None]).T @ points
    return np.asarray(doubt * np.einsum("if,fg,ig->i", points, np.linalg.inv(known), points))
