"""The options of `ab`."""

from dataclasses import dataclass

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.verbs.options.pairs import GainOptions


@dataclass(frozen=True)
class EventOptions:
    """Where variants and outcomes are.

    Parameters
    ----------
    variant
        Column with the variant that handled each event. Default: the column variant or arm.
    outcome
        Column with the outcome of each event, such as 1 if it was right and 0 if not. Default: the column outcome,
        reward or success.
    incumbent
        Variant in use. Default: the one called incumbent, control, baseline or old, or else the first by name.
    candidate
        Variants that could replace it, such as new or b,c. Default: all others.
    id
        Column that identifies an event, so that events written twice count once. Default: every row is an event.
    time
        Column with the time of each event. Events are put in order. Default: the order of the file.
    shadow
        All variants answered every event: --incumbent and --candidate name the columns of their outcomes.
    outcome_range
        Smallest and largest outcome possible, such as 0,100. Default: 0,1.
    """

    variant: str | None = None
    outcome: str | None = None
    incumbent: str | None = None
    candidate: list[str] | None = None
    id: str | None = None
    time: str | None = None
    shadow: bool = False
    outcome_range: str = "0,1"


@dataclass(frozen=True)
class OnlineOptions(GainOptions):
    """What is decided, and how.

    Parameters
    ----------
    lower_is_better
        The outcomes are errors, costs or complaints.
    missing
        Outcomes that are still open (empty): refuse the file, take them as missing at random, or decide by the worst
        case. The last two show both intervals. Default: refuse.
    noise_rate
        Largest share of each variant's outcomes that may be wrong, such as 2%. Default: 0.
    ratio
        Planned traffic of the incumbent and the candidates, such as 9:1. Default: equal.
    method
        betting holds for any number of events, asymptotic for many only. Default: betting.
    steady
        The means do not change over time: what was excluded at one look stays excluded.
    """

    lower_is_better: bool = False
    missing: OpenOutcomes = "refuse"
    noise_rate: float = 0.0
    ratio: str | None = None
    method: OnlineMethod = "betting"
    steady: bool = False
