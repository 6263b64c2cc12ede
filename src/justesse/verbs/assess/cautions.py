"""What may be misread in an assessment, the most important first."""

from typing import TYPE_CHECKING

from justesse.measures import HEADLINE
from justesse.procedures.model_measures import MEASURES
from justesse.report.document import Text
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment

REASONS = 3  # different reasons of failure listed for each model


def cautions(result: "Assessment") -> list[str]:
    """List the warnings of the run, of each model, and of figures without an interval."""
    lines: list[Text] = []
    for name, scored in result.scored.items():
        if not result.runs.answered(name):
            lines.append(message("{name} failed in every split: it has no figures.", name=name))
        lines += [message("{name}: {warning}", name=name, warning=warning) for warning in scored.warnings]
        reasons = dict.fromkeys(fit.failure for fit in result.runs.fits[name] if fit.failure)
        lines += [message("{name} failed: {reason}.", name=name, reason=reason) for reason in list(reasons)[:REASONS]]
    lines += result.run_warnings
    lines += _without_interval(result)
    if result.anova:
        lines += result.anova.warnings
    if result.selections and result.plan.group:
        lines.append("Searches choose in inner folds that ignore groups; the outer figures keep groups together.")
    return list(dict.fromkeys(map(str, lines)))


def _without_interval(result: "Assessment") -> list[Text]:
    """Explain missing intervals, where a table has room for a dash only."""
    reasons: dict[str, list[Text]] = {}
    for name in result.ranked:
        for measure in dict.fromkeys((result.plan.measure, HEADLINE[0].name)):
            estimate = result[name, measure]
            if estimate.interval is None and estimate.undefined:
                figure = message("the {measure} of {name}", measure=MEASURES[measure].title, name=name)
                reasons.setdefault(estimate.undefined, []).append(figure)
    for pair in result.pairs:
        if pair.difference.interval is None and pair.difference.undefined:
            both = message("{better} vs {worse}", better=pair.better, worse=pair.worse)
            reasons.setdefault(pair.difference.undefined, []).append(both)
    return [
        message(
            "No interval for {figures:and}: {reason}.", figures=figures, reason=reason.removeprefix("no interval: ")
        )
        for reason, figures in reasons.items()
    ]
