"""Rows counted by the columns of some axes, and what was missing or outside the classes."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy, Gaps
from justesse.core.errors import ClassError, MissingValueError, WeightError
from justesse.core.levels import (
    AGAINST_TRUTH,
    ANSWER_AXES,
    CLASS_AXES,
    KINDS,
    identity,
    native,
    ordered,
)
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.core.true_sets import DIFFER, TRUE
from justesse.frames.count_checks import check_few_values, check_short, checked_weights, missing_values
from justesse.frames.kinds import are_whole_decimals, check_classes, in_kind_of
from justesse.frames.rows import Rows, no_rows
from justesse.frames.values import Named, named, without_gaps

if TYPE_CHECKING:
    from justesse.frames.any_of import Accepting


def count_axes(
    tables: Sequence[Rows],
    axes: Mapping[str, str],
    *,
    weight: str | None = None,
    classes: Sequence[ClassName] | None = None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
    texts: Collection[str] = (),
) -> tuple[Tally, Gaps]:
    """Count rows by the columns of these axes; give the tally and what was missing or outside the classes.

    Parameters
    ----------
    tables
        Tables to count, one after the other.
    axes
        Column of each axis.
    weight
        Column with the weights.
    classes
        List of classes. Default: those of the labels.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.
    texts
        Columns to read as text, whatever they hold.
    """
    check_few_values(tables[0], axes)
    keys = list(dict.fromkeys(axes.values()))
    cells = [table.group(keys, weight, as_text) for table in tables]
    columns = {key: _joined([part.keys[at] for part in cells]) for at, key in enumerate(keys)}
    names = {
        key: named(values, form=tables[0].form, column=key, as_text=as_text or key in texts)
        for key, values in columns.items()
    }
    counts = np.concatenate([part.counts for part in cells])
    if not counts.sum():
        raise no_rows(_together(tables))
    weights, squares = checked_weights(tables, cells, weight)
    check_short(names, [column for axis, column in axes.items() if axis not in ANSWER_AXES])
    class_axes = {axis: column for axis, column in axes.items() if axis in CLASS_AXES}
    names |= without_gaps({column: names[column] for column in class_axes.values()})
    answer_axes = {axis: column for axis, column in class_axes.items() if axis in ANSWER_AXES}
    given_axes = {axis: column for axis, column in class_axes.items() if axis not in ANSWER_AXES}
    label = axes.get("label", next(iter(class_axes.values())))
    sets: dict[str, Accepting] = {}
    further: dict[str, str] = {}  # axes that true sets add, and their columns
    if policy.any_of is not None:
        from justesse.frames.any_of import accepting, answers_differ, check_accepted, judged_apart, one_class_each
        from justesse.frames.entrant_sets import every_class

        answer_columns = {column: names[column] for column in answer_axes.values()}
        kind = next((item.kind for item in answer_columns.values() if item.kind), None)
        from_text = tables[0].form == "text" and not as_text and not set(texts) & answer_columns.keys()
        if kind == KINDS[str] and from_text and all(map(are_whole_decimals, answer_columns.values())):
            kind = KINDS[float]  # a CSV file has no other way to hold them
        sets = {
            axis: accepting(column, names[column], policy.any_of, as_kind=kind) for axis, column in given_axes.items()
        }
        if "label" in sets:
            # before answers are looked up in sets, so that 1.0 is accepted by 1|2
            matched = in_kind_of(label, {label: every_class(sets["label"]), **answer_columns})
            names |= {column: matched[column] for column in answer_columns}
        if "true" in sets and len(answer_axes) == 2 and any(item.several.any() for item in sets.values()):
            answers_of = {axis: (column, names[column]) for axis, column in answer_axes.items()}
            judged_names, apart_names = judged_apart(sets["label"], sets["true"], answers_of)
            further = {axis: f"\0{axis}" for axis in apart_names}  # no column has such a name
            names |= judged_names | {further[axis]: values for axis, values in apart_names.items()}
        else:
            answers = {column: names[column] for column in answer_axes.values()}
            if len(answers) == 2 and any(item.several.any() for item in sets.values()):
                further = {DIFFER: f"\0{DIFFER}"}
                names[further[DIFFER]] = answers_differ(*answers.values())
            names |= one_class_each(list(sets.values()), answers)
        check_accepted(sets, classes)
    accepted_names = {identity(name) for item in sets.values() for parts in item.sets for name in parts}
    counted_axes = {axis: column for axis, column in axes.items() if axis != "true" or TRUE not in further} | further
    counted_classes = {axis: column for axis, column in counted_axes.items() if axis in CLASS_AXES}
    names |= in_kind_of(label, {column: names[column] for column in (*class_axes.values(), *counted_classes.values())})
    if not as_text and classes is None:
        check_classes(label, {column: names[column] for column in class_axes.values()})
    unlabelled = _without_value(given_axes, names, len(counts))
    judged = ~unlabelled

    def known_in(rows: Any) -> set[tuple[type, ClassName]]:
        result = known_classes(
            {axis: _observed(names[column], rows)[1] for axis, column in given_axes.items()}, classes
        )
        return result if classes is not None else result | accepted_names

    def strays_in(rows: Any) -> tuple[tuple[str, ClassName, int], ...]:
        known, outcome = known_in(rows), []
        for axis, column in answer_axes.items():
            codes, present = _observed(names[column], rows)
            sizes = np.bincount(codes, counts[rows], minlength=len(present)).astype(int).tolist()
            outcome += [(axis, name, n) for name, n in zip(present, sizes, strict=True) if identity(name) not in known]
        return tuple(item for item in outcome if item[1] is not None)

    strays: tuple[tuple[str, ClassName, int], ...] = ()
    if policy.others == "missing":
        strays = strays_in(judged)
        text = [*answer_axes.values(), *(further[AGAINST_TRUTH[axis]] for axis in answer_axes if TRUE in further)]
        known = known_in(judged)
        names |= {column: _blanked(names[column], known) for column in text}
    unanswered = {axis: judged & names[column].missing for axis, column in answer_axes.items()}
    blank = judged & _without_value(answer_axes, names, len(counts))
    if (unlabelled.any() and not policy.drops_labels) or (blank.any() and policy.missing == "refuse"):
        raise missing_values(
            tables, list(given_axes.values()), list(answer_axes.values()), names, counts, strays, policy
        )
    kept = judged & ~blank if policy.missing == "drop" else judged
    if not kept.any():
        raise MissingValueError(
            f"Every row of {tables[0].name} lacks a label or a prediction, so nothing is left to count. Fill "
            "in the values, or name other columns."
        )

    def tally_of(rows: Any) -> Tally:
        known = known_in(rows)
        coded = {axis: _observed(names[column], rows) for axis, column in counted_axes.items()}
        answers = [name for axis in answer_axes for name in coded[axis][1]]
        outside = {identity(name): name for name in answers if identity(name) not in known}
        others = ordered(name for name in outside.values() if name is None or policy.others != "class")
        apart = {identity(name) for name in others}
        declared = list(classes or ()) + [name for name in ordered(outside.values()) if identity(name) not in apart]
        if classes is None and others:
            present = {identity(name): name for axis in counted_classes for name in coded[axis][1]}
            declared = [name for name in ordered(present.values()) if identity(name) not in apart]
        return Tally.from_codes(
            tuple(counted_axes),
            list(coded.values()),
            counts[rows],
            weights=None if weights is None else weights[rows],
            squares=None if squares is None else squares[rows],
            classes=None if classes is None and not others else declared,
            others=others,
        )

    tally = tally_of(kept)
    if weights is not None and not tally.values.sum() > 0:
        raise WeightError(f"The weights in column {weight!r} add up to 0. At least one row needs a weight above 0.")
    gaps = Gaps(
        policy,
        int(counts[unlabelled].sum()),
        {axis: int(counts[rows].sum()) for axis, rows in unanswered.items()},
        strays or strays_in(kept),
        int(counts[~kept].sum()),
        tally_of(judged) if blank.any() else None,
        tally_of(judged & ~blank) if blank.any() and (judged & ~blank).any() else None,
        {axis: int(counts[kept & cells.several].sum()) for axis, cells in sets.items()},
        {
            axis: cells.accepted(np.where(kept, counts if weights is None else weights, 0))
            for axis, cells in sets.items()
        },
    )
    return tally, gaps


def known_classes(
    names_by_axis: Mapping[str, Sequence[ClassName]], classes: Sequence[ClassName] | None
) -> set[tuple[type, ClassName]]:
    """Collect the classes that an answer can be: those given, else those of the labels and true classes.

    >>> sorted(name for _, name in known_classes({"label": ["cat", "dog"], "true": ["cat", "hen"]}, None))
    ['cat', 'dog', 'hen']
    """
    if classes is None:
        return {identity(name) for names in names_by_axis.values() for name in names}
    known = {identity(native(name)) for name in classes}
    for axis, names in names_by_axis.items():
        column = axis.removeprefix("\0")  # the classes that sets accept come under such a name
        strangers = [name for name in names if identity(name) not in known]
        if strangers:
            raise ClassError(
                f"Class {strangers[0]!r} ({column}) is not in the list of classes: "
                f"{listed_names(classes)}. Add it with classes=… (--classes), or correct the rows."
            )
    return known


def _without_value(axes: Mapping[str, str], names: Mapping[str, Named], size: int) -> Any:
    """Mark the rows that lack a value on one of these axes."""
    return np.any([np.zeros(size, dtype=bool), *(names[column].missing for column in axes.values())], axis=0)


def _blanked(column: Named, known: Collection[tuple[type, ClassName]]) -> Named:
    """Take answers outside the known classes as missing."""
    seen: dict[tuple[type, ClassName], int] = {}
    places = [
        seen.setdefault(identity(name) if identity(name) in known else identity(None), len(seen))
        for name in column.names
    ]
    return Named(np.array(places, dtype=np.int64)[column.codes], tuple(name for _, name in seen))


def _joined(parts: list[Any]) -> Any:
    """Put the answers for several files one below the other, values of different types side by side as they are."""
    if len(parts) == 1:
        return parts[0]
    if len({part.dtype.kind for part in parts}) > 1:
        parts = [part.astype(object) for part in parts]
    join: Any = np.ma.concatenate
    return join(parts)


def _observed(column: Named, kept: Any) -> tuple[Any, tuple[ClassName, ...]]:
    """Forget the names that only occurred in rows left out."""
    used, codes = np.unique(column.codes[kept], return_inverse=True)
    return codes, tuple(column.names[code] for code in used)


def listed_names(names: Sequence[ClassName]) -> str:
    """Write the first names of a list, for messages.

    >>> listed_names(["cat", "dog"])
    "'cat', 'dog'"
    """
    return ", ".join(map(repr, names))


def _together(tables: Sequence[Rows]) -> str:
    return tables[0].name if len(tables) == 1 else f"{tables[0].name} and {quantity(len(tables) - 1, 'other file')}"
