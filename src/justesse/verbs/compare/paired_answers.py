"""Two classifiers' answers put side by side, however they were given, and counted."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.answer_policy import NO_GAPS, Gaps
from justesse.core.case import PairedScores
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import CLUSTERS
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.core.true_sets import TRUE, has_true_sets, knows_truth
from justesse.frames.count import check_clusters
from justesse.frames.logs.log_facts import LogTable
from justesse.frames.memory import is_one_column
from justesse.frames.scores import arranged
from justesse.frames.together import Together, in_one, join_answers
from justesse.frames.values import named


@dataclass(frozen=True)
class Pair:
    """The answers of one candidate beside the incumbent's, counted."""

    name: str
    tally: Tally
    slices: Mapping[str, str]
    gaps: Gaps = NO_GAPS
    unmatched: Mapping[Any, int] | None = None
    scores: PairedScores | None = None
    sample: Tally | None = None
    declared: bool = False  # whether the classes were listed


def put_together(
    data: Any,
    candidates: Sequence[Any],
    incumbent: Any,
    candidate: Any,
    y_true: Any,
    score: str | None,
    candidate_score: str | Sequence[str] | None,
    **options: Any,
) -> Tally | tuple[str, list[tuple[str, Together]]]:
    """Put each candidate's answers beside the incumbent's, from a tally, arrays, one table or several.

    Parameters
    ----------
    data
        Tally, table of the incumbent or of all classifiers; `None` for arrays.
    candidates
        Tables of the candidates.
    incumbent, candidate
        Columns of one table, or arrays.
    y_true
        Array of labels.
    score, candidate_score
        Columns with scores.
    options
        Other options about columns, as `compare` has them.
    """
    if isinstance(data, Tally):
        if candidates or incumbent is not None or candidate is not None:
            raise InputError("A Tally is already counted. Pass it alone, with axes label, incumbent and candidate.")
        if data.weighted:
            raise InputError("Weighted counts cannot be compared. Count the rows without weights.")
        _refuse(
            "a Tally has none. Leave it out",
            score=score,
            candidate_score=candidate_score,
            **{**options, "by": (), "marks": None, "cluster": options.get("cluster") is not None},
        )
        return data
    if data is None:
        if y_true is None or incumbent is None or candidate is None:
            raise InputError(
                "Pass two tables, one table with the columns incumbent and candidate, or y_true with both answers."
            )
        why = "arrays have none. Pass a dict of arrays as data, and name incumbent and candidate in it"
        cluster = options.pop("cluster", None)
        _refuse(why, score=score, candidate_score=candidate_score, **options)
        several = candidate if isinstance(candidate, Mapping) else {"candidate": candidate}
        _check_several([str(name) for name in several])
        columns = {str(name): f"candidate {name}" if several is candidate else "candidate" for name in several}
        answers = dict(zip(columns.values(), several.values(), strict=True))
        arrays = {"label": y_true, "incumbent": incumbent, **answers}
        axis = None if cluster is None else CLUSTERS
        arrays |= {} if cluster is None else {CLUSTERS: cluster}
        results = [
            (name, in_one(arrays, incumbent="incumbent", candidate=column, label="label", cluster=axis))
            for name, column in columns.items()
        ]
        return "incumbent", results
    if options.get("cluster") is not None and not isinstance(options["cluster"], str):
        raise InputError(f"With data, cluster must be the name of a column; got {type(options['cluster']).__name__}.")
    if is_one_column(data) or any(map(is_one_column, candidates)):
        raise InputError(
            "Only tables are given by position. Name arrays: y_true=labels, incumbent=predictions, "
            "candidate=predictions."
        )
    if y_true is not None:
        raise InputError("y_true is for arrays. With data, name the label column with label.")
    if not candidates:
        return _one_table(data, incumbent, candidate, score, candidate_score, options)
    if incumbent is not None or candidate is not None:
        raise InputError(
            "incumbent (--incumbent) and candidate (--candidate) name columns of one table. With several tables, use "
            "prediction (--prediction)."
        )
    if candidate_score is not None:
        raise OptionError("With several tables, score names the score column of each. Leave out candidate_score.")
    names = table_names([data, *candidates])
    _check_several(names[1:])
    results = [
        (name, join_answers(data, other, score=score, **options))
        for name, other in zip(names[1:], candidates, strict=True)
    ]
    return names[0], results


def _one_table(
    data: Any,
    incumbent: Any,
    candidate: Any,
    score: str | None,
    candidate_score: str | Sequence[str] | None,
    options: Mapping[str, Any],
) -> tuple[str, list[tuple[str, Together]]]:
    if not isinstance(incumbent, str) or candidate is None:
        raise InputError(
            "One table needs the names of two columns: incumbent=… (--incumbent COL) and candidate=… (--candidate COL). "
            "Name them, or pass a second table."
        )
    if options["on"] or options["common"]:
        raise OptionError("Rows of one table need no joining. Leave out on=… (--on) and common=True (--common).")
    if options["prediction"]:
        raise OptionError("prediction is for tables of one classifier each. In one table, use incumbent and candidate.")
    columns = [candidate] if isinstance(candidate, str) else list(candidate)
    _check_several(columns)
    if (score is None) != (candidate_score is None):
        raise OptionError(
            "Two score columns are needed: score=… of the incumbent and candidate_score=… of the candidate."
        )
    theirs: list[Any] = (
        list(candidate_score) if isinstance(candidate_score, (list, tuple)) else [candidate_score] * len(columns)
    )
    if len(theirs) != len(columns):
        raise OptionError(f"Each of the {len(columns)} candidates needs its score column; got {len(theirs)}.")
    kept = {name: options[name] for name in ("label", "true", "by", "marks", "cluster") if name in options}
    results = [
        (column, in_one(data, incumbent=incumbent, candidate=column, scores=(score, other) if score else None, **kept))
        for column, other in zip(columns, theirs, strict=True)
    ]
    return incumbent, results


def _check_several(names: Sequence[str]) -> None:
    if not names:
        raise OptionError("At least one candidate is needed; got none.")
    if len(set(names)) < len(names):
        raise OptionError(f"Name each candidate once; got {list(names)!r}.")


def _refuse(why: str, **columns: Any) -> None:
    """Refuse what is about the columns of a table where there is no table."""
    in_use = [name for name, value in columns.items() if value not in (None, False, ())]
    if in_use:
        raise OptionError(f"{in_use[0]} is about the columns of a table, but {why}.")


def table_names(tables: Sequence[Any]) -> list[str]:
    """Name tables by their files, as short as tells them apart; others by their part."""
    paths = [_path_of(table) for table in tables]
    short: list[str | None] = [None for _ in tables]
    for parts in range(1, 1 + max((len(path.parts) for path in paths if path), default=0)):
        short = [str(Path(*path.parts[-parts:])) if path else None for path in paths]
        if len(set(short)) == len(set(paths)):
            break
    several = len(tables) > 2
    usual = ["incumbent", *(f"candidate {at}" if several else "candidate" for at in range(1, len(tables)))]
    return [name or other for name, other in zip(short, usual, strict=True)]


def _path_of(table: Any) -> Path | None:
    """Return the path of a file or log; a log with the name of its model if its file has several."""
    if isinstance(table, LogTable):
        return Path(table.facts.shown)
    return Path(table) if isinstance(table, (str, os.PathLike)) else None


def counted_pair(
    name: str, table: Together, check: Mapping[str, Any], positive: ClassName, cluster: str | None = None
) -> Pair:
    """Count one pair; `cluster` is the name of the column of clusters, for messages."""
    tally, gaps = table.count(**check)
    accepted = gaps.accepted.get("label", {})
    labelled = (tally.sums("label") > 0) | np.array([name in accepted for name in tally.classes], dtype=bool)
    truth = TRUE if has_true_sets(tally) else "true"
    for side in ("incumbent", "candidate", *((truth,) if knows_truth(tally) else ())):
        answered = tally.sums(side) > 0
        # a stranger to labels of one class, or to classes that were declared, may be just wrong
        if not np.any(answered & labelled) and labelled.sum() > 1 and check["classes"] is None:
            theirs, ours = (
                ", ".join(repr(tally.classes[k]) for k in np.flatnonzero(which)[:3]) for which in (answered, labelled)
            )
            who = (
                "true class" if side == truth else f"answer of the {side}{f' ({name})' if side == 'candidate' else ''}"
            )
            raise InputError(
                f"No {who} is a class of the labels. They are {theirs}; the labels are {ours}. Write both in the same way."
            )
    if CLUSTERS in tally.axes:
        check_clusters(tally, cluster or CLUSTERS)
        table.check_clusters(cluster or CLUSTERS)
    scores = _scores(table, positive, check) if table.scores else None
    return Pair(name, tally, dict(table.slices), gaps, table.unmatched, scores, declared=check["classes"] is not None)


def _scores(table: Together, positive: ClassName, check: Mapping[str, Any]) -> PairedScores:
    assert table.scores is not None
    if check["policy"].missing == "drop" or check["policy"].drops_labels:
        raise OptionError("With scores, leave out the rows with gaps first, so that all figures are for the same rows.")
    keys = [table.columns[axis] for axis in ("label", CLUSTERS) if axis in table.columns]
    parts = [rows.arrays(keys, list(table.scores)) for rows in table.tables]
    join: Any = np.ma.concatenate
    raw, *groups = (
        join([part.keys[at].astype(object) for part in parts]) if len(parts) > 1 else parts[0].keys[at]
        for at in range(len(keys))
    )
    label = named(raw, form=table.tables[0].form, column="label", as_text=check["as_text"])
    numbers = np.concatenate([part.numbers for part in parts])
    if not np.isfinite(numbers).all():
        bad = int((~np.isfinite(numbers).all(axis=1)).sum())
        raise InputError(
            f"{quantity(bad, 'row')} of {table.tables[0].name} {'lacks' if bad == 1 else 'lack'} a finite "
            "score of both classifiers. Correct or remove them."
        )
    cluster = None
    if groups:
        form, column = table.tables[0].form, table.columns[CLUSTERS]
        cluster = named(groups[0], form=form, column=column, as_text=True).codes.astype(np.int64)
    rows = arranged((label.codes, label.names), numbers, table.scores, positive=positive, several=False)
    chosen = rows.columns[0]
    return PairedScores(chosen, rows.labels == rows.classes.index(chosen), numbers[:, 0], numbers[:, 1], cluster)
