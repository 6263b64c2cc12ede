"""No module needs, even late, a module that needs it: each can be read, loaded and moved without the others."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import justesse

PACKAGE = Path(justesse.__file__).parent
# imports within functions that close a circle on purpose: importer → imported
ALLOWED = {
    ("justesse.cli.main", "justesse.__main__"),  # console scripts of earlier installs look for `run` there
}


def modules(package: Path) -> dict[str, Path]:
    """Find all modules of a package by their full names."""
    found = {}
    for path in package.rglob("*.py"):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: set[str]) -> set[str]:
    """List the modules that a module imports at any time; what is only imported for type checks does not count."""
    names: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                visit(other)
            return
        if isinstance(node, ast.ImportFrom) and node.module:
            names.update(
                full if (full := f"{node.module}.{alias.name}") in known else node.module for alias in node.names
            )
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(path.read_text()))
    return names & known


def import_cycle(package: Path, allowed: set[tuple[str, str]] = frozenset()) -> list[str]:
    """Give the modules of one circle of imports, or none."""
    paths = modules(package)
    graph = {
        name: {other for other in imported(path, set(paths)) if other != name and (name, other) not in allowed}
        for name, path in paths.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_through_others():
    assert import_cycle(PACKAGE, ALLOWED) == []


def test_every_exception_is_still_needed():
    for edge in ALLOWED:
        assert import_cycle(PACKAGE, ALLOWED - {edge}), edge


def test_a_cycle_within_functions_is_noticed(tmp_path):
    toy = tmp_path / "toy"
    toy.mkdir()
    (toy / "__init__.py").write_text("")
    (toy / "a.py").write_text("from toy import b\n")
    (toy / "b.py").write_text("def late():\n    from toy.c import x\n")
    (toy / "c.py").write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from toy import a\n")
    assert import_cycle(toy) == []
    (toy / "c.py").write_text("import toy.a\nx = 1\n")
    assert set(import_cycle(toy)) == {"toy.a", "toy.b", "toy.c"}
    assert import_cycle(toy, {("toy.c", "toy.a")}) == []
