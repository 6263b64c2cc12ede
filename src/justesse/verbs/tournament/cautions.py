"""What a tournament warns of."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.frames.entrants import Entrants

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import Round

FEW = 10


def cautions(entrants: Entrants, rounds: "Sequence[Round]") -> Iterator[str]:
    """List what a reader may misread, the most serious first."""
    names = entrants.names
    if entrants.dropped:
        yield (
            f"{quantity(entrants.dropped, 'row')} without a label, true class or prediction left out. If such rows are "
            "harder, every figure is too good."
        )
    yield from _predictions(entrants)
    right = [held.version.title for held in rounds if not held.version.realised]
    if right:
        yield f"No label is wrong in {right[0]}: there a judge differs from the reference only by needing more or less evidence."
    if len(names) < FEW:
        yield f"Only {len(names)} classifiers: the rates are rough, see their intervals."
    for held in rounds:
        if undefined := [names[at] for at in np.flatnonzero(np.isnan(held.values))]:
            yield f"{held.asked.title} is undefined for {first_names(undefined)}: no judge replaces them or replaces another by them."
            break
    alike = _same_predictions(entrants)
    if alike:
        yield f"{alike[0]!r} and {alike[1]!r} predict the same class on every row: no judge can distinguish them."
    constant = [name for name, row in zip(names, entrants.answers, strict=True) if (row == row[0]).all()]
    if constant:
        yield f"Always the same prediction: {first_names(constant)}."
    if entrants.ignored:
        yield f"Columns not used as classifiers: {first_names(entrants.ignored)}. Choose columns with models=… (--model)."


def _predictions(entrants: Entrants) -> Iterator[str]:
    """Warn of missing predictions, of classes that no label has, and of labels that accept several classes."""
    missing = {name: n for name, n in entrants.missing.items() if n}
    if missing and not entrants.dropped:
        most = max(missing, key=lambda name: missing[name])
        yield f"Missing predictions of {first_names(list(missing))} count as wrong, at most {missing[most]:,} ({most!r})."
    if entrants.others:
        stray = sum(n for _, _, n in entrants.others)
        who = list(dict.fromkeys(name for name, _, _ in entrants.others))
        what = list(dict.fromkeys(repr(answer) for _, answer, _ in entrants.others))
        treated = "are treated as missing" if entrants.policy.others == "missing" else "count as wrong"
        yield f"{stray:,} predictions of {first_names(who)} are no class of the labels or true classes, such as {', '.join(what[:3])}: they {treated}."
    for column, rows in entrants.judged.several.items():
        if rows:
            cells = "true classes" if column == entrants.true_column else f"labels in {column!r}"
            yield f"{rows:,} {cells} accept several classes: each of them is right. A label counts as wrong if it shares no class with the true classes."


def _same_predictions(entrants: Entrants) -> tuple[str, str] | None:
    seen: dict[bytes, str] = {}
    for name, row in zip(entrants.names, entrants.answers, strict=True):
        if (other := seen.setdefault(row.tobytes(), name)) != name:
            return other, name
    return None
