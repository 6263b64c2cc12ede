"""Options that had other names: still accepted, with a hint on standard error."""

from collections.abc import Sequence

GATES = ("better", "not-worse", "none")


def today(arguments: Sequence[str]) -> list[str]:
    """Give the words of a command line as they are written today.

    A bare `--gate` of `compare` is `--gate better`, and `--no-gate` is `--gate none`.

    >>> today(["compare", "a.csv", "b.csv", "--gate", "--no-gate", "--gate", "not-worse"])
    ['compare', 'a.csv', 'b.csv', '--gate', 'better', '--gate', 'none', '--gate', 'not-worse']
    """
    words = list(arguments)
    if words[:1] == ["compare"]:
        words = _with_gates(words)
    return words


def _with_gates(words: Sequence[str]) -> list[str]:
    made: list[str] = []
    for at, word in enumerate(words):
        if word == "--no-gate":
            made += ["--gate", "none"]
        elif word == "--gate" and (at + 1 == len(words) or words[at + 1] not in GATES):
            made += ["--gate", "better"]
        else:
            made.append(word)
    return made
