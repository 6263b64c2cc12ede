"""Which class is labelled as which, the most frequent mistakes first."""

from dataclasses import dataclass

import numpy as np

from justesse.core.results import ClassName
from justesse.core.tally import Tally


@dataclass(frozen=True)
class LabelError:
    """Rows of one class that are labelled as another, and their share of the rows of the class."""

    true: ClassName
    label: ClassName
    n: int
    share: float


def label_errors(pairs: Tally, most: int | None = None) -> list[LabelError]:
    """List wrong labels by true class and label, the most frequent first.

        share = n(true = i, label = j) / n(true = i)

    Do not use the shares of rows that were chosen for their labels: re-check a random sample.

    Parameters
    ----------
    pairs
        Counts by true × label.
    most
        Number of mistakes to list. Default: all.

    >>> cells = [("cat", "cat", 6), ("cat", "dog", 2), ("dog", "dog", 9), ("dog", "cat", 1)]
    >>> label_errors(Tally.of(["true", "label"], cells))
    [LabelError(true='cat', label='dog', n=2, share=0.25), LabelError(true='dog', label='cat', n=1, share=0.1)]
    """
    pairs = pairs.marginal("true", "label")
    true, label = pairs.codes.T
    wrong = np.flatnonzero(true != label)
    sizes = pairs.sums("true")
    first = wrong[np.argsort(-pairs.counts[wrong], kind="stable")][:most]
    return [
        LabelError(
            pairs.classes[true[at]],
            pairs.classes[label[at]],
            int(pairs.counts[at]),
            float(pairs.counts[at] / sizes[true[at]]),
        )
        for at in first.tolist()
    ]
