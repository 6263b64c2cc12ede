"""Warn of annotators who get better or worse over time: the models treat early and late answers alike."""

from collections.abc import Sequence

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.drift import Drift, judged_by_others
from justesse.report.document import Text
from justesse.report.writing import message

ALARM = 0.01  # adjusted p-value from which a person is named: it is an accusation
ONE = "{who} changes over time: "
SEVERAL = (  # the truth is inferred from all of them, so one who changes makes steady ones look worse, too
    "{who} and {others:count} {others:plural other|others} seem to change over time; one who changes can make others look as "
    "if they did. {who} changes most: "
)
TOGETHER = (  # harder items look like annotators who get worse
    "The accuracy of {same:count} of {all:count} annotators {falls}, not that of a few: the items may have become "
    "{harder} over time rather than the annotators {worse}. {who} changes most: "
)
FEWEST_TOGETHER, MOST_PART, COMPARABLE = 4, 0.75, 1 / 3
BY_MODEL = (
    "{first:share} of the first fifth of the answers are right, {last:share} of the last. The model treats early and late "
    "answers alike: look at them before you rely on both."
)
BY_OTHERS = (
    "others agree with {first:share} of the first fifth of the answers, and with {last:share} of the last. The vote treats "
    "early and late answers alike: look at them before you rely on both."
)


def changing_annotators(fit: Consensus, drifts: Sequence[Drift]) -> list[Text]:
    """Say whose accuracy clearly changes most, with its figures, and how many others change."""
    clear = sorted((each for each in drifts if each.adjusted < ALARM), key=lambda each: -abs(each.slope))
    if not clear:
        return []
    most = clear[0]
    same, worse = sum(each.slope * most.slope > 0 for each in drifts), most.slope < 0
    start = TOGETHER if _together(most, drifts) else ONE if len(clear) == 1 else SEVERAL
    template = start + (BY_OTHERS if judged_by_others(fit) else BY_MODEL)
    return [
        message(
            template,
            who=fit.support.annotations.annotators[most.annotator],
            others=len(clear) - 1,
            same=same,
            all=len(drifts),
            falls="falls" if worse else "rises",
            harder="harder" if worse else "easier",
            worse="worse" if worse else "better",
            first=most.accuracy[0],
            last=most.accuracy[-1],
        )
    ]


def _together(most: Drift, drifts: Sequence[Drift]) -> bool:
    """Tell whether most annotators change in the direction of the one who changes most, by a comparable amount."""
    slopes = np.array([each.slope for each in drifts if each is not most]) * np.sign(most.slope)
    if len(slopes) + 1 < FEWEST_TOGETHER:
        return False
    return bool((slopes > 0).mean() >= MOST_PART and np.median(slopes) >= COMPARABLE * abs(most.slope))
