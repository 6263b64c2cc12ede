"""Options that had other names: still accepted, with a hint on standard error."""

import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from justesse.cli.output import say
from justesse.core.errors import OptionError
from justesse.report.writing import message

DROP_MISSING = "--drop-missing"
GATES = ("better", "not-worse", "none")
GATED = ("compare", "compare-folds", "compare-regression", "ab")
NO_FILE = re.compile(r"\w[\w-]*")  # a word without an ending or a directory
OLD: dict[str, dict[str, str]] = {
    "assess": {"--target": "--label", "--n-jobs": "--jobs", "--models": "--models-file"},
    "tournament": {"--models": "--model", "--judges": "--judge", "--rate": "--noise-rate"},
    "audit start": {"--truth": "--true"},
    "audit next": {"--to": "--output"},
    "noise inject": {
        "--model": "--noise",
        "--rate": "--noise-rate",
        "--rates": "--noise-rates",
        "--true-column": "--true",
    },
    "noise resist": {"--target": "--label", "--learner": "--model", "--rates": "--noise-rates"},
    "plan noise": {"--rate": "--noise-rate"},
    "plan labels": {"--rate": "--noise-rate"},
    "demo": {"--directory": "--to"},
}
NOISES = ("uniform", "pair-flip", "features")  # what --model of noise resist used to name


def today(arguments: Sequence[str]) -> list[str]:
    """Return the words of a command line with today's names, and hint at names that were changed.

    In comparisons, a bare `--gate` is `--gate better`, `--no-gate` is `--gate none`, and `--no-futility` switches
    futility off.

    >>> today(["compare", "a.csv", "b.csv", "--gate", "--no-gate", "--gate", "not-worse"])
    ['compare', 'a.csv', 'b.csv', '--gate', 'better', '--gate', 'none', '--gate', 'not-worse']
    >>> today(["plan", "noise", "--half-width", "0.01", "--noise-rate=5%"])
    ['plan', 'noise', '--half-width', '0.01', '--noise-rate=5%']
    """
    words = _with_missing(list(arguments))
    if words[:1] == ["compare"]:
        words = _with_folds(words)
    if words[:1] == ["inspect"]:
        return _with_test(words)
    if words[:1] and (words[0] in GATED or words[:2] == ["lifelong", "compare"]):
        return _with_gates(words)
    for command in (" ".join(words[:2]), *words[:1]):
        if command == "noise resist":
            words = _with_noise(words)
        if command in OLD:
            return _renamed(words, OLD[command])
    return words


def _with_missing(words: list[str]) -> list[str]:
    """Turn `--drop-missing` into `--missing drop`, with a hint; refuse it beside another `--missing`.

    >>> _with_missing(["evaluate", "a.csv", "--missing", "wrong"])
    ['evaluate', 'a.csv', '--missing', 'wrong']
    """
    end = words.index("--") if "--" in words else len(words)
    if DROP_MISSING not in words[:end]:
        return words
    chosen = [value for word, value in itertools.pairwise(words[:end]) if word == "--missing"]
    chosen += [word.removeprefix("--missing=") for word in words[:end] if word.startswith("--missing=")]
    if other := next((value for value in chosen if value != "drop"), None):
        raise OptionError(f"{DROP_MISSING} means --missing drop, but --missing is {other}. Use one of them.")
    _hint(DROP_MISSING, "--missing drop")
    rest = [word for word in words[:end] if word != DROP_MISSING]
    return [*rest, *([] if chosen else ["--missing", "drop"]), *words[end:]]


def _with_folds(words: list[str]) -> list[str]:
    """Turn `compare --folds FILE` into `compare-folds FILE`, with a hint.

    >>> _with_folds(["compare", "old.csv", "new.csv"])
    ['compare', 'old.csv', 'new.csv']
    """
    moved = _as_argument(words, "--folds")
    if moved is None:
        return words
    _hint("compare --folds", "compare-folds")
    return ["compare-folds", *moved]


def _with_test(words: list[str]) -> list[str]:
    """Turn `inspect --test FILE` into `inspect FILE`, with a hint.

    >>> _with_test(["inspect", "test.csv", "--train", "train.csv"])
    ['inspect', 'test.csv', '--train', 'train.csv']
    """
    moved = _as_argument(words, "--test")
    if moved is None:
        return words
    _hint("inspect --test FILE", "inspect FILE")
    return ["inspect", *moved]


def _as_argument(words: Sequence[str], option: str) -> list[str] | None:
    """Return the words after the command with the value of the option first; `None` without the option.

    >>> _as_argument(["inspect", "--train", "a.csv", "--test", "b.csv", "--json"], "--test")
    ['b.csv', '--train', 'a.csv', '--json']
    """
    for at, word in enumerate(words):
        name, sign, value = word.partition("=")
        if name == option:
            file = [value] if sign else words[at + 1 : at + 2]
            return [*file, *words[1:at], *words[at + (1 if sign else 2) :]]
    return None


def _renamed(words: Sequence[str], names: Mapping[str, str]) -> list[str]:
    made = []
    for at, word in enumerate(words):
        name, sign, value = word.partition("=")
        if name in names and "--" not in words[:at]:
            _hint(name, names[name])
            word = f"{names[name]}{sign}{value}"
        made.append(word)
    return made


def _with_noise(words: Sequence[str]) -> list[str]:
    """Recognise the old meaning of `--model`, a kind of noise, by its value."""
    made = list(words)
    for at, word in enumerate(words):
        value = words[at + 1] if word == "--model" and at + 1 < len(words) else word.removeprefix("--model=")
        if (word == "--model" or word.startswith("--model=")) and value in NOISES:
            _hint(f"--model {value}", f"--noise {value}")
            made[at] = word.replace("--model", "--noise", 1)
    return made


def _hint(old: str, new: str) -> None:
    say(message("Hint: {old} is now called {new}. The old name still works.", old=old, new=new), to_errors=True)


def _is_gate(following: Sequence[str]) -> bool:
    """Tell whether the word after `--gate` is its value: a gate, or a word that cannot be a file, to be refused."""
    return bool(following) and (
        following[0] in GATES or (NO_FILE.fullmatch(following[0]) is not None and not Path(following[0]).exists())
    )


def _with_gates(words: Sequence[str]) -> list[str]:
    made: list[str] = []
    for at, word in enumerate(words):
        if word == "--no-gate":
            made += ["--gate", "none"]
        elif word == "--no-futility":
            made.append("--futility=false")
        elif word == "--gate" and not _is_gate(words[at + 1 : at + 2]):
            made += ["--gate", "better"]
        else:
            made.append(word)
    return made
