"""What a tournament says in words."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.results import Estimate
from justesse.frames.entrants import Entrants

if TYPE_CHECKING:
    from justesse.verbs.tournament.result import JudgeResult, Round, Tournament

FEW = 10


def share_words(one: Estimate) -> str:
    """Write a rate as a percentage, or that it is undefined.

    >>> share_words(Estimate("type_one", 0.0162, 5000)), share_words(Estimate("type_one", float("nan"), 0))
    ('1.62 %', 'undefined')
    """
    return "undefined" if one.value != one.value else f"{100 * one.value:.2f} %"


def ends_words(one: Estimate) -> str:
    """Write the ends of its interval in percent, or why there is none.

    >>> ends_words(Estimate("type_one", float("nan"), 0, undefined="the reference replaces in every pair"))
    'the reference replaces in every pair'
    """
    if one.interval is None:
        return one.undefined or "–"
    return f"{100 * one.interval.low:.1f} to {100 * one.interval.high:.1f}"


def count_of(one: Estimate) -> int:
    """Give the number of pairs behind a rate; none if it is undefined."""
    return round(one.value * one.n) if one.n else 0


def headline(found: "Tournament") -> str:
    """Say which judges never accepted a worse candidate, and which of them misses the fewest better ones."""
    rounds = found.of()
    wrong = [100 * one.version.realised for one in rounds]
    noise = f"{min(wrong):.3g}" if min(wrong) == max(wrong) else f"{min(wrong):.3g} to {max(wrong):.3g}"
    about = (
        f"{len(found.names):,} classifiers, {found.pairs:,} ordered pairs, {found.n:,} rows of which {noise} % bear a wrong "
        f"label, judged by {rounds[0].asked.title}."
    )
    by_judge = {name: [held.judged[at] for held in rounds] for at, name in enumerate(found.judges)}
    accepted = {name: sum(count_of(one.worse_accepted) for one in own) for name, own in by_judge.items()}
    safe = [name for name, size in accepted.items() if not size]
    if not safe:
        fewest = min(accepted, key=lambda name: (accepted[name], _missed(by_judge[name])))
        return (
            f"{about} Every judge accepted candidates that are truly worse, {fewest} the fewest: {accepted[fewest]:,}."
        )
    unsafe = [name for name in accepted if name not in safe]
    but = f" but {' and '.join(unsafe)}" if unsafe else ""
    who = f"No judge{but}" if len(unsafe) < 3 else f"{len(unsafe)} of {len(accepted)} judges"
    best = min(safe, key=lambda name: _missed(by_judge[name]))
    missed = _missed(by_judge[best])
    rest = ""
    if missed <= 1:
        finds = "improvements that a paired comparison on the true classes finds"
        those = f"Of {'those that did not' if unsafe else 'all'}, {best} misses the fewest {finds}:"
        rest = f" {those if len(safe) > 1 else f'{best} misses, of the {finds},'} {100 * missed:.1f} %."
    return f"{about} {who} accepted a candidate that is truly worse.{rest}"


def _missed(own: "Sequence[JudgeResult]") -> float:
    """Give the mean type II rate against the paired reference; 2 if there is none."""
    values = [one.against["paired"]["type_two"].value for one in own]
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else 2.0


def cautions(entrants: Entrants, rounds: "Sequence[Round]") -> Iterator[str]:
    """List what to be careful about, the most serious first."""
    names = entrants.names
    if entrants.dropped:
        yield (
            f"{entrants.dropped:,} rows lack a label, a true class or an answer and were left out, as asked: if they are "
            "harder than the others, every figure flatters."
        )
    unanswered = {name: n for name, n in entrants.missing.items() if n}
    if unanswered and not entrants.dropped:
        most = max(unanswered, key=lambda name: unanswered[name])
        yield f"Missing answers of {_listed(list(unanswered))} count as wrong, {unanswered[most]:,} of {most!r} at most."
    if entrants.others:
        stray = sum(n for _, _, n in entrants.others)
        who = list(dict.fromkeys(name for name, _, _ in entrants.others))
        what = list(dict.fromkeys(repr(answer) for _, answer, _ in entrants.others))
        treated = "are treated as missing" if entrants.policy.others == "missing" else "count as wrong"
        yield f"{stray:,} answers of {_listed(who)} are no class of the labels or true classes, such as {', '.join(what[:3])}: they {treated}."
    for column, rows in entrants.judged.several.items():
        if rows:
            cells = "true classes" if column == entrants.true_column else f"labels in {column!r}"
            yield f"{rows:,} {cells} accept several classes: any of them is right. A label counts as wrong if it has no class in common with the true classes."
    right = [one.version.title for one in rounds if not one.version.realised]
    if right:
        yield f"No label is wrong in {right[0]}: judges can only err there by being more or less timid than the reference."
    if len(names) < FEW:
        yield f"Only {len(names)} classifiers: rates over so few that share the pairs are rough; their intervals say how rough."
    for one in rounds:
        if undefined := [names[at] for at in np.flatnonzero(np.isnan(one.values))]:
            yield f"{one.asked.title} is undefined for {_listed(undefined)}: nothing replaces them, and they replace nothing."
            break
    alike = _same_answers(entrants)
    if alike:
        yield f"{alike[0]!r} and {alike[1]!r} give the same answers to every row: no judge can tell them apart."
    constant = [name for name, row in zip(names, entrants.answers, strict=True) if (row == row[0]).all()]
    if constant:
        yield f"Always the same answer: {_listed(constant)}."
    if any(judge.name == "audited (test set)" for one in rounds for judge in one.judged):
        yield (
            "audited (test set) answers who is better on these very rows, so its type I errors may be improvements too small for "
            "the reference to see; the last column tells."
        )
    if entrants.ignored:
        yield f"Not taken for classifiers: {_listed(entrants.ignored)} (name columns with models=…, --model, to choose them)."


def _listed(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more


def _same_answers(entrants: Entrants) -> tuple[str, str] | None:
    seen: dict[bytes, str] = {}
    for name, row in zip(entrants.names, entrants.answers, strict=True):
        if (other := seen.setdefault(row.tobytes(), name)) != name:
            return other, name
    return None
