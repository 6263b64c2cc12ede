"""Read what filters look at: labels, probabilities, features, histories, answers, true classes, answers of a re-check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.cleaning.cross_fitted import cross_fitted
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.row_filter import usual_models
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.coded import coded
from justesse.core.errors import ColumnError, InputError, MissingValueError, OptionError
from justesse.core.levels import merged, spelt_alike
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName
from justesse.frames.annotations import read_annotations
from justesse.frames.columns import check_column, guess_label
from justesse.frames.giveaways import giveaways
from justesse.frames.learnable import Learnable, learnable
from justesse.frames.rounded_probabilities import RoundedSums
from justesse.frames.scores import read_scores
from justesse.frames.table import TypedTable, read_table, row_words
from justesse.procedures.named_models import checked, named_models
from justesse.procedures.preprocessing import prepared
from justesse.report.writing import Message, message

ROW = "row"
MEMORY = 0.995  # more agreement than labels and models have


@dataclass(frozen=True, eq=False)
class CleaningRows:
    """The table, its labels and whatever the filter needs, the ids of the rows and their true classes if known."""

    table: TypedTable
    label: str
    id: str | None
    ids: list[Any]
    evidence: LabelEvidence
    true: Array | None
    source: str
    warnings: tuple[Message | str, ...]
    rounded: RoundedSums | None = None


def cleaning_rows(
    data: Any,
    item: Filter,
    *,
    label: str | None,
    proba: str | None,
    id: str | None,
    true: str | None,
    features: Sequence[str] | None,
    history: str | None,
    answers: Any,
    model: str | Sequence[str] | Mapping[str, Any] | None,
    k: int,
    seed: int,
    jobs: int | None,
    progress: Progress | None,
) -> CleaningRows:
    """Read the table, and train models where the filter needs answers that are not there.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    item
        The filter.
    label, proba, id, true, history
        Columns, or starts of their names.
    features
        Columns to learn from.
    answers
        Table of annotators' answers.
    model
        Models to train.
    k
        Number of folds.
    seed
        Seed of folds and models.
    jobs
        Models to train in parallel.
    progress
        Called with the fits done and the total.
    """
    table = read_table(data)
    column = guess_label(table.columns, table.name, label)
    for role, name in (("id", id), ("true", true)):
        if name is not None:
            check_column(table.columns, table.name, role, name)
    ids = table.typed[id].to_pylist() if id else list(range(1, len(table) + 1))
    if id:
        _check_ids(ids, id, table.name)
    labels = table.labels(column)
    truth = None if true is None else table.labels(true)
    shares: FloatArray | None = None
    rounded: RoundedSums | None = None
    classes = coded(labels)[1]
    if proba is not None:
        scores = read_scores(
            [table.rows], label=column, score=None, proba=proba, weight=None, positive=None, drop_labels=False,
            as_text=False,
        )  # fmt: skip
        shares, classes, rounded = scores.scores, scores.classes, scores.rounded
    notes = None if answers is None else _answers(answers, ids, id, classes)
    if notes is not None:
        classes = merged(classes, notes.classes)
    if truth is not None:
        classes = merged(classes, coded(truth)[1])
    if shares is not None and len(classes) > shares.shape[1]:
        shares = np.column_stack([shares, np.zeros((len(shares), len(classes) - shares.shape[1]))])
    parts: dict[str, Any] = {"probabilities": shares, "answers": notes, "seed": seed}
    if history is not None:
        parts["history"] = _history(table, history)
    codes = coded(labels, classes)[0].astype(np.int64)
    warnings: list[Message | str] = []
    made = LabelEvidence(codes, classes, **parts)
    source = "columns of the file" if shares is not None else ""
    if made.missing(item.needs) and not {"history", "answers"} & set(made.missing(item.needs)):
        without = [name for name in (column, id, true) if name]
        more, source, learnt = _learnt(
            table, item, codes, labels, classes, without, proba=proba, history=history, features=features, model=model,
            k=k, seed=seed, jobs=jobs, progress=progress,
        )  # fmt: skip
        warnings += learnt
        made = LabelEvidence(codes, classes, **{**parts, **more})
    _check_needs(made, item)
    if shares is not None and item.needs == ("probabilities",):
        agreement = float(np.mean(shares.argmax(axis=1) == codes))
        if agreement >= MEMORY and len(codes) >= 50:
            warnings.insert(0, message(
                "The most probable class is the label in {share:share} of the rows. The probabilities look as if the model "
                "was trained on these rows: it then repeats wrong labels. Use cross-validated probabilities.",
                share=agreement,
            ))  # fmt: skip
    truth_codes = None if truth is None else coded(truth, classes)[0].astype(np.int64)
    return CleaningRows(table, column, id, ids, made, truth_codes, source, tuple(warnings), rounded)


def _check_needs(evidence: LabelEvidence, item: Filter) -> None:
    hints = {"history": "history=… (--history margin_)", "answers": "answers=… (--answers FILE)"}
    if missing := [hints[need] for need in evidence.missing(item.needs) if need in hints]:
        raise OptionError(f"The filter {item.name} needs {missing[0]}. Give it, or choose another filter (--method).")


def _check_ids(ids: list[Any], column: str, where: str) -> None:
    if gone := [at for at, value in enumerate(ids) if value is None or value == ""]:
        raise MissingValueError(f"Column {column!r} of {where} has no id in {row_words(gone)}. Fill in the ids.")
    if len(set(ids)) < len(ids):
        seen: set[Any] = set()
        twice = next(value for value in ids if value in seen or seen.add(value))  # type: ignore[func-returns-value]
        raise InputError(
            f"Id {twice!r} occurs twice in column {column!r} of {where}. Name a column of different ids (--id)."
        )


def _history(table: TypedTable, start: str) -> FloatArray:
    columns = [name for name in table.columns if name.startswith(start)]
    if not columns:
        raise ColumnError(
            f"No column of {table.name} starts with {start!r}. Name the columns of margins with --history."
        )
    numbers = table.rows.arrays([], columns).numbers
    if (bad := np.flatnonzero(~np.isfinite(numbers).all(axis=1))).size:
        raise MissingValueError(f"A margin is missing in {table.name}: {row_words(bad)}. Fill in every epoch.")
    return np.asarray(numbers, dtype=float)


def _answers(source: Any, ids: list[Any], id: str | None, classes: tuple[ClassName, ...]) -> Annotations:
    """Read answers, and number their items as the rows."""
    if id is None:
        raise OptionError("Annotators' answers are found by the id of a row. Name its column with id=… (--id).")
    notes = read_annotations(source).annotations
    place = {str(value): at for at, value in enumerate(ids)}
    at = np.array([place.get(str(name), -1) for name in notes.items])
    kept = at[notes.item] >= 0
    if not kept.any():
        raise InputError(f"No item of the answers is an id of the rows, such as {ids[0]!r}. Check --id and --answers.")
    names = [
        next((name for name in classes if name is not None and spelt_alike(name, own)), own) for own in notes.classes
    ]
    rows = zip(at[notes.item[kept]], notes.annotator[kept], notes.answer[kept], strict=True)
    every = tuple(dict.fromkeys([*classes, *names]))
    return Annotations.of([(int(row), notes.annotators[who], names[what]) for row, who, what in rows], classes=every)


def _learnt(
    table: TypedTable, item: Filter, codes: Array, labels: Array, classes: tuple[ClassName, ...], without: list[str],
    *, proba: str | None, history: str | None, features: Sequence[str] | None, model: Any, k: int, seed: int,
    jobs: int | None, progress: Progress | None,
) -> tuple[dict[str, Any], str, list[Message | str]]:  # fmt: skip
    """Give what the filter needs of features and models, what it comes from, and what to say about it."""
    starts = tuple(start for start in (proba, history) if start)
    others = [name for name in table.columns if name not in without and not (starts and name.startswith(starts))]
    suspects = giveaways({name: table.typed[name] for name in others}, without[0], labels) if features is None else {}
    chosen = list(features) if features is not None else others
    columns = learnable(table, chosen=chosen if features is not None else None,
                        without=[name for name in table.columns if name not in chosen], suspects=suspects)  # fmt: skip
    warnings: list[Message | str] = list(columns.warnings)
    kinds: dict[str, Any] = {kind: getattr(columns, kind) for kind in ("numbers", "categories", "texts")}
    if "features" in item.needs:
        made: dict[str, Any] = {"features": _numbers(columns, kinds)}
        if "models" in item.needs:
            models = _models(model, usual_models(item))
            made |= {
                "models": {name: prepared(own, **kinds) for name, own in models.items()},
                "features": columns.matrix,
            }
            return made, ", ".join(models), warnings
        return made, "", warnings
    models = _models(model, usual_models(item))
    fitted = cross_fitted(
        {name: prepared(own, **kinds) for name, own in models.items()}, columns.matrix, codes, classes, folds=k,
        seed=seed, jobs=jobs, progress=progress,
    )  # fmt: skip
    if "probabilities" in item.needs and fitted.probabilities is None:
        raise OptionError(
            f"{', '.join(models)} gives no probabilities, which {item.name} needs. Name a model that does (--model logistic)."
        )
    if fitted.failures:
        warnings.append(message("Models failed in some folds: {failures:names}.", failures=fitted.failures))
    if "votes" in item.needs and len(models) < 2:
        warnings.append("One model has one vote. Name several models of different kinds.")
    words = str(message("{models}, {k}-fold cross-validation", models=", ".join(models), k=k))
    return {"probabilities": fitted.probabilities, "votes": fitted.votes}, words, warnings


def _models(model: Any, usual: Sequence[str]) -> dict[str, Any]:
    if isinstance(model, Mapping):
        return checked(model)
    return named_models(list(usual) if model is None else [model] if isinstance(model, str) else list(model))


def _numbers(columns: Learnable, kinds: Mapping[str, Any]) -> FloatArray:
    """Turn the columns into standardised numbers, so that distances mean something."""
    transform = prepared(None, **kinds)[0]
    values: Any = transform.fit_transform(columns.matrix)
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values, dtype=float)
