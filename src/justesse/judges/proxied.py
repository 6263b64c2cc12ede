"""Judge two variants by a proxy of the outcome, corrected by the events whose outcome is known."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.event_blocks import PROXY_ERROR, EventBlocks
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import lower_difference
from justesse.intervals.mean_sequence import mean_bounds

OF_PROXY = 0.2  # share of the risk for the proxy; the errors of the proxy are known for fewer events and get the rest


@dataclass(frozen=True)
class ProxyArm:
    """The proxy of one variant, and its errors (outcome - proxy, scaled to 0 to 1) where the outcome is known."""

    proxy: ArmSums
    errors: ArmSums

    @property
    def n(self) -> Array:
        """Number of known outcomes, at each look."""
        return self.errors.n

    @property
    def mean(self) -> Array:
        """Mean of the proxy plus its mean error, at each look; NaN before the first outcome."""
        return np.asarray(self.proxy.mean + 2 * self.errors.mean - 1)

    @property
    def mirrored(self) -> "ProxyArm":
        """The same with 1 - x for every outcome and proxy x."""
        return ProxyArm(self.proxy.mirrored, self.errors.mirrored)

    def at(self, looks: int) -> "ProxyArm":
        """Keep one look."""
        return ProxyArm(self.proxy.at(looks), self.errors.at(looks))

    def scaled(self, times: float) -> "ProxyArm":
        """Return the last look as it would be after so many times as many events, all else alike."""
        return ProxyArm(self.proxy.scaled(times), self.errors.scaled(times))

    def bounds(self, risk: float) -> tuple[float, float]:
        """Return bounds on the corrected mean at the last look."""
        proxy, errors = mean_bounds(self.proxy, OF_PROXY * risk), mean_bounds(self.errors, (1 - OF_PROXY) * risk)
        return max(proxy[0] + 2 * errors[0] - 1, 0.0), min(proxy[1] + 2 * errors[1] - 1, 1.0)


@dataclass(frozen=True)
class ProxyIntervals:
    """Differences at every look: by the proxy alone, of its mean errors, and by both; lower and upper ends."""

    proxy: tuple[Array, Array]
    bias: tuple[Array, Array]
    corrected: tuple[Array, Array]


def proxy_arms(blocks: EventBlocks, proxy: str, *, lower_is_better: bool = False) -> tuple[ProxyArm, ProxyArm]:
    """Add up the proxy and its errors, for incumbent and candidate."""

    def arm(at: int) -> ProxyArm:
        parts = (blocks.tracked[proxy], blocks.tracked[PROXY_ERROR])
        sums = [ArmSums.of_blocks(part.n[at], part.total[at], part.squares[at]) for part in parts]
        return ProxyArm(*sums).mirrored if lower_is_better else ProxyArm(*sums)

    return arm(0), arm(1)


def proxy_intervals(incumbent: ProxyArm, candidate: ProxyArm, *, risk: float, share: float = 0.5) -> ProxyIntervals:
    """Return intervals for the difference that hold at all looks together.

        difference = (difference of proxies) + (difference of the proxy's mean errors)

    Both parts have always-valid bounds that share the risk, so their sums hold together. The proxy may be biased, and
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
    >>> arms = [ProxyArm(sums, errors) for sums in proxy]
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
    return ProxyIntervals(proxy, bias, corrected)
