"""Statistics are functions one can import, room by room, and a room loads only what is used."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import justesse

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
