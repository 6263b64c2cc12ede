"""The commands and the Python of the documents do what the documents say."""

import ast
import doctest
import importlib
import json
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from docs.written_pages import DOCS, PAGES, ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```(console|python)(?: title=\"([^\"\n]+)\")?\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITH_EXAMPLES = [page.relative_to(ROOT).as_posix() for page in PAGES if BLOCK.search(page.read_text())]


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


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_a_page_does_what_it_says(page, workplace, monkeypatch):
    monkeypatch.chdir(workplace)
    checker, names, blocks = doctest.OutputChecker(), {}, 0
    for kind, file, block in BLOCK.findall((ROOT / page).read_text()):
        blocks += 1
        if file:
            (workplace / file).write_text(block)
        elif kind == "console":
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
    notebook = json.loads((DOCS / "tutorials" / "notebook.ipynb").read_text())
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


def test_the_notebook_runs_in_a_kernel_and_becomes_a_page(tmp_path):
    """In a kernel without widgets, as `pip install ipykernel` gives it."""
    runpy.run_path(str(DOCS / "make" / "notebook.py"))["main"](tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("# justesse in a notebook\n")
    assert "&lt;table&gt;" in page
    assert page.count('<div class="chart"><svg') == 2
    assert "PosixPath('report.html')" in page


def test_the_readme_s_first_screen():
    text = "\n".join((ROOT / "README.md").read_text().splitlines()[:22])
    assert text.index("make demo") < text.index("make test") < text.index("![") < text.index("pip install")


def test_the_first_page_says_how_to_install_and_shows_a_file():
    text = (DOCS / "index.md").read_text()
    assert text.index("## Install") < text.index("pip install") < text.index("id,label,prediction,ink")


def test_every_directory_of_the_source_is_on_the_map():
    text = (ROOT / "README.md").read_text()
    lines = text.partition("## Map of the code")[2].split("```")[1].strip().splitlines()
    assert len(lines) <= 25
    for room in (ROOT / "src" / "justesse").iterdir():
        if room.is_dir() and not room.name.startswith("__"):
            assert [line for line in lines if line.startswith(f"  {room.name}/ ")], room.name
            assert ast.get_docstring(ast.parse((room / "__init__.py").read_text())), room.name


def test_the_gallery_shows_every_picture_and_pictures_are_small():
    pictures = runpy.run_path(str(DOCS / "make" / "gallery.py"))["PICTURES"]
    served = runpy.run_path(str(DOCS / "make" / "served.py"))["PAGES"]
    shown = (DOCS / "gallery.md").read_text() + (ROOT / "README.md").read_text()
    names = {f"gallery/{picture.name}" for picture in pictures} | {page[0] for page in served}
    for name in names:
        file = DOCS / "images" / f"{name}.png"
        assert file.stat().st_size <= 150_000, file.name
        assert f"images/{name}.png" in shown
    assert {f"gallery/{file.stem}" for file in (DOCS / "images" / "gallery").iterdir()} <= names


def test_every_picture_of_terminal_output_is_shown_and_small():
    outputs = runpy.run_path(str(DOCS / "make" / "terminal.py"))["OUTPUTS"]
    shown = (DOCS / "terminal.md").read_text()
    for output in outputs:
        for place in (f"images/terminal/{output.name}.png", f"images/before/terminal-{output.name}.png"):
            assert f"]({place})" in shown
            assert (DOCS / place).stat().st_size <= 150_000, place
        assert f"`justesse {output.command}`" in shown
    assert len(list((DOCS / "images" / "terminal").iterdir())) == len(outputs)


def test_links_between_documents_lead_somewhere_in_the_repository():
    pages = [
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "studies").rglob("*.md"),
        *(ROOT / "benchmarks").rglob("*.md"),
    ]
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            place = (page.parent / target).resolve()
            assert place.exists(), f"{page.relative_to(ROOT)} → {target}"
            assert "build" not in place.relative_to(ROOT).parts, f"{page.relative_to(ROOT)} → {target}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as mkdocs and GitHub make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


@pytest.mark.parametrize("page", [page.relative_to(ROOT).as_posix() for page in PAGES])
def test_links_to_a_section_name_a_heading_of_that_page(page):
    """Otherwise `mkdocs build --strict` stops."""
    at = ROOT / page
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)]+)\)", at.read_text()):
        assert anchor in anchors((at.parent / target) if target else at), f"{page} → {target}#{anchor}"


def test_the_reference_s_short_pages_are_those_of_the_repository():
    """Links lead to them before `make docs`; `python docs/make/reference.py --short` writes them."""
    pages = runpy.run_path(str(DOCS / "make" / "reference.py"))["short_pages"]()
    for name, text in pages.items():
        assert (DOCS / "reference" / name).read_text() == text, f"run: python docs/make/reference.py --short ({name})"
    assert {path.name for path in (DOCS / "reference").iterdir()} == {*pages, "json.md"}


def test_the_site_shows_the_generated_page_in_place_of_the_short_one(tmp_path):
    from types import SimpleNamespace

    hook = runpy.run_path(str(DOCS / "make" / "generated.py"))["on_page_read_source"]
    hook.__globals__["FOLDER"] = tmp_path
    page = SimpleNamespace(file=SimpleNamespace(src_path="reference/plan.md"))
    assert hook(page=page) is None
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "plan.md").write_text("# Plan")
    assert hook(page=page) == "# Plan"


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in PAGES[1:]:
        assert f" {page.relative_to(DOCS).as_posix()}\n" in navigation


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The generated reference."""
    folder = tmp_path_factory.mktemp("reference")
    runpy.run_path(str(DOCS / "make" / "reference.py"))["main"](folder)
    return folder


def test_the_reference_of_commands_is_what_help_prints(reference):
    text = (reference / "cli.md").read_text()
    for command in (
        "evaluate",
        "compare",
        "noise",
        "noise estimate",
        "plan precision",
        "audit ask",
        "tournament",
        "demo",
    ):
        assert f"## justesse {command}\n" in text
    assert "justesse evaluate predictions.csv" in text


def test_the_reference_describes_every_function(reference):
    import justesse

    text = "".join(page.read_text() for page in reference.iterdir())
    for name in justesse.__all__:
        assert name == "__version__" or f"heading: justesse.{name}\n" in text, name
    for room in justesse.ROOMS:
        for name in getattr(importlib.import_module(f"justesse.{room}"), "FUNCTIONS", ()):
            assert f"(#justesse.{room}.{name})" in text, f"{room}.{name}"


def test_the_reference_describes_everything_once(reference):
    """A name described on two pages has two addresses, which the strict build of the site refuses."""
    shown = Counter(re.findall(r"^::: (\S+)", "".join(page.read_text() for page in reference.iterdir()), re.MULTILINE))
    assert [name for name, times in shown.items() if times > 1] == []


def test_the_reference_has_a_table_of_options_for_every_command(reference):
    text = (reference / "evaluate.md").read_text()
    assert "| option | value | default | description |" in text
    assert "| `--level` | FLOAT | `0.95` |" in text
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in reference.iterdir():
        assert f" reference/{page.name}\n" in navigation


def test_doctests_below_a_section_of_numpydoc_do_not_break_the_build():
    """Fences inside such a section are lines that griffe cannot parse, and `mkdocs build --strict` stops."""
    fenced = runpy.run_path(str(DOCS / "make" / "doctests.py"))["fenced"]
    written = "A sum.\n\nParameters\n----------\nx\n    A number.\n\n>>> 1 + 1\n2\n\n>>> 2 + 2\n4\n"
    assert "```" not in fenced(written)
    assert fenced(written).count("Examples\n--------\n>>> 1 + 1") == 1
    assert fenced("A sum.\n\nExamples\n--------\n>>> 1 + 1\n2\n").count("Examples") == 1
