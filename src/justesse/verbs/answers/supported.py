"""Which options work with annotators' answers instead of labels, or without labels."""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.verbs.options.annotators import AnnotatorAnswerOptions

WITH_ANSWERS = (
    "with answers (--answers). Leave it out, or infer the true classes with justesse annotators infer and use them as "
    "labels"
)


def supported(
    function: Callable[..., Any], settings: Mapping[str, Any], names: Collection[str], where: str = WITH_ANSWERS
) -> dict[str, Any]:
    """Return the settings of a function with these names; refuse others that are not at their defaults.

    Parameters
    ----------
    function
        The function.
    settings
        Value of every parameter.
    names
        Names of the parameters that work.
    where
        Where the others do not work, and what to do, to end the message.
    """
    for name, parameter in inspect.signature(function).parameters.items():
        value = settings[name]
        if name in names or value is None or (isinstance(value, list | tuple) and not value):
            continue
        if isinstance(value, np.ndarray) or not _is_default(value, parameter.default):
            option = name.replace("_", "-")
            raise OptionError(f"{name} (--{option}) does not work {where}.")
    return {name: settings[name] for name in names}


def check_no_answer_options(settings: Mapping[str, Any]) -> None:
    """Refuse options about annotators' answers where there are none."""
    for field in fields(AnnotatorAnswerOptions):
        if settings[field.name] != field.default:
            option = field.name.replace("_", "-")
            raise OptionError(
                f"{field.name} (--{option}) is about annotators' answers. Give them with answers=… (--answers), or leave it "
                "out."
            )


def _is_default(value: Any, default: Any) -> bool:
    return isinstance(value, (bool, int, float, str)) and value == default
