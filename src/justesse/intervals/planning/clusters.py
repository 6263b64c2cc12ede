"""How many clusters, and how many rows of each: several samples of few questions, or one sample of many?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from justesse.core.errors import OptionError
from justesse.intervals.ends import far_value
from justesse.intervals.planning.search import smallest

LARGEST_SIZE = 10_000  # rows of a cluster that are considered


@dataclass(frozen=True)
class ClusterDesign:
    """So many clusters of so many rows, with an intraclass correlation.

    >>> few, many = ClusterDesign(500, 4, 0.4), ClusterDesign(2000, 1, 0.4)
    >>> round(few.effective_n), round(many.effective_n), round(few.between, 2)
    (909, 2000, 0.73)
    """

    clusters: int
    size: int
    correlation: float

    def __post_init__(self) -> None:
        for name, value in (("clusters", self.clusters), ("rows of a cluster", self.size)):
            if value < 1:
                raise OptionError(f"The number of {name} must be at least 1; got {value!r}.")
        check_correlation(self.correlation)

    @property
    def rows(self) -> int:
        return self.clusters * self.size

    @property
    def effective_n(self) -> float:
        """Independent rows that would give the same standard error."""
        return self.rows / design_effect(self.size, self.correlation)

    def reach(self, tails: Sequence[float]) -> float:
        """Return the independent rows that reach a goal as well, with Student's t in place of the normal distribution.

            n* / (Σ t_ν / Σ z)²,   ν = clusters - 1

        The sums are over the tails that the goal rests on: that of the interval, and for power also 1 - power. Rows
        that are clusters of their own count in full; one cluster reaches nothing.

        >>> few = ClusterDesign(3, 1000, 0.0)
        >>> round(few.effective_n), round(few.reach([0.025]))
        (3000, 623)
        """
        if self.size == 1:
            return self.effective_n
        if self.clusters < 2:
            return 0.0
        student, normal = (sum(far_value(tail, nu) for tail in tails) for nu in (self.clusters - 1.0, math.inf))
        return self.effective_n * (normal / student) ** 2 if student > normal > 0 else self.effective_n

    @property
    def between(self) -> float:
        """Share of the variance that is due to which clusters were drawn; the rest is due to which rows of them."""
        within = (1 - self.correlation) / self.size
        return self.correlation / (self.correlation + within) if self.correlation + within else 0.0

    def price(self, cluster_price: float, row_price: float) -> float:
        """Return what it costs to collect."""
        return self.clusters * (cluster_price + self.size * row_price)


def design_effect(size: float, correlation: float) -> float:
    """Compute by how much clusters of this size multiply the variance: 1 + (m - 1)·ρ.

    Kish (1965).

    >>> design_effect(4, 0.4)
    2.2
    """
    return 1 + (size - 1) * correlation


def clusters_needed(
    independent: int, size: int, correlation: float, tails: Sequence[float] = (0.025,)
) -> ClusterDesign:
    """Return the fewest clusters of a size that reach a goal as well as so many independent rows.

    Parameters
    ----------
    independent
        Independent rows that reach the goal.
    size
        Rows of each cluster.
    correlation
        Intraclass correlation.
    tails
        Tails that the goal rests on (`ClusterDesign.reach`).

    Examples
    --------
    >>> clusters_needed(1000, 4, 0.4)
    ClusterDesign(clusters=553, size=4, correlation=0.4)
    >>> clusters_needed(2398, 1000, 0.0)
    ClusterDesign(clusters=5, size=1000, correlation=0.0)
    """
    check_correlation(correlation)
    if isinstance(size, bool) or int(size) != size or not 1 <= size <= LARGEST_SIZE:
        raise OptionError(f"A cluster must have 1 to {LARGEST_SIZE:,} rows, a whole number; got {size!r}.")
    design = ClusterDesign(2, int(size), correlation)
    return replace(
        design,
        clusters=smallest(
            lambda clusters: replace(design, clusters=clusters).reach(tails) >= independent - 1e-9, start=2
        ),
    )


def best_size(correlation: float, cluster_price: float, row_price: float) -> int:
    """Return the number of rows of each cluster that is cheapest for any precision: about sqrt(C/c·(1-ρ)/ρ).

    C is the price of a further cluster, c that of a further row. Cochran (1977).

    >>> best_size(0.2, 5.0, 0.5), best_size(0.8, 0.0, 1.0)
    (6, 1)
    """
    check_correlation(correlation)
    for name, value in (("cluster", cluster_price), ("row", row_price)):
        if not 0 <= value < math.inf:
            raise OptionError(f"The price of a {name} must be a number from 0 up; got {value!r}.")
    if cluster_price + row_price <= 0:
        raise OptionError("Clusters or rows must have a price above 0.")

    def paid(size: int) -> float:
        return (cluster_price + size * row_price) * design_effect(size, correlation) / size

    if correlation == 0 or row_price == 0:
        ideal = float(LARGEST_SIZE)
    else:
        ideal = min(math.sqrt(cluster_price / row_price * (1 - correlation) / correlation), LARGEST_SIZE)
    return min({max(1, math.floor(ideal)), max(1, math.ceil(ideal))}, key=lambda size: (paid(size), size))


def check_correlation(correlation: float) -> None:
    """Refuse what is no intraclass correlation."""
    if not 0 <= correlation <= 1:
        raise OptionError(
            f"The intraclass correlation must lie between 0 and 1; got {correlation!r}. Take 0 for a negative estimate."
        )
