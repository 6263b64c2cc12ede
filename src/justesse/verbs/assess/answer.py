"""The answer of an assessment in sentences: the best model, how good it is, and what it clearly beats."""

from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.measures import HEADLINE
from justesse.procedures.model_measures import MEASURES
from justesse.report.document import Text
from justesse.report.writing import Message, listed, message, paragraph

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment


def verdict(result: "Assessment") -> Text:
    """Name the best model and the models it is clearly better than; empty for a single model."""
    if len(result.models) == 1:
        return ""
    best = result.best
    pairs = [pair for pair in result.pairs if best in (pair.better, pair.worse)]
    behind = [pair.worse for pair in pairs if pair.told_apart and pair.better == best]
    alike = [pair.worse if pair.better == best else pair.better for pair in pairs if not pair.told_apart]
    parts = {
        "n": len(result.models),
        "measure": MEASURES[result.plan.measure].title,
        "best": best,
        "behind": behind,
        "alike": alike,
    }
    template = "Best of {n:count} models by {measure}: {best}."
    if behind and alike:
        template = (
            "Best of {n:count} models by {measure}: {best}. Clearly better than {behind:and}, not clearly better than "
            "{alike:and}."
        )
    elif behind:
        template = "Best of {n:count} models by {measure}: {best}. Clearly better than {behind:and}."
    elif alike:
        template = "Best of {n:count} models by {measure}: {best}. Not clearly better than {alike:and}."
    return Message(template, parts)


def headline(result: "Assessment") -> Text:
    """Say how good the best model is, what the majority baseline scores, and what is left after choosing the best."""
    best, majority = result.best, result.baselines[0]
    main = HEADLINE[0].name
    naive, interval = majority[main].value, result[best, main].interval
    figures = listed(_figure(result[best, name], result) for name in dict.fromkeys([result.plan.measure, main]))
    alone = len(result.models) == 1
    where = message(
        "{best}: {figures} on rows it was not trained on ({procedure}), if the labels are right."
        if alone
        else "{figures:capital} on rows it was not trained on ({procedure}), if the labels are right.",
        best=best,
        figures=figures,
        procedure=result.procedure,
    )
    includes = interval is not None and interval.low <= naive
    baseline = message(
        "Always predicting {name:name} would give {naive:share}, which the interval includes."
        if includes
        else "Always predicting {name:name} would give {naive:share}.",
        name=majority.class_name,
        naive=naive,
    )
    corrected: Text = ""
    if result.luck and result.luck.best == best:
        corrected = message(
            "Accuracy corrected for choosing the best of {tried:count}: {corrected:share}.",
            tried=result.luck.tried,
            corrected=result.luck.corrected,
        )
    return paragraph(where, baseline, corrected)


def _figure(estimate: Estimate, result: "Assessment") -> Message:
    """Write a figure with its interval and the number of rows tested: `accuracy 94.7 % (95 % CI …, n = 228)`."""
    measure = MEASURES[estimate.name]
    if estimate.interval is None:
        template = (
            "{title} {estimate:share} (n = {n:count})"
            if measure.is_share
            else "{title} {estimate:value} (n = {n:count})"
        )
    elif measure.is_share:
        template = "{title} {estimate:share} ({estimate:level_name} {estimate:share_interval}, n = {n:count})"
    else:
        template = "{title} {estimate:value} ({estimate:level_name} {estimate:interval}, n = {n:count})"
    return message(template, title=measure.title, estimate=estimate, n=result.tested)
