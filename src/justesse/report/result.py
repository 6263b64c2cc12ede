"""The protocol every result keeps: it describes itself once, and every medium follows."""

import os
from abc import abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse.core.errors import OptionError
from justesse.frames.native import native_frame, write_table, write_whole

if TYPE_CHECKING:
    from justesse.report.document import Detail, Document


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
