"""Rows with wrong labels, drawn from a seed: the same for the peers and for the tests."""

import numpy as np


def drawn_probabilities(seed):
    """Return labels, a fifth of them drawn anew, and probabilities that favour the true classes."""
    rng = np.random.default_rng(seed)
    n, classes = 997 + 100 * seed, 3 + seed
    true = rng.integers(0, classes, n)
    labels = np.where(rng.random(n) < 0.2, rng.integers(0, classes, n), true)
    shares = rng.dirichlet(np.full(classes, 0.5), n) + (np.arange(classes) == true[:, None]) * rng.random((n, 1))
    return labels, shares / shares.sum(axis=1, keepdims=True)


def drawn_rows():
    """Return features of three overlapping classes and labels, a tenth of them wrong."""
    rng = np.random.default_rng(5)
    true = np.repeat([0, 1, 2], [150, 100, 30])
    features = rng.normal(0, 1, (280, 3)) + true[:, None] * 1.5
    return features, np.where(rng.random(280) < 0.1, (true + 1) % 3, true)
