"""What is wrong with a command line, and what to type instead."""

import re
from collections.abc import Collection, Sequence

from cyclopts import (
    App,
    CycloptsError,
    MissingArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

SIBLINGS = {"compare": "compare-folds", "compare-folds": "compare"}
OTHER_WORDS = {  # what people type for something that has another name
    ("compare", "--regression"): "To compare predictions of numbers: justesse compare-regression",
    ("audit report", "--to"): "Did you mean --report?",
    ("audit start", "--file"): "Did you mean --to?",
}
NEAR = 0.75  # similarity of two spellings past which one is suggested for the other

NEGATIVE_RATE = re.compile(r"-\.?\d[^-]*[%:]\S*")


def with_negative_rates(words: Sequence[str]) -> list[str]:
    """Attach a rate such as -1% to its option, so that it is refused as a rate, not read as another option.

    >>> with_negative_rates(["evaluate", "a.csv", "--noise-rate", "-1%", "-o", "b.csv"])
    ['evaluate', 'a.csv', '--noise-rate=-1%', '-o', 'b.csv']
    """
    attached: list[str] = []
    for word in words:
        after_option = bool(attached) and attached[-1].startswith("--") and "=" not in attached[-1]
        if after_option and NEGATIVE_RATE.fullmatch(word):
            attached[-1] += f"={word}"
        else:
            attached.append(word)
    return attached


def usage_error(error: CycloptsError, words: Sequence[str], app: App) -> CycloptsError | str:
    """Return the message of an error of usage, in our words where they help more than cyclopts's."""
    command = " ".join(words[: 2 if _has_part(words, app) else 1])
    if isinstance(error, MissingArgumentError) and error.argument and not error.argument.tokens:
        asked = error.argument
        name = asked.name.lstrip("-").upper() if asked.index is not None else asked.name
        if asked.name not in words:
            return f"justesse {command} needs {name}. See justesse {command} --help"
    if isinstance(error, UnknownCommandError) and len(words) > 1 and not words[0].startswith("-"):
        return _misplaced(words, app) or error
    if isinstance(error, UnknownOptionError):
        option = error.token.keyword or error.token.value
        other = SIBLINGS.get(command)
        if other and option in options_of(app[other]):
            return f"{option} is an option of justesse {other}, not of justesse {command}"
        known = {name for argument in error.argument_collection if argument.parse for name in argument.names}
        return _unknown(command, option, known)
    if isinstance(error, UnusedCliTokensError):
        unused = [word for word in error.unused_tokens or () if not word.startswith("-")]
        if unused and command == "evaluate":
            return f"evaluate reads one file. To compare two classifiers: {_comparison(words, unused[0])}"
        if unused and (part := _meant_part(words, app)):
            return f"justesse {command} has no command {words[1]}. Did you mean justesse {command} {part}?"
        if unused:
            return f"{unused[0]!r} was not expected after justesse {command}. See justesse {command} --help"
    return error


def _has_part(words: Sequence[str], app: App) -> bool:
    """Say whether the second word is a part of the command, such as run in lifelong run."""
    return len(words) > 1 and words[0] in list(app) and words[1] in list(app[words[0]]) and words[1][:1] != "-"


def _meant_part(words: Sequence[str], app: App) -> str | None:
    """Find the part that a misspelt second word means, where a file may also stand: status in `ab statsu`."""
    import difflib

    if len(words) < 2 or words[0] not in list(app) or _has_part(words, app):
        return None
    parts = [name for name in app[words[0]] if not name.startswith("-")]
    return next(iter(difflib.get_close_matches(words[1], parts, n=1, cutoff=NEAR)), None)


def _unknown(command: str, option: str, known: Collection[str]) -> str:
    """Name an unknown option, and what was meant if that is clear: `--lable`, but not `--on` for `--json`.

    >>> _unknown("evaluate", "--lable", ["--label", "--json"])
    'Unknown option: --lable. Did you mean --label?'
    >>> _unknown("evaluate", "--on", ["--label", "--json"])
    'Unknown option: --on. See justesse evaluate --help'
    """
    import difflib

    advice = OTHER_WORDS.get((command, option))
    if advice is None:
        plain = {name.lstrip("-"): name for name in sorted(known) if name.startswith("--")}
        asked = option.lstrip("-").split("=")[0]
        near = difflib.get_close_matches(asked, plain, n=1, cutoff=NEAR)
        begun = [name for name in plain if len(asked) > 2 and name.startswith(asked)]
        nearest = near or (begun if len(begun) == 1 else [])
        advice = (
            f"Did you mean {plain[nearest[0]]}?" if nearest else f"See justesse {command} --help".replace("  ", " ")
        )
    return f"Unknown option: {option}. {advice}"


def _misplaced(words: Sequence[str], app: App) -> str | None:
    """Name the command that an option or a file belongs to, where a command of a group was expected."""
    if words[0] not in list(app):  # a misspelt group
        return None
    group, first = app[words[0]], words[1]
    parts = [name for name in group if not name.startswith("-")]
    if first.startswith("-"):
        parts = [name for name in parts if first.split("=")[0] in options_of(group[name])]
        if not parts:
            return None
    elif "." not in first:  # a misspelt command, not a file
        return None
    nearest = first.lstrip("-") if first.lstrip("-") in parts else parts[0]
    return (
        f"justesse {words[0]} needs a command before {first}: {', '.join(parts)}. For example: "
        f"justesse {words[0]} {nearest} {' '.join(words[1:])}"
    )


def _comparison(words: Sequence[str], second: str) -> str:
    first = next(word for word in words[1:] if not word.startswith("-"))
    option = words[words.index(first) - 1].startswith("-")  # then the first such word is an option's value
    return "justesse compare OLD NEW" if option else f"justesse compare {first} {second}"


def options_of(command: App) -> set[str]:
    """List the options of a command."""
    return {name for argument in command.assemble_argument_collection() for name in argument.names}
