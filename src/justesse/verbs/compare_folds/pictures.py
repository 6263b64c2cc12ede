"""The charts of a comparison of fold scores, by name."""

from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.compare_folds.comparison import FoldComparison


def fold_pictures(found: "FoldComparison") -> list[str]:
    """List the charts of fold scores."""
    return ["difference", "pairs", "boxes", *(["critical_difference"] if found.nemenyi else [])]


def fold_picture(found: "FoldComparison", name: str) -> Any:
    """Draw one of them."""
    if name == "critical_difference" and found.anova and not found.nemenyi:
        raise OptionError(
            "A critical difference needs independent data sets; over folds of one data set it is far too "
            "small. Use independent=True (--independent) if no rows are shared."
        )
    if name not in fold_pictures(found):
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(fold_pictures(found))}.")
    if name == "difference":
        rows = sorted(found.verdicts, key=lambda one: one.rank, reverse=True)
        shown = [(row.name, row.difference) for row in rows]
        unit = str(message("unit of {measure}", measure=found.measure))
        return charts.difference_chart(shown, margin=found.verdict.margin, measure=found.measure, unit=unit)
    if name == "pairs":
        return charts.fold_pairs_chart(found.scores, found.measure)
    if name == "boxes":
        return charts.fold_boxes_chart(found.scores, found.measure, incumbent=found.incumbent)
    assert found.friedman is not None
    assert found.nemenyi is not None
    names = found.friedman.names
    groups = [[names[at] for at in group] for group in found.nemenyi.groups]
    ranks = dict(zip(names, found.friedman.ranks, strict=True))
    return charts.critical_difference_chart(ranks, found.nemenyi.critical_difference, groups)
