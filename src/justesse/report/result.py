"""The protocol every result keeps: it describes itself once, and every medium follows."""

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from justesse.core.errors import OptionError
from justesse.frames.native import native_frame, write_table, write_whole

if TYPE_CHECKING:
    from justesse.report.document import Detail, Document


class CallRecord(Protocol):
    """How a result came about: what the verb was asked, and how that is written as a dossier."""

    verb: str
    settings: dict[str, Any]

    def write(self, result: "Result", path: str | os.PathLike[str], **options: Any) -> Path:
        """Write the dossier of a result."""


class Result:
    """What a verb returns: data (`to_dict`, `to_frame`, `save`), words and tables (`document`), charts and a page.

    A result gives `to_dict`, `to_columns`, `document` and, if it has charts, `drawings`; everything else follows.
    """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""

    @abstractmethod
    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the main figures out as columns of a table."""

    @abstractmethod
    def document(self) -> "Document":
        """Describe the result to a reader, for every medium."""

    def sufficient(self) -> Any:
        """Give what the figures follow from, if the result itself holds it; its `result()` computes them."""
        return None

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        """Give the charts of this result by name, each as a function that draws it."""
        return {}

    @property
    def native(self) -> Any:
        """A data frame of the kind that came in, if one did."""
        return None

    def to_frame(self) -> Any:
        """Give the main figures as a data frame of the caller's kind, or as an Arrow table."""
        return native_frame(self.to_columns(), like=self.native)

    @property
    def measures(self) -> Any:
        """The main figures as a data frame of the caller's kind, or as an Arrow table."""
        return self.to_frame()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the main figures as a table: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    def chart(self, name: str | None = None) -> Any:
        """Draw one of the charts, the first if none is named."""
        drawings = self.drawings()
        if not drawings:
            raise OptionError("This result has no chart.")
        if name is not None and name not in drawings:
            raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(drawings)}.")
        return drawings[name or next(iter(drawings))]()

    def charts(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every chart as SVG and PNG into a folder, made if necessary; return the files, none without charts."""
        from justesse.report.chart_files import write_charts

        if not os.fspath(folder):
            raise OptionError("Charts need the name of a folder; got ''. Use '.' for the current one.")
        return write_charts({name: draw() for name, draw in self.drawings().items()}, Path(folder))

    def report(self, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None) -> Path:
        """Write the page: one HTML file that opens offline, whole or not at all."""
        from justesse.report.html import as_page

        page = as_page(self.document(), interactive=interactive, command=command)
        text = page.encode(errors="replace")
        return write_whole(Path(path), lambda temporary: Path(temporary).write_bytes(text))

    @property
    def recording(self) -> CallRecord | None:
        """How this result came about; `None` if it was not made by calling a verb."""
        return self.__dict__.get("_recording")

    def dossier(
        self,
        path: str | os.PathLike[str],
        *,
        project: str | os.PathLike[str] | None = None,
        sign: str | os.PathLike[str] | None = None,
        signer: str | None = None,
        plan: str | os.PathLike[str] | None = None,
        sheet: str | os.PathLike[str] | None = None,
        model_file: str | os.PathLike[str] | list[str] | None = None,
        model_commit: str | None = None,
        model_data: str | os.PathLike[str] | list[str] | None = None,
        model_seed: int | None = None,
        command: str | None = None,
    ) -> Path:
        """Write a dossier: one JSON file with what was asked, the data's fingerprints, the counts and the results.

        `justesse dossier verify` checks it later, and computes the figures again from the counts.

        Parameters
        ----------
        path
            File to write. A dossier is never overwritten.
        project
            Directory of the dossiers that this one follows. Default: the directory of the file.
        sign
            File of a private Ed25519 key, or "agent" for the key that an SSH agent holds. Default: not signed.
        signer
            Name of the person who is responsible. Default: your login name.
        plan
            Plan that `justesse dossier plan` wrote before the labels were opened.
        sheet
            Data sheet of the test set, a YAML file.
        model_file
            File or folder of the model, or a list of them: the predictions are bound to its fingerprint.
        model_commit
            Version of the code that trained the model, such as a commit.
        model_data
            File of the training data, or a list of them.
        model_seed
            Seed of the training.
        command
            Command line, if there was one.
        """
        if self.recording is None:
            raise OptionError("Only the result of a justesse function has a dossier. Call one, and use its result.")
        return self.recording.write(
            self, path, project=project, sign=sign, signer=signer, plan=plan, sheet=sheet, model_file=model_file,
            model_commit=model_commit, model_data=model_data, model_seed=model_seed, command=command,
        )  # fmt: skip

    def markdown(self, detail: "Detail" = "summary") -> str:
        """Write the result as Markdown, for a pull request or a wiki."""
        from justesse.report.markdown import as_markdown

        return as_markdown(self.document(), detail)

    def __repr__(self) -> str:
        from justesse.report.text import as_text

        return as_text(self.document())

    def _repr_html_(self) -> str:
        from justesse.report.notebook import as_card

        return as_card(self.document())
