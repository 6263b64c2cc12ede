"""Run docs/tutorials/notebook.ipynb and write it, with its outputs, as the page of the site, for `make docs`."""

import html
import tempfile
import warnings
from pathlib import Path
from typing import Any

import nbclient
import nbformat

NOTEBOOK = Path(__file__).parents[1] / "tutorials" / "notebook.ipynb"
PAGE = Path(__file__).parents[2] / "build" / "docs" / "tutorials" / "notebook.md"
# charts as SVG, which needs no network; no widgets, as in a kernel that has only ipykernel
SETUP = "import sys, altair; sys.modules['ipywidgets'] = None; _ = altair.renderers.enable('svg')"


def main(page: Path = PAGE) -> None:
    """Run the notebook in an empty folder and write the page."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(SETUP))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # raised inside nbclient
        quiet = ["--log-level=ERROR"]
        place = {"metadata": {"path": folder}}
        nbclient.NotebookClient(notebook, timeout=300, resources=place, extra_arguments=quiet).execute()
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join(part for cell in notebook.cells[1:] for part in cell_parts(cell)) + "\n")


def cell_parts(cell: Any) -> list[str]:
    """Give a cell as Markdown: its text or code, then its outputs."""
    if cell.cell_type == "markdown":
        return [cell.source]
    return [f"```python\n{cell.source}\n```", *(output_part(output) for output in cell.outputs)]


def output_part(output: Any) -> str:
    """Give one output as Markdown: a chart as SVG, HTML as it is, anything else as text."""
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    if output.output_type == "error":
        raise RuntimeError(f"{output.ename}: {output.evalue}")
    if "image/svg+xml" in output.data:
        return f'<div class="chart">{" ".join(output.data["image/svg+xml"].split())}</div>'
    if "text/html" in output.data:
        return framed(output.data["text/html"])
    return f"```text\n{output.data['text/plain'].rstrip()}\n```"


def framed(body: str) -> str:
    """Put HTML into a frame, so that the styles of the site do not reach it."""
    document = f"<!doctype html><meta charset=utf-8><body style='margin:0'>{body}"
    fit = (
        "const frame=this,body=frame.contentDocument.body;"
        "new ResizeObserver(()=>{frame.style.height=body.scrollHeight+16+'px'}).observe(body)"
    )
    return (
        f'<iframe title="Output of the cell" srcdoc="{html.escape(" ".join(document.split(chr(10))))}" '
        f'style="width:100%;border:0;background:#fff" onload="{fit}"></iframe>'
    )


if __name__ == "__main__":
    main()
