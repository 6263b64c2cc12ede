"""Models by short name, by dotted path, or from a Python file."""

import ast
import difflib
import importlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from justesse.core.errors import FileError, InputError, OptionError
from justesse.procedures.learners import ALL, learner


def named_models(words: Sequence[str]) -> dict[str, Any]:
    """Make the models that these words name, each under its word.

    A word is a short name (tree, forest, logistic, neighbours, bayes, boosting, network) or a dotted path to a class,
    with settings in brackets if wanted. A dotted path imports the module it names: name only code you trust.

    >>> named_models(["tree", "neighbours(n_neighbors=1)", "sklearn.dummy.DummyClassifier"])
    {'tree': DecisionTreeClassifier(), 'neighbours(n_neighbors=1)': KNeighborsClassifier(n_neighbors=1),
     'sklearn.dummy.DummyClassifier': DummyClassifier()}
    >>> named_models(["forrest"])
    Traceback (most recent call last):
    justesse.core.errors.OptionError: there is no model 'forrest'; did you mean 'forest'? There are tree, forest, ...
    """
    if len(set(words)) < len(words):
        raise OptionError(f"each model is named once; got {list(words)!r}")
    return {word: _made(word) for word in words}


def models_in(path: str | Path) -> dict[str, Any]:
    """Run a Python file, which is the user's own code, and take the models it makes: a dict called `models`.

    Wrong to use on a file you would not run yourself: it may do anything.
    """
    place = Path(path)
    if not place.is_file():
        raise FileError(
            f"there is no file {str(path)!r} with models; name a Python file with models = {{'name': model}}"
        )
    try:
        found = getattr(_ran(place), "models", None)
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be run: {type(error).__name__}: {error}; mend it first") from error
    if not isinstance(found, Mapping) or not found:
        raise InputError(f"{place} needs a dict models = {{'name': model}}; got {found!r}")
    return checked({str(name): model for name, model in found.items()})


def checked(models: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse what cannot be trained and asked for classes.

    >>> checked({"one": 1})
    Traceback (most recent call last):
    justesse.core.errors.OptionError: a model has fit and predict, as those of scikit-learn; 'one' is 1
    """
    from sklearn.base import is_regressor

    for name, model in models.items():
        if isinstance(model, type):
            raise OptionError(f"{name!r} is the class {model.__name__}; give a model made of it, {model.__name__}()")
        if not hasattr(model, "fit") or not hasattr(model, "predict"):
            raise OptionError(f"a model has fit and predict, as those of scikit-learn; {name!r} is {model!r}")
        if hasattr(model, "__sklearn_tags__") and is_regressor(model):
            raise OptionError(f"{name!r} answers numbers; models that answer classes are needed")
    return dict(models)


def _ran(place: Path) -> ModuleType:
    """Run a file as a module that checkpoints can name and that goes whole to processes which do not know it."""
    module = ModuleType(f"justesse_models_{place.stem}")
    module.__file__ = str(place)
    sys.modules[module.__name__] = module
    for pickler in ("cloudpickle", "joblib.externals.cloudpickle"):  # where joblib has it depends on its version
        with suppress(ImportError):
            importlib.import_module(pickler).register_pickle_by_value(module)
    exec(compile(place.read_bytes(), str(place), "exec"), vars(module))  # noqa: S102 the user named the file to be run
    return module


def _made(word: str) -> Any:
    path, settings = _taken_apart(word)
    if path in ALL:
        made = learner(path)
        unknown = [name for name in settings if name not in made.get_params()]
        if unknown:
            raise OptionError(f"{path} has no setting {unknown[0]!r}; it has {', '.join(sorted(made.get_params()))}")
        return made.set_params(**settings)
    if "." not in path:
        near = difflib.get_close_matches(path.lower(), ALL, n=1)
        hint = f"did you mean {near[0]!r}? There" if near else "there"
        raise OptionError(
            f"there is no model {path!r}; {hint} are {', '.join(ALL)}; others go by their path, as sklearn.svm.SVC"
        )
    module, _, name = path.rpartition(".")
    try:
        kind = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise OptionError(f"model {word!r} needs the module {module!r}, which cannot be imported: {error}") from error
    except AttributeError as error:
        names = dir(importlib.import_module(module))
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"; did you mean {module}.{near[0]}?" if near else ""
        raise OptionError(f"the module {module!r} has no {name!r}{hint}") from error
    try:
        made = kind(**settings)
    except Exception as error:
        raise OptionError(f"{word!r} cannot be made: {type(error).__name__}: {error}") from error
    return checked({word: made})[word]


def _taken_apart(word: str) -> tuple[str, dict[str, Any]]:
    """Part a name from its settings, which are plain values: nothing is run.

    >>> _taken_apart("tree(max_depth=3)"), _taken_apart("tree")
    (('tree', {'max_depth': 3}), ('tree', {}))
    """
    if "(" not in word:
        return word.strip(), {}
    try:
        call = ast.parse(word.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(one.arg is None for one in call.keywords):
            raise ValueError
        return ast.unparse(call.func), {str(one.arg): ast.literal_eval(one.value) for one in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise OptionError(
            f"settings of a model are written as neighbours(n_neighbors=3), with plain values; got {word!r}"
        ) from error
