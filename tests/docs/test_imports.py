"""The documents import nothing that the default install lacks."""

import ast
import json
import re
import sys
import tomllib

import pytest

from docs.written_pages import DOCS, PAGES, ROOT

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"""python3? -c (["'])(.*?)\1(?=\s|$)""", re.MULTILINE)
MODULES = {"scikit-learn": "sklearn", "vl-convert-python": "vl_convert"}
# what works only beside another package, though its own is installed
NEEDS = {"as_frame": "pandas", ".to_pandas(": "pandas", ".to_polars(": "polars", ".df()": "pandas", ".pl()": "polars"}


def installed() -> set[str]:
    """The modules that `pip install .` brings, and Python's own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [re.split(r"[<>=!~\[;, ]", one)[0] for one in project["dependencies"]]
    return {"justesse", *sys.stdlib_module_names, *(MODULES.get(name, name.replace("-", "_")) for name in names)}


def sources(text: str) -> list[str]:
    """Give the Python of a page: doctests, code blocks, and what commands run."""
    found = []
    for kind, block in FENCE.findall(text):
        lines = [line.strip() for line in block.splitlines()]
        if kind in ("python", "py", "pycon"):
            marked = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
            found.append("\n".join(marked) if marked else block)
        found += [code for _, code in COMMAND.findall(block)]
    return found


def modules(code: str) -> set[str]:
    """Give the top-level modules that code needs."""
    needed = {package for word, package in NEEDS.items() if word in code}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            needed |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            needed.add(node.module.partition(".")[0])
    return needed


def lacking(text: str, codes: list[str]) -> set[str]:
    """Give what is imported, not installed, and not announced on the page with pip install."""
    needed = set().union(*(modules(code) for code in codes)) if codes else set()
    return {name for name in needed - installed() if not re.search(rf"pip install [^\n]*\b{name}\b", text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_imports_what_is_installed(page):
    text = page.read_text()
    assert not lacking(text, sources(text))


def test_the_notebook_imports_what_is_installed():
    cells = json.loads((DOCS / "tutorials" / "notebook.ipynb").read_text())["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    assert codes
    assert not lacking(text, codes)


def test_what_is_not_installed_is_noticed():
    page = "```python\n>>> import pandas as pd\n```\n```console\n$ python -c \"import polars; print('a')\"\n```\n"
    assert lacking(page, sources(page)) == {"pandas", "polars"}
    assert lacking(page + "pip install pandas polars", sources(page)) == set()
    assert modules("load_iris(as_frame=True)") == {"pandas"}
