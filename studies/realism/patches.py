"""Images as numbers a scikit-learn model can learn from: which typical patches they show, and in which quarter."""

from pathlib import Path
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from studies.realism.settings import Settings

Array = NDArray[Any]
SIZE, STRIDE, AT_ONCE = 6, 2, 250
LOOKED_AT, LEARNT_FROM = 1_000, 40_000  # images and patches from which the typical ones are learnt
CONTRAST, WHITENING = 10.0, 0.1  # added to variances, so that flat patches and faint directions are not blown up


def features(pixels: Array, settings: Settings, folder: Path) -> Array:
    """Describe images by patches, as principal components; computed once and kept. No label is used.

    Whitened patches of 6 × 6 pixels, distances to typical ones (k-means) turned into max(0, mean - distance), summed
    over the quarters of the image: Coates, Lee and Ng (2011).
    """
    facts = (joblib.hash(pixels), settings.centres, settings.features, settings.seed)
    place = folder / f"features-{joblib.hash(facts)[:16]}.npy"
    if not place.exists():
        made = _reduced(_described(pixels, settings), settings)
        unfinished = place.with_suffix(".part.npy")
        np.save(unfinished, made)
        unfinished.replace(place)
    return np.asarray(np.load(place))


def patches(pixels: Array) -> Array:
    """Cut images into patches of equal brightness and contrast: n × rows × columns × 108.

    >>> patches(np.zeros((2, 32, 32, 3))).shape
    (2, 14, 14, 108)
    """
    seen = np.lib.stride_tricks.sliding_window_view(pixels, (SIZE, SIZE), axis=(1, 2))[:, ::STRIDE, ::STRIDE]
    cut = seen.reshape(*seen.shape[:3], -1).astype(np.float32)
    cut -= cut.mean(axis=-1, keepdims=True)
    return np.asarray(cut / np.sqrt(cut.var(axis=-1, keepdims=True) + CONTRAST))


def _described(pixels: Array, settings: Settings) -> Array:
    from sklearn.cluster import MiniBatchKMeans
    from threadpoolctl import threadpool_limits

    generator = stream(settings.seed, "patches")
    looked_at = generator.choice(len(pixels), min(LOOKED_AT, len(pixels)), replace=False)
    some = patches(pixels[looked_at]).reshape(-1, 3 * SIZE * SIZE)
    some = some[generator.choice(len(some), min(LEARNT_FROM, len(some)), replace=False)]
    mean = some.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((some - mean).T))
    whiten = ((axes / np.sqrt(spread + WHITENING)) @ axes.T).astype(np.float32)
    with threadpool_limits(1):  # or the last digits would depend on the machine's cores
        chosen = MiniBatchKMeans(settings.centres, random_state=settings.seed, batch_size=2048, n_init=1, max_iter=30)
        centres = chosen.fit((some - mean) @ whiten).cluster_centers_.astype(np.float32)
        parts = [
            _quarters((patches(pixels[at : at + AT_ONCE]) - mean) @ whiten, centres)
            for at in range(0, len(pixels), AT_ONCE)
        ]
    return np.concatenate(parts)


def _quarters(white: Array, centres: Array) -> Array:
    """Sum what each patch has of each centre over the four quarters of the image."""
    squares = (white**2).sum(axis=-1, keepdims=True) - 2 * white @ centres.T + (centres**2).sum(axis=1)
    distance = np.sqrt(np.maximum(squares, 0))
    near = np.maximum(distance.mean(axis=-1, keepdims=True) - distance, 0)
    half = near.shape[1] // 2
    halves = (slice(half), slice(half, None))
    return np.concatenate([near[:, rows, columns].sum(axis=(1, 2)) for rows in halves for columns in halves], axis=1)


def _reduced(described: Array, settings: Settings) -> Array:
    from sklearn.decomposition import PCA
    from threadpoolctl import threadpool_limits

    standard = (described - described.mean(axis=0)) / (described.std(axis=0) + 1e-3)
    with threadpool_limits(1):
        reduced = PCA(settings.features, random_state=settings.seed).fit_transform(standard)
    return np.asarray(reduced, dtype=np.float32)
