"""Names of classes as whole numbers, and back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.arrays import Array
from justesse.core.codes import recoded
from justesse.core.errors import ClassError, MissingValueError, OptionError
from justesse.core.levels import check_levels, identity, native, ordered
from justesse.core.results import ClassName


def coded(
    labels: ArrayLike, classes: Sequence[ClassName] | None = None
) -> tuple[NDArray[np.int32], tuple[ClassName, ...]]:
    """Give the position of each label in the list of classes: theirs, sorted, unless one is given.

    >>> codes, classes = coded(["dog", "cat", "dog"])
    >>> codes.tolist(), classes
    ([1, 0, 1], ('cat', 'dog'))
    >>> coded([2, 0], range(3))[0].tolist()
    [2, 0]
    """
    # a list goes through object: NumPy would turn [1, "a"] into two texts
    values = np.asarray(labels) if hasattr(labels, "__array__") else np.array(labels, dtype=object)
    if values.ndim != 1 or not len(values):
        raise OptionError(f"Labels must be a list with one class per row; got shape {values.shape}.")
    if values.dtype.kind == "O":
        seen: dict[tuple[type, ClassName], int] = {}
        own = np.array([seen.setdefault(identity(native(value)), len(seen)) for value in values.tolist()])
        names = [name for _, name in seen]
    else:
        distinct, own = np.unique(values, return_inverse=True)
        names = [native(value) for value in distinct.tolist()]
    if any(name is None or name != name for name in names):
        raise MissingValueError("Some labels are missing. Leave those rows out.")
    target = check_levels("label", ordered(names) if classes is None else [native(name) for name in classes])
    known = {identity(name) for name in target}
    for name in names:
        if identity(name) not in known:
            raise ClassError(f"Label {name!r} is not among the classes {list(target)[:20]!r}. List all classes.")
    return recoded(names, target)[own], target


def named(codes: Array, classes: Sequence[ClassName]) -> Array:
    """Give back the names behind the codes.

    >>> named(np.array([1, 0]), ("cat", "dog")).tolist()
    ['dog', 'cat']
    """
    alike = len({type(name) for name in classes}) == 1
    return np.asarray(np.array(classes, dtype=None if alike else object)[codes])
