"""How `--help` is laid out: paragraphs fill the line, and examples are never broken."""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions

ARGUMENTS = {"audit answer": "[ID CLASS]", "demo": "", "inspect": "[TEST]"}  # those that may be left out, by command

PATHS = "STR|PATHLIKE[STR]"


class Help:
    """Lay docstrings out for a terminal: ends of lines in the source do not show, except where lines are indented.

    What draws is loaded when help is asked for.
    """

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: "HelpPanel") -> None:
        from cyclopts.help import DefaultFormatter

        # texts say the default in words, and a flag that is off needs none
        entries = [
            entry.copy(description=_filled(entry.description), default=None, **_placeholder(entry))
            for entry in panel.entries
        ]
        DefaultFormatter()(console, options, panel.copy(entries=entries))

    def render_usage(self, console: "Console", options: "ConsoleOptions", usage: Any) -> None:
        from cyclopts.help import DefaultFormatter
        from rich.text import Text

        DefaultFormatter().render_usage(console, options, Text(named_arguments(str(usage)), style="cyclopts.usage"))

    def render_description(self, console: "Console", options: "ConsoleOptions", description: Any) -> None:
        from rich.text import Text

        for line in filled(_text(description)).split("\n"):
            example = line.startswith(" ")
            console.print(Text(line), no_wrap=example, overflow="ignore" if example else "fold", crop=not example)


def named_arguments(usage: str) -> str:
    """Name the arguments as the box below does, which cyclopts calls ARGS.

    >>> named_arguments("justesse compare [OPTIONS] [ARGS...]"), named_arguments("justesse inspect [OPTIONS] [ARGS]")
    ('justesse compare [OPTIONS] FILES...', 'justesse inspect [OPTIONS] [TEST]')
    """
    names = next((names for command, names in ARGUMENTS.items() if f"justesse {command} " in usage), "[ARGS]")
    return usage.replace(PATHS, "PATH").replace("[ARGS...]", "FILES...").replace("[ARGS]", names)


def filled(text: str) -> str:
    """Join the lines of each paragraph; indented lines, such as examples, stay as they are, without gaps.

    >>> print(filled("Compare two\\nmodels.\\n\\nExamples:\\n\\n  justesse compare a b\\n\\n  justesse compare c d"))
    Compare two models.
    <BLANKLINE>
    Examples:
    <BLANKLINE>
      justesse compare a b
      justesse compare c d
    """
    lines: list[str] = []
    for line in text.strip("\n").splitlines():
        joins = lines and lines[-1].strip() and line.strip() and not line.startswith(" ")
        if joins and not lines[-1].startswith(" "):
            lines[-1] += f" {line}"
        else:
            lines.append(line.rstrip())
    return re.sub(r"(?m)^( .*\n)\n(?= )", r"\1", "\n".join([*lines, ""]))


def _text(description: Any) -> str:
    """Return the text that cyclopts made of a docstring."""
    return str(getattr(description, "primary_renderable", description) or "")


def _placeholder(entry: Any) -> dict[str, str]:
    """Call paths PATH, also those that the library takes as text or as a path."""
    name = getattr(entry, "metavar", None) or ""
    return {"metavar": name.replace(PATHS, "PATH")} if PATHS in name else {}


def _filled(description: Any) -> Any:
    from rich.text import Text

    return Text(" ".join(_text(description).split()))
