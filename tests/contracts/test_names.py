"""Names say what they hold: none of the words below is a local, a parameter, a field or a property of the package."""

import ast
import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest

import justesse

PACKAGE = Path(justesse.__file__).parent
VAGUE = frozenset({"found", "given", "of", "one", "said", "told", "wanted"})


def vague_names(source: str) -> list[str]:
    """List the vague names that some source code binds, in its docstrings' examples too."""
    tree = ast.parse(source)
    names = [name for name in _bound(tree) if name in VAGUE]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for example in doctest.DocTestParser().get_examples(ast.get_docstring(node) or ""):
                names += [name for name in _bound(ast.parse(example.source)) if name in VAGUE]
    return names


def _bound(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef) and any(map(_makes_property, node.decorator_list)):
            yield node.name


def _makes_property(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in {"property", "cached_property"}


def test_names_say_what_they_hold():
    places = []
    paths = sorted(PACKAGE.rglob("*.py"))
    assert len(paths) > 300
    for path in paths:
        inside = path.relative_to(PACKAGE)
        names = vague_names(path.read_text(encoding="utf-8"))
        places += [f"{inside}: {name}" for name in names]
    assert places == []


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "for one in rows: pass",
        "values = [one for one in rows]",
        "def f(given): pass",
        "def f(*, wanted=1): pass",
        "def f(**given): pass",
        "key = lambda one: one.n",
        "class Figure:\n    said: str",
        "self.told = 1",
        "class Figure:\n    @property\n    def said(self): pass",
        "with open(path) as found: pass",
        "if (of := 1): pass",
        'def f():\n    """Add.\n\n    >>> found = f()\n    """',
    ],
)
def test_a_vague_name_is_seen(source):
    assert len(vague_names(source)) == 1


@pytest.mark.parametrize(
    "source",
    ["n_found = 1", "class Case:\n    @classmethod\n    def of(cls): pass", 'print("found")', "f(one=1)", "row.said"],
)
def test_other_names_pass(source):
    assert vague_names(source) == []
