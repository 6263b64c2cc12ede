"""Which key of an evaluation was meant: `evaluation["f1", "macro"]` for "macro_f1"."""

import re
from collections.abc import Sequence
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Estimate


def no_such_estimate(key: Any, estimates: Sequence[Estimate]) -> OptionError:
    """Return an error that says which key to take instead.

    >>> f1, recall = Estimate("f1", 0.9, 50, average="macro"), Estimate("recall", 0.9, 50, class_name="kat")
    >>> print(no_such_estimate("macro_f1", [f1, recall]))
    Unknown measure 'macro_f1'. Did you mean ['f1', 'macro']? Measures: f1, recall.
    >>> print(no_such_estimate(("recall", "cat"), [f1, recall]))
    'recall' has no class 'cat'. Did you mean ['recall', 'kat']? Classes: 'kat'.
    """
    import difflib

    parts = (key,) if isinstance(key, str) else tuple(key)
    name, which = (parts[0], parts[1]) if len(parts) == 2 else (parts[0], None)
    named = [estimate for estimate in estimates if estimate.name == name]
    if named and which is None:
        return OptionError(f"{name!r} is per class or averaged. Use [{name!r}, class] or [{name!r}, 'macro'].")
    keys = {words: first for estimate in named or estimates for words, first in _spellings(estimate)}
    asked = _words(*parts)
    near = [asked] if asked in keys else difflib.get_close_matches(asked, keys, n=1, cutoff=0.6)
    if named and near and near[0] != asked:  # the measure is known: only its class or average was misspelt
        seconds = {_words(_second(estimate)): estimate for estimate in named if _second(estimate) is not None}
        alike = difflib.get_close_matches(_words(which), seconds, n=1, cutoff=0.6)
        near = [_words(name, alike[0])] if alike else []
    advice = f" Did you mean [{keys[near[0]]}]?" if near else ""
    if named:
        classes = dict.fromkeys(repr(item.class_name) for item in named if item.class_name is not None)
        return OptionError(f"{name!r} has no class {which!r}.{advice} Classes: {', '.join(list(classes)[:20])}.")
    names = ", ".join(sorted({estimate.name for estimate in estimates}))
    return OptionError(f"Unknown measure {key!r}.{advice} Measures: {names}.")


def _spellings(estimate: Estimate) -> list[tuple[str, str]]:
    """Return the ways to write an estimate's key, and the key itself."""
    second = _second(estimate)
    if second is None:
        return [(_words(estimate.name), repr(estimate.name))]
    key = f"{estimate.name!r}, {second!r}"
    return [(_words(estimate.name, second), key), (_words(second, estimate.name), key)]


def _second(estimate: Estimate) -> Any:
    return estimate.average if estimate.class_name is None else estimate.class_name


def _words(*parts: Any) -> str:
    return " ".join(re.sub(r"[\s_:-]+", " ", str(part)).strip().lower() for part in parts)
