"""Labels that accept any of several classes, such as `cat|dog`: turned into one class per counted cell."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ClassError
from justesse.core.levels import AGAINST_TRUTH, identity, native, spellings
from justesse.core.results import ClassName
from justesse.core.true_sets import DIFFER, FITS
from justesse.frames.values import Named, canonical


@dataclass(frozen=True)
class Accepting:
    """Which classes each value of a column of labels accepts, and the value of every cell."""

    column: str
    codes: Array
    sets: tuple[tuple[ClassName, ...], ...]

    @property
    def several(self) -> Array:
        """Which cells accept more than one class."""
        return np.array([len(item) > 1 for item in self.sets], dtype=bool)[self.codes]

    def accepted(self, counts: Array) -> dict[ClassName, float]:
        """Count the rows that accept each class; a row that accepts two counts for both."""
        rows = np.bincount(self.codes, counts, minlength=len(self.sets))
        result: dict[ClassName, float] = {}
        for names, size in zip(self.sets, rows.tolist(), strict=True):
            for name in names:
                result[name] = result.get(name, 0.0) + size
        return {name: size for name, size in result.items() if name is not None}


def accepting(column: str, named: Named, separator: str, *, as_kind: str | None) -> Accepting:
    """Split the values of a column of labels at the separator; whole numbers if answers are (`as_kind`).

    >>> accepting("label", Named(np.array([0, 1]), ("cat|dog", "dog")), "|", as_kind="text").sets
    (('cat', 'dog'), ('dog',))
    """
    split: list[tuple[ClassName, ...]] = []
    for name in named.names:
        parts = split_set(name, separator) if isinstance(name, str) else (name,)
        if "" in parts:
            raise ClassError(
                f"Column {column!r} has {name!r}, with an empty class next to {separator!r}. Write the class, or "
                f"remove the extra {separator!r}."
            )
        split.append(parts)
    every = [part for parts in split for part in parts]
    if as_kind not in (None, "text") and all(part is None or isinstance(part, str) for part in every):
        read = dict(zip(every, canonical(every), strict=True))
        split = [tuple(dict.fromkeys(read[part] for part in parts)) for parts in split]
    return Accepting(column, named.codes, tuple(split))


def split_set(text: str, separator: str) -> tuple[str, ...]:
    """Split a label at the separator; each class once, in the order in which they are named.

    >>> split_set("cat | dog|cat", "|")
    ('cat', 'dog')
    """
    return tuple(dict.fromkeys(part.strip() for part in text.split(separator)))


def check_accepted(sets: Mapping[str, Accepting], classes: Sequence[ClassName] | None) -> None:
    """Refuse a set with a class that is not among those listed."""
    known = None if classes is None else {identity(native(name)) for name in classes}
    for axis, cells in sets.items():
        strangers = [name for names in cells.sets for name in names if name is not None and known is not None]
        if stranger := [name for name in strangers if identity(name) not in (known or ())]:
            raise ClassError(
                f"Class {stranger[0]!r} ({axis}) is not in the list of classes: "
                f"{', '.join(map(repr, classes or ()))}. Add it with classes=… (--classes), or correct the rows."
            )


def one_class_each(columns: Sequence[Accepting], answers: Mapping[str, Named]) -> dict[str, Named]:
    """Give every cell one label, one true class and answers that are equal exactly where an answer is accepted.

        an accepted answer is the label of its cell;   if none is accepted, the label is the first class of the set
        two answers that differ and are both accepted are counted as the same class: the one that the set names first

    Right and wrong are then exact for each classifier and for the pair; which class a row belongs to is a convention.
    With two classifiers, `columns` is one column: labels and true classes may disagree on a tie (see `judged_apart`).

    >>> label = accepting("label", Named(np.array([0, 0, 0]), ("cat|dog",)), "|", as_kind="text")
    >>> result = one_class_each([label], {"p": Named(np.array([0, 1, 2]), ("dog", "cat", "owl"))})
    >>> [result["label"].names[code] for code in result["label"].codes]
    ['dog', 'cat', 'cat']
    """
    chosen = {item.column: [item.sets[code][0] for code in item.codes] for item in columns}
    text = {column: [named.names[code] for code in named.codes] for column, named in answers.items()}
    for cell in np.flatnonzero(np.any([item.several for item in columns], axis=0)):
        own = [text[column][cell] for column in answers]
        apart = len({identity(name) for name in own}) > 1
        sets = {item.column: {identity(name): name for name in item.sets[item.codes[cell]]} for item in columns}
        right = {column: [identity(name) in accepted for name in own] for column, accepted in sets.items()}
        both = [column for column in sets if apart and all(right[column])]
        if both:
            spoken = {identity(name) for name in own}
            same = next(name for key, name in sets[both[0]].items() if key in spoken)
            own = [same for _ in own]
            for column in answers:
                text[column][cell] = same
        for column, accepted in sets.items():
            rights = (name for name, fits in zip(own, right[column], strict=True) if fits)
            chosen[column][cell] = next(rights, _shared(accepted, sets))
    return {column: _coded(names) for column, names in {**chosen, **text}.items()}


def judged_apart(
    label: Accepting, true: Accepting, answers: Mapping[str, tuple[str, Named]]
) -> tuple[dict[str, Named], dict[str, Named]]:
    """Judge both answers by the label and, apart from that, by the true classes; no row is refused.

    `answers` gives the column and the values of `incumbent` and `candidate`. Returns the columns as the label judges
    them, and the further axes that `core.true_sets` describes.
    """
    columns = dict(answers.values())
    by_label, by_true = (one_class_each([item], columns) for item in (label, true))
    places = {"label": true.column, **{side: column for side, (column, _) in answers.items()}}
    texts = [[{text for name in names for text in spellings(name)} for names in item.sets] for item in (label, true)]
    fits = _pairwise(label.codes, true.codes, lambda a, b: bool(texts[0][a] & texts[1][b]))
    further = {AGAINST_TRUTH[side]: by_true[column] for side, column in places.items()}
    flags = {FITS: fits, DIFFER: answers_differ(*(values for _, values in answers.values()))}
    return {true.column: by_true[true.column], **by_label}, {**further, **flags}


def answers_differ(old: Named, new: Named) -> Named:
    """Say for each cell whether the two answers differ, accepted or not.

    >>> answers_differ(Named(np.array([0, 1]), ("cat", "dog")), Named(np.array([0, 0]), ("cat",))).codes.tolist()
    [0, 1]
    """
    return _pairwise(old.codes, new.codes, lambda a, b: not spellings(old.names[a]) & spellings(new.names[b]))


def _pairwise(first: Array, second: Array, holds: Callable[[int, int], bool]) -> Named:
    """Say for each cell whether something holds for its two codes, worked out once for each pair of codes."""
    pairs, cells = np.unique(np.stack([first, second], axis=1), axis=0, return_inverse=True)
    values = np.array([holds(int(a), int(b)) for a, b in pairs], dtype=np.int64)
    return Named(values[cells.reshape(-1)], (False, True))


def _shared(
    accepted: Mapping[tuple[type, ClassName], ClassName], sets: Mapping[str, Mapping[tuple[type, ClassName], ClassName]]
) -> ClassName:
    """Give the first class that label and true class both accept, else the first of these."""
    common = [name for key, name in accepted.items() if all(key in other for other in sets.values())]
    # the label decides the order, so that both choose the same one
    first = next(iter(sets.values()))
    shared = [name for key, name in first.items() if key in {identity(item) for item in common}]
    return shared[0] if shared else next(iter(accepted.values()))


def _coded(names: Sequence[ClassName]) -> Named:
    seen: dict[tuple[type, ClassName], int] = {}
    codes = np.array([seen.setdefault(identity(name), len(seen)) for name in names], dtype=np.int64)
    return Named(codes, tuple(name for _, name in seen))
