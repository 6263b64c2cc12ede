"""Interval methods that hold at every look: names and explanations."""

from justesse.intervals.interval_method import IntervalMethod

SEQUENCE_METHODS = (
    IntervalMethod(
        "betting",
        "Confidence sequence from an audit's answers, or from rows labelled in the order drawn; it holds "
        "whenever you stop.",
        "Waudby-Smith and Ramdas (2024)",
    ),
    IntervalMethod(
        "betting-two-arms",
        "Difference of the means of two variants over time; it holds at all looks together, for any number of events.",
        "Howard, Ramdas, McAuliffe and Sekhon (2021); Waudby-Smith and Ramdas (2024)",
    ),
    IntervalMethod(
        "betting-mean",
        "Mean of outcomes over time; it holds at all looks together, for any number of events.",
        "Howard, Ramdas, McAuliffe and Sekhon (2021); Waudby-Smith and Ramdas (2024)",
    ),
    IntervalMethod(
        "betting-paired",
        "Mean difference of two variants that answered the same events; it holds at all looks together.",
        "Howard, Ramdas, McAuliffe and Sekhon (2021); Waudby-Smith and Ramdas (2024)",
    ),
    IntervalMethod(
        "betting-worst-case",
        "Difference of the means of two variants over time, whatever outcomes that are still open turn out to be.",
        "Howard, Ramdas, McAuliffe and Sekhon (2021); Manski (1990)",
    ),
    IntervalMethod(
        "betting-proxy",
        "Difference of the means of two variants over time by a proxy of the outcome, corrected by its errors "
        "where the outcome is known; it holds at all looks together.",
        "justesse, after Angelopoulos et al. (2023) and Waudby-Smith and Ramdas (2024)",
    ),
    IntervalMethod(
        "asymptotic-proxy",
        "Difference of the means of two variants over time from known outcomes and a proxy that counts as much as "
        "it is worth; for many known outcomes.",
        "Angelopoulos, Duchi and Zrnic (2023); Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024)",
    ),
    IntervalMethod(
        "asymptotic-two-arms",
        "Difference of the means of two variants over time, at all looks together; for many events, and too narrow at "
        "the first looks if outcomes are rare.",
        "Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024)",
    ),
)
