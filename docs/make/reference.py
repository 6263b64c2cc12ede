"""Write the pages of the reference from docstrings and from what `--help` prints, for `make docs`.

The site shows them instead of the short pages in docs/reference, to which links of the repository lead;
`python docs/make/reference.py --short` writes those. Only json.md is written by hand.
"""

import importlib
import inspect
import re
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import options
from doctests import fenced
from topics import ROOMS, TOPICS, Room, Topic

import justesse
import justesse.intervals.methods

# parameters of functions that no option of the command has
SHARED = {
    "data": "Path, data frame, dict of arrays, or `Tally`.",
    "y_true": "Array of labels, instead of `data`.",
    "y_pred": "Array of predicted classes.",
    "y_score": "Array of scores of the positive class, or a matrix of probabilities, one column per class.",
    "candidates": "Further paths or data frames, one per candidate.",
    "more": "Further paths or data frames.",
    "progress": "Function that is called with the share of the work done.",
}
SHORT = Path(__file__).parents[1] / "reference"
FOLDER = Path(__file__).parents[2] / "build" / "docs" / "reference"
BUILT = "`make docs` builds this page from the docstrings and the help, into `site/`. The same without building it:"
WHOLE = "The whole help text of every command"


def main(folder: Path = FOLDER) -> None:
    """Write all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    described: set[str] = set()
    for topic in TOPICS:
        (folder / f"{topic.name}.md").write_text(topic_page(topic, described))
    for room in ROOMS:
        (folder / f"statistics-{room.name}.md").write_text(room_page(room))
    (folder / "cli.md").write_text(command_page())
    (folder / "methods.md").write_text(names_page())


def short_pages() -> dict[str, str]:
    """Give the pages kept in the repository, by file name: what each is about, and where to read it until `make docs`."""
    pages = {}
    for topic in TOPICS:
        commands = ", ".join(f"`justesse {command} --help`" for command in topic.commands)
        functions = ", ".join(f"`help(justesse.{name})`" for name in topic.functions)
        pages[f"{topic.name}.md"] = f"# {topic.title}\n\n{topic.intro}\n\n{BUILT}\n\n- {commands}\n- {functions}\n"
    for room in ROOMS:
        pages[f"statistics-{room.name}.md"] = (
            f"# {room.title}\n\n{room.intro}\n\n{BUILT}\n\n- `help(justesse.{room.name})`\n- `src/justesse/{room.name}/`\n"
        )
    pages["cli.md"] = f"# Command line\n\n{BUILT}\n\n- `justesse --help`\n- `justesse evaluate --help`\n\n{EXIT_CODES}"
    names = " ".join(METHOD_NAMES.split("## ")[0].split("\n\n")[1].split())
    places = "`justesse.intervals.methods.METHODS`", "`justesse.significance.TESTS`"
    pages["methods.md"] = f"# Names of methods\n\n{names}\n\n{BUILT}\n\n- {places[0]}\n- {places[1]}\n"
    return pages


def topic_page(topic: Topic, described: set[str]) -> str:
    """Describe the functions of a topic, then its commands; link to results that an earlier page described."""
    shown = [f"# {topic.title}\n\n{topic.intro}\n", "## Python\n"]
    results: dict[str, None] = {}
    for name in topic.functions:
        function = getattr(justesse, name)
        shown.append(directive(function, f"justesse.{name}"))
        shown.append(parameter_table(function, topic))
        results |= dict.fromkeys(path for path in result_classes(function) if path != "justesse.core.tally.Tally")
    if results:
        shown.append("## Results\n")
        for path in results:
            known = path in described
            shown.append(f"[`{path.rpartition('.')[2]}`][{path}]\n" if known else f"::: {path}\n")
        described.update(results)
    shown.append("## Command line\n")
    for command in (part for name in topic.commands for part in options.parts(name)):
        tables = options.tables(command)
        shown.append(f"### justesse {command}\n\n{options.summary(command)}\n\n{tables}\n")
    return "\n".join(part for part in shown if part)


def room_page(room: Room) -> str:
    """List what a room holds, then describe each function."""
    names = [f"justesse.{room.name}", *(f"justesse.{room.name}.{part}" for part in room.parts)]
    lines, entries = [], []
    for module in map(importlib.import_module, names):
        for name, member, home in members(module):
            title = f"{module.__name__}.{name}"
            anchor = re.sub(r"[^\w.-]", "", title)
            short = title.removeprefix(f"justesse.{room.name}.")
            lines.append(f"| [`{short}`](#{anchor}) | {first_sentence(member, home)} |")
            entries.append(directive(member, title, home))
    table = "| name | what it does |\n|---|---|\n" + "\n".join(lines)
    above = f"{REGISTRIES[room.name]()}\n\n" if room.name in REGISTRIES else ""
    return f"# {room.title}\n\n{room.intro}\n\n{above}{table}\n\n## Details\n\n" + "\n".join(entries)


def measure_table() -> str:
    """Describe every measure: how it is asked for, its name in words, its direction, and when it is undefined."""
    rows = [
        f"| `{measure.name}{':CLASS' if measure.per_class else ''}` | {measure.title} | "
        f"{'higher' if measure.greater_is_better else 'lower'} | {measure.bounds[0]:g} to {measure.bounds[1]:g} | {measure.reason} |"
        for measure in justesse.measures.ALL
    ]
    return "| measure | in words | better | range | undefined if |\n|---|---|---|---|---|\n" + "\n".join(rows)


def test_table() -> str:
    """Describe every significance test: what it needs, its null hypothesis, its alternatives and its reference."""
    rows = [
        f"| [`{test.function}`](#justesse.significance.{test.function}) | {test.title} | {test.needs} | {test.null} | "
        f"{', '.join(test.alternatives)} | {test.reference} |"
        for test in justesse.significance.TESTS
    ]
    head = "| function | test | needs | null hypothesis | alternatives | reference |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(rows)


def judge_table() -> str:
    """Say of every judge what it needs and assumes, and when it errs."""
    rows = [
        f"| [`{judge.name}`](#justesse.judges.{judge.name}) | {judge.needs} | {judge.assumes} | {judge.errs_when} |"
        for judge in justesse.judges.ALL
    ]
    return "| judge | needs | assumes | errs when |\n|---|---|---|---|\n" + "\n".join(rows)


def filter_option_table() -> str:
    """List the options of every filter of labels, as `docs/how-to/clean.md` has them."""
    rows = [
        f"| `{item.name}` | `{name}` | `{item.options[name]}` | {words} |"
        for item in justesse.cleaning.ALL
        for name, words in item.settings.items()
    ]
    return "| filter | option | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows)


def method_table() -> str:
    """Explain every name that an interval bears."""
    rows = [
        f"| `{method.name}` | {method.explanation} | {method.reference} |"
        for method in justesse.intervals.methods.METHODS
    ]
    return "| name | what it is | reference |\n|---|---|---|\n" + "\n".join(rows)


def result_name_table() -> str:
    """Explain every name that the result of a test bears."""
    rows = [
        f"| `{name}` | {title} | {test.null} | {test.reference} |"
        for test in justesse.significance.TESTS
        for name, title in test.titles.items()
    ]
    return "| name | test | null hypothesis | reference |\n|---|---|---|---|\n" + "\n".join(rows)


def names_page() -> str:
    """List every method name that tables and JSON show, with one sentence each."""
    return METHOD_NAMES.format(intervals=method_table(), tests=result_name_table())


METHOD_NAMES = """# Names of methods

Tables and JSON name the method of every interval and test. This page explains each name.

## Intervals

{intervals}

Names may be combined. `overlap of NAME`: the intervals of the two classifiers are compared, each by that method.
`NAME, moved`: the interval was moved by the largest bias that wrong labels can cause.

## Tests

{tests}
"""

# tables that come from a registry, above the list of functions
REGISTRIES = {"judges": judge_table, "measures": measure_table, "significance": test_table}


def command_page() -> str:
    """Give all commands on one page: a table, exit codes, and the whole help."""
    commands = options.everything()
    rows = "\n".join(f"| [`justesse {name}`](#{anchor_of(name)}) | {options.summary(name)} |" for name in commands)
    parts = [f"# Command line\n\n| command | what it does |\n|---|---|\n{rows}\n\n{EXIT_CODES}\n{WHOLE} follows.\n"]
    parts += [
        f"## justesse {command}".rstrip() + f"\n\n```text\n{options.whole_help(command)}\n```\n"
        for command in ("", *commands)
    ]
    return "\n".join(parts)


def anchor_of(command: str) -> str:
    """Give the anchor of a command's heading."""
    return "justesse-" + command.replace(" ", "-")


EXIT_CODES = """## Exit codes and environment

| exit code | meaning |
|---|---|
| 0 | The command worked; a gate passed. |
| 1 | The answer is no: do not replace, a requirement is not met, a claim is false, a check failed. |
| 2 | Bad usage or bad input. Standard error says what to change. |
| 70 | Unexpected error in justesse. `JUSTESSE_TRACEBACK=1` shows where. |
| 130 | Interrupted with Ctrl-C. |

`COLUMNS` sets the width of the output, also in a pipe. `NO_COLOR=1` switches colours off.
"""


def members(module: ModuleType) -> Iterator[tuple[str, Any, ModuleType]]:
    """Give the public functions, classes and measures of a room, each with the file that holds it."""
    names = list(getattr(module, "FUNCTIONS", ())) or list(getattr(module, "__all__", ())) or public_files(module)
    for name in sorted(names, key=str.lower):
        member = getattr(module, name, None)
        if member is None:
            continue
        if inspect.isfunction(member) or inspect.isclass(member):
            if member.__module__.startswith("justesse."):
                yield name, member, sys.modules[member.__module__]
        elif not isinstance(member, dict | tuple | list) and type(member).__module__.startswith("justesse."):
            yield name, member, home_of(module, name)


def public_files(module: ModuleType) -> list[str]:
    """Name the functions of a folder whose files hold one function of the file's name each."""
    names = []
    for path in sorted(Path(str(module.__file__)).parent.glob("[a-z]*.py")):
        file = importlib.import_module(f"{module.__name__}.{path.stem}")
        function = getattr(file, path.stem, None)
        if inspect.isfunction(function):
            setattr(module, path.stem, function)
            names.append(path.stem)
    return names


def home_of(module: ModuleType, name: str) -> ModuleType:
    """Find the file that holds a measure or judge: the file of its name, or the one where it is defined."""
    file = getattr(module, "FUNCTIONS", {}).get(name, name)
    try:
        return importlib.import_module(f"{module.__name__}.{file}")
    except ModuleNotFoundError:
        holders = [place for place in vars(sys).get("modules", {}).values() if place and _holds(place, module, name)]
        return holders[0] if holders else module


def _holds(place: ModuleType, module: ModuleType, name: str) -> bool:
    own = getattr(place, "__name__", "")
    return own.startswith(f"{module.__name__}.") and vars(place).get(name) is getattr(module, name)


def directive(member: Any, title: str, home: ModuleType | None = None) -> str:
    """Describe a function or class by its docstring; a measure, which is an object, by that of its file."""
    if inspect.isfunction(member) or inspect.isclass(member):
        path = f"{member.__module__}.{member.__qualname__}"
        anchor = f'<span id="{title}"></span>\n\n' if path != title else ""
        return (
            f"{anchor}::: {path}\n    options:\n      heading: {title}\n      toc_label: {title.rpartition('.')[2]}\n"
        )
    text = fenced(inspect.getdoc(home) or "")
    return f"### `{title}` {{ #{title} }}\n\n{measure_facts(member)}{text}\n"


def measure_facts(member: Any) -> str:
    """Give the range, the direction and the undefined case of a measure."""
    if not hasattr(member, "greater_is_better"):
        return ""
    low, high = (f"{end:g}".replace("inf", "∞") for end in member.bounds)
    direction = "higher" if member.greater_is_better else "lower"
    which = "for a class if" if member.per_class else "if"
    return f"Range {low} to {high}; {direction} is better. Undefined {which} {member.reason}.\n\n"


def first_sentence(member: Any, home: ModuleType) -> str:
    """Give the first line of a docstring."""
    text = inspect.getdoc(member if inspect.isfunction(member) or inspect.isclass(member) else home) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "&#124;")


def result_classes(function: Any) -> Iterator[str]:
    """Name the classes of justesse that a function returns."""
    if not inspect.isfunction(function):
        return
    try:
        returned = typing.get_type_hints(function).get("return")
    except NameError:  # a name that is imported for the type checker only
        return
    for one in typing.get_args(returned) or (returned,):
        if inspect.isclass(one) and one.__module__.startswith("justesse."):
            yield f"{one.__module__}.{one.__qualname__}"


def parameter_table(function: Any, topic: Topic) -> str:
    """Describe the parameters of a function whose docstring has no such section, by the options of the same name."""
    if not inspect.isfunction(function) or re.search(r"^\s*Parameters\n\s*---", function.__doc__ or "", re.MULTILINE):
        return ""
    help_of: dict[str, str] = {}
    for command in (part for name in topic.commands for part in options.parts(name)):
        for option, text in re.findall(
            r"^\| `-*([\w-]+)`[^|]*\|[^|]*\|[^|]*\| (.*) \|$", options.tables(command), re.MULTILINE
        ):
            help_of.setdefault(option.replace("-", "_").lower(), text)
    rows = [
        f"| `{name}` | {'required' if one.default is one.empty else f'`{one.default!r}`'.replace('|', '&#124;')} | {help_of.get(name) or SHARED.get(name, '')} |"
        for name, one in inspect.signature(function).parameters.items()
        if one.kind is not one.VAR_KEYWORD
    ]
    return "| parameter | default | description |\n|---|---|---|\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    if "--short" in sys.argv[1:]:
        for name, text in short_pages().items():
            (SHORT / name).write_text(text)
    else:
        main()
