"""The answer of a comparison in sentences: what to do, the difference, and what the labels alone would say."""

from typing import TYPE_CHECKING

from justesse.judges.words import TITLES, banner
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.clusters import cluster_words

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison


def title(result: "Comparison") -> Text:
    """Say what to do."""
    if len(result.judged) == 1:
        return TITLES[result.decisive.decision]
    better = sum(item.decisive.replaces for item in result.judged)
    if not better:
        return none_better(len(result.judged))
    template = "Replace the incumbent with {best}."
    if better > 1:
        template = "Replace the incumbent with {best} ({better} of {n} candidates are better than it)."
    return message(template, best=result.best.name, better=better, n=len(result.judged))


def none_better(candidates: int) -> Text:
    """Say that none of several candidates should replace the incumbent.

    >>> print(none_better(2), none_better(3))
    Neither candidate should replace the incumbent. None of the 3 candidates should replace the incumbent.
    """
    if candidates == 2:
        return "Neither candidate should replace the incumbent."
    return message("None of the {n} candidates should replace the incumbent.", n=candidates)


def headline(result: "Comparison") -> Text:
    """Write the difference of the best candidate, what was decided and why, and what would change it."""
    words: Text = banner(result.decisive)
    if result.best.by_labels:
        words = message("Against the true classes: {words}", words=words)
    return words if len(result.judged) == 1 else message("{name}: {words}", name=result.best.name, words=words)


def by_labels(result: "Comparison") -> Text | None:
    """Write the verdict on the labels, if the true classes are known and count instead."""
    labels = result.best.by_labels
    if labels is None:
        return None
    return message(
        "Against the labels ({wrong:rough_share} of the labels are wrong): {title} {words}",
        wrong=result.best.wrong_labels,
        title=TITLES[labels.decision],
        words=banner(labels),
    )


def clusters_in_words(result: "Comparison") -> Text:
    """Say how many independent rows the clusters are worth, and that samples of one question are a cluster."""
    summary = result.best.clusters
    if summary is None or result.cluster is None:
        return ""
    return cluster_words(summary, result.cluster, "the difference of accuracy")
