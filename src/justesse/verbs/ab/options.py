"""The options of `ab`."""

from dataclasses import dataclass

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.verbs.options.pairs import GainOptions


@dataclass(frozen=True)
class EventFileOptions:
    """Where variants and outcomes are, in files that are added to an event file.

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
        Column that identifies an event: events that are added twice count once. Default: the column id, event or
        event_id.
    outcome_range
        Smallest and largest outcome possible, such as 0,100. Default: 0,1.
    proxy
        Column with a stand-in for the outcome, known for every event, such as an automatic grade. Its bias is measured
        on the events whose outcome is known. Default: none.
    """

    variant: str | None = None
    outcome: str | None = None
    incumbent: str | None = None
    candidate: list[str] | None = None
    id: str | None = None
    outcome_range: str = "0,1"
    proxy: str | None = None


@dataclass(frozen=True)
class EventOptions(EventFileOptions):
    """Where variants and outcomes are.

    Parameters
    ----------
    id
        Column that identifies an event, so that events written twice count once. Default: every row is an event.
    time
        Column with the time of each event. Events are put in order. Default: the order of the file.
    shadow
        All variants answered every event: --incumbent and --candidate name the columns of their outcomes.
    """

    time: str | None = None
    shadow: bool = False


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
    guardrail
        What must hold for the candidate's mean minus the incumbent's, such as complaint<0.01, outcome>-0.02 or
        'latency<20 in 0..500'. A candidate that breaks it is stopped, at any look. Default: none.
    """

    lower_is_better: bool = False
    missing: OpenOutcomes = "refuse"
    noise_rate: float = 0.0
    ratio: str | None = None
    method: OnlineMethod = "betting"
    steady: bool = False
    guardrail: list[str] | None = None


@dataclass(frozen=True)
class TrafficOptions:
    """What to do if traffic was not split as planned.

    Parameters
    ----------
    accept_mismatch
        Decide although traffic was not split as planned, because the cause is known and has nothing to do with the
        outcomes.
    """

    accept_mismatch: bool = False


@dataclass(frozen=True)
class WatchOptions:
    """How often to look, and when to end.

    Parameters
    ----------
    every
        Seconds between two looks. Default: 2.
    until_decided
        End as soon as every candidate is decided, or one replaces the incumbent.
    seconds
        End after this many seconds. Default: never.
    """

    every: float = 2.0
    until_decided: bool = False
    seconds: float | None = None
