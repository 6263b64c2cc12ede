"""The options of a command, as tables: read from what `--help` would print."""

import io
from typing import Any

from cyclopts import App
from rich.console import Console

from justesse.cli.main import app


class _Collector:
    """A help formatter that keeps the panels instead of printing them."""

    def __init__(self) -> None:
        self.panels: list[Any] = []

    def __call__(self, console: Console, options: Any, panel: Any) -> None:
        self.panels.append(panel)


def parts(command: str) -> list[str]:
    """List a command and its subcommands, such as "audit" and "audit start"; nothing if there is no such command.

    >>> parts("plan")
    ['plan', 'plan precision', 'plan difference', 'plan noise', 'plan labels', 'plan error', 'plan error-difference']
    """
    try:
        own = _app(command)
    except KeyError:
        return []
    return [command, *(f"{command} {name}" for name in own if not name.startswith("-"))]


def everything() -> list[str]:
    """List all commands, subcommands after their command."""
    return [part for name in app if not name.startswith("-") for part in parts(name)]


def summary(command: str) -> str:
    """Give the first sentence of a command's help."""
    return _app(command).help.strip().split("\n\n")[0].replace("\n", " ")


def whole_help(command: str) -> str:
    """Give what `--help` prints, 100 columns wide."""
    out = Console(file=io.StringIO(), width=100, color_system=None)
    app.help_print(command.split(), console=out)
    return out.file.getvalue().rstrip()  # type: ignore[attr-defined]


def tables(command: str) -> str:
    """Write one table per group of options.

    >>> "| `--level` |" in tables("evaluate")
    True
    """
    collector, shown = _Collector(), []
    before, app.help_formatter = app.help_formatter, collector
    try:
        app.help_print(command.split(), console=Console(file=io.StringIO()))
    finally:
        app.help_formatter = before
    for panel in collector.panels:
        if panel.format == "parameter" and panel.entries:
            rows = [_row(entry) for entry in panel.entries]
            title = {"Parameters": "Options"}.get(panel.title, panel.title)
            shown.append(
                f"**{title}**\n\n| option | value | default | description |\n|---|---|---|---|\n" + "\n".join(rows)
            )
    return "\n\n".join(shown)


def _app(command: str) -> App:
    found = app
    for word in command.split():
        found = found[word]
    return found


def _row(entry: Any) -> str:
    names = [entry.positional_label] if entry.positional_label else [*entry.positive_names, *entry.positive_shorts]
    value = ", ".join(f"`{choice}`" for choice in entry.choices) if entry.choices else entry.metavar or ""
    default = "required" if entry.required else "" if entry.default is None else f"`{entry.default}`"
    cells = (", ".join(f"`{name}`" for name in names), value, default, _text(entry.description))
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def _text(description: Any) -> str:
    out = Console(file=io.StringIO(), width=10_000, color_system=None)
    out.print(description, end="")
    text = out.file.getvalue()  # type: ignore[attr-defined]
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*")
