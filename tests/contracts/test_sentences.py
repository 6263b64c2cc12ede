"""Sentences of results are messages with named parts, so that another language is a catalogue of templates."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import justesse

VERBS = Path(justesse.__file__).parent / "verbs"
WORDS_OF_A_SENTENCE = 3
NOT_FOR_READERS = {
    "help",
    "logger",
    "logging",
    "warn",
    "share",
}  # option help, logs, names in the error of a bad number


def _text(node: ast.expr) -> str:
    """Return the literal text of a string expression, values left out."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return " ".join(_text(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return f"{_text(left)} {_text(right)}"
    return ""


def _has_value(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return False
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.FormattedValue) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _has_value(left) or _has_value(right)
    return True


def _is_sentence(node: ast.expr) -> bool:
    """Tell whether an expression puts words and values together: f-string, sum, % or str.format."""
    match node:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add()):
            text = _text(node) if _has_value(node) else ""
        case ast.BinOp(left=template, op=ast.Mod()):
            text = _text(template)
        case ast.Call(func=ast.Attribute(value=template, attr="format")):
            text = _text(template)
        case _:
            return False
    return len(re.findall(r"[^\W\d_]{2,}", text)) >= WORDS_OF_A_SENTENCE


def _is_for_readers(node: ast.AST) -> bool:
    """Tell whether texts in this node reach readers of a result: errors, logs and help of options don't."""
    match node:
        case ast.Raise() | ast.Assert():
            return False
        case ast.Call(func=function):
            name = ast.unparse(function)
            return not name.endswith(("Error", "Exit")) and not NOT_FOR_READERS & set(name.split("."))
        case ast.keyword(arg=name):
            return name not in NOT_FOR_READERS
    return True


def _named_for_readers(node: ast.AST) -> Iterator[str]:
    """Yield the names that are read where texts reach readers."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    if _is_for_readers(node):
        for child in ast.iter_child_nodes(node):
            yield from _named_for_readers(child)


def _sentences(node: ast.AST, shown: frozenset[str] | None = None) -> Iterator[int]:
    """Yield the line of each sentence that is put together by hand, the outermost expression once."""
    if isinstance(node, ast.FunctionDef):
        shown = frozenset(_named_for_readers(node))
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) if shown is not None and name not in shown:
            return  # a part of an error
    if not _is_for_readers(node):
        return
    if isinstance(node, ast.expr) and _is_sentence(node):
        yield node.lineno
        return
    for child in ast.iter_child_nodes(node):
        yield from _sentences(child, shown)


def _by_hand() -> list[str]:
    """List the places in verbs/ where a sentence is put together by hand."""
    return [
        f"{file.relative_to(VERBS)}:{line}"
        for file in sorted(VERBS.rglob("*.py"))
        for line in _sentences(ast.parse(file.read_text()))
    ]


@pytest.mark.parametrize(
    "code",
    [
        'f"Only {n:,} rows: collect more."',
        '"Only " + str(n) + " rows: collect more."',
        '"Only {} rows: collect more.".format(n)',
        '"Only %d rows: collect more." % n',
        'message(f"Only {n} rows: {{more:count}} more.", more=more)',
        'caption = f"Accuracy of {name} by fold"\nTable(caption, head, rows)',
        'Table("Tests", head, rows, note="The labels are right" + (", and known." if known else "."))',
    ],
)
def test_a_sentence_put_together_by_hand_is_found(code):
    assert len(list(_sentences(ast.parse(code)))) == 1


@pytest.mark.parametrize(
    "code",
    [
        'message("Only {n:count} rows: collect more.", n=n)',
        'f"{name}.{key}"',
        'f"{n:,} rows"',
        'raise OptionError(f"Only {n} rows: collect more.")',
        'def check(n):\n    hint = f" Did you mean {n}?"\n    raise OptionError(hint)',
        'Parameter(help=f"How many rows to draw. Default: {n}.")',
        '"A sentence that goes over " + "two lines."',
        'logger.info(f"Only {n} rows were read.")',
    ],
)
def test_messages_errors_and_names_are_fine(code):
    assert list(_sentences(ast.parse(code))) == []


def test_sentences_of_results_are_messages():
    assert _by_hand() == [], "Write report.writing.message(…) with named parts."
