"""Names in the schemas come from the code: a list written beside it would go stale."""

from typing import get_args

import pytest

from justesse.judges.audit_stop import Stop
from justesse.noise.rung import Letter
from justesse.procedures.baselines import NAMES
from justesse.procedures.conditions import Condition, State
from justesse.store.answers import Kind
from justesse.verbs.noise.options import InjectedNoise
from justesse.verbs.schemas import REGISTRIES, schema

LISTS = {
    "answer kinds": ("audit", get_args(Kind)),
    "audit stops": ("audit", tuple(stop or None for stop in get_args(Stop))),
    "baselines": ("evaluate", NAMES),
    "check states": ("inspect", get_args(State)),
    "conditions": ("inspect", get_args(Condition)),
    "injected noise": ("noise_inject", get_args(InjectedNoise)),
    "rungs": ("compare", get_args(Letter)),
}


def named(part, registry):
    """Give every part of a schema that names the registry."""
    if isinstance(part, dict):
        own = [part] if part.get("x-registry") == registry else []
        return own + [found for value in part.values() for found in named(value, registry)]
    return [found for value in part for found in named(value, registry)] if isinstance(part, list) else []


@pytest.mark.parametrize("registry", LISTS)
def test_the_schema_lists_what_the_code_has(registry):
    name, members = LISTS[registry]
    parts = named(schema(name), registry)
    assert parts
    assert all(part["enum"] == list(members) for part in parts)


def test_every_registry_is_used_by_a_schema():
    from importlib import resources

    files = resources.files("justesse.verbs.schemas").iterdir()
    text = "".join(file.read_text(encoding="utf-8") for file in files if file.name.endswith(".json"))
    assert not [name for name in REGISTRIES if f'"{name}"' not in text]
