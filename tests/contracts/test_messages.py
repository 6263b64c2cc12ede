"""Errors are full sentences: a capital letter (or the name of a parameter, column or file), and a full stop."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import justesse

PACKAGE = Path(justesse.__file__).parent
ROOMS = ["procedures", "verbs", "cli", "report", "charts", "annotators"]
FRAGMENTS = {"CoercionError", "AmbiguousDatesError"}  # the text becomes part of a longer sentence
ARTICLES = {
    "a",
    "an",
    "the",
    "all",
    "each",
    "every",
    "no",
    "one",
    "x",
    "y",
}  # no sentence starts with one in lower case


def _parameters() -> set[str]:
    """Return the names of all parameters and fields: a sentence may start with one, as in "draws must be …"."""
    nodes = [node for file in PACKAGE.rglob("*.py") for node in ast.walk(ast.parse(file.read_text()))]
    fields = {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    return ({node.arg for node in nodes if isinstance(node, ast.arg)} | fields) - ARTICLES


PARAMETERS = _parameters()


def _literals(node: ast.expr) -> Iterator[str]:
    """Return the texts that an argument may be, each value in them as {}."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)
        case ast.IfExp(body=first, orelse=second):
            yield from _literals(first)
            yield from _literals(second)


def _is_sentence(text: str) -> bool:
    starts = text[0].isupper() or text[0] in "{-'" or re.split(r"\W+", text.lstrip("`"))[0] in PARAMETERS
    return bool(starts) and (text.endswith((".", "?", "{}")) and not re.search(r"(: |; \w+ )\{\}$", text))


def _fragments(code: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            kind = ast.unparse(node.exc.func)
            if kind.endswith("Error") and kind not in FRAGMENTS:
                yield from (
                    (node.lineno, text) for text in _literals(node.exc.args[0]) if text and not _is_sentence(text)
                )


def test_fragments_are_noticed():
    code = 'raise OptionError("no rows")\nraise OptionError(f"Got {n}.")\nraise OptionError(f"n must be 1; got {n}")'
    assert [line for line, _ in _fragments(code)] == [1, 3]


def test_errors_are_full_sentences():
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line}: {text}"
        for room in ROOMS
        for file in sorted((PACKAGE / room).rglob("*.py"))
        for line, text in _fragments(file.read_text())
    ]
    assert wrong == []
