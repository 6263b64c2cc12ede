"""Models by short name, by dotted path, or from a Python file."""

import hashlib
import importlib
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from justesse.core.code_behind import DIGEST
from justesse.core.errors import FileError, InputError, OptionError
from justesse.procedures.written_model import written_model


def named_models(words: Sequence[str]) -> dict[str, Any]:
    """Make models from their names.

    A name is short (tree, forest, logistic, neighbours, bayes, boosting, network) or the dotted path of a scikit-learn
    estimator, optionally with settings in brackets. See `written_model`: no name can run other code.

    >>> named_models(["tree", "neighbours(n_neighbors=1)", "sklearn.dummy.DummyClassifier"])
    {'tree': DecisionTreeClassifier(), 'neighbours(n_neighbors=1)': KNeighborsClassifier(n_neighbors=1),
     'sklearn.dummy.DummyClassifier': DummyClassifier()}
    >>> named_models(["forrest"])
    Traceback (most recent call last):
    justesse.core.errors.OptionError: There is no model 'forrest'. Did you mean 'forest'? Models: tree, forest, ...
    """
    if len(set(words)) < len(words):
        raise OptionError(f"Name each model once; got {', '.join(words)}.")
    return checked({word: written_model(word) for word in words})


def models_in(path: str | Path) -> dict[str, Any]:
    """Run a Python file and return its models: a dict called `models`.

    The file can do anything: run only files you trust.
    """
    place = Path(path)
    if place.exists() and not place.is_file():
        raise FileError(f"{str(path)!r} is not a regular file. Name a Python file with models = {{'name': model}}.")
    if not place.is_file():
        raise FileError(f"File {str(path)!r} not found. Name a Python file with models = {{'name': model}}.")
    try:
        models = getattr(_ran(place), "models", None)
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be run: {type(error).__name__}: {error}. Correct the file.") from error
    if not isinstance(models, Mapping) or not models:
        raise InputError(f"{place} needs a dict models = {{'name': model}}; got {models!r}.")
    return checked({str(name): model for name, model in models.items()})


def checked(models: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse models that cannot be trained or do not predict classes.

    >>> checked({"one": 1})
    Traceback (most recent call last):
    justesse.core.errors.OptionError: Model 'one' needs fit and predict, as in scikit-learn; got 1.
    """
    from sklearn.base import is_regressor

    for name, model in models.items():
        if isinstance(model, type):
            raise OptionError(f"Model {name!r} is the class {model.__name__}. Pass an instance: {model.__name__}().")
        if not hasattr(model, "fit") or not hasattr(model, "predict"):
            raise OptionError(f"Model {name!r} needs fit and predict, as in scikit-learn; got {model!r}.")
        if hasattr(model, "__sklearn_tags__") and is_regressor(model):
            raise OptionError(f"Model {name!r} predicts numbers. Name models that predict classes.")
    return dict(models)


def _ran(place: Path) -> ModuleType:
    """Run a file as a module that checkpoints can name and that worker processes receive as a whole."""
    module = ModuleType(f"justesse_models_{place.stem}")
    module.__file__ = str(place)
    source = place.read_bytes()
    setattr(module, DIGEST, hashlib.sha256(source).hexdigest())  # checkpoints depend on this content
    sys.modules[module.__name__] = module
    for pickler in ("cloudpickle", "joblib.externals.cloudpickle"):  # where joblib has it depends on its version
        with suppress(ImportError):
            importlib.import_module(pickler).register_pickle_by_value(module)
    exec(compile(source, str(place), "exec"), vars(module))  # noqa: S102 the user named the file to be run
    return module
