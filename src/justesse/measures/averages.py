"""One number for all classes: micro, macro and weighted averages of a per-class measure.

Micro divides the sum of the numerators by the sum of the denominators; for precision, recall and F it is the
accuracy. Macro is the plain mean over the classes where the measure is defined. Weighted is the mean weighted by
how many rows bear the label. A class where the measure is undefined is left out, never counted as 0 as
scikit-learn does by default; whoever prints the average must say which classes were left out.

Answers that are no class of the test set (`Tally.others`) are wrong answers, not classes: macro and weighted averages
are over the classes, and micro averages count such an answer as a false alarm, whichever class it is of. So a micro
average of precision, recall or F stays the accuracy.

>>> from justesse.core.tally import Tally
>>> from justesse.measures.precision import precision
>>> table = Tally.from_dense([[8, 2, 0], [1, 9, 0], [1, 1, 0]], ["a", "b", "c"])
>>> precision(table)
array([0.8 , 0.75,  nan])
>>> float(averaged(precision, "macro")(table))
0.775
"""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Average
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure, Proportion
from justesse.measures.ratio import Ratio, RatioCells
from justesse.measures.recall import recall


@dataclass(frozen=True)
class Averaged(Measure):
    """An average of a per-class measure over the classes where it is defined."""

    class_measure: Ratio = recall
    how: Average = "macro"

    @property
    def is_share(self) -> bool:
        return self.class_measure.is_share

    def value(self, table: Confusion) -> Array:
        if self.how == "micro":
            return ratio(_pooled(self.class_measure.numerator, table), _pooled(self.class_measure.denominator, table))
        values = self.class_measure.value(table)
        defined = ~np.isnan(values) & table.averaged_over
        weights = np.where(defined, table.labelled if self.how == "weighted" else 1.0, 0.0)
        return ratio((weights * np.where(defined, values, 0.0)).sum(-1), weights.sum(-1))

    def proportion(self, table: Confusion) -> Proportion | None:
        two = table.averaged_over.sum() == 2  # what one class misses the other has: all micro averages are the accuracy
        is_accuracy = (self.how == "micro" and (two or self.class_measure.pools_to_accuracy)) or (
            self.how == "weighted" and self.class_measure.denominator == RatioCells(labelled=1)
        )
        return Proportion(table.hits.sum(-1), table.n) if is_accuracy else None

    def disjoint_shares(self, table: Confusion) -> Proportion | None:
        two = table.averaged_over.sum() == 2  # then the specificity of one class is about the rows of the other
        by_label = (RatioCells(labelled=1), RatioCells(n=1, labelled=-1)) if two else (RatioCells(labelled=1),)
        if self.how != "macro" or self.class_measure.denominator not in by_label:
            return None
        share = self.class_measure.proportion(table)
        if share is None or table.judged is None:
            return share
        return Proportion(share.successes * table.judged, share.trials * table.judged)

    def unlabelled_gain(self, table: Confusion) -> float:
        """Return what a macro average would gain; a class that is predicted but bears no label counts as 0.

        >>> from justesse.core.tally import Tally
        >>> from justesse.measures.precision import precision
        >>> table = Tally.from_dense([[8, 1, 1], [2, 6, 0], [0, 0, 0]])
        >>> macro = averaged(precision, "macro")
        >>> round(float(macro(table)), 4), round(macro.unlabelled_gain(Confusion.of(table)), 4)
        (0.5524, 0.2762)
        """
        top = self.class_measure.numerator
        if self.how != "macro" or top != RatioCells(hits=top.hits):
            return 0.0
        counted = ~np.isnan(self.class_measure.value(table)) & table.averaged_over
        unlabelled = int((counted & (table.labelled == 0)).sum())
        others = int(counted.sum()) - unlabelled
        return float(self.value(table)) * unlabelled / others if unlabelled and others else 0.0

    def partials(self, table: Confusion) -> Partials:
        if self.how == "micro":
            top, bottom = self.class_measure.numerator, self.class_measure.denominator
            below = _pooled(bottom, table)
            value = self.value(table)
            flat = [
                ratio(getattr(top, part) - value * getattr(bottom, part), below)
                for part in ("hits", "labelled", "predicted", "n")
            ]
            classes = table.hits.shape[-1]
            hits, labelled, predicted = (np.full(classes, slope) for slope in flat[:3])
            return Partials(hits, labelled, predicted, flat[3] * table.averaged_over.sum(-1))
        values, own = self.class_measure.value(table), self.class_measure.partials(table)
        defined = ~np.isnan(values) & table.averaged_over
        weights = np.where(defined, table.labelled if self.how == "weighted" else 1.0, 0.0)
        total = weights.sum(-1)

        def scaled(slopes: Array) -> Array:
            return ratio(weights * np.where(defined, slopes, 0.0), total)

        labelled = scaled(own.labelled)
        if self.how == "weighted":
            labelled = labelled + ratio(np.where(defined, values - self.value(table), 0.0), total)
        return Partials(scaled(own.hits), labelled, scaled(own.predicted), scaled(own.n).sum(-1))


def _pooled(cells: RatioCells, table: Confusion) -> Array:
    """Add up the cells of all classes; an answer that is no class is a false alarm of some class."""
    total = (
        cells.hits * table.hits.sum(-1)
        + cells.labelled * table.labelled.sum(-1)
        + cells.predicted * table.predicted.sum(-1)
        + cells.n * table.averaged_over.sum(-1) * np.asarray(table.n)
    )
    return table.settled(total, np.asarray(table.n))


def averaged(measure: Ratio, how: Average) -> Averaged:
    """Return the average of a per-class measure over classes, as a measure."""
    return Averaged(
        measure.name,
        f"{measure.name} is undefined for every class",
        average=how,
        beta=measure.beta,
        greater_is_better=measure.greater_is_better,
        title=f"{how} {measure.title}",
        unit=measure.unit,
        headline=measure.headline if how == "macro" else 0,
        class_measure=measure,
        how=how,
    )
