"""What wrong labels do to scores over time: bias, bounds, and how many would change a conclusion."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.recording import Gone
from justesse.core.results import Interval, finite_or_none
from justesse.frames.rate_table import rate_table
from justesse.lifelong.label_moves import NoiseRate
from justesse.lifelong.policy_noise import score_moves
from justesse.lifelong.policy_score import PolicyScore
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.transfer_noise import TransferNoise
from justesse.measures.accuracy import accuracy
from justesse.measures.error import error
from justesse.noise.claim import Claim
from justesse.noise.label_knowledge import parse_rate
from justesse.noise.rate_range import rate_words
from justesse.report.writing import message

CLAIMED = "Under a policy, a claim is about error or accuracy, such as error<=0.2 or accuracy>=0.9"
STRICT = 1e-9  # beyond the number of a claim with < or >
SHARED = "an item has one label for all versions and systems"
ROWS_APART = "no ids: the label of each row may be wrong on its own, and the noise rate is a share of rows"


@dataclass(frozen=True)
class TrueScore:
    """The score of a version by the true classes, and how far that by the labels is off.

    Parameters
    ----------
    value, interval
        Error under the policy by the true classes.
    bias
        Error by the labels minus error by the true classes.
    wrong_labels
        Share of wrong labels, weighted by the policy.
    """

    value: float
    interval: Interval | None
    bias: float
    wrong_labels: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": finite_or_none(self.value),
            "interval": self.interval.to_dict() if self.interval else None,
            "bias": finite_or_none(self.bias),
            "wrong_labels": finite_or_none(self.wrong_labels),
        }


@dataclass(frozen=True)
class VersionNoise:
    """One version: the lowest and highest true error under the policy, and the fewest labels that turn the claim."""

    version: str
    apparent: float
    n: int
    low: float = math.nan
    high: float = math.nan
    claim_holds: bool | None = None
    turned_by: int | None = None
    true: TrueScore | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "apparent": finite_or_none(self.apparent),
            "n": self.n,
            "low": finite_or_none(self.low),
            "high": finite_or_none(self.high),
            "claim_holds": self.claim_holds,
            "turned_by": self.turned_by,
            "true": self.true.to_dict() if self.true else None,
        }


@dataclass(frozen=True)
class NoiseOverTime:
    """What is known about wrong labels, and what they can do to every version and to forgetting.

    Parameters
    ----------
    rate
        Lowest and highest share of wrong labels, overall or by period.
    claim
        Claim about the error or accuracy under the policy.
    versions
        A figure for each version.
    transfer
        Forgetting and transfer under each convention; empty if versions and periods do not alternate.
    shared
        Whether items are known by their id, so that versions share labels.
    """

    rate: tuple[float, float] | Mapping[str, tuple[float, float]] | None
    claim: Claim | None
    versions: tuple[VersionNoise, ...]
    transfer: tuple[TransferNoise, ...]
    shared: bool

    @property
    def words(self) -> str:
        """The rate in words."""
        if self.rate is None:
            return ""
        if isinstance(self.rate, Mapping):
            return "the given share of the labels of each period is wrong"
        return str(message("{rate} of the labels of the periods that count are wrong", rate=rate_words(*self.rate)))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the bounds rest on."""
        if self.rate is None:
            return ()
        return (
            self.words,
            SHARED if self.shared else ROWS_APART,
            "the bounds are about these items, not about other samples",
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "noise_rate": rate_json(self.rate),
            "claim": str(self.claim) if self.claim else None,
            "shared_labels": self.shared,
            "score": [version.to_dict() for version in self.versions],
            "transfer": [
                {
                    "name": result.name,
                    "source": result.source,
                    "apparent": finite_or_none(result.apparent),
                    "low": finite_or_none(result.low),
                    "high": finite_or_none(result.high),
                    "sharp": result.sharp,
                    "turned_by": result.turned_by if result.signed else None,
                    "n": result.n,
                }
                for result in self.transfer
            ],
            "assumptions": list(self.assumptions),
        }


def rate_json(rate: tuple[float, float] | Mapping[str, tuple[float, float]] | None) -> Any:
    """Give a noise rate as JSON: both ends, by period if there are several."""
    if isinstance(rate, Mapping):
        return {name: list(ends) for name, ends in rate.items()}
    return None if rate is None else list(rate)


def read_noise_rate(rate: Any, periods: Sequence[str]) -> tuple[float, float] | dict[str, tuple[float, float]] | None:
    """Read a noise rate: one for all labels, or a table (or a dict) with one for each period.

    >>> read_noise_rate("3%", ["a"]), read_noise_rate({"a": 0.1, "b": "0.2:0.3"}, ["a"])
    ((0.0, 0.03), {'a': (0.0, 0.1)})
    """
    if rate is None:
        return None
    if isinstance(rate, Gone) or (isinstance(rate, str) and rate.lower().endswith((".csv", ".tsv", ".parquet"))):
        rate = rate_table(rate)
    if not isinstance(rate, Mapping):
        return parse_rate(rate)
    absent = [name for name in periods if name not in rate]
    if absent:
        raise OptionError(f"The table of noise rates has no rate for period {absent[0]!r}. Add a row for it.")
    return {name: parse_rate(rate[name]) for name in periods}


def by_place(rate: Any, periods: Sequence[str]) -> NoiseRate:
    """Give rates by the place of their period instead of its name."""
    return {at: rate[name] for at, name in enumerate(periods)} if isinstance(rate, Mapping) else rate


def version_noise(
    matrix: ScoreMatrix, score: PolicyScore, rate: Any, claim: Claim | None, true: TrueScore | None, *, classes: int
) -> VersionNoise:
    """Bound the true error of one version under the policy, and count the labels that turn a claim about it.

    Parameters
    ----------
    matrix
        Errors of every version in every period, with their counts.
    score
        Its score under the policy.
    rate
        Lowest and highest share of wrong labels, overall or by period.
    claim
        Claim about its error or accuracy.
    true
        Its score by the true classes, if they are known.
    classes
        Number of classes.
    """
    if not score.periods:
        return VersionNoise(score.version, math.nan, 0)
    assert matrix.blocks is not None
    row = matrix.versions.index(score.version)
    cells = [matrix.blocks.of_period(row, j) for j in score.periods]
    errors, sizes = (np.array([part[at].sum() for part in cells]) for at in (0, 1))
    moves = score_moves(errors, sizes, score.periods, np.array(score.weights), classes=classes)
    low = high = math.nan
    if rate is not None:
        low, high = (score.value + end for end in moves.range(by_place(rate, matrix.periods)))
    holds, turned_by = None, None
    if claim is not None:
        value = score.value if claim.measure == error.name else 1 - score.value
        holds = claim.holds(value)
        upwards = holds != claim.wants_much
        beyond = STRICT if claim.comparison in (("<=", ">=") if holds else ("<", ">")) else 0.0
        distance = abs(float(claim.threshold) - value) + beyond
        if (claim.measure == error.name) != upwards:
            distance = -distance
        turned_by = moves.fewest(distance)
    return VersionNoise(score.version, score.value, moves.n, low, high, holds, turned_by, true)


def read_claim(claim: str | None) -> Claim | None:
    """Read a claim about the error or accuracy under the policy."""
    if claim is None:
        return None
    try:
        read = Claim.parse(claim)
    except OptionError as wrong:
        raise OptionError(f"{CLAIMED}; got {claim!r}.") from wrong
    if read.measure not in (error.name, accuracy.name):
        raise OptionError(f"{CLAIMED}; got {claim!r}.")
    return read
