"""Tests that check nothing: asserts that are always true, comparisons nobody looks at."""

import ast
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).parents[1].rglob("*.py"))


def idle_checks(source: str) -> list[tuple[int, str]]:
    """List the lines whose check cannot fail, and why."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assert):
            found += [(node.lineno, why) for why in _why_true(node)]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare):
            found.append((node.lineno, "a comparison as a statement: nobody looks at it"))
    return found


def _why_true(node: ast.Assert) -> list[str]:
    test, message = node.test, node.msg
    why = []
    if isinstance(test, ast.Tuple) and test.elts:
        why.append("a tuple is always true")
    if isinstance(test, (ast.GeneratorExp, ast.Lambda)):
        why.append("a generator or a lambda is always true")
    if isinstance(test, ast.JoinedStr) or (isinstance(test, ast.Constant) and test.value):
        why.append("a constant is always true")
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in ("map", "filter", "zip"):
        why.append("an iterator is always true")
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "approx":
        why.append("an approximation is always true")
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        last = test.values[-1]
        if isinstance(last, ast.Constant) and last.value:
            why.append("`or` a constant is always true")
    if isinstance(test, ast.IfExp) and any(
        isinstance(side, ast.Constant) and side.value for side in (test.body, test.orelse)
    ):
        why.append("one branch is always true")
    if isinstance(message, (ast.Compare, ast.BoolOp)):
        why.append("the comparison is the message, not the check")
    return why


@pytest.mark.parametrize(
    "source",
    [
        "assert a, b == (1, 2)",
        "assert (a, b)",
        "a == 1",
        "assert (x > 0 for x in y)",
        "assert lambda: x",
        "assert pytest.approx(x)",
        "assert map(f, x)",
        "assert a or 'b'",
        "assert 'text'",
        "assert x if y else True",
    ],
)
def test_what_checks_nothing_is_found(source):
    assert len(idle_checks(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "assert a == b, (a, b)",
        "assert all(x > 0 for x in y)",
        "assert a, f'{b}'",
        "assert (a, b) == (1, 2)",
        "f(a == b)",
    ],
)
def test_what_checks_something_is_not(source):
    assert idle_checks(source) == []


@pytest.mark.parametrize("path", TESTS, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_check_of_a_test_can_fail(path):
    assert idle_checks(path.read_text(encoding="utf-8")) == []
