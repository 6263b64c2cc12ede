"""Where a result goes, the same for every command: the terminal, JSON, Markdown, a page, a table, charts."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from justesse.cli.groups import DOSSIER, OUTPUT
from justesse.cli.output import check_places, console, listed, patience, print_json, print_text, say, say_written
from justesse.core.errors import OptionError
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

    def __post_init__(self) -> None:
        if self.json and self.format != "terminal":
            raise OptionError(f"--json and --format {self.format} exclude each other. Leave one of them out.")

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
    dossier
        Write a dossier, too, such as first.json: what was asked, fingerprints of the data, counts and results in one
        file. justesse dossier verify checks it.
    project
        Directory of the dossiers that this one follows. Default: the directory of the dossier.
    sign
        Sign the dossier: file of a private Ed25519 key, or agent for the key of an SSH agent. Default: not signed.
    signer
        Name of the person who is responsible. Default: your login name.
    signed_plan
        Plan that justesse dossier plan wrote before the labels were opened. Default: none.
    sheet
        Data sheet of the test set to keep in the dossier, such as test.yaml. Default: none.
    model_file
        Files of the model, separated by commas, to bind the predictions to. Default: none.
    model_commit
        Version of the code that trained the model, such as a commit. Default: none.
    model_data
        Files of the training data, separated by commas. Default: none.
    model_seed
        Seed of the training. Default: none.
    """

    report: Path | None = None
    interactive: bool = False
    charts: Path | None = None
    dossier: Annotated[Path | None, DOSSIER] = None
    project: Annotated[Path | None, DOSSIER] = None
    sign: Annotated[str | None, DOSSIER] = None
    signer: Annotated[str | None, DOSSIER] = None
    signed_plan: Annotated[Path | None, DOSSIER] = None
    sheet: Annotated[Path | None, DOSSIER] = None
    model_file: Annotated[str | None, DOSSIER] = None
    model_commit: Annotated[str | None, DOSSIER] = None
    model_data: Annotated[str | None, DOSSIER] = None
    model_seed: Annotated[int | None, DOSSIER] = None

    def check(self, *read: str | os.PathLike[str] | None, **written: Path | None) -> None:
        """Refuse, before any work, places that cannot be written or that hold what is read.

        `written` names other files that the command writes, by their options.
        """
        if self.interactive and self.report is None:
            raise OptionError("--interactive adds a script to a page. Name the page with --report, such as page.html.")
        check_places(read, **written, **self._places)
        if self.dossier is not None:
            from justesse.verbs.dossier.checked_places import check_dossier

            check_dossier(self.dossier, **self._about_dossier)
        elif used := [name for name, value in self._about_dossier.items() if value is not None]:
            option = {"plan": "signed-plan"}.get(used[0], used[0].replace("_", "-"))
            raise OptionError(f"--{option} is about a dossier. Name its file with --dossier FILE, or leave it out.")

    @property
    def _places(self) -> dict[str, Path | None]:
        """What is written, by option."""
        return {"report": self.report, "charts": self.charts, "dossier": self.dossier}

    @property
    def _about_dossier(self) -> dict[str, Any]:
        """The options that only a dossier has, as the library names them."""
        return {
            "project": self.project,
            "sign": self.sign,
            "signer": self.signer,
            "plan": self.signed_plan,
            "sheet": self.sheet,
            "model_file": listed([self.model_file]) if self.model_file else None,
            "model_commit": self.model_commit,
            "model_data": listed([self.model_data]) if self.model_data else None,
            "model_seed": self.model_seed,
        }

    def deliver(self, result: "Result") -> None:
        """Write what was asked for, then print."""
        charts: list[Path] = []
        with patience("Drawing"), self.together():
            self._save(result)
            self._write_page(result)
            if self.charts:
                charts = result.charts(self.charts)
            if self.dossier:
                result.dossier(self.dossier, command=command_line(), **self._about_dossier)
        super().deliver(result)
        if self.to_terminal:
            for option, path in self._places.items():
                if path and (option != "charts" or charts):
                    say_written(path)
        if self.charts and not charts:
            say("No charts written: this result has none.", to_errors=True)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write all files or none, and keep other commands from adding to the project until the dossier is there."""
        from justesse.frames.batch import all_or_none

        with self._chain(), all_or_none():
            yield

    def _chain(self) -> AbstractContextManager[None]:
        """Keep other commands from adding to the project."""
        if self.dossier is None:
            return nullcontext()
        from justesse.dossier.chain import locked

        return locked(self.project or self.dossier.absolute().parent)

    def _save(self, result: "Result") -> None:
        """Write the table, if there is one to write."""

    def _write_page(self, result: "Result") -> None:
        """Write the page, if there is one to write."""
        if self.report:
            result.report(self.report, interactive=self.interactive, command=command_line())

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
