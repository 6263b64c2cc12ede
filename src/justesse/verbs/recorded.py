"""Verbs note how they were called and what they read, so that their results can be written as dossiers."""

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from justesse.core.recording import CURRENT, Recording, during, in_its_module
from justesse.report.result import Result

Verb = TypeVar("Verb", bound=Callable[..., Any])


class RecordedCall(Recording):
    """A call of a verb that can be written as a dossier."""

    def write(self, result: Result, path: str | os.PathLike[str], **options: Any) -> Path:
        """Write the dossier of a result."""
        from justesse.verbs.dossier.record import write_dossier

        return write_dossier(result, self, Path(path), **options)


def recorded(verb: Verb) -> Verb:
    """Make a verb note its arguments and what it reads; only the outermost of nested verbs does.

    >>> from justesse import evaluate
    >>> evaluate([1, 0], [1, 1]).recording.settings["level"]
    0.95
    """
    signature = inspect.signature(verb)
    current, recording_of, meanwhile, kind = CURRENT, RecordedCall, during, Result

    def call(*arguments: Any, **options: Any) -> Any:
        if current.get() is not None:
            return verb(*arguments, **options)
        try:
            bound = signature.bind(*arguments, **options)
        except TypeError:
            return verb(*arguments, **options)  # Python explains it best
        bound.apply_defaults()
        asked = {name: value for name, value in bound.arguments.items() if name != "progress"}
        recording = recording_of(verb.__name__, asked)
        with meanwhile(recording):
            result = verb(*arguments, **options)
        if isinstance(result, kind):
            object.__setattr__(result, "_recording", recording)
        return result

    return cast("Verb", in_its_module(call, verb))
