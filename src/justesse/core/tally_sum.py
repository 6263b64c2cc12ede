"""Two tallies counted together: shards, sites and days add up."""

from typing import TYPE_CHECKING

import numpy as np

from justesse.core import tally_format
from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.levels import check_levels, identity, merged
from justesse.core.results import ClassName

if TYPE_CHECKING:
    from justesse.core.tally import Tally


def added(tally: "Tally", other: "Tally") -> "Tally":
    """Count together what was counted apart; classes are aligned by name.

    >>> from justesse.core.tally import Tally
    >>> Tally.of(["label"], [("a", 2)]) + Tally.of(["label"], [("b", 1)])
    Tally(label, n = 3, 2 classes: 'a' 2, 'b' 1)
    """
    if not isinstance(other, type(tally)):
        return NotImplemented  # type: ignore[no-any-return]  # Python then asks the other side
    if tally.axes != other.axes or tally.weighted != other.weighted:
        raise OptionError(
            "Tallies can be added only if their axes are the same and both or neither are weighted; got "
            f"{tally_format.summary(tally)} and {tally_format.summary(other)}."
        )
    levels = tuple(
        check_levels(axis, merged(own, theirs))
        for axis, own, theirs in zip(tally.axes, tally.levels, other.levels, strict=True)
    )
    first, second = tally.aligned(levels), other.aligned(levels)

    def joined(own: Array | None, theirs: Array | None) -> Array | None:
        return None if own is None or theirs is None else np.concatenate([own, theirs], axis=-1)

    return type(tally).canonical(
        tally.axes,
        levels,
        np.concatenate([first.codes, second.codes]),
        np.concatenate([first.counts, second.counts], axis=-1),
        joined(first.weights, second.weights),
        joined(first.squares, second.squares),
        tuple(name for name in merged(tally.others, other.others) if not (_has(tally, name) or _has(other, name))),
    )


def _has(tally: "Tally", name: ClassName) -> bool:
    """Return whether a name is a class of a tally."""
    return identity(name) in {identity(own) for own in tally.named_classes}
