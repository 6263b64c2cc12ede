"""Labels and true classes that accept several classes, for many classifiers at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from justesse.core.arrays import Array
from justesse.core.levels import spellings
from justesse.core.results import ClassName
from justesse.frames.any_of import Accepting, accepting
from justesse.frames.values import Named


@dataclass(frozen=True, eq=False)
class JudgedAnswers:
    """Answers as each column of labels or true classes judges them; empty if every cell is one class.

    `answers` has, by column, the classifiers' codes, where an accepted answer is the code of the cell. `wrong` is the
    share of labels that have no class in common with the true classes, `several` counts cells of several classes.
    """

    answers: Mapping[str, Array] = field(default_factory=dict)
    wrong: Mapping[str, float] = field(default_factory=dict)
    several: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.several.values())


def split_columns(columns: Mapping[str, Named], separator: str, kind: str | None) -> dict[str, Accepting]:
    """Split the cells of these columns; whole numbers if answers are (`kind`)."""
    return {name: accepting(name, column, separator, as_kind=kind) for name, column in columns.items()}


def first_class(column: Accepting, *, had_gaps: bool = False) -> Named:
    """Give each cell the first class that it accepts."""
    names = {name: at for at, name in enumerate(dict.fromkeys(classes[0] for classes in column.sets))}
    places = np.array([names[classes[0]] for classes in column.sets], dtype=np.int64)
    return Named(places[column.codes], tuple(names), had_gaps)


def every_class(column: Accepting, *, had_gaps: bool = False) -> Named:
    """List every class that some cell accepts."""
    names = dict.fromkeys(name for classes in column.sets for name in classes)
    return Named(np.arange(len(names)), tuple(names), had_gaps)


def judged_answers(
    sets: Mapping[str, Accepting], coded: Sequence[ClassName], answers: Array, kept: Array, true: str
) -> JudgedAnswers:
    """Judge the answers (classifiers × rows kept, codes of `coded`) by every column.

    >>> sets = split_columns({"true": Named(np.array([0, 1]), ("a|b", "b"))}, "|", "text")
    >>> judged_answers(sets, ["a", "b"], np.array([[0, 0], [1, 1]]), np.array([0, 1]), "true").answers["true"].tolist()
    [[0, 0], [0, 1]]
    """
    code = {text: at for at, name in enumerate(coded) for text in spellings(name)}
    accepted = {name: [_codes(names, code) for names in item.sets] for name, item in sets.items()}
    rows = {name: item.codes[kept] for name, item in sets.items()}
    judged, wrong, several = {}, {}, {}
    for name, cells in sets.items():
        result = answers.copy()
        many = [at for at, names in enumerate(cells.sets) if len(names) > 1]
        order = np.argsort(rows[name], kind="stable")
        ends = np.searchsorted(rows[name][order], np.arange(len(cells.sets) + 1))
        for at in many:
            own_rows = order[ends[at] : ends[at + 1]]
            part = answers[:, own_rows]
            result[:, own_rows] = np.where(np.isin(part, accepted[name][at]), accepted[name][at][0], part)
        judged[name] = result
        several[name] = int(np.isin(rows[name], many).sum())
        if name != true:
            pairs, sizes = np.unique(np.stack([rows[name], rows[true]], axis=1), axis=0, return_counts=True)
            apart = [not set(accepted[name][a]) & set(accepted[true][b]) for a, b in pairs.tolist()]
            wrong[name] = float(sizes[apart].sum() / sizes.sum())
    return JudgedAnswers(judged, wrong, several)


def _codes(names: Sequence[ClassName], code: Mapping[str, int]) -> list[int]:
    """Give the codes of classes; a cell without a value, whose row is left out, has none."""
    return [next(code[text] for text in spellings(name) if text in code) for name in names if name is not None]
