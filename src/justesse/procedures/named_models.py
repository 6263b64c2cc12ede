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
    """Make the models that these words name, each under its word.

    A word is a short name (tree, forest, logistic, neighbours, bayes, boosting, network) or the dotted path of an
    estimator of scikit-learn, with settings in brackets if wanted. See `written_model`: no word can run other code.

    >>> named_models(["tree", "neighbours(n_neighbors=1)", "sklearn.dummy.DummyClassifier"])
    {'tree': DecisionTreeClassifier(), 'neighbours(n_neighbors=1)': KNeighborsClassifier(n_neighbors=1),
     'sklearn.dummy.DummyClassifier': DummyClassifier()}
    >>> named_models(["forrest"])
    Traceback (most recent call last):
    justesse.core.errors.OptionError: there is no model 'forrest'; did you mean 'forest'? There are tree, forest, ...
    """
    if len(set(words)) < len(words):
        raise OptionError(f"each model is named once; got {list(words)!r}")
    return checked({word: written_model(word) for word in words})


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
    source = place.read_bytes()
    setattr(module, DIGEST, hashlib.sha256(source).hexdigest())  # checkpoints are of this content alone
    sys.modules[module.__name__] = module
    for pickler in ("cloudpickle", "joblib.externals.cloudpickle"):  # where joblib has it depends on its version
        with suppress(ImportError):
            importlib.import_module(pickler).register_pickle_by_value(module)
    exec(compile(source, str(place), "exec"), vars(module))  # noqa: S102 the user named the file to be run
    return module
