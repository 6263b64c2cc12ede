"""Statistics are functions one can import, room by room, and a room loads only what is used."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import justesse
from justesse.cli.main import COMMANDS

LAZY = ("charts", "noise", "procedures", "significance")


@pytest.mark.parametrize("room", justesse.ROOMS)
def test_every_function_of_a_room_is_a_function(room):
    package = getattr(justesse, room)
    names = getattr(package, "FUNCTIONS", None) or [name for name in package.__all__ if name[0].islower()]
    assert names
    for name in names:
        value = getattr(package, name)
        assert callable(value), f"justesse.{room}.{name} is {value!r}"
        assert inspect.getdoc(value), f"justesse.{room}.{name} has no docstring"
        assert name in dir(package)


@pytest.mark.parametrize("room", LAZY)
def test_every_file_with_a_function_of_its_name_is_listed(room):
    package = importlib.import_module(f"justesse.{room}")
    for module in pkgutil.iter_modules(package.__path__):
        own = getattr(importlib.import_module(f"justesse.{room}.{module.name}"), module.name, None)
        if inspect.isfunction(own):
            assert module.name in package.FUNCTIONS


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import justesse; justesse.significance.mcnemar(15, 5)", "justesse.significance.anova"),
        ("import justesse.significance.mcnemar; justesse.significance.mcnemar(15, 5)", "justesse.significance.anova"),
        ("import justesse; justesse.intervals.wilson(80, 100)", "justesse.noise"),
        ("from justesse.charts import roc_chart", "justesse.procedures"),
        ("import justesse", "numpy"),
    ],
)
def test_a_room_loads_what_is_used_and_no_more(code, absent):
    check = f"{code}; import sys; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_an_unknown_name_is_said_to_be_unknown():
    with pytest.raises(AttributeError, match="'justesse.significance' has no attribute 'nothing'"):
        justesse.significance.nothing  # noqa: B018


def imported_by(folder):
    """List what the files of a folder import."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield path, node.module
                yield from ((path, f"{node.module}.{name.name}") for name in node.names)
            elif isinstance(node, ast.Import):
                yield from ((path, name.name) for name in node.names)


def test_every_file_is_imported_or_in_a_registry():
    source, root = Path(justesse.__file__).parent, Path(__file__).parents[2]
    used = {name for part in ("benchmarks", "studies") for _, name in imported_by(root / part)}
    used |= {name for _, name in imported_by(source)}
    for room in justesse.ROOMS:
        used |= {f"justesse.{room}.{file}" for file in getattr(getattr(justesse, room), "FUNCTIONS", {}).values()}
    used |= {f"justesse.cli.{place.partition(':')[0]}" for place in COMMANDS.values()}
    for path in source.rglob("*.py"):
        name = ".".join(path.relative_to(source.parent).with_suffix("").parts)
        assert name in used or path.name in ("__init__.py", "__main__.py"), f"nothing uses {name}"
