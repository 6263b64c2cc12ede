"""The confidence sequence as lines of text: one line a look, the interval as a bar beside the line of no difference."""

from collections.abc import Sequence

from justesse.charts.confidence_sequence import Look

LINES = 12


def sequence_lines(looks: Sequence[Look], width: int = 60, lines: int = LINES) -> list[str]:
    """Draw at most so many looks, the first and the last always, in plain characters.

    >>> print(*sequence_lines([(0, 0.0, -0.1, 0.1), (20, 0.05, 0.02, 0.1)], width=21), sep="\\n")
    answers  -10.0                 +10.0
          0  [---------+---------]  -10.00 to +10.00
         20            | [--o----]   +2.00 to +10.00
    """
    chosen = _spread(len(looks), lines)
    low, high = min(0.0, *(look[2] for look in looks)), max(0.0, *(look[3] for look in looks))
    span = (high - low) or 1.0

    def at(value: float) -> int:
        return round((width - 1) * (value - low) / span)

    first, last = f"{100 * low:+.1f}", f"{100 * high:+.1f}"
    drawn = [f"answers  {first}{last:>{width - len(first)}}"]
    for answers, value, start, end in (looks[which] for which in chosen):
        bar = [" "] * width
        bar[at(start) : at(end) + 1] = "-" * (at(end) - at(start) + 1)
        bar[at(0.0)] = "+" if start <= 0 <= end else "|"
        if bar[at(value)] == "-":
            bar[at(value)] = "o"
        bar[at(start)], bar[at(end)] = "[", "]"
        drawn.append(f"{answers:>7}  {''.join(bar)}  {100 * start:>+6.2f} to {100 * end:>+6.2f}")
    return drawn


def _spread(size: int, most: int) -> list[int]:
    if size <= most:
        return list(range(size))
    return sorted({round(step * (size - 1) / (most - 1)) for step in range(most)})
