"""Whether random chains have mixed: split R-hat and effective sample size."""

import numpy as np

from justesse.core.arrays import FloatArray


def split_rhat(draws: FloatArray) -> FloatArray:
    """Compare the spread between halves of chains with that within them; near 1 is good, above 1.05 is not.

    `draws` is chains × draws × quantities. Gelman et al., Bayesian Data Analysis, 2013, section 11.4.

    >>> rng = np.random.default_rng(0)
    >>> bool(split_rhat(rng.normal(size=(4, 500, 1)))[0] < 1.02)
    True
    >>> bool(split_rhat(rng.normal(size=(4, 500, 1)) + np.arange(4)[:, None, None])[0] > 1.5)
    True
    """
    half = draws.shape[1] // 2
    parts = np.concatenate([draws[:, :half], draws[:, half : 2 * half]])
    within = parts.var(axis=1, ddof=1).mean(axis=0)
    between = parts.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt((half - 1) / half + between / within)
    return np.where(within > 0, ratio, np.where(between > 0, np.inf, 1.0))


def effective_size(draws: FloatArray) -> FloatArray:
    """Estimate how many independent draws tell as much (Geyer's initial positive sequence).

    >>> rng = np.random.default_rng(0)
    >>> steps = rng.normal(size=(4, 1000, 1))
    >>> bool(effective_size(steps)[0] > 3000)
    True
    """
    chains, n, quantities = draws.shape
    centred = draws - draws.mean(axis=1, keepdims=True)
    size = 2 ** int(np.ceil(np.log2(2 * n)))
    spectrum = np.fft.rfft(centred, size, axis=1)
    covariance = np.fft.irfft(spectrum * np.conj(spectrum), size, axis=1)[:, :n] / n
    within = (covariance[:, 0] * n / (n - 1)).mean(axis=0)
    total = within * (n - 1) / n + (draws.mean(axis=1).var(axis=0, ddof=1) if chains > 1 else 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = 1 - (within - covariance.mean(axis=0)) / total
    pairs = correlation[: n - n % 2].reshape(-1, 2, quantities).sum(axis=1)
    positive = np.cumprod(pairs > 0, axis=0)
    time = -1 + 2 * np.sum(np.minimum.accumulate(pairs, axis=0) * positive, axis=0)
    size = chains * n / np.maximum(time, 1 / np.log10(max(chains * n, 10)))
    return np.asarray(np.where(total > 0, size, chains * n), dtype=float)
