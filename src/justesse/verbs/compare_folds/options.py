"""The options of `compare_folds`."""

from dataclasses import dataclass

from justesse.significance import DEFAULT_OVER_FOLDS, FoldTest
from justesse.verbs.compare.options import MarginOptions


@dataclass(frozen=True)
class FoldOptions(MarginOptions):
    """Fold scores and their test.

    Parameters
    ----------
    incumbent
        Model in use, by its column or name. Default: the first model.
    candidate
        Models that could replace it, such as forest or forest,svm. Default: all others.
    measure
        Name of the scores in the output, such as accuracy. Default: score.
    lower_is_better
        The scores are errors or losses.
    test
        Test of the difference. Default: corrected-t (Nadeau and Bengio).
    test_over_train
        Size of a fold's test set over that of its training set, such as 0.25. Default: 1/(k-1) for k folds.
    independent
        The folds share no training rows, such as scores on different data sets.
    """

    incumbent: str | None = None
    candidate: list[str] | None = None
    measure: str = "score"
    lower_is_better: bool = False
    test: FoldTest = DEFAULT_OVER_FOLDS
    test_over_train: float | None = None
    independent: bool = False
