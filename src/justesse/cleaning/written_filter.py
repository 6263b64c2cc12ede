"""A filter written as text with its options, such as `edited-neighbours(neighbours=5)`: parsed, never evaluated."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from justesse.cleaning import filter_named
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.core.errors import OptionError

LONGEST = 1000  # characters
HOW = "Write it as edited-neighbours(neighbours=5), with numbers and words as options."


@dataclass(frozen=True)
class ChosenFilter:
    """A filter and the options it is used with."""

    item: Filter
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The filter as a user writes it.

        >>> written_filter("edited-neighbours( neighbours = 5 )").words
        'edited-neighbours(neighbours=5)'
        """
        if not self.options:
            return self.item.name
        return f"{self.item.name}({', '.join(f'{name}={value}' for name, value in self.options.items())})"

    def __call__(self, evidence: LabelEvidence) -> Suspicion:
        """Look at the rows."""
        return self.item(evidence, **self.options)


def written_filter(word: str) -> ChosenFilter:
    """Read a filter and its options from text.

    Options are numbers or words; words need no quotes. Unknown options are refused with the names of those there are.

    >>> written_filter("neighbourhood-graph(graph=relative, neighbours=10)").options
    {'graph': 'relative', 'neighbours': 10}
    >>> written_filter("edited-neighbours(k=5)")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: The filter edited-neighbours has no option k. Its options: neighbours, vote.
    """
    if not isinstance(word, str) or len(word) > LONGEST:
        raise OptionError(f"A filter is a name such as confident-learning; got {str(word)[:50]!r}. {HOW}")
    name, bracket, rest = word.strip().partition("(")
    item = filter_named(name.strip())
    if not bracket:
        return ChosenFilter(item)
    try:
        call = ast.parse(f"f({rest}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or not isinstance(call.func, ast.Name):
            raise ValueError
        names = [keyword.arg for keyword in call.keywords]
        if None in names or len(set(names)) < len(names):
            raise ValueError
        options = {str(keyword.arg): _value(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise OptionError(f"Filter {word!r} cannot be read. {HOW}") from error
    for option in options:
        item.check_option(option)
    return ChosenFilter(item, options)


def _value(node: ast.expr) -> Any:
    """Return a number or a word; `by-class` is a difference of two names to Python's parser."""
    match node:
        case ast.Constant(value=bool() | None):
            raise ValueError
        case ast.Constant(value=int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name() | ast.BinOp(op=ast.Sub()):
            return _word(node)
    raise ValueError


def _word(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return f"{_word(node.left)}-{_word(node.right)}"
    raise ValueError
