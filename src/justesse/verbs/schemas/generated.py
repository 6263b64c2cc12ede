"""The JSON schema of a result that has no schema file: made from the fields of its class."""

import importlib
import inspect
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from justesse.core.version import SCHEMA
from justesse.report.result import Result
from justesse.report.writing import message

ENVELOPE = {"schema": {"const": SCHEMA}, "version": {"type": "string"}, "run": {"type": "object"}}
NAMES: Mapping[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    type(None): "null",
}


def generated_schema(command: str) -> dict[str, Any]:
    """Make the schema of a command's JSON from the results of its verb.

    Parameters
    ----------
    command
        Name of the command: `justesse.verbs` has a module or folder of that name, with the class of the result.
    """
    verb = command.replace("-", "_")
    module = importlib.import_module(f"justesse.verbs.{verb}")
    classes = [member for _, member in inspect.getmembers(module, inspect.isclass) if _is_own(member, module.__name__)]
    if not classes:
        raise FileNotFoundError(
            f"There is no schema of {command!r}, and {module.__name__} has no result to make one from."
        )
    schemas = [result_schema(member) for member in classes]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": str(message("What `justesse {command} --json` prints", command=command)),
        **(schemas[0] if len(schemas) == 1 else {"anyOf": schemas}),
    }


def _is_own(member: type, module: str) -> bool:
    return issubclass(member, Result) and is_dataclass(member) and member.__module__.startswith(module)


def result_schema(result: type) -> dict[str, Any]:
    """Make the schema of a result from its dataclass: every key named after a field has the type of the field.

    Keys that are not fields may hold anything, since `to_dict` decides what is printed.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Rows(Result):
    ...     n: int
    ...     share: float | None
    >>> schema = result_schema(Rows)
    >>> schema["properties"]["n"], schema["properties"]["share"]
    ({'type': 'integer'}, {'anyOf': [{'type': 'number'}, {'type': 'null'}]})
    >>> schema["required"]
    ['schema', 'version', 'run']
    """
    hints = get_type_hints(result)
    own = {field.name: _of_type(hints[field.name]) for field in fields(result) if field.name in hints}
    return {"type": "object", "required": [*ENVELOPE], "properties": {**ENVELOPE, **own}}


def _of_type(hint: Any) -> dict[str, Any]:
    if hint in NAMES:
        return {"type": NAMES[hint]}
    parts = get_args(hint)
    origin = get_origin(hint)
    if origin is Literal:
        return {"enum": [*parts]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of_type(part) for part in parts]}
    if origin in (list, tuple):
        return {"type": "array", **({"items": _of_type(parts[0])} if origin is list or parts[1:] == (...,) else {})}
    return {}
