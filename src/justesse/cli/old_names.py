"""Options that had other names: still accepted, with a hint on standard error."""

from collections.abc import Mapping, Sequence

from justesse.cli.output import say

GATES = ("better", "not-worse", "none")
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
    """Give the words of a command line as they are written today, and hint at names that were changed.

    A bare `--gate` of `compare` is `--gate better`, and `--no-gate` is `--gate none`.

    >>> today(["compare", "a.csv", "b.csv", "--gate", "--no-gate", "--gate", "not-worse"])
    ['compare', 'a.csv', 'b.csv', '--gate', 'better', '--gate', 'none', '--gate', 'not-worse']
    >>> today(["plan", "noise", "--half-width", "0.01", "--noise-rate=5%"])
    ['plan', 'noise', '--half-width', '0.01', '--noise-rate=5%']
    """
    words = list(arguments)
    if words[:1] == ["compare"]:
        return _with_gates(words)
    for command in (" ".join(words[:2]), *words[:1]):
        if command == "noise resist":
            words = _with_noise(words)
        if command in OLD:
            return _renamed(words, OLD[command])
    return words


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
    """Tell the old meaning of `--model`, a kind of noise, by its value."""
    made = list(words)
    for at, word in enumerate(words):
        value = words[at + 1] if word == "--model" and at + 1 < len(words) else word.removeprefix("--model=")
        if (word == "--model" or word.startswith("--model=")) and value in NOISES:
            _hint(f"--model {value}", f"--noise {value}")
            made[at] = word.replace("--model", "--noise", 1)
    return made


def _hint(old: str, new: str) -> None:
    say(f"justesse: {old} is now called {new}; the old name works for now.", to_errors=True)


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
