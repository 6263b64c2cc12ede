"""The charts of `clean`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from justesse.verbs.clean.cleaning import Cleaning


def flagged_classes(result: "Cleaning") -> Any:
    """Draw the share of flagged rows of each label."""
    from justesse.charts.class_rates import class_rate_chart

    return class_rate_chart(result.by_class, "Flagged rows of each label", "flagged rows")


def ranking(result: "Cleaning") -> Any:
    """Draw the probabilities of the flagged rows."""
    from justesse.charts.ranked_probabilities import ranked_probability_chart

    return ranked_probability_chart(result.probability[result.order].tolist(), result.chances.basis)


def false_detection(result: "Cleaning") -> Any:
    """Draw the share of right labels that the filter flagged, of each true class."""
    from justesse.charts.class_rates import class_rate_chart

    assert result.quality is not None
    return class_rate_chart(
        result.quality.false_detection, "Right labels that were flagged, by true class", "right labels flagged"
    )
