"""The answers of two classifiers to the same rows: two tables joined, or two columns of one."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.answer_policy import REFUSE, AnswerPolicy, Gaps
from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import CLASS_AXES, CLUSTERS
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.audited import count_audited
from justesse.frames.columns import check_column, guess_column, guess_label, has_column
from justesse.frames.count_axes import count_axes
from justesse.frames.drawn_sample import DrawnSample
from justesse.frames.joined import ID, LABEL, THEIR_ID, THEIRS, JoinedRows, Side, to_join
from justesse.frames.lazily import LazilyJoined, lazily_joined
from justesse.frames.rows import DuckRows, LazyRows, Rows

THEIR_OWN = "the candidate's"
THEIR_CLUSTER = f"{THEIR_OWN} cluster"
SCORES = ("incumbent score", "candidate score")


@dataclass(frozen=True)
class Together:
    """Rows with both answers, and which column plays which part: label, incumbent, candidate, true, slices."""

    tables: Sequence[Rows]
    columns: Mapping[str, str]
    slices: Mapping[str, str]
    scores: tuple[str, str] | None = None
    texts: tuple[str, ...] = ()  # columns read as text, whatever they hold

    def count(
        self,
        *,
        classes: Sequence[ClassName] | None = None,
        policy: AnswerPolicy = REFUSE,
        as_text: bool = False,
    ) -> tuple[Tally, Gaps]:
        """Count the rows by label, both answers and slices; give the tally and what was missing."""
        return count_axes(
            self.tables,
            {**self.columns, **self.slices},
            classes=classes,
            policy=policy,
            as_text=as_text,
            texts=(*self.texts, *((self.columns[CLUSTERS],) if CLUSTERS in self.columns else ())),
        )

    def count_audited(
        self,
        audited: Any,
        *,
        on: str | None,
        policy: AnswerPolicy = REFUSE,
        as_text: bool = False,
        drawn: DrawnSample | None = None,
    ) -> Tally:
        """Count re-checked rows by true class, label and both answers."""
        tables = [table.with_ids() if isinstance(table, JoinedRows) else table for table in self.tables]
        axes = {axis: column for axis, column in self.columns.items() if axis not in ("true", CLUSTERS)}
        return count_audited(tables, axes, audited, on=on, policy=policy, as_text=as_text, drawn=drawn)

    def beside(self, other: "Together") -> "Together":
        """Put the candidate of another pair beside this candidate; both pairs have the same incumbent and labels."""
        ours, theirs = self.tables[0], other.tables[0]
        if not (isinstance(ours, JoinedRows) and isinstance(theirs, JoinedRows)):
            roles = {"incumbent": self.columns["candidate"], "candidate": other.columns["candidate"]}
            return Together(self.tables, {LABEL: self.columns[LABEL], **roles}, {})
        parts: dict[str, tuple[Side, str]] = {
            LABEL: ("incumbent", LABEL),
            "incumbent": ("incumbent", "candidate"),
            "candidate": ("candidate", "candidate"),
        }
        sides: dict[Side, Sequence[DuckRows]] = {"incumbent": [ours.with_ids()], "candidate": [theirs.with_ids()]}
        return Together([JoinedRows(sides, parts, ours.on, common=True)], {name: name for name in parts}, {})

    def check_alike(self, column: str) -> None:
        """Refuse tables that both have this column, with other values for the same rows."""
        for table in self.tables:
            if isinstance(table, (JoinedRows, LazilyJoined)) and f"{THEIR_OWN} {column}" in table.columns:
                table.check_alike(column, f"by {column}", f"{THEIR_OWN} {column}")

    def check_clusters(self, column: str) -> None:
        """Refuse tables that both name clusters, with other names for the same rows."""
        for table in self.tables:
            if isinstance(table, (JoinedRows, LazilyJoined)) and THEIR_CLUSTER in table.columns:
                table.check_alike(column, CLUSTERS, THEIR_CLUSTER)

    @property
    def unmatched(self) -> dict[Side, int]:
        """How many rows of each side have no partner, once counted."""
        results = [table.unmatched for table in self.tables if isinstance(table, (JoinedRows, LazilyJoined))]
        return results[0] if results else {}


def in_one(
    data: Any,
    *,
    incumbent: str,
    candidate: str,
    label: str | None = None,
    true: str | None = None,
    by: Sequence[str] = (),
    scores: tuple[str, str] | None = None,
    marks: Mapping[str, str] | None = None,
    cluster: str | None = None,
) -> Together:
    """Take both answers from columns of one table.

    Parameters
    ----------
    data
        Table or files.
    incumbent, candidate
        Columns with the answers.
    label, true
        Columns with labels and true classes. Default: guessed.
    by
        Columns to slice by.
    scores
        Columns with the scores of both.
    marks
        Columns among `by` that mark rows, and the option that names them.
    cluster
        Column that says which rows belong together.
    """
    tables = to_join(data)
    first = tables[0]
    columns = {
        "label": guess_label(first.columns, first.name, label),
        "incumbent": check_column(first.columns, first.name, "incumbent", incumbent),
        "candidate": check_column(first.columns, first.name, "candidate", candidate),
        **_truth(first, true, label),
        **({CLUSTERS: cluster} if cluster is not None else {}),
    }
    _check_cluster(columns, cluster)
    for name, what in itertools.product(("incumbent", "candidate"), ("label", "true class")):
        if columns[name] == columns.get(what.removesuffix(" class")):
            raise ColumnError(
                f"Column {columns[name]!r} of {first.name} cannot be both the {name} and the {what}. Name another "
                "column for one of them."
            )
    for table in tables:
        for part, name in [
            *columns.items(),
            *(((marks or {}).get(name, "by"), name) for name in by),
            *(("score", name) for name in scores or ()),
        ]:
            check_column(table.columns, table.name, part, name)
    _check_slices(by, columns.values(), marks or {})
    return Together(tables, columns, _slices(by), scores)


def join_answers(
    incumbent: Any,
    candidate: Any,
    *,
    on: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    by: Sequence[str] = (),
    score: str | None = None,
    common: bool = False,
    marks: Mapping[str, str] | None = None,
    cluster: str | None = None,
) -> Together:
    """Join the tables of two classifiers by an id, or in their order if both have the same labels in the same order.

    Parameters
    ----------
    incumbent, candidate
        Tables or files of both classifiers.
    on
        Column with ids.
    label, prediction, true
        Names of these columns. Default: guessed.
    by
        Columns to slice by.
    score
        Column with scores.
    common
        Whether to keep only the ids that both tables have.
    marks
        Columns among `by` that mark rows, and the option that names them. They must hold the same in both tables, if
        both have them (see `check_alike`).
    cluster
        Column that says which rows belong together, the same in both tables if both have it.
    """
    sides: dict[Side, Sequence[Rows]] = {"incumbent": to_join(incumbent), "candidate": to_join(candidate)}
    first, other = (rows[0] for rows in sides.values())
    own_label = guess_label(first.columns, first.name, label)
    parts: dict[str, tuple[Side, str]] = {LABEL: ("incumbent", own_label)}
    answers: dict[Side, str] = {
        side: guess_column("prediction", rows[0].columns, rows[0].name, prediction) for side, rows in sides.items()
    }
    parts |= {side: (side, column) for side, column in answers.items()}
    if on is not None:
        if not isinstance(on, str):
            raise InputError(f"Join by one column (on=…); got {on!r}. Write one id per row first.")
        for rows in (*sides["incumbent"], *sides["candidate"]):
            check_column(rows.columns, rows.name, "on", on)
        if label in other.columns or (label is None and (has_column("label", other.columns, other.name))):
            parts[THEIRS] = ("candidate", guess_label(other.columns, other.name, label))
    else:
        parts[THEIRS] = ("candidate", guess_label(other.columns, other.name, label))
        if alike := next((name for name in first.columns if name.lower() == "id" and name in other.columns), None):
            parts |= {ID: ("incumbent", alike), THEIR_ID: ("candidate", alike)}
    truth = _truth(first, true, label)
    parts |= {part: ("incumbent", column) for part, column in truth.items()}
    marks = marks or {}
    _check_slices(by, (column for part, (_, column) in parts.items() if part in CLASS_AXES), marks)
    for name in by:
        side: Side = "incumbent" if name in first.columns else "candidate"
        where = sides[side][0]
        parts[f"by {name}"] = (side, check_column(where.columns, where.name, marks.get(name, "by"), name))
        if side == "incumbent" and name in marks and name in other.columns:
            parts[f"{THEIR_OWN} {name}"] = ("candidate", name)
    if cluster is not None:
        _check_cluster({part: column for part, (_, column) in parts.items()}, cluster)
        side = "incumbent" if cluster in first.columns else "candidate"
        where = sides[side][0]
        parts[CLUSTERS] = (side, check_column(where.columns, where.name, "cluster", cluster))
        if side == "incumbent" and cluster in other.columns:
            parts[THEIR_CLUSTER] = ("candidate", cluster)
    if score is not None:
        for side, name in zip(sides, SCORES, strict=True):
            rows = sides[side][0]
            parts[name] = (side, check_column(rows.columns, rows.name, "score", score))
    for part, (side, column) in parts.items():
        for rows in sides[side][1:]:
            check_column(rows.columns, rows.name, part, column)
        if part == "true" and column in (own_label, answers["incumbent"]):
            raise ColumnError(
                f"Column {column!r} of {first.name} cannot be the true class and have another role. Name another "
                "column with true=… (--true)."
            )
    joined = _joined(sides, parts, on, common)
    axes = (LABEL, "incumbent", "candidate", *truth, *((CLUSTERS,) if cluster is not None else ()))
    columns = {axis: axis for axis in axes}
    return Together([joined], columns, {f"by {name}": f"by {name}" for name in by}, SCORES if score else None)


def _joined(
    sides: Mapping[Side, Sequence[Rows]], parts: Mapping[str, tuple[Side, str]], on: str | None, common: bool
) -> Rows:
    """Let DuckDB join, or the frames' own engine if they are lazy."""
    lazy = {side: rows[0] for side, rows in sides.items() if isinstance(rows[0], LazyRows)}
    if len(lazy) == len(sides):
        return lazily_joined(lazy, parts, on, common=common)
    if lazy:
        raise InputError("One frame is lazy and the other is not. Collect the lazy one, or pass both as lazy frames.")
    files = {side: [part for part in rows if isinstance(part, DuckRows)] for side, rows in sides.items()}
    return JoinedRows(files, parts, on, common)


def _truth(table: Rows, true: str | None, label: str | None) -> dict[str, str]:
    """Find the column of true classes, where they are known apart from the labels."""
    if true is None and not (has_column("true", table.columns, table.name) and _labelled(table, label)):
        return {}
    return {"true": guess_column("true", table.columns, table.name, true)}


def _labelled(table: Rows, label: str | None) -> bool:
    return label is not None or has_column("label", table.columns, table.name)


def _check_slices(by: Sequence[str], classes: Iterable[str], marks: Mapping[str, str]) -> None:
    if both := next((name for name in classes if name in by), None):
        if both in marks:
            raise ColumnError(
                f"Column {both!r} holds the classes and cannot mark rows. Name another column with {marks[both]}=… "
                f"(--{marks[both]})."
            )
        raise ColumnError(
            f"Column {both!r} holds the classes and cannot be a slice. Name another column with by=… (--by)."
        )


def _check_cluster(columns: Mapping[str, str], cluster: str | None) -> None:
    if cluster is not None and cluster in (column for part, column in columns.items() if part in CLASS_AXES):
        raise ColumnError(
            f"Column {cluster!r} holds the classes and cannot name the clusters. Name another column with cluster=… "
            "(--cluster)."
        )


def _slices(by: Sequence[str]) -> dict[str, str]:
    return {f"by {name}": name for name in by}
