"""A model written as text, such as `sklearn.svm.SVC(C=10)`: parsed, never evaluated."""

import ast
import difflib
import importlib
import warnings
from collections.abc import Mapping
from typing import Any

from justesse.core.errors import OptionError
from justesse.procedures.learners import ALL, learner

LONGEST = 10_000  # characters; Python's parser needs a lot of memory for long nested text
HOW = "Write it as neighbours(n_neighbors=3) or sklearn.svm.SVC(C=10). Settings are plain values or other estimators."
ELSEWHERE = "Pass other models as models={'name': model}, or name a Python file that defines them (--models-file)."
NOT_MODELS = frozenset({"tests", "conftest", "externals"})
PICKLES = "The setting memory reads pickled objects from a directory. Leave it out."


def written_model(word: str) -> Any:
    """Make an estimator from its name.

    The name is short (tree, forest, ...) or the dotted path of a scikit-learn class, with settings in brackets.
    Settings are plain values, lists and dicts of them, or other estimators. Nothing is evaluated, and only public
    modules of scikit-learn are imported.

    >>> written_model("neighbours(n_neighbors=1)")
    KNeighborsClassifier(n_neighbors=1)
    >>> written_model("sklearn.ensemble.BaggingClassifier(estimator=tree(max_depth=2))")
    BaggingClassifier(estimator=DecisionTreeClassifier(max_depth=2))
    >>> written_model("os.system(command='ls')")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: 'os.system' is not an estimator of scikit-learn. Pass other models as ...
    """
    if len(word) > LONGEST:
        raise OptionError(f"A model of {len(word):,} characters is too long (at most {LONGEST:,}). {ELSEWHERE}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's remarks on odd escapes and comparisons
            node = ast.parse(word.strip(), mode="eval").body
        return _estimator(node, word)
    except OptionError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise OptionError(f"Model {word!r} cannot be read. {HOW}") from error


def _estimator(node: ast.expr, word: str) -> Any:
    settings: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        names = [keyword.arg for keyword in node.keywords]
        if node.args or None in names or len(set(names)) < len(names):
            raise ValueError
        settings = {str(keyword.arg): _value(keyword.value, word) for keyword in node.keywords}
        node = node.func
    path = _dotted(node)
    if settings.get("memory") is not None:
        raise OptionError(PICKLES)
    if "." not in path:
        return _short(path, settings)
    kind = _class_at(path)
    try:
        return kind(**settings)
    except Exception as error:
        raise OptionError(
            f"{word!r} cannot be created ({type(error).__name__}: {error}). Correct its settings."
        ) from error


def _value(node: ast.expr, word: str) -> Any:
    """Return a setting: a constant, a signed number, a collection of those, or an estimator."""
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() as number)):
            return -number if isinstance(node.op, ast.USub) else number
        case ast.Tuple():
            return tuple(_value(elt, word) for elt in node.elts)
        case ast.List():
            return [_value(elt, word) for elt in node.elts]
        case ast.Set():
            return {_value(elt, word) for elt in node.elts}
        case ast.Dict():
            keys = [_value(key, word) for key in node.keys if key is not None]
            if any(isinstance(key, str) and key.rsplit("__", 1)[-1] == "memory" for key in keys):
                raise OptionError(PICKLES)  # a search would set it on a pipeline
            return dict(zip(keys, (_value(value, word) for value in node.values), strict=True))
        case ast.Call():
            return _estimator(node, word)
    raise ValueError


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ValueError


def _short(name: str, settings: Mapping[str, Any]) -> Any:
    if name not in ALL:
        near = difflib.get_close_matches(name.lower(), ALL, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise OptionError(
            f"There is no model {name!r}. {hint}Models: {', '.join(ALL)}. Name others by path, such as sklearn.svm.SVC."
        )
    made = learner(name)
    unknown = [setting for setting in settings if setting not in made.get_params()]
    if unknown:
        raise OptionError(f"{name} has no setting {unknown[0]!r}. Settings: {', '.join(sorted(made.get_params()))}.")
    return made.set_params(**settings)


def _class_at(path: str) -> type:
    """Return the estimator class with this path; no other module is imported, and nothing else is called."""
    from sklearn.base import BaseEstimator

    module, _, name = path.rpartition(".")
    first, *rest = module.split(".")
    if first != "sklearn":
        raise OptionError(f"{path!r} is not an estimator of scikit-learn. {ELSEWHERE}")
    if NOT_MODELS.intersection(rest) or any(part.startswith("_") for part in (*rest, name)):
        raise OptionError(f"{path!r} is a private part of scikit-learn. Name a public class, such as sklearn.svm.SVC.")
    try:
        held = importlib.import_module(module)
    except ImportError as error:
        raise OptionError(
            f"Module {module!r} of scikit-learn cannot be imported ({error}). Name a public class, such as "
            "sklearn.svm.SVC."
        ) from error
    kind = getattr(held, name, None)
    if kind is None:
        near = difflib.get_close_matches(name, dir(held), n=1)
        hint = f" Did you mean {module}.{near[0]}?" if near else " Check its name."
        raise OptionError(f"Module {module!r} has no {name!r}.{hint}")
    if not (isinstance(kind, type) and issubclass(kind, BaseEstimator) and kind.__module__.startswith("sklearn.")):
        raise OptionError(f"{path!r} is not an estimator of scikit-learn. {ELSEWHERE}")
    return kind
