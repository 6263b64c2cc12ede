"""Objects as JSON and back, exactly: tallies, arrays, and the kinds of objects that are named beforehand.

Only these kinds are ever built from a file. A file cannot name any other class.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

from justesse.core.errors import InputError
from justesse.core.recording import Gone
from justesse.core.tally import Tally
from justesse.dossier.canonical import scalar

Kinds = Mapping[str, type]
MARKS = frozenset({"$kind", "$tally", "$array", "$tuple", "$pairs", "$float", "$gone"})


class CannotBeKeptError(InputError):
    """A value has no form in a dossier."""


def as_plain(value: Any, kinds: Kinds) -> Any:
    """Write a value as JSON.

    >>> as_plain((1, 2.0, None), {})
    {'$tuple': [1, {'$float': '2'}, None]}
    >>> as_plain(np.array([1, 2]), {})
    {'$array': [1, 2], 'type': 'int64'}
    """

    def written(item: Any) -> Any:
        return as_plain(item, kinds)

    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, np.generic):
        return written(value.item())
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) and not value.is_integer() else {"$float": _number(value)}
    if isinstance(value, Gone):
        return {"$gone": True}
    if isinstance(value, Tally):
        return {"$tally": _tally(value, written)}
    if isinstance(value, np.ndarray):
        return _array(value, written)
    if isinstance(value, tuple) and type(value) is tuple:
        return {"$tuple": [written(item) for item in value]}
    if isinstance(value, list):
        return [written(item) for item in value]
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {key: written(item) for key, item in value.items()}
        return {"$pairs": [[written(key), written(item)] for key, item in value.items()]}
    name = type(value).__name__
    if is_dataclass(value) and kinds.get(name) is type(value):
        own = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        return {"$kind": name, **{key: written(item) for key, item in own.items()}}
    raise CannotBeKeptError(f"A dossier cannot hold a {type(value).__name__}.")


def from_plain(value: Any, kinds: Kinds) -> Any:
    """Build the object that `as_plain` wrote.

    >>> from_plain(as_plain({1: (np.nan, "a")}, {}), {})
    {1: (nan, 'a')}
    """
    if isinstance(value, list):
        return [from_plain(item, kinds) for item in value]
    if not isinstance(value, dict):
        return value
    mark = next((key for key in value if key in MARKS), None)
    try:
        return _built(mark, value, kinds)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InputError(
            "A part of /kept is not as justesse writes it. Ask for the dossier as it was written."
        ) from error


def _built(mark: str | None, value: dict[str, Any], kinds: Kinds) -> Any:
    if mark is None:
        return {key: from_plain(item, kinds) for key, item in value.items()}
    if mark == "$kind":
        kind = kinds[value["$kind"]]
        names = {field.name: field for field in fields(kind) if field.init}
        own = {key: from_plain(item, kinds) for key, item in value.items() if key in names}
        needed = [n for n, f in names.items() if f.default is MISSING and f.default_factory is MISSING and n not in own]
        if needed:
            raise KeyError(needed[0])
        return kind(**own)
    if mark == "$tally":
        return _tally_from(value["$tally"], kinds)
    if mark == "$array":
        items = from_plain(value["$array"], kinds)
        if value["type"] == "object":
            result = np.empty(len(items), dtype=object)
            result[:] = items
            return result
        return np.array(items, dtype=np.dtype(value["type"]))
    if mark == "$tuple":
        return tuple(from_plain(value["$tuple"], kinds))
    if mark == "$pairs":
        return {from_plain(key, kinds): from_plain(item, kinds) for key, item in value["$pairs"]}
    return float(value["$float"]) if mark == "$float" else Gone()


def _number(value: float) -> str:
    return scalar(value) if math.isfinite(value) else repr(value)


def _array(value: Any, written: Callable[[Any], Any]) -> dict[str, Any]:
    if value.dtype.kind in "iub":
        return {"$array": value.tolist(), "type": str(value.dtype)}
    if value.dtype.kind == "f" and np.isfinite(value).all():
        return {"$array": value.tolist(), "type": str(value.dtype)}
    if value.dtype.kind == "f":
        return {"$array": written(value.tolist()), "type": str(value.dtype)}
    if value.dtype.kind in "OU" and value.ndim == 1:
        return {"$array": [written(item) for item in value.tolist()], "type": "object"}
    raise CannotBeKeptError(f"A dossier cannot hold an array of {value.dtype}.")


def _tally(tally: Tally, written: Callable[[Any], Any]) -> dict[str, Any]:
    """Write a tally with cells that people can read: names, then the count; codes where two names look alike."""
    if tally.counts.ndim > 1:
        raise CannotBeKeptError("A dossier holds counts, not resamples of them.")
    names = [[_shown(name) for name in level] for level in tally.levels]
    plain = all(len({scalar(name) for name in level}) == len(level) for level in names)
    result: dict[str, Any] = {
        "axes": list(tally.axes),
        "levels": [[written(name) for name in level] for level in tally.levels],
    }
    keys = tally.codes.tolist()
    if plain:
        keys = [[names[axis][code] for axis, code in enumerate(row)] for row in keys]
    result["cells" if plain else "codes"] = [[*row, n] for row, n in zip(keys, tally.counts.tolist(), strict=True)]
    if tally.weights is not None and tally.squares is not None:
        result |= {"weights": tally.weights.tolist(), "squares": tally.squares.tolist()}
    if tally.others:
        result["others"] = [written(name) for name in tally.others]
    return result


def _shown(name: Any) -> Any:
    return int(name) if isinstance(name, float) and name.is_integer() and abs(name) < 2**53 else name


def _tally_from(value: dict[str, Any], kinds: Kinds) -> Tally:
    levels = tuple(tuple(from_plain(level, kinds)) for level in value["levels"])
    rows = value["cells"] if "cells" in value else value["codes"]
    size = len(value["axes"])
    if "cells" in value:
        codes = [{scalar(_shown(name)): code for code, name in enumerate(level)} for level in levels]
        keys = [[codes[axis][scalar(name)] for axis, name in enumerate(row[:size])] for row in rows]
    else:
        keys = [row[:size] for row in rows]
    weights, squares = (np.array(value[key], dtype=float) if key in value else None for key in ("weights", "squares"))
    return Tally(
        tuple(value["axes"]),
        levels,
        np.array(keys, dtype=np.int32).reshape(-1, size),
        np.array([row[size] for row in rows], dtype=np.int64),
        weights,
        squares,
        tuple(from_plain(value.get("others", []), kinds)),
    )
