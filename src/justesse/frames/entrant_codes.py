"""The answers of many classifiers as codes of classes, checked against labels and true classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.codes import recoded
from justesse.core.errors import ClassError, MissingValueError
from justesse.core.levels import check_levels, identity, ordered
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.any_of import Accepting
from justesse.frames.count_axes import known_classes
from justesse.frames.count_checks import ANSWERS_ADVICE, LABELS_ADVICE
from justesse.frames.entrant_sets import JudgedAnswers, every_class, first_class, judged_answers, split_columns
from justesse.frames.kinds import in_kind_of
from justesse.frames.rows import Rows
from justesse.frames.stray_answers import blank_answers, stray_answers
from justesse.frames.table import row_words
from justesse.frames.values import Named, without_gaps


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
    coded: tuple[ClassName, ...] = ()  # classes, then other answers, by their codes

    def without_rows(self) -> "Entrants":
        """Give the answers as codes, without the tables they came from."""
        return replace(self, source=())

    def judged_by(self, column: str) -> Array:
        """Give the answers as a column of labels or true classes judges them: right where they equal its codes."""
        return self.judged.answers.get(column, self.answers)


def coded_entrants(
    base: Mapping[str, Named], answers: Mapping[str, Named], label: Sequence[str], true: str, tables: Sequence[Rows], *,
    classes: Sequence[ClassName] | None, difficulty: Array | None, policy: AnswerPolicy, ignored: tuple[str, ...],
    free: bool = False,
) -> Entrants:  # fmt: skip
    """Give labels and answers one set of codes; refuse answers that no label is, unless they may be free text.

    Parameters
    ----------
    base, answers
        Columns of labels and true classes, and of the answers of each classifier.
    label, true
        Columns with labels, and the one with true classes.
    tables
        The first table, for its name.
    classes, difficulty, policy, ignored, free
        As in `read_entrants`; the difficulty as numbers, `ignored` are columns that hold something else than answers.
    """
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
    strays = tuple(stray for name in answers for stray in stray_answers(name, whole[name], ~unlabelled, known))
    blank = {name: blank_answers(whole[name], known, policy) for name in answers}
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
        if not free and classes is None and not judged and len(occur) > 1 and not np.isin(row, occur).any():
            says = next((coded[code] for code in row.tolist() if code < nothing), None)
            raise ClassError(
                f"Classifier {name!r} never answers with a true class. It answers {says!r}; the true classes are "
                f"{', '.join(repr(target[code]) for code in occur[:5])}. Write both the same way."
            )
    return Entrants(
        tuple(answers), matrix, {name: bases[name] for name in label}, bases[true], target, tables, true,
        np.flatnonzero(~gone), None if difficulty is None else difficulty[~gone], int(gone.sum()), ignored,
        policy, strays, {name: int((rows & ~unlabelled).sum()) for name, rows in blank.items()}, judged,
        coded,
    )  # fmt: skip


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
