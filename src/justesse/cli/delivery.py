"""Where a result goes, the same for every command: the terminal, JSON, Markdown, a page, a table, charts."""

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from justesse.cli.groups import OUTPUT
from justesse.cli.output import check_places, console, patience, print_json, print_text, say, say_written
from justesse.core.option_group import option_group

if TYPE_CHECKING:
    from justesse.report.result import Result


@OUTPUT
@option_group
class Printing:
    """How a result is printed, where nothing but the terminal is of use.

    Parameters
    ----------
    json
        Print JSON with stable keys, for programs.
    format
        Print for a terminal, or as Markdown for a pull request or a wiki. Default: terminal.
    full
        Print every section, not only the summary.
    """

    json: bool = False
    format: Literal["terminal", "markdown"] = "terminal"
    full: bool = False

    def deliver(self, result: "Result") -> None:
        """Print a result."""
        if self.json:
            print_json(result.to_dict())
        elif self.format == "markdown":
            print_text(result.markdown("full" if self.full else "summary"))
        else:
            from justesse.report.terminal import show

            show(result.document(), console(), "full" if self.full else "summary")

    def add(self, words: object) -> None:
        """Print one more line, after the result, for people: in Markdown a paragraph, in JSON nothing."""
        if not self.json:
            if self.format == "markdown":
                say("")
            say(words)


@Parameter(name="*", group="Output")
@option_group
class PageDelivery(Printing):
    """Where a result goes that writes a table of its own.

    Parameters
    ----------
    json
        Print JSON with stable keys, for programs.
    format
        Print for a terminal, or as Markdown for a pull request or a wiki. Default: terminal.
    full
        Print every section, not only the summary.
    report
        Write a page to read, too, such as page.html: one file that opens offline.
    interactive
        Add a script to the page, for tooltips and zoom.
    charts
        Write every chart to this directory, too, as SVG and PNG.
    """

    report: Path | None = None
    interactive: bool = False
    charts: Path | None = None

    def check(self, *read: str | os.PathLike[str] | None, **written: Path | None) -> None:
        """Refuse, before any work, places that cannot be written or that hold what is read.

        `written` names other files that the command writes, by their options.
        """
        check_places(read, **written, **self._places)

    @property
    def _places(self) -> dict[str, Path | None]:
        """What is written, by option."""
        return {"report": self.report, "charts": self.charts}

    def deliver(self, result: "Result") -> None:
        """Write what was asked for, then print."""
        from justesse.frames.batch import all_or_none

        charts: list[Path] = []
        with patience("Drawing"), all_or_none():
            self._save(result)
            if self.report:
                result.report(self.report, interactive=self.interactive, command=command_line())
            if self.charts:
                charts = result.charts(self.charts)
        super().deliver(result)
        if self.to_terminal:
            for option, path in self._places.items():
                if path and (option != "charts" or charts):
                    say_written(path)
        if self.charts and not charts:
            say("No charts written: this result has none.", to_errors=True)

    def _save(self, result: "Result") -> None:
        """Write the table, if there is one to write."""

    @property
    def to_terminal(self) -> bool:
        """Whether people read what is printed, not programs."""
        return not self.json and self.format == "terminal"


@Parameter(name="*", group="Output")
@option_group
class Delivery(PageDelivery):
    """Where a result goes.

    Parameters
    ----------
    output
        Write the main figures as a table, too, such as measures.csv or measures.parquet.
    """

    output: Annotated[Path | None, Parameter(alias="-o")] = None

    @property
    def _places(self) -> dict[str, Path | None]:
        return {"output": self.output, **super()._places}

    def _save(self, result: "Result") -> None:
        if self.output:
            result.save(self.output)


def command_line() -> str:
    """Give the command as it was typed."""
    return f"justesse {shlex.join(sys.argv[1:])}"
