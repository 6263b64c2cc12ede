"""Explain the interval methods that a result names."""

from collections.abc import Mapping
from typing import Any

from justesse.intervals.methods import method_words
from justesse.report.document import Document


def method_notes(document: Document) -> list[str]:
    """Explain each interval method of a document in a sentence, for its last section."""
    data = document.data() if callable(document.data) else document.data
    return [f"Interval method {name}: {method_words(name)}" for name in methods_in(data)]


def methods_in(data: Any) -> list[str]:
    """List the interval methods that a result names, in the order of their first use.

    >>> methods_in({"measures": [{"interval": {"low": 0.1, "high": 0.2, "level": 0.95, "method": "wilson"}}]})
    ['wilson']
    """
    names: dict[str, None] = {}
    waiting: list[Any] = [data]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            name = item.get("method")
            if isinstance(name, str) and "low" in item and method_words(name):
                names[name] = None
            waiting += reversed(list(item.values()))
        elif isinstance(item, list | tuple):
            waiting += reversed(item)
    return list(names)
