"""Where a line may not break: a number keeps its unit, a relation its sides, a short interval both ends."""

import re

SPACE = "\N{NO-BREAK SPACE}"
WIDEST = 17  # characters of an interval that fits a key figure on a phone
NUMBER = r"[-+]?\d[\d.,]*(?:e[-+]\d+)?"
UNITS = re.compile(r"(?<=\d) (?=%|points?\b)")
LEVELS = re.compile(rf"(?<=\d{SPACE}%) (?=CI\b)")
RELATIONS = re.compile(r"(?:\b([A-Za-z]) )?([=<>≤≥±]) (?=[-+]?\d)")
INTERVALS = re.compile(rf"(?<![\w.])({NUMBER}(?:{SPACE}%)?) to ({NUMBER}(?:{SPACE}%)?)")


def unbroken(text: str) -> str:
    """Put no-break spaces where a line must not end.

    >>> unbroken("Accuracy 94.7 % (95 % CI 91.0 to 97.0 %, n = 228), p < 0.0001.").replace(SPACE, "_")
    'Accuracy 94.7_% (95_%_CI 91.0_to_97.0_%, n_=_228), p_<_0.0001.'

    A long interval may break before its second end.

    >>> unbroken("from 1,234,567 to 2,345,678 rows").replace(SPACE, "_")
    'from 1,234,567 to_2,345,678 rows'
    """
    text = LEVELS.sub(SPACE, UNITS.sub(SPACE, text))
    text = RELATIONS.sub(lambda match: SPACE.join([*filter(None, match.groups()), ""]), text)
    return INTERVALS.sub(_interval, text)


def _interval(match: re.Match[str]) -> str:
    before = SPACE if len(match[0]) <= WIDEST else " "
    return f"{match[1]}{before}to{SPACE}{match[2]}"
