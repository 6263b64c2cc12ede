"""What a tournament warns of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.frames.entrant_codes import Entrants
from justesse.frames.entrants import ASSESSED
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.clusters import cluster_cautions

if TYPE_CHECKING:
    from justesse.verbs.tournament.boards import ModelBoard
    from justesse.verbs.tournament.result import Round

FEW = 10
FEW_ROWS = 30


def cautions(entrants: Entrants, rounds: "Sequence[Round]") -> Iterator[Text]:
    """List what a reader may misread, the most serious first."""
    names = entrants.names
    if entrants.dropped:
        yield message(
            "{n:count row} without a label, true class or prediction left out. If such rows are harder, every figure is "
            "too good.",
            n=entrants.dropped,
        )
    yield from _predictions(entrants)
    right = [held.version.title for held in rounds if not held.version.realised]
    if right:
        yield message(
            "No label is wrong in {version}: there a judge differs from the reference only by needing more or less "
            "evidence.",
            version=right[0],
        )
    if len(names) < FEW:
        yield message("Only {n} classifiers: the rates are rough, see their intervals.", n=len(names))
    for held in rounds:
        if undefined := [names[at] for at in np.flatnonzero(np.isnan(held.values))]:
            yield message(
                "{measure} is undefined for {names:names}: no judge replaces them or replaces another by them.",
                measure=held.asked.title,
                names=undefined,
            )
            break
    alike = _same_predictions(entrants)
    if alike:
        yield message(
            "{first:name} and {second:name} predict the same class on every row: no judge can distinguish them.",
            first=alike[0],
            second=alike[1],
        )
    constant = [name for name, row in zip(names, entrants.answers, strict=True) if (row == row[0]).all()]
    if constant:
        yield message("Always the same prediction: {names:names}.", names=constant)
    yield from _unused(entrants)


def board_cautions(entrants: Entrants, held: "ModelBoard") -> Iterator[Text]:
    """List what a reader of the leaderboard may misread, the most serious first."""
    names, n = entrants.names, held.board.whole.n
    if entrants.dropped:
        yield message(
            "{n:count row} without a label or prediction left out. If such rows are harder, every accuracy is too high.",
            n=entrants.dropped,
        )
    if held.summary is not None:
        yield from cluster_cautions(held.summary)
    if n < FEW_ROWS:
        yield message(
            "Only {n:count row}: hardly any two classifiers can be told apart, and ranks by chance differ widely.", n=n
        )
    if len(held.board.tasks) > 1:
        smallest = min(held.board.tasks, key=lambda task: task.n)
        if smallest.n < FEW_ROWS:
            yield message(
                "Task {task:name} has only {n:count row}, but weighs as much as any other in the mean over tasks.",
                task=smallest.name,
                n=smallest.n,
            )
    yield from _predictions(entrants)
    if alike := _same_predictions(entrants):
        yield message(
            "{first:name} and {second:name} predict the same class on every row: nothing can tell them apart.",
            first=alike[0],
            second=alike[1],
        )
    constant = [name for name, row in zip(names, entrants.answers, strict=True) if (row == row[0]).all()]
    if constant and n > 1:
        yield message("Always the same prediction: {names:names}.", names=constant)
    yield from _unused(entrants)


def _unused(entrants: Entrants) -> Iterator[Text]:
    unused = [name for name in entrants.ignored if not (name in ASSESSED and set(ASSESSED) <= set(entrants.ignored))]
    if unused:
        yield message(
            "Columns not used as classifiers: {names:names}. You can choose the columns (models=…, --model).",
            names=unused,
        )


def _predictions(entrants: Entrants) -> Iterator[Text]:
    """Warn of missing predictions, of classes that no label has, and of labels that accept several classes."""
    missing = {name: n for name, n in entrants.missing.items() if n}
    if missing and not entrants.dropped:
        most = max(missing, key=lambda name: missing[name])
        yield message(
            "Missing predictions of {names:names} count as wrong, at most {n:count} ({most:name}).",
            names=list(missing),
            n=missing[most],
            most=most,
        )
    if entrants.others:
        stray = sum(n for _, _, n in entrants.others)
        who = list(dict.fromkeys(name for name, _, _ in entrants.others))
        what = list(dict.fromkeys(repr(answer) for _, answer, _ in entrants.others))
        yield message(
            "{n:count} predictions of {who:names} are no class of the labels or true classes, such as {what:list}: they "
            "{treated}.",
            n=stray,
            who=who,
            what=what[:3],
            treated="are treated as missing" if entrants.policy.others == "missing" else "count as wrong",
        )
    for column, rows in entrants.judged.several.items():
        if rows:
            cells: Text = message("labels in {column:name}", column=column)
            if column == entrants.true_column and column in entrants.labels:
                yield message(
                    "{n:count label} {n:plural accepts|accept} several classes: each of them is right.", n=rows
                )
                continue
            if column == entrants.true_column:
                cells = "true classes"
            yield message(
                "{n:count} {cells} accept several classes: each of them is right. A label counts as wrong if it shares no "
                "class with the true classes.",
                n=rows,
                cells=cells,
            )


def _same_predictions(entrants: Entrants) -> tuple[str, str] | None:
    seen: dict[bytes, str] = {}
    for name, row in zip(entrants.names, entrants.answers, strict=True):
        if (other := seen.setdefault(row.tobytes(), name)) != name:
            return other, name
    return None
