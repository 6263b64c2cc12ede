"""The settings of an audit file: each is checked before it is used."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

from justesse.core.choices import ExpertRule
from justesse.core.levels import KINDS
from justesse.store.address import AuditAddress
from justesse.store.database_file import damaged

LARGEST = 2**63  # no number of rows or questions is larger, nor was any seed


def _is_whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) < LARGEST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_rule(value: Any) -> bool:
    return value in get_args(ExpertRule)


def _is_text_or_nothing(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _are_classes(value: Any) -> bool:
    return isinstance(value, list) and all(type(name) in KINDS for name in value)


def _are_counts(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(cell, list)
        and len(cell) == 4
        and all(name is None or type(name) in KINDS for name in cell[:3])
        and _is_number(cell[3])
        for cell in value
    )


def _are_costs(value: Any) -> bool:
    return value is None or (
        isinstance(value, list)
        and all(isinstance(row, list) and all(cost is None or _is_number(cost) for cost in row) for row in value)
    )


def _are_pairs_of_text(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(_is_text, pair)) for pair in value
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_weights(value: Any) -> bool:
    return value is None or (
        isinstance(value, dict)
        and all(_is_text(value.get(name)) for name in ("policy", "words"))
        and isinstance(value.get("rows"), list)
        and all(_is_number(weight) for weight in value["rows"])
    )


CHECKS: dict[str, Callable[[Any], bool]] = {
    "seed": _is_whole,
    "level": _is_number,
    "margin": _is_number,
    "alternative": _is_text,
    "expert_error": _is_number,
    "budget": _is_number,
    "question": _is_text,
    "futility": _is_flag,
    "experts": _is_rule,
    "method": _is_text,
    "n": _is_number,
    "on": _is_text,
    "shows": _is_text_or_nothing,
    "incumbent": _is_text,
    "candidate": _is_text,
    "classes": _are_classes,
    "counts": _are_counts,
    "truth": _is_text_or_nothing,
    "any_of": _is_text,
    "label_sets": _is_flag,
    "suspicion": _is_text_or_nothing,
    "measure": _is_text,
    "counts_within": _is_number,
    "costs": _are_costs,
    "weights": _are_weights,
    "files": _are_pairs_of_text,
    "instructions": _is_text_or_nothing,
    "answers_each": _is_whole,
    "third": _is_flag,
    "paused": _is_flag,
    "columns": _are_texts,
    "started": _is_text,
    "justesse": _is_text,
}
# settings that an audit of several classifiers does not have
NOT_POOLED = (
    *("margin", "alternative", "question", "futility", "candidate", "counts", "suspicion", "measure", "counts_within"),
    *("costs", "weights"),
)
POOLED: dict[str, Callable[[Any], bool]] = {
    **{name: CHECKS[name] for name in CHECKS if name not in NOT_POOLED},
    "models": _are_texts,
    "goal": _is_text,
    "incumbent": _is_whole,
    "credit": _are_costs,
}
LATER = {
    "futility",
    "any_of",
    "label_sets",
    "experts",
    "measure",
    "counts_within",
    "costs",
    "credit",
    "weights",
    "instructions",
    "answers_each",
    "third",
    "paused",
    "columns",
}  # settings that the first files do not have


def checked_facts(about: Mapping[str, Any], path: Path | AuditAddress) -> Mapping[str, Any]:
    """Return the settings of an audit file; raise an error that names one that is missing or malformed.

    >>> checked_facts({"seed": "x"}, Path("my.audit"))
    Traceback (most recent call last):
    justesse.core.errors.FileError: my.audit is damaged (its setting 'seed' is malformed): restore it from a copy
    """
    for name, fits in (POOLED if "models" in about else CHECKS).items():
        if name in about and not fits(about[name]):
            raise damaged(path, f"its setting {name!r} is malformed")
        if name not in about and name not in LATER:
            raise damaged(path, f"its setting {name!r} is missing")
    return about
