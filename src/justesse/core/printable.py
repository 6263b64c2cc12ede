r"""Names as readers see them: no character of a name steers a terminal, a page or a chart.

Class, slice, model, column and file names come from elsewhere. Escape sequences in them could clear the screen, set its
title or write over a verdict; bidirectional overrides could swap what is read. They are spelt out, as `\x1b`.
"""

import re

# C0 and C1 controls, DEL, line and paragraph separators, bidirectional marks, overrides and isolates, a byte order
# mark, and what no encoding can hold
CONTROLS = "\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029"
STEERING = f"{CONTROLS}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\ufeff\\ufffe\\uffff"
ONE_LINE = re.compile(f"[{STEERING}]")
LINES = re.compile(f"(?![\\n\\t])[{STEERING}]")


def printable(name: object) -> str:
    r"""Write a name on one line, with characters that cannot be shown spelt out.

    >>> print(printable("a\x1b[2Jb\nc"), printable(7))
    a\x1b[2Jb\nc 7
    """
    return ONE_LINE.sub(_spelt, str(name))


def printable_lines(text: object) -> str:
    r"""Write a text as `printable` does, but keep its lines and tabs.

    >>> print(printable_lines("a\x1b[2Jb\nc"))
    a\x1b[2Jb
    c
    """
    return LINES.sub(_spelt, str(text))


def json_printable(text: str) -> str:
    r"""Escape in JSON what JSON may hold but a terminal would obey; the values stay the same.

    >>> print(json_printable('{"a": "\x9b2J"}'))
    {"a": "\u009b2J"}
    """
    return LINES.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _spelt(match: re.Match[str]) -> str:
    return ascii(match[0])[1:-1]
