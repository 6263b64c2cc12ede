"""The commands and the Python of the documents do what the documents say."""

import ast
import doctest
import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if BLOCK.search(page.read_text())
]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A directory with the demo's files, as a reader of the documents has."""
    folder = tmp_path_factory.mktemp("reader")
    run("justesse demo", folder)
    return folder


def run(command: str, folder: Path) -> str:
    command = command.replace("make demo", "justesse demo")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(block: str):
    """Split a console block into commands and what they print; `$ ` inside the demo's own output is output."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ ") and not (found and found[-1][0] == "make demo"):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return [(command, "\n".join(lines)) for command, lines in found]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page, workplace, monkeypatch):
    monkeypatch.chdir(workplace)
    checker, names, blocks = doctest.OutputChecker(), {}, 0
    for kind, block in BLOCK.findall((ROOT / page).read_text()):
        blocks += 1
        if kind == "console":
            for command, expected in commands(block):
                got = run(command, workplace)
                assert checker.check_output(expected + "\n", got, FLAGS), f"$ {command}\n{expected}\n--- got ---\n{got}"
        else:
            test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
            runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
            out: list[str] = []
            runner.run(test, clear_globs=False, out=out.append)
            names = test.globs
            assert not runner.failures, "".join(out)
    assert blocks


def test_the_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "docs" / "tutorials" / "notebook.ipynb").read_text())
    names = {}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), "notebook", "exec"), names)
            if isinstance(last, ast.Expr):
                shown.append(eval(compile(ast.Expression(last.value), "notebook", "eval"), names))
            else:
                exec(compile(ast.Module([last], []), "notebook", "exec"), names)
    assert "<table>" in shown[0]._repr_html_()
    assert (tmp_path / "report.html").stat().st_size > 50_000
    assert shown[-1] > 100


def test_the_notebook_runs_in_a_kernel_without_widgets(tmp_path):
    """A bare kernel, as `pip install ipykernel` gives it: ipywidgets are hidden if this environment has them."""
    import nbclient
    import nbformat

    notebook = nbformat.read(ROOT / "docs" / "tutorials" / "notebook.ipynb", as_version=4)
    hidden = nbformat.v4.new_code_cell("import sys; sys.modules['ipywidgets'] = None")
    notebook.cells = [hidden, *notebook.cells]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the client's own making
        nbclient.NotebookClient(notebook, timeout=180, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert "<table>" in next(output.data["text/html"] for output in outputs if "text/html" in output.get("data", {}))
    assert (tmp_path / "report.html").stat().st_size > 50_000


def test_the_readme_s_first_screen():
    first = (ROOT / "README.md").read_text().splitlines()[:50]
    text = "\n".join(first)
    assert text.index("make demo") < text.index("make test") < text.index("import justesse")


def test_every_directory_of_the_source_is_on_the_map():
    text = (ROOT / "README.md").read_text()
    for room in (ROOT / "src" / "justesse").iterdir():
        if room.is_dir() and not room.name.startswith("__"):
            assert f"  {room.name}/ " in text


def test_links_between_documents_lead_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            if target != "reference/cli.md":
                assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_reference_of_commands_is_what_help_prints(tmp_path):
    import runpy

    runpy.run_path(str(ROOT / "docs" / "reference.py"))["main"](tmp_path / "cli.md")
    text = (tmp_path / "cli.md").read_text()
    for command in (
        "evaluate",
        "compare",
        "noise",
        "noise estimate",
        "noise bounds",
        "plan precision",
        "plan labels",
        "tournament",
        "audit",
        "audit start",
        "audit ask",
        "audit report",
        "demo",
    ):
        assert f"## justesse {command}\n" in text
    assert "justesse evaluate predictions.csv" in text
