"""The answers of many classifiers to the same rows, beside labels and true classes: columns of a table, or files."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.codes import recoded
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.core.levels import KINDS, check_levels, identity, ordered
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.any_of import Accepting, split_set
from justesse.frames.columns import USUAL, check_column, guess_column
from justesse.frames.count import opened_once
from justesse.frames.count_axes import known_classes
from justesse.frames.count_checks import ANSWERS_ADVICE, LABELS_ADVICE
from justesse.frames.entrant_sets import JudgedAnswers, every_class, first_class, judged_answers, split_columns
from justesse.frames.kinds import in_kind_of
from justesse.frames.rows import DuckRows, Rows, no_rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, named, without_gaps

AT_ONCE = 4_000_000  # values fetched in one go, so that a thousand columns never are in memory as text together
ASSESSED = ("row", "repetition", "fold")  # columns beside the predictions that assess writes
OTHER_LABELS = re.compile(r"label[_ .-].*", re.IGNORECASE)  # versions that `noise inject` writes


@dataclass(frozen=True, eq=False)
class Entrants:
    """Codes of classes: one row of `answers` for each classifier, `labels` by their column, `true`.

    `difficulty` has a number for each row if a column was named; `kept` are the rows of the data, from 0, that are not
    left out; `ignored` are columns that hold something else than answers. An answer that no label or true class is, or
    a missing one that counts as wrong, has a code past those of `classes`. `others` lists the former (classifier,
    answer, rows); `missing` counts missing answers by classifier. `judged` has the answers as labels and true classes
    judge them if some of these accept several classes; then `labels` and `true` have the first class of each cell.
    """

    names: tuple[str, ...]
    answers: Array
    labels: Mapping[str, Array]
    true: Array
    classes: tuple[ClassName, ...]
    source: Sequence[Rows]
    true_column: str
    kept: Array
    difficulty: Array | None = None
    dropped: int = 0
    ignored: tuple[str, ...] = ()
    policy: AnswerPolicy = REFUSE
    others: tuple[tuple[str, ClassName, int], ...] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    judged: JudgedAnswers = field(default_factory=JudgedAnswers)

    def judged_by(self, column: str) -> Array:
        """Give the answers as a column of labels or true classes judges them: right where they equal its codes."""
        return self.judged.answers.get(column, self.answers)


def read_entrants(
    tables: Mapping[str, Any],
    *,
    true: str | None = None,
    label: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    on: str | None = None,
    prediction: str | None = None,
    difficulty: str | None = None,
    classes: Sequence[ClassName] | None = None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
) -> Entrants:
    """Take classifiers from the columns of one table, or from several tables by name, joined by the column `on`.

    Parameters
    ----------
    tables
        Tables by name; one table may have all classifiers.
    true
        Column with the true classes.
    label
        Columns with labels. Default: guessed. No labels are needed if the list is empty.
    models
        Columns with classifiers. Default: every other column in which at least half of the values (95 % if classes
        are numbers) are classes of the labels or true classes.
    on
        Column with ids, to join several tables.
    prediction
        Column with the predictions, if there are several tables.
    difficulty
        Column with the difficulty of each row.
    classes
        List of classes. Default: those of the labels.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.

    Examples
    --------
    >>> columns = {"label": [0, 1, 1], "true": [0, 1, 0], "a": [0, 1, 1], "b": [1, 1, 0], "x": [7, 8, 9]}
    >>> result = read_entrants({"": columns})
    >>> result.names, result.answers.tolist(), result.ignored
    (('a', 'b'), [[0, 1, 1], [1, 1, 0]], ('x',))
    """
    first = opened_once(next(iter(tables.values())))
    where, columns = first[0].name, first[0].columns
    try:
        true_column = guess_column("true", columns, where, true)
    except ColumnError as error:
        raise ColumnError(
            f"A tournament needs the true classes. {error} If the labels are right, take them as true classes and make "
            "some wrong with noise_rates=… (--true label --noise-rates 0.05)."
        ) from error
    label_columns = [guess_column("label", columns, where, None)] if label is None else list(label)
    for name in label_columns:
        check_column(columns, where, "label", name)
    if true_column in label_columns:
        raise ColumnError(
            f"Column {true_column!r} of {where} cannot be both a label and the true class. To make some of them wrong, "
            "add noise_rates=… (--noise-rates 0.05)."
        )
    if difficulty is not None:
        check_column(columns, where, "difficulty", difficulty)
    base = dict(_named_columns(first, [*label_columns, true_column], as_text))
    if not len(base[true_column].codes):
        raise no_rows(where)
    answers: dict[str, Named]
    ignored: tuple[str, ...] = ()
    if len(tables) > 1:
        if models is not None:
            raise OptionError(
                "With several tables each is one classifier, so models=… (--model) cannot be used. Leave it out."
            )
        answers = _from_tables(tables, first, base, on=on, prediction=prediction, as_text=as_text)
    else:
        if prediction is not None:
            raise OptionError(
                "With one table, name the columns of the classifiers with models=… (--model), not with "
                "prediction=… (--prediction)."
            )
        if on is not None:
            check_column(columns, where, "on", on)
        taken = [*label_columns, true_column, *(item for item in (on, difficulty) if item)]
        if models is None:
            answers, ignored = _looking_like_answers(first, base, taken, as_text, policy.any_of)
        else:
            answers = _asked_for(first, models, taken, as_text)
    if len(answers) < 2:
        left = f". Columns with other values than classes: {', '.join(map(repr, ignored[:10]))}" if ignored else ""
        raise InputError(
            f"A tournament needs at least two classifiers; got {len(answers)}"
            f"{f' ({next(iter(answers))!r})' if answers else ''} from {where}{left}. Name their columns with models=… "
            "(--model a,b)."
        )
    numbers = None if difficulty is None else _numbers(first, difficulty)
    return _coded(
        base, answers, label_columns, true_column, first,
        classes=classes, difficulty=numbers, policy=policy, ignored=ignored,
    )  # fmt: skip


def _asked_for(tables: Sequence[Rows], models: Sequence[str], taken: Sequence[str], as_text: bool) -> dict[str, Named]:
    if len(set(models)) < len(models):
        raise OptionError(f"Name each classifier once; got {', '.join(map(repr, models))}.")
    for name in models:
        check_column(tables[0].columns, tables[0].name, "a model", name)
        if name in taken:
            raise ColumnError(
                f"Column {name!r} of {tables[0].name} cannot be a classifier and have another role. Leave it out of "
                "models=… (--model)."
            )
    return dict(_named_columns(tables, models, as_text))


def _looking_like_answers(
    tables: Sequence[Rows], base: Mapping[str, Named], taken: Sequence[str], as_text: bool, any_of: str | None
) -> tuple[dict[str, Named], tuple[str, ...]]:
    """Keep the columns whose values are classes, as they are or as they are written, but for a few stray answers."""
    known = {
        part
        for column in base.values()
        for name in column.names
        if name is not None
        for part in (split_set(str(name), any_of) if any_of else (str(name),))
    }
    others = [name for name in tables[0].columns if name not in taken]
    no_answers = (*USUAL["label"], *USUAL["true"], "id", *(ASSESSED if {*ASSESSED} <= {*others} else ()))
    rest = [name for name in others if name.lower() not in no_answers and not OTHER_LABELS.fullmatch(name)]
    answers = {}
    for name, column in _named_columns(tables, rest, as_text, skip=True):
        is_class = np.array([str(int(x) if isinstance(x, float) else x) in known for x in column.names], dtype=bool)
        present = ~column.missing
        enough = 0.5 if column.kind == KINDS[str] else 0.95  # a column of numbers may be a count or a measurement
        if present.any() and is_class[column.codes[present]].mean() >= enough:
            answers[name] = column
    return answers, tuple(name for name in others if name not in answers)


def _named_columns(
    tables: Sequence[Rows], columns: Sequence[str], as_text: bool, *, skip: bool = False
) -> Iterator[tuple[str, Named]]:
    """Fetch columns of classes, some at a time; with `skip`, pass over those that can be no classes."""
    columns = list(dict.fromkeys(columns))
    join: Any = np.ma.concatenate
    at_once = len(columns) if not isinstance(tables[0], DuckRows) else 1
    while columns:
        block, columns = columns[:at_once], columns[at_once:]
        try:
            parts = [table.arrays(block, []).keys for table in tables]
        except ClassError:
            if not skip:
                raise
            if len(block) > 1:  # find the column it is about
                for name in block:
                    yield from _named_columns(tables, [name], as_text, skip=True)
            continue
        for at, name in enumerate(block):
            values = parts[0][at] if len(parts) == 1 else join([part[at].astype(object) for part in parts])
            try:
                yield name, named(values, form=tables[0].form, column=name, as_text=as_text)
            except ClassError:
                if not skip:
                    raise
        at_once = max(at_once, AT_ONCE // max(1, sum(len(part[0]) for part in parts)))


def _from_tables(
    tables: Mapping[str, Any], first: Sequence[Rows], base: Mapping[str, Named], *,
    on: str | None, prediction: str | None, as_text: bool,
) -> dict[str, Named]:  # fmt: skip
    """Take one classifier from each table, its rows put in the order of the first."""
    if len(first) > 1:
        raise InputError("With several tables each must be one file. Name the files instead of a pattern.")
    size = len(next(iter(base.values())).codes)
    own = None if on is None else _ids(first[0], on)
    result = {}
    for name, data in tables.items():
        rows = opened_once(data)[0]
        column = guess_column("prediction", rows.columns, rows.name, prediction)
        beside = [entry for entry in base if entry in rows.columns]
        read = dict(_named_columns([rows], [column, *beside], as_text))
        order = _order(first[0], rows, own, on, size, len(read[column].codes))
        for item in beside:
            _check_labels(base[item], read[item], order, item, first[0].name, rows.name)
        if on is None and not beside:
            raise InputError(
                f"No column {next(iter(base))!r} in {rows.name}, so nothing shows that its rows are in the order "
                f"of {first[0].name}. Join them by an id with on=… (--on id)."
            )
        result[name] = Named(read[column].codes[order], read[column].names, read[column].had_gaps)
    return result


def _ids(rows: Rows, on: str) -> list[ClassName]:
    check_column(rows.columns, rows.name, "on", on)
    return row_ids(rows, on)


def _order(
    first: Rows, rows: Rows, own: Sequence[ClassName] | None, on: str | None, size: int, theirs: int
) -> Array | slice:
    """Say where the rows of the first table are in another."""
    if own is None or on is None:
        if theirs != size:
            raise InputError(
                f"Different numbers of rows: {size:,} in {first.name}, {theirs:,} in {rows.name}. Join them by an "
                "id with on=… (--on id)."
            )
        return slice(None)
    row_of = {name: row for row, name in enumerate(_ids(rows, on))}
    mine = set(own)
    for absent, where in (([x for x in own if x not in row_of], rows), ([x for x in row_of if x not in mine], first)):
        if absent:
            raise InputError(
                f"{quantity(len(absent), 'row')} not found in {where.name}, such as {on} {absent[0]!r}. All "
                "classifiers must answer the same rows: add the missing ones, or remove them from all files."
            )
    return np.array([row_of[name] for name in own])


def _check_labels(mine: Named, theirs: Named, order: Array | slice, column: str, first: str, other: str) -> None:
    names = [np.array([str(name) for name in part.names], dtype=object) for part in (mine, theirs)]
    differ = np.flatnonzero(names[0][mine.codes] != names[1][theirs.codes[order]])
    if len(differ):
        raise InputError(
            f"Column {column!r} differs between {first} and {other} in {quantity(len(differ), 'row')} "
            f"({row_words(differ)} of {first}). All files need the same labels. Correct them, or join the rows "
            "by an id with on=… (--on id)."
        )


def _numbers(tables: Sequence[Rows], column: str) -> Array:
    values = np.concatenate([rows.arrays([], [column]).numbers[:, 0] for rows in tables])
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(f"Difficulties must be numbers. Correct {row_words(bad)} of column {column!r}.")
    return values


def _coded(
    base: Mapping[str, Named], answers: Mapping[str, Named], label: Sequence[str], true: str, tables: Sequence[Rows], *,
    classes: Sequence[ClassName] | None, difficulty: Array | None, policy: AnswerPolicy, ignored: tuple[str, ...],
) -> Entrants:  # fmt: skip
    sets: dict[str, Accepting] = {}
    columns: dict[str, Named] = dict(base)
    if policy.any_of is not None:
        answer_kind = next((column.kind for column in answers.values() if column.kind), None)
        sets = split_columns(base, policy.any_of, answer_kind)
        columns = {name: first_class(cells, had_gaps=base[name].had_gaps) for name, cells in sets.items()}
        # every class that a cell accepts is known, written as the labels write theirs
        columns |= {f"\0{name}": every_class(cells, had_gaps=base[name].had_gaps) for name, cells in sets.items()}
    whole = in_kind_of(next(iter(base)), without_gaps({**columns, **answers}))
    unlabelled = np.any([whole[name].missing for name in base], axis=0)
    known = known_classes({name: [x for x in whole[name].names if x is not None] for name in columns}, classes)
    strays = tuple(stray for name in answers for stray in _strays(name, whole[name], ~unlabelled, known))
    blank = {name: _blank(whole[name], known, policy) for name in answers}
    unanswered = np.any(list(blank.values()), axis=0) & ~unlabelled
    _check_present(whole, tables, unlabelled, unanswered, policy)
    gone = unlabelled | unanswered if policy.missing == "drop" else unlabelled
    if gone.all():
        raise MissingValueError(
            f"Every row of {tables[0].name} lacks a value, so nothing is left to judge. Fill in the values, or "
            "name other columns."
        )
    target: tuple[ClassName, ...] = ordered(x for _, x in known) if classes is None else tuple(classes)
    outside = ordered(name for _, name in {identity(x) for name in answers for x in whole[name].names} - known
                      if name is not None)  # fmt: skip
    if policy.others == "class":
        target, outside = ordered((*target, *outside)) if classes is None else (*target, *outside), ()
    target = check_levels("label", target)
    coded = (*target, *outside)
    nothing = len(coded)  # a missing answer that counts as wrong
    kind = np.min_scalar_type(nothing)

    def codes(column: Named, missing: Array | None = None) -> Array:
        result = recoded([coded[0] if x is None else x for x in column.names], coded)[column.codes]
        return np.asarray((result if missing is None else np.where(missing, nothing, result))[~gone], dtype=kind)

    bases = {name: codes(whole[name]) for name in base}
    matrix = np.array([codes(whole[name], blank[name]) for name in answers])
    judged = JudgedAnswers()
    if any(item.several.any() for item in sets.values()):
        judged = judged_answers(sets, coded, matrix, np.flatnonzero(~gone), true)
    occur = np.unique(bases[true])
    for name, row in zip(answers, matrix, strict=True):
        if classes is None and not judged and len(occur) > 1 and not np.isin(row, occur).any():
            says = next((coded[code] for code in row.tolist() if code < nothing), None)
            raise ClassError(
                f"Classifier {name!r} never answers with a true class. It answers {says!r}; the true classes are "
                f"{', '.join(repr(target[code]) for code in occur[:5])}. Write both the same way."
            )
    return Entrants(
        tuple(answers), matrix, {name: bases[name] for name in label}, bases[true], target, tables, true,
        np.flatnonzero(~gone), None if difficulty is None else difficulty[~gone], int(gone.sum()), ignored,
        policy, strays, {name: int((rows & ~unlabelled).sum()) for name, rows in blank.items()}, judged,
    )  # fmt: skip


def _strays(
    name: str, column: Named, rows: Array, known: Collection[tuple[type, ClassName]]
) -> Iterator[tuple[str, ClassName, int]]:
    """Count the answers of a classifier that are no class."""
    sizes = np.bincount(column.codes[rows], minlength=len(column.names)).tolist()
    for answer, n in zip(column.names, sizes, strict=True):
        if n and answer is not None and identity(answer) not in known:
            yield name, answer, n


def _blank(column: Named, known: Collection[tuple[type, ClassName]], policy: AnswerPolicy) -> Array:
    """Mark the rows without an answer, or with one that counts as missing because it is no class."""
    if policy.others != "missing":
        return column.missing
    return np.isin(column.codes, [code for code, name in enumerate(column.names) if identity(name) not in known])


def _check_present(
    columns: Mapping[str, Named], tables: Sequence[Rows], unlabelled: Array, unanswered: Array, policy: AnswerPolicy
) -> None:
    """Refuse rows without a value, unless the policy says what to do with them."""
    labels = unlabelled.any() and not policy.drops_labels
    answers = unanswered.any() and policy.missing == "refuse"
    if not labels and not answers:
        return
    gone = unlabelled | unanswered
    which = ", ".join(repr(name) for name, column in columns.items() if column.missing.any())
    advice = " ".join([*([ANSWERS_ADVICE] if answers else []), *([LABELS_ADVICE] if labels else [])])
    raise MissingValueError(
        f"Missing label, true class or answer in {quantity(int(gone.sum()), 'row')} of {tables[0].name}: "
        f"{row_words(np.flatnonzero(gone))}{f', columns {which[:200]}' if which else ''}. {advice}"
    )
