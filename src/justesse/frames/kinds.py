"""Classes written in two ways: `1`, `1.0`, `"1"` and `True` are one class where nothing else can be meant."""

import re
from collections.abc import Iterable, Mapping, Sequence

from justesse.core.errors import ClassError
from justesse.core.levels import spellings
from justesse.core.results import ClassName
from justesse.frames.values import BOOLEANS, NUMERIC_TARGET, Named, as_text_name

NUMBER = re.compile(r"(0|-?[1-9][0-9]{0,17})(\.0+)?")  # a whole number; 007 is a name
FEW_DECIMALS = 20  # more different labels with fractions are measurements
DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")


def in_kind_of(label: str, columns: Mapping[str, Named]) -> dict[str, Named]:
    """Write the classes of all columns as those of the labels, or refuse columns where that is not certain.

    The kind of the labels wins: predictions 0.0 and "0" become 0 where labels are integers, and True becomes 1 where
    labels are 0 and 1 only.

    >>> import numpy as np
    >>> columns = {"y": Named(np.array([0, 1]), (0, 1)), "p": Named(np.array([0, 1]), (1.0, 0.0))}
    >>> in_kind_of("y", columns)["p"].names
    (1, 0)
    """
    first = columns[label]
    if first.kind is None:
        return dict(columns)
    matched = {}
    for name, column in columns.items():
        alike = as_kind_of(first, column)
        if alike is None:
            raise _other_kind(label, first, name, column)
        matched[name] = alike
    return matched


def as_kind_of(first: Named, column: Named) -> Named | None:
    """Write the classes of a column as those of `first`; `None` if one of them could mean something else."""
    if column.kind in (None, first.kind):
        return column
    present = [name for name in first.names if name is not None]
    others = [name for name in column.names if name is not None]
    whole = _whole_numbers(others, binary=_are_binary(present))
    if whole is None:
        return None
    if isinstance(present[0], str):
        meant = _texts(present, whole, from_booleans=isinstance(others[0], bool))
    else:
        meant = {name: type(present[0])(number) for name, number in whole.items()}
        if isinstance(present[0], bool) and not set(whole.values()) <= {0, 1}:
            return None
    if meant is None:
        return None
    # two ways to write one class within a column, such as "1" and "1.0", are not taken as one
    if len(set(meant.values())) < len(others):
        return None
    return Named(column.codes, tuple(None if name is None else meant[name] for name in column.names))


def are_whole_decimals(column: Named) -> bool:
    """Say whether all names are whole numbers written as text, such as `1.0`, each in one way only.

    >>> import numpy as np
    >>> [are_whole_decimals(Named(np.array([0, 1]), names)) for names in (("1.0", "2.0"), ("1.0", "1"), ("1.0", "a"))]
    [True, False, False]
    """
    texts = {str(name) for name in column.names if name is not None}
    return all(map(NUMBER.fullmatch, texts)) and len({text.split(".")[0] for text in texts}) == len(texts)


def texts_of_classes(classes: Sequence[ClassName]) -> dict[str, int]:
    """Give the code of each class by every text it may be written as, in columns of any kind.

    >>> sorted(texts_of_classes([0, 1]))
    ['0', '0.0', '1', '1.0', 'FALSE', 'False', 'TRUE', 'True', 'false', 'true']
    """
    present: dict[ClassName, int] = {name: code for code, name in enumerate(classes) if name is not None}
    codes = {text: code for name, code in present.items() for text in spellings(name)}
    binary = _are_binary(list(present))
    for name, number in (_whole_numbers(list(present), binary=binary) or {}).items():
        alike = [number, float(number), *([bool(number)] if binary else [])]
        for text in (text for same in alike for text in spellings(same)):
            codes.setdefault(text, present[name])
    return codes


def is_score(names: Iterable[ClassName]) -> bool:
    """Say whether these are numbers with fractions, written as text, and so no classes.

    >>> is_score(["0.13", "1"]), is_score(["0", "1.0"]), is_score(["a", "0.5"])
    (True, False, False)
    """
    texts = [name for name in names if name is not None]
    if not texts or not all(isinstance(name, str) and DECIMAL.fullmatch(name) for name in texts):
        return False
    return any(not float(str(name)).is_integer() for name in texts)


def _are_binary(names: Sequence[ClassName]) -> bool:
    """Say whether these are 0 and 1, or false and true, in some way of writing."""
    numbers = _whole_numbers([name for name in names if name is not None], binary=True)
    return numbers is not None and set(numbers.values()) <= {0, 1}


def _whole_numbers(names: Sequence[ClassName], *, binary: bool) -> dict[ClassName, int] | None:
    """Read each name as a whole number, booleans as 0 and 1 if that may be; `None` if one is no number."""
    if all(isinstance(name, bool) for name in names):
        return {name: int(bool(name)) for name in names} if binary else None
    if all(isinstance(name, str) for name in names):
        if any(set(names) <= words for words in BOOLEANS):
            return {name: int(str(name).lower() == "true") for name in names} if binary else None
        if not all(NUMBER.fullmatch(str(name)) for name in names):
            return None
        return {name: int(str(name).split(".")[0]) for name in names}
    if any(isinstance(name, bool | str) or name is None or int(name) != name for name in names):
        return None
    return {name: int(name) for name in names if name is not None}


def _texts(
    present: Sequence[ClassName], whole: Mapping[ClassName, int], *, from_booleans: bool
) -> dict[ClassName, ClassName] | None:
    """Find the text among the labels that each number is written as."""
    numbers = _whole_numbers(present, binary=from_booleans)
    if numbers is None:
        # names beside numbers: certain only if every number is among them as it is written
        written = {name: str(number) for name, number in whole.items()}
        return dict(written) if set(written.values()) <= set(present) else None
    spelt = {number: name for name, number in numbers.items()}
    if len(spelt) < len(numbers):
        return None
    words = next((words for words in BOOLEANS if set(present) <= words), None)
    if words:
        spelt = {int(word.lower() == "true"): word for word in words}
    return {name: spelt.get(number, str(number)) for name, number in whole.items()}


def check_classes(label: str, columns: Mapping[str, Named]) -> None:
    """Refuse numbers that are no classes, and classes that differ from the labels in capitals or spaces only.

    >>> import numpy as np
    >>> columns = {"y": Named(np.array([0]), ("Cat",)), "p": Named(np.array([0]), ("cat ",))}
    >>> check_classes("y", columns)
    Traceback (most recent call last):
    justesse.core.errors.ClassError: Columns 'y' and 'p' have no class in common: 'Cat' and 'cat ' differ only in …
    """
    labels = {name for name in columns[label].names if name is not None}
    if len(labels) > FEW_DECIMALS and is_score(labels):
        shown = ", ".join(sorted(map(str, labels))[:3])
        raise ClassError(
            f"Column {label!r} has {len(labels):,} different numbers such as {shown}: measurements, not "
            f"classes. For a numeric target {NUMERIC_TARGET}. If they are class names, pass as_text (--as-text)."
        )
    for name, column in columns.items():
        others = sorted((name for name in column.names if name is not None), key=str)
        if not labels.isdisjoint(others):
            continue
        if is_score(others):
            raise _scores(label, min(labels, key=str, default=None), name, column)
        plain = {_plain(label): label for label in labels}
        if alike := next((other for other in others if _plain(other) in plain), None):
            raise ClassError(
                f"Columns {label!r} and {name!r} have no class in common: {plain[_plain(alike)]!r} and {alike!r} "
                "differ only in capitals or spaces. Write both the same way."
            )


def _plain(name: ClassName) -> str:
    return "".join(str(name).split()).casefold()


def _scores(label: str, example: ClassName, name: str, column: Named) -> ClassError:
    score = min(str(text) for text in column.names if text is not None and not float(str(text)).is_integer())
    return ClassError(
        f"Column {name!r} has numbers such as {score}: scores, not classes such as {example!r} in column "
        f"{label!r}. {_numeric_target(example)} the column with the predicted class (--prediction NAME), or pass "
        f"the scores with --score {name}."
    )


def _numeric_target(example: ClassName) -> str:
    """Begin the advice, with --regression first if the labels are numbers too."""
    try:
        float(str(example))
    except ValueError:
        return "Name"
    return f"If both columns hold numbers to predict, {NUMERIC_TARGET}. Otherwise name"


def _other_kind(label: str, first: Named, name: str, column: Named) -> ClassError:
    item, other = _look_alikes(first.names, column.names)
    if is_score(column.names):
        return _scores(label, item, name, column)
    alike = ", or pass as_text (--as-text) to compare them as text" if as_text_name(item) == as_text_name(other) else ""
    return ClassError(
        f"Column {label!r} has {first.kind} such as {item!r}{_beside(first, item)}, but column {name!r} has "
        f"{column.kind} such as {other!r}{_beside(column, other)}. Write the classes the same way in both{alike}."
    )


def _beside(column: Named, example: ClassName) -> str:
    """Name the value that makes a column text, if the example looks like a number.

    >>> import numpy as np
    >>> _beside(Named(np.array([0, 1, 2]), ("0", "1", "cat")), "0")
    " and 'cat'"
    """
    if not isinstance(example, str) or not _is_whole(example):
        return ""
    other = next((name for name in column.names if isinstance(name, str) and not _is_whole(name)), None)
    return "" if other is None else f" and {other!r}"


def _is_whole(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def _look_alikes(names: Sequence[ClassName], other: Sequence[ClassName]) -> tuple[ClassName, ClassName]:
    """Find two names a reader would take for the same, or else the first of each."""
    spelt = {as_text_name(name): name for name in sorted(other, key=str) if name is not None}
    present = sorted((name for name in names if name is not None), key=str)
    alike = next((name for name in present if as_text_name(name) in spelt), present[0])
    return alike, spelt.get(as_text_name(alike), next(iter(spelt.values())))
