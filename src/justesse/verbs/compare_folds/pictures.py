"""The charts of a comparison of fold scores, by name."""

from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.compare_folds.comparison import FoldComparison


def fold_pictures(result: "FoldComparison") -> list[str]:
    """List the charts of fold scores."""
    return ["difference", "pairs", "boxes", *(["critical_difference"] if result.nemenyi else [])]


def fold_picture(result: "FoldComparison", name: str) -> Any:
    """Draw one of them."""
    if name == "critical_difference" and result.anova and not result.nemenyi:
        raise OptionError(
            "A critical difference needs independent data sets; over folds of one data set it is far too "
            "small. Use independent=True (--independent) if no rows are shared."
        )
    if name not in fold_pictures(result):
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(fold_pictures(result))}.")
    if name == "difference":
        rows = sorted(result.verdicts, key=lambda verdict: verdict.rank, reverse=True)
        shown = [(row.name, row.difference) for row in rows]
        unit = str(message("unit of {measure}", measure=result.measure))
        return charts.difference_chart(shown, margin=result.verdict.margin, measure=result.measure, unit=unit)
    if name == "pairs":
        return charts.fold_pairs_chart(result.scores, result.measure)
    if name == "boxes":
        return charts.fold_boxes_chart(result.scores, result.measure, incumbent=result.incumbent)
    assert result.friedman is not None
    assert result.nemenyi is not None
    names = result.friedman.names
    groups = [[names[at] for at in group] for group in result.nemenyi.groups]
    ranks = dict(zip(names, result.friedman.ranks, strict=True))
    return charts.critical_difference_chart(ranks, result.nemenyi.critical_difference, groups)
