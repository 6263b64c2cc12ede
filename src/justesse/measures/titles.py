"""Measures by name, and their names in words."""

from justesse.core.results import Estimate
from justesse.measures import ALL, curves, regression
from justesse.measures.averages import Averaged
from justesse.measures.class_weighted_error import ClassWeightedError
from justesse.measures.cost import Cost
from justesse.measures.curves.score_measure import ScoreMeasure
from justesse.measures.fbeta import fbeta
from justesse.measures.measure import Measure
from justesse.measures.regression.measure import NumericMeasure

AnyMeasure = Measure | ScoreMeasure | NumericMeasure
NAMED: dict[str, AnyMeasure] = {
    **{measure.name: measure for measure in (*ALL, Cost(), ClassWeightedError(), fbeta(2))},
    **{measure.name: measure for measure in curves.ALL},
    **{measure.name: measure for measure in regression.ALL},
}

NAMED_AVERAGES = {
    (measure.class_measure.name, measure.how): measure.title for measure in ALL if isinstance(measure, Averaged)
}


def words_of(estimate: Estimate) -> str:
    """Return the name of an estimate's measure in words, as in the middle of a sentence.

    >>> words_of(Estimate("balanced_accuracy", 0.9, 100)), words_of(Estimate("mcc", 0.9, 100))
    ('balanced accuracy', 'MCC')
    >>> [words_of(Estimate("recall", 0.9, 100, average=average)) for average in ("macro", "weighted")]
    ['balanced accuracy', 'weighted recall']
    """
    measure = NAMED.get(estimate.name)
    words = measure.title if measure else estimate.name.replace("_", " ")
    if estimate.beta is not None:
        words = f"F{estimate.beta:g}"
    if estimate.average:
        return NAMED_AVERAGES.get((estimate.name, estimate.average)) or f"{estimate.average} {words}"
    return words if estimate.class_name is None else f"{words} of {estimate.class_name!r}"


def title_of(estimate: Estimate) -> str:
    """Return the name of an estimate's measure in words, as in a heading.

    >>> title_of(Estimate("f1", 0.9, 100, average="macro")), title_of(Estimate("balanced_accuracy", 0.9, 100))
    ('Macro F1', 'Balanced accuracy')
    >>> title_of(Estimate("recall", 0.9, 100, class_name="cat")), title_of(Estimate("roc_auc", 0.9, 100))
    ("Recall of 'cat'", 'ROC AUC')
    """
    words = words_of(estimate)
    return words[:1].upper() + words[1:]
