"""What this room asks of a tally: whole rows, on the axes it needs, with the classes it knows."""

from collections.abc import Sequence

from justesse.core.errors import ClassError, OptionError, WeightError
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.core.tally import Tally


def counted(tally: Tally, *axes: str) -> Tally:
    """Give the tally on these axes if it counts whole rows.

    A wrong label is wrong for a whole row: weighted rows and sets of resamples are refused.

    >>> counted(Tally.from_dense([[5, 1], [0, 4]]), "label").n
    10
    """
    for axis in axes:
        tally.axis(axis)
    if tally.weighted:
        raise WeightError("wrong labels are counted by rows, but these rows have weights; count them without weights")
    if tally.counts.ndim > 1:
        raise OptionError(f"one tally is needed; got {len(tally.counts)} resamples of one")
    return tally.marginal(*axes)


def on_classes(tally: Tally, classes: Sequence[ClassName], *, what: str) -> Tally:
    """Count the same rows on another list of classes, which must name all of the tally's.

    >>> on_classes(Tally.from_dense([[5, 1], [0, 4]], ["b", "a"]), ["a", "b", "c"], what="the table").classes
    ('a', 'b', 'c')
    """
    strangers = {identity(name) for name in tally.classes} - {identity(name) for name in classes}
    if strangers:
        missing = [name for name in tally.classes if identity(name) in strangers]
        raise ClassError(
            f"{what} must name every class of the labels and predictions; {missing[0]!r} is not among "
            f"{list(classes)[:20]!r}"
        )
    coded = [(tally.codes[:, a], names) for a, names in enumerate(tally.levels)]
    return Tally.from_codes(tally.axes, coded, tally.counts, classes=classes)
