"""What code a model runs, as digests: another version of that code is other work."""

import ast
import hashlib
import importlib.util
import pickle
import sys
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

DIGEST = "__justesse_digest__"  # set on modules whose source was read and run by justesse itself
PLAIN = (int, float, str, bytes, tuple, list, dict, set, frozenset, type(None))
STANDARD = Path(sysconfig.get_path("stdlib")).resolve()


def code_behind(thing: Any) -> dict[str, str]:
    """Digest the code of every class and function in an object, and of the modules these import.

    Installed packages count by their version, all other modules by the content of their files, and what was typed into
    a notebook by its compiled code. Data files that the code reads are not covered.

    >>> from fractions import Fraction
    >>> code_behind([Fraction(1, 2)])
    {'fractions': 'installed'}
    """
    recorder = _Recorder()
    recorder.dump(thing)
    digests: dict[str, str] = {}
    for name, objects in recorder.used.items():
        _cover(name, objects, digests)
    return dict(sorted(digests.items()))


class _Recorder(pickle.Pickler):
    """Pickle to nowhere, and record which classes and functions of which modules were met."""

    def __init__(self) -> None:
        super().__init__(_Nowhere(), protocol=5)
        self.used: dict[str, list[Any]] = {}

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, type | FunctionType):
            self.used.setdefault(str(thing.__module__), []).append(thing)
        return NotImplemented


class _Nowhere:
    def write(self, data: bytes | pickle.PickleBuffer) -> int:
        return memoryview(data).nbytes  # large arrays come as buffers, which have no length


def _cover(name: str, objects: list[Any], digests: dict[str, str]) -> None:
    """Add the digest of a module and, if it is the user's own, of those it imports."""
    if name in digests or name.partition(".")[0] in (*sys.builtin_module_names, "justesse"):
        return
    module = sys.modules.get(name)
    file = _source(module, name)
    if module is not None and hasattr(module, DIGEST):
        digests[name] = str(getattr(module, DIGEST))
    elif file is None:
        digests[name] = _compiled(objects, name)
        return
    elif _is_installed(Path(file)):
        top = name.partition(".")[0]
        digests[top] = str(getattr(sys.modules.get(top), "__version__", "installed"))
        return
    else:
        digests[name] = _content(file, Path(file).stat().st_mtime_ns)
    for other in _imports(file, module):
        _cover(other, [], digests)


def _is_installed(file: Path) -> bool:
    return not {"site-packages", "dist-packages"}.isdisjoint(file.parts) or STANDARD in file.parents


def _source(module: ModuleType | None, name: str) -> str | None:
    file = getattr(module, "__file__", None)
    if module is None and "." not in name:  # imported later, inside a function
        try:
            spec = importlib.util.find_spec(name)
            file = spec.origin if spec and spec.has_location else None
        except (ImportError, ValueError):
            file = None
    return str(Path(file).resolve()) if file and Path(file).is_file() else None


def _compiled(things: list[Any], module: str) -> str:
    """Digest classes and functions that have no source file, with those of the same module that they use."""
    text, waiting, seen = [], list(things), set()
    while waiting:
        thing = waiting.pop(0)
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, type):
            text.append(f"class {thing.__qualname__} {[base.__qualname__ for base in thing.__mro__]}")
            members = [getattr(value, "__func__", getattr(value, "fget", value)) for value in vars(thing).values()]
            waiting += [member for member in members if isinstance(member, FunctionType)]
            waiting += [base for base in thing.__mro__ if base.__module__ == module]
            text += [f"{name}={value!r}" for name, value in vars(thing).items() if isinstance(value, PLAIN)]
        elif isinstance(thing, FunctionType):
            text.append(f"def {thing.__qualname__} {thing.__defaults__!r} {thing.__kwdefaults__!r}")
            used = []
            for code in _codes(thing.__code__):
                plain = [co_const for co_const in code.co_consts if not isinstance(co_const, CodeType)]
                text += [code.co_code.hex(), repr((plain, code.co_names, code.co_varnames))]
                used += [thing.__globals__.get(name) for name in code.co_names]
            waiting += [item for item in used if getattr(item, "__module__", None) == module]
            text += [repr(item) for item in used if isinstance(item, PLAIN)]
    return hashlib.sha256("\n".join(text).encode(errors="backslashreplace")).hexdigest()


def _codes(code: CodeType) -> list[CodeType]:
    """Give the code of a function and of all functions within it."""
    return [
        code,
        *(inner for co_const in code.co_consts if isinstance(co_const, CodeType) for inner in _codes(co_const)),
    ]


@lru_cache(maxsize=1024)
def _content(file: str, changed: int) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _imports(file: str | None, module: ModuleType | None) -> Iterator[str]:
    """Name the modules a file imports anywhere in it."""
    if file is None or not file.endswith(".py"):
        return
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    package = getattr(module, "__package__", None) or ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            try:
                base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:
                continue
            yield base
            yield from (name for alias in node.names if (name := f"{base}.{alias.name}") in sys.modules)
