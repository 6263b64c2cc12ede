"""The answer of an assessment in sentences: the best model, how good it is, and what it clearly beats."""

from typing import TYPE_CHECKING

from justesse.core.results import Estimate
from justesse.procedures.model_measures import MEASURES
from justesse.report.document import Text
from justesse.report.writing import Message, message
from justesse.verbs.assess.cautions import listed

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
        "behind": listed(behind) if behind else "",
        "alike": listed(alike) if alike else "",
    }
    template = "Best of {n:count} models by {measure}: {best}."
    if behind and alike:
        template += " Clearly better than {behind}, not clearly better than {alike}."
    elif behind:
        template += " Clearly better than {behind}."
    elif alike:
        template += " Not clearly better than {alike}."
    return Message(template, parts)


def headline(result: "Assessment") -> Text:
    """Say how good the best model is, what the majority baseline scores, and what is left after choosing the best."""
    best, majority = result.best, result.baselines[0]
    accuracy, naive = result[best, "accuracy"], majority.measures[0].value
    sentences: list[Text] = []
    if result.plan.measure != "accuracy":
        ranking = result[best, result.plan.measure]
        sentences.append(_figure(ranking, result))
    sentences.append(_figure(accuracy, result))
    sentences[0] = message(
        "{name}{figure}" if len(result.models) == 1 else "{figure}",
        name=f"{best}: ",
        figure=str(sentences[0]) if len(result.models) == 1 else _capital(str(sentences[0])),
    )
    where = message(
        "{figures} on rows it was not trained on ({procedure}), if the labels are right.",
        figures=", ".join(map(str, sentences)),
        procedure=result.procedure,
    )
    doubt = accuracy.interval is not None and accuracy.interval.low <= naive
    baseline = message(
        "Always predicting {name:name} would give {naive:share}" + (", which the interval includes." if doubt else "."),
        name=majority.class_name,
        naive=naive,
    )
    lines: list[Text] = [where, baseline]
    if result.luck and result.luck.best == best:
        lines.append(
            message(
                "Accuracy corrected for choosing the best of {tried:count}: {corrected:share}.",
                tried=result.luck.tried,
                corrected=result.luck.corrected,
            )
        )
    return " ".join(map(str, lines))


def _figure(estimate: Estimate, result: "Assessment") -> Message:
    """Write a figure with its interval and the number of rows tested: `accuracy 94.7 % (95 % CI …, n = 228)`."""
    measure = MEASURES[estimate.name]
    kind = "share" if measure.is_share else "value"
    ends = "share_interval" if kind == "share" else "interval"
    interval = f"{{estimate:level_name}} {{estimate:{ends}}}, " if estimate.interval else ""
    return message(
        f"{{title}} {{estimate:{kind}}} ({interval}n = {{n:count}})",
        title=measure.title,
        estimate=estimate,
        n=result.tested,
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
