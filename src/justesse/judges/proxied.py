"""Judge two variants by a proxy of the outcome, corrected by the events whose outcome is known."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.event_blocks import PROXY_ERROR, EventBlocks
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.asymptotic_sequence import asymptotic_half_width
from justesse.intervals.difference_sequence import lower_difference
from justesse.intervals.mean_sequence import mean_bounds

OF_PROXY = 0.2  # share of the risk for the proxy; the errors of the proxy are known for fewer events and get the rest
FEWEST_EACH = 30  # known outcomes of each variant before an asymptotic interval is given


@dataclass(frozen=True)
class ProxyArm:
    """The proxy of one variant, its errors (outcome - proxy, scaled to 0 to 1) and outcomes where these are known.

    `tuned` is whether the proxy counts as much as it is worth, or fully.
    """

    proxy: ArmSums
    errors: ArmSums
    known: ArmSums
    tuned: bool = False

    @property
    def n(self) -> Array:
        """Number of known outcomes, at each look."""
        return self.errors.n

    @property
    def mean(self) -> Array:
        """Mean of known outcomes, moved by what the proxy says about the others; NaN before the first outcome."""
        error = 2 * self.errors.mean - 1
        with np.errstate(invalid="ignore"):
            return np.asarray(self.known.mean + self.weight * (self.proxy.mean - self.known.mean + error))

    @property
    def weight(self) -> Array:
        """How much the proxy counts, at each look: cov(outcome, proxy) / var(proxy), between 0 and 1, if tuned."""
        if not self.tuned:
            return np.ones(len(self.n))
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = self._covariance / (self.proxy.spread / self.proxy.n)
        return np.asarray(np.clip(np.nan_to_num(slope, posinf=0.0, neginf=0.0), 0.0, 1.0))

    @property
    def variance(self) -> Array:
        """Variance of the mean, at each look."""
        with np.errstate(invalid="ignore", divide="ignore"):
            rest, spread = 1 / self.n - 1 / self.proxy.n, self.proxy.spread / self.proxy.n
            gain = (2 * self.weight * self._covariance - self.weight**2 * spread) * rest
            return np.asarray(self.known.spread / self.n**2 - gain)

    @property
    def _covariance(self) -> Array:
        """Covariance of outcome and proxy, from the variances of both and of their difference."""
        with np.errstate(invalid="ignore", divide="ignore"):
            known, errors = self.known.spread / self.n, 4 * self.errors.spread / self.n
            return np.asarray((known + self.proxy.spread / self.proxy.n - errors) / 2)

    @property
    def mirrored(self) -> "ProxyArm":
        """The same with 1 - x for every outcome and proxy x."""
        return ProxyArm(self.proxy.mirrored, self.errors.mirrored, self.known.mirrored, self.tuned)

    def at(self, looks: int) -> "ProxyArm":
        """Keep one look."""
        return ProxyArm(self.proxy.at(looks), self.errors.at(looks), self.known.at(looks), self.tuned)

    def scaled(self, times: float) -> "ProxyArm":
        """Return the last look as it would be after so many times as many events, all else alike."""
        return ProxyArm(self.proxy.scaled(times), self.errors.scaled(times), self.known.scaled(times), self.tuned)

    def bounds(self, risk: float) -> tuple[float, float]:
        """Return bounds on the corrected mean at the last look."""
        if self.tuned:
            last = self.at(-1)
            half = asymptotic_half_width(last.n, np.sqrt(last.n * last.variance), risk=risk)
            ends = [float(last.mean[0] + side * half[0]) for side in (-1, 1)]
            return (0.0, 1.0) if last.n[0] < FEWEST_EACH else (max(ends[0], 0.0), min(ends[1], 1.0))
        proxy, errors = mean_bounds(self.proxy, OF_PROXY * risk), mean_bounds(self.errors, (1 - OF_PROXY) * risk)
        return max(proxy[0] + 2 * errors[0] - 1, 0.0), min(proxy[1] + 2 * errors[1] - 1, 1.0)


@dataclass(frozen=True)
class ProxyIntervals:
    """Differences at every look: by the proxy alone, of its mean errors, and by both; lower and upper ends."""

    proxy: tuple[Array, Array]
    bias: tuple[Array, Array]
    corrected: tuple[Array, Array]


def proxy_arms(
    blocks: EventBlocks, proxy: str, *, tuned: bool = False, lower_is_better: bool = False
) -> tuple[ProxyArm, ProxyArm]:
    """Add up the proxy, its errors and the known outcomes, for incumbent and candidate."""

    def arm(at: int) -> ProxyArm:
        parts = (blocks.tracked[proxy], blocks.tracked[PROXY_ERROR], blocks)
        sums = [ArmSums.of_blocks(part.n[at], part.total[at], part.squares[at]) for part in parts]
        own = ProxyArm(sums[0], sums[1], sums[2], tuned)
        return own.mirrored if lower_is_better else own

    return arm(0), arm(1)


def tuned_interval(incumbent: ProxyArm, candidate: ProxyArm, *, risk: float) -> tuple[Array, Array]:
    """Return an asymptotic interval for the difference of tuned means, for all looks together.

        mean = mean of known outcomes + λ (mean proxy of all events - mean proxy of those),   λ = cov / var
        variance = var(outcome) / n - λ (2 cov - λ var(proxy)) (1/n - 1/N)

    A useless proxy gets the weight 0, so this is never much wider than what the known outcomes alone say. It holds for
    many known outcomes. Angelopoulos, Duchi and Zrnic (2023), PPI++, for λ.
    """
    n = incumbent.n + candidate.n
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = np.maximum(incumbent.variance + candidate.variance, 0.0)
        half = asymptotic_half_width(n, np.sqrt(n * variance), risk=risk)
        middle = candidate.mean - incumbent.mean
    few = np.minimum(incumbent.n, candidate.n) < FEWEST_EACH
    low, high = (np.where(few, side, middle + side * half) for side in (-1.0, 1.0))
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def proxy_intervals(incumbent: ProxyArm, candidate: ProxyArm, *, risk: float, share: float = 0.5) -> ProxyIntervals:
    """Return intervals for the difference that hold at all looks together.

        difference = (difference of proxies) + (difference of the proxy's mean errors)

    Both parts have always-valid bounds that share the risk, so their sums hold together; tuned arms have an asymptotic
    interval instead. The proxy may be biased, and
    differently for each variant; events with a known outcome must be a random part of each variant's events.
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), Prediction-powered inference, for the correction.

    Parameters
    ----------
    incumbent, candidate
        Sums of both variants at the same looks.
    risk
        Chance that an interval ever misses, on either side.
    share
        Planned share of the candidate in the events of both.

    Examples
    --------
    >>> proxy = [ArmSums.of_blocks([5000], [mean * 5000], [mean * 5000]) for mean in (0.4, 0.5)]
    >>> errors = ArmSums.of_blocks([1000], [500], [275])  # right in nine of ten, unbiased
    >>> known = [ArmSums.of_blocks([1000], [mean * 1000], [mean * 1000]) for mean in (0.4, 0.5)]
    >>> arms = [ProxyArm(sums, errors, own) for sums, own in zip(proxy, known)]
    >>> ends = proxy_intervals(*arms, risk=0.05).corrected
    >>> [end.round(2).tolist() for end in ends]
    [[-0.01], [0.21]]
    """

    def both(first: ArmSums, second: ArmSums, own: float) -> tuple[Array, Array]:
        low = lower_difference(first, second, risk=own / 2, share=share)
        return low, -lower_difference(second, first, risk=own / 2, share=1 - share)

    proxy = both(candidate.proxy, incumbent.proxy, OF_PROXY * risk)
    errors = both(candidate.errors, incumbent.errors, (1 - OF_PROXY) * risk)
    bias = (2 * errors[0], 2 * errors[1])
    corrected = (np.maximum(proxy[0] + bias[0], -1.0), np.minimum(proxy[1] + bias[1], 1.0))
    if candidate.tuned:
        corrected = tuned_interval(incumbent, candidate, risk=risk)
    return ProxyIntervals(proxy, bias, corrected)
