"""Functions with many parameters list them, so that an editor shows what each is for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import justesse

PACKAGE = Path(justesse.__file__).parent
MANY = 6


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, list[str]]]:
    """Return the public functions and methods, with the names of their parameters."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    for owner in (tree, *classes):
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if isinstance(owner, ast.ClassDef) and names and names[0] in ("self", "cls"):
                    names = names[1:]
                title = node.name if owner is tree else f"{owner.name}.{node.name}"
                yield title, node, names


def listed(docstring: str) -> set[str]:
    """Return the names in the section on parameters of a docstring.

    >>> sorted(listed("Add.\\n\\nParameters\\n----------\\na, b : int\\n    Terms.\\nc\\n    Factor.\\n"))
    ['a', 'b', 'c']
    """
    _, _, section = docstring.partition("Parameters\n----------\n")
    section = re.split(r"\n\n\w+\n-+\n", section)[0]
    heads = [line.split(":")[0] for line in section.splitlines() if line and not line[0].isspace()]
    return {name.strip(" *") for head in heads for name in head.split(",")}


def unlisted(source: str, *, groups: bool = False) -> list[str]:
    """Return the public functions with many parameters that do not list them all.

    With `groups`, a list of some is enough: the others are groups of options, which document themselves.
    """
    titles = []
    for title, node, names in functions(ast.parse(source)):
        known = listed(ast.get_docstring(node) or "")
        if len(names) >= MANY and not (known if groups else set(names) <= known):
            titles.append(title)
    return titles


def test_many_parameters_are_listed():
    places = []
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE)
        titles = unlisted(path.read_text(encoding="utf-8"), groups=inside.parts[0] == "cli")
        places += [f"{inside}: {title}" for title in titles]
    assert places == []


def test_a_missing_list_is_seen():
    head = "def f(a, b, *, c, d, e, g):\n"
    section = "    Parameters\n    ----------\n    a, b, c\n        Numbers.\n    d, e\n        Texts.\n"
    assert unlisted(head + '    """Add."""') == ["f"]
    assert unlisted(head + f'    """Add.\n\n{section}    """') == ["f"]  # g is missing
    assert unlisted(head + f'    """Add.\n\n{section}    g : int\n        Factor.\n    """') == []
    assert unlisted(head + f'    """Add.\n\n{section}    """', groups=True) == []
    assert unlisted(head + '    """Add."""', groups=True) == ["f"]
    assert unlisted("def f(a, b, *, c, d, e):\n    pass") == []
    assert unlisted("class A:\n    def f(self, a, b, c, d, e, g):\n        pass") == ["A.f"]
    assert unlisted("def _f(a, b, c, d, e, g):\n    pass") == []
