"""The answer of a comparison over folds in sentences: what to do, the difference, and how probable it is."""

import math
from typing import TYPE_CHECKING

from justesse.judges.words import TITLES
from justesse.report.document import Text
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.compare.answer import none_better

if TYPE_CHECKING:
    from justesse.verbs.compare_folds.comparison import FoldComparison


def title(result: "FoldComparison") -> Text:
    """Say what to do."""
    if len(result.verdicts) == 1:
        return TITLES[result.verdict.decision]
    if not result.replaces:
        return none_better(len(result.verdicts))
    return message("Replace the incumbent with {best}.", best=result.verdict.name)


def headline(result: "FoldComparison") -> Message:
    """Write the difference of the best candidate, why it was decided so, and how probable it is that it is better."""
    return paragraph(_difference(result), result.verdict.reason, _probability(result))


def _difference(result: "FoldComparison") -> Message:
    difference = result.verdict.difference
    template = "Over {k} folds the mean {measure} of {best} is {size:value} worse than that of {incumbent}{ends}."
    if difference.value > 0:
        template = "Over {k} folds the mean {measure} of {best} is {size:value} better than that of {incumbent}{ends}."
    elif difference.value == 0:
        template = "Over {k} folds the mean {measure} of {best} is the same as that of {incumbent}{ends}."
    ends: Text = ""
    if difference.interval:
        ends = message(
            " ({difference:level_name} of the difference {difference:difference_interval})", difference=difference
        )
    return message(
        template,
        k=len(result.scores[result.incumbent]),
        measure=result.measure,
        best=result.verdict.name,
        size=abs(difference.value),
        incumbent=result.incumbent,
        ends=ends,
    )


def _probability(result: "FoldComparison") -> Text:
    posterior = result.verdict.posterior
    if posterior is None or math.isnan(posterior.candidate_better):
        return ""
    template = "By a Bayesian model of correlated folds the probability that it is better is {better:share}."
    if posterior.rope:
        template = (
            "By a Bayesian model of correlated folds the probability that it is better by more than {rope:number} is "
            "{better:share}, and {equivalent:share} that they differ by less."
        )
    return message(template, better=posterior.candidate_better, rope=posterior.rope, equivalent=posterior.equivalent)
