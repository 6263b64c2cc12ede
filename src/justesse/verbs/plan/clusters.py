"""Rows of a plan that come in clusters: how many clusters, of how many rows, and what they cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import OptionError
from justesse.intervals.cluster_summary import FEW_CLUSTERS
from justesse.intervals.planning.clusters import ClusterDesign, best_size, clusters_needed, design_effect
from justesse.report.writing import Message, message


@dataclass(frozen=True)
class ClusterPlan:
    """The clusters that a goal needs, and other designs beside them.

    Parameters
    ----------
    design
        Clusters needed.
    independent
        Independent rows that they are worth.
    others
        Designs asked about.
    prices
        Prices of a further cluster and of a further row, if they are known.
    tails
        Tails that the goal rests on: those of the interval or test, and 1 - power.
    half_width
        Function of a number of independent rows that returns the half-width they give, if the plan is about one.
    """

    design: ClusterDesign
    independent: int
    others: tuple[ClusterDesign, ...]
    prices: tuple[float, float] | None
    tails: tuple[float, ...]
    half_width: Callable[[float], float] | None = None

    @classmethod
    def of(
        cls,
        independent: int,
        *,
        correlation: float | None,
        cluster_size: int | None,
        clusters: Any,
        cluster_price: float | None,
        row_price: float | None,
        tails: tuple[float, ...],
        half_width: Callable[[float], float] | None = None,
    ) -> "ClusterPlan | None":
        """Plan clusters worth so many independent rows; `None` if nothing is asked about clusters.

        Parameters
        ----------
        independent
            Rows needed if all were independent.
        correlation
            Intraclass correlation.
        cluster_size
            Rows of each cluster.
        clusters
            Designs to compare, such as 500x4.
        cluster_price, row_price
            Prices of a further cluster and of a further row.
        tails
            Tails that the goal rests on.
        half_width
            Function of a number of independent rows that returns the half-width they give.
        """
        asked = (cluster_size, clusters or None, cluster_price, row_price)
        if correlation is None:
            if all(value is None for value in asked):
                return None
            raise OptionError(
                "Clusters need their intraclass correlation: correlation=0.3 (--correlation 0.3). justesse evaluate "
                "--cluster and compare --cluster estimate it."
            )
        if (cluster_price is None) != (row_price is None):
            raise OptionError(
                "Give both prices: cluster_price (--cluster-price) of a further cluster, row_price (--row-price) of a "
                "further row."
            )
        prices = None if cluster_price is None or row_price is None else (cluster_price, row_price)
        others = tuple(_design(word, correlation) for word in _words(clusters))
        size = cluster_size
        if size is None:
            size = best_size(correlation, *prices) if prices else others[0].size if others else 1
        design = clusters_needed(independent, size, correlation, tails)
        return cls(design, independent, others, prices, tails, half_width)

    @property
    def words(self) -> Message:
        """Say what the clusters are, what part of the variance they make, and what to buy."""
        design = self.design
        parts: dict[str, Any] = {"clusters": design.clusters, "size": design.size, "n": design.rows}
        parts |= {"worth": self.independent, "between": design.between}
        words = (
            "{clusters:count} clusters of {size:count row} each, {n:count} rows, do as well as {worth:count} independent rows. "
            "{between:rough_share} of the variance is due to which clusters are drawn: more rows of the same clusters cannot "
            "reduce it."
        )
        if self.prices:
            words += " They cost {price:number}, the least for rows at {row:number} and clusters at {cluster:number}."
            best, price = best_size(design.correlation, *self.prices), design.price(*self.prices)
            if (
                design.size != best or design.clusters < FEW_CLUSTERS
            ):  # the formula of the best size takes many clusters
                words = words.replace(", the least for", " for")
            if design.size != best and self._of_size(best).price(*self.prices) < price:
                words += " Clusters of {best:count row} would be cheaper."
            parts |= {"price": price, "row": self.prices[1], "cluster": self.prices[0], "best": best}
        if self.others:
            widest = max(self.others, key=lambda other: other.reach(self.tails))
            words += " Most precise of those asked about: {many:count} clusters of {each:count row}."
            parts |= {"many": widest.clusters, "each": widest.size}
        if min(each.clusters for each in (design, *self.others)) < FEW_CLUSTERS:
            words += (
                " With fewer than {few:count} clusters, how much they vary is hardly known, and intervals can still be too "
                "narrow: plan more and smaller clusters."
            )
            parts["few"] = FEW_CLUSTERS
        return message(words, **parts)

    def to_dict(self) -> dict[str, Any]:
        return {
            "correlation": self.design.correlation,
            "design_effect": design_effect(self.design.size, self.design.correlation),
            "independent_rows": self.independent,
            **self._row(self.design),
            "designs": [self._row(other) for other in self.others],
        }

    def _of_size(self, size: int) -> ClusterDesign:
        return clusters_needed(self.independent, size, self.design.correlation, self.tails)

    def _half_width(self, design: ClusterDesign) -> float | None:
        reach = design.reach(self.tails)
        return self.half_width(reach) if self.half_width and reach else None

    def _row(self, design: ClusterDesign) -> dict[str, Any]:
        return {
            "clusters": design.clusters,
            "cluster_size": design.size,
            "rows": design.rows,
            "effective_n": design.effective_n,
            "half_width": self._half_width(design),
            "between": design.between,
            "price": design.price(*self.prices) if self.prices else None,
        }


def rows_of(independent: int, plan: ClusterPlan | None, tails: tuple[float, ...]) -> int:
    """Return the rows that do as well as so many independent ones, in clusters of the plan's size."""
    if plan is None:
        return independent
    return clusters_needed(independent, plan.design.size, plan.design.correlation, tails).rows


def with_cluster_words(words: Message, plan: ClusterPlan | None) -> Message:
    """Add what the clusters are to a sentence about independent rows."""
    if plan is None:
        return words
    return message("{clusters} If rows were independent: {words}", words=words, clusters=plan.words)


def draws_words(plan: ClusterPlan | None, otherwise: str) -> str:
    """Say what is drawn independently."""
    if plan is None:
        return otherwise
    return "clusters are independent draws of the same number of rows, and rows of one cluster are alike as stated"


def cluster_details(plan: ClusterPlan | None) -> dict[str, Any]:
    """Return the clusters for JSON, if there are any."""
    return {} if plan is None else {"clusters": plan.to_dict()}


def _words(clusters: Any) -> list[str]:
    if clusters is None:
        return []
    parts = [clusters] if isinstance(clusters, str) else clusters if isinstance(clusters, Sequence) else [clusters]
    return [word.strip() for part in parts for word in str(part).split(",")]


def _design(word: str, correlation: float) -> ClusterDesign:
    """Read a design such as 500x4.

    >>> _design("500x4", 0.4)
    ClusterDesign(clusters=500, size=4, correlation=0.4)
    """
    clusters, times, size = word.lower().replace("×", "x").partition("x")
    if not (times and clusters.strip().isdecimal() and size.strip().isdecimal()):
        raise OptionError(
            f"clusters (--clusters) needs designs such as 500x4 for 500 clusters of 4 rows, or 500x4,2000x1; got {word!r}."
        )
    return ClusterDesign(int(clusters), int(size), correlation)
