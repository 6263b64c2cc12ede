"""An on-line comparison as a few lines of text that are drawn again whenever events come."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from justesse.core.results import level_name
from justesse.report.writing import message, written
from justesse.verbs.ab.answer import title

if TYPE_CHECKING:
    from justesse.verbs.ab.result import Look, OnlineComparison, VariantVerdict

NARROWEST = 20  # columns of a drawing


def line(result: "OnlineComparison") -> str:
    """Write the comparison so far in one line.

    >>> from justesse.verbs.ab.ab import ab
    >>> line(ab({"variant": ["old", "new"] * 400, "outcome": [0, 1, 1, 1] * 200}))
    '800 events: new - old +0.5000 (95 % CI +0.4146 to +0.5858). Replace the incumbent with the candidate.'
    """
    best = result.verdict
    return str(
        message(
            "{events:count event}: {name} - {incumbent} {difference:difference} ({difference:level_name} "
            "{difference:difference_interval}). {title}",
            events=result.events,
            name=best.name,
            incumbent=result.incumbent,
            difference=best.difference,
            title=title(result),
        )
    )


def frame(result: "OnlineComparison", width: int = 80, rows: int = 12) -> list[str]:
    """Draw the intervals of the last looks, a line each, beside the verdict.

    Parameters
    ----------
    result
        The comparison so far.
    width
        Columns of the terminal.
    rows
        Number of looks to draw.

    Examples
    --------
    >>> from justesse.verbs.ab.ab import ab
    >>> print(*frame(ab({"variant": ["old", "new"] * 400, "outcome": [0, 1, 1, 1] * 200}), 60, 3), sep="\\n")
    Replace the incumbent with the candidate.
    Outcome, new - old: difference and 95 % CI at every look
    events  0                                   +0.5954
       651  │                            ├─────●──────┤  +0.5000
       749  │                            ├─────●──────┤  +0.5013
       800  │                            ├─────●─────┤   +0.5000
    """
    lines = [str(title(result))]
    for verdict in result.verdicts:
        lines += _drawn(result, verdict, width, rows)
    return lines


def _drawn(result: "OnlineComparison", verdict: "VariantVerdict", width: int, rows: int) -> list[str]:
    looks = verdict.looks[-rows:]
    counts = [written("count", look[0]) for look in looks]
    values = [written("difference", look[1]) if np.isfinite(look[1]) else "–" for look in looks]
    left = max(len("events"), *map(len, counts))
    room = max(width - left - 3 - max(map(len, values)) - 1, NARROWEST)
    low, high = min(0.0, *(look[2] for look in looks)), max(0.0, *(look[3] for look in looks))
    head = message(
        "{outcome}, {name} - {incumbent}: difference and {level} at every look",
        outcome=result.outcome.capitalize(),
        name=verdict.name,
        incumbent=result.incumbent,
        level=level_name(verdict.random.level),
    )
    bars = [
        f"{count:>{left}}  {_bar(look, low, high, room)}  {value}"
        for count, look, value in zip(counts, looks, values, strict=True)
    ]
    return [str(head)[:width], f"{'events':>{left}}  {_axis(low, high, room)}", *bars]


def _place(value: float, low: float, high: float, room: int) -> int:
    return round((value - low) / (high - low or 1.0) * (room - 1))


def _bar(look: "Look", low: float, high: float, room: int) -> str:
    """Draw one interval."""
    cells = [" "] * room
    first, last = _place(look[2], low, high, room), _place(look[3], low, high, room)
    cells[first : last + 1] = "─" * (last - first + 1)
    cells[_place(0.0, low, high, room)] = "│" if cells[_place(0.0, low, high, room)] == " " else "┼"
    cells[first], cells[last] = "├", "┤"
    if np.isfinite(look[1]):
        cells[_place(look[1], low, high, room)] = "●"
    return "".join(cells)


def _axis(low: float, high: float, room: int) -> str:
    """Write the ends of the scale and 0 above the drawing, as far as there is room."""
    cells = " " * room
    ends = [(room, written("difference", high)), (0, written("difference", low)), (_place(0.0, low, high, room), "0")]
    for place, text in _kept(ends, low, high):
        at = min(max(place - (len(text) if place == room else 0), 0), room - len(text))
        if not cells[max(at - 1, 0) : at + len(text) + 1].strip():
            cells = cells[:at] + text + cells[at + len(text) :]
    return cells.rstrip()


def _kept(ends: Sequence[tuple[int, str]], low: float, high: float) -> list[tuple[int, str]]:
    """Leave out an end that is 0."""
    return [end for end, value in zip(ends, (high, low, None), strict=True) if value != 0]
