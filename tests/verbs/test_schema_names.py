"""Names in the schemas come from the code: a list written beside it would go stale."""

import json
from importlib import resources
from typing import get_args

import pytest

from justesse.cleaning.probability_wrong import Basis
from justesse.cli.main import COMMANDS
from justesse.core.choices import CleaningAction, CleaningMethod
from justesse.core.version import SCHEMA
from justesse.intervals.methods import METHODS
from justesse.judges.audit_stop import Stop
from justesse.noise.rung import Letter
from justesse.procedures.baselines import NAMES
from justesse.procedures.conditions import Condition, State
from justesse.procedures.realism import KINDS
from justesse.store.answers import Kind
from justesse.verbs.noise.options import InjectedNoise
from justesse.verbs.schemas import REGISTRIES, schema

LISTS = {
    "audit commands": ("audit", ("start", "status", "report", "extend", "next", "answer", "export")),
    "audit shows": ("audit", ("text", "image", None)),
    "asking goals": ("annotators_next", ("accuracy", "comparison", "noise", "training")),
    "asking rules": ("annotators_next", ("gain", "lam-stork", "uncertainty", "round-robin", "random")),
    "stop decisions": ("annotators_next", ("stop", "go on", "cannot")),
    "bias methods": ("noise", ("formula", "direct")),
    "commands that add events": ("ab_add", ("start", "add")),
    "guardrail sides": ("ab", ("below", "above")),
    "figures computed again": ("dossier_verify", ("all", "part", "none")),
    "compared by": ("compare", ("true", "labels", "scores")),
    "compared noise": ("noise_resist", KINDS),
    "evaluated by": ("evaluate", ("true", "re-checked", "labels", "answers")),
    "kinds of labels": ("plan", ("expert", "cheap")),
    "plans": ("plan", ("difference", "error", "error-difference", "labels", "noise", "precision")),
    "profile shares": ("noise", ("F_c", "F_n", "F_r")),
    "whether more rows help": ("assess", ("yes", "no", "cannot tell")),
    "answers methods": ("evaluate_answers", ("hierarchical", "dawid-skene", "majority")),
    "answer kinds": ("audit", get_args(Kind)),
    "audit stops": ("audit", tuple(stop or None for stop in get_args(Stop))),
    "baselines": ("evaluate", NAMES),
    "calibration bases": ("clean", get_args(Basis)),
    "cleaning actions": ("clean", get_args(CleaningAction)),
    "cleaning figures": (
        "clean",
        (
            "flagged",
            "detection_rate",
            "false_detection_rate",
            "correction_rate",
            "precision",
            "recall",
            "missed",
            "noise_rate",
        ),
    ),
    "cleaning filters": ("clean", get_args(CleaningMethod)),
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


FILES = {
    file.name.removesuffix(".json"): file.read_text(encoding="utf-8")
    for file in resources.files("justesse.verbs.schemas").iterdir()
    if file.name.endswith(".json")
}
# methods of the intervals of noise rates, a choice of those in the registry
BY_HAND = {"noise": {"clopper-pearson", "hypergeometric", "wilson", "wilson, finite population", "wilson-cr2"}}


def enums(part):
    """List the names that a schema lists by hand."""
    if isinstance(part, dict):
        own = set(part["enum"]) if isinstance(part.get("enum"), list) else set()
        return own.union(*(enums(value) for value in part.values()))
    return set().union(*(enums(item) for item in part)) if isinstance(part, list) else set()


@pytest.mark.parametrize("name", FILES)
def test_no_schema_lists_names_by_hand(name):
    assert enums(json.loads(FILES[name])) == BY_HAND.get(name, set())
    assert BY_HAND.get(name, set()) <= {method.name for method in METHODS}


@pytest.mark.parametrize("name", FILES)
def test_every_schema_is_of_todays_version(name):
    def versions(part):
        if isinstance(part, list):
            return [version for item in part for version in versions(item)]
        if not isinstance(part, dict):
            return []
        own = part.get("properties", {}).get("schema")
        return ([own["const"]] if own else []) + [version for value in part.values() for version in versions(value)]

    # a dossier is a file whose format has a number of its own, under the key "dossier"
    assert set(versions(json.loads(FILES[name]))) == (set() if name == "dossier" else {SCHEMA})


def test_every_command_has_a_schema():
    """Fail for a command whose JSON nobody can check; parts such as `noise inject` have schemas of their own."""
    same = {
        "compare-folds": "compare",
        "compare-regression": "compare_regression",
        "evaluate-unlabelled": "evaluate_unlabelled",
        "llm-judge": "llm_judge",
        "annotators": "annotators_infer",
        "lifelong": "lifelong_score",
    }
    for command in COMMANDS:
        if not command.startswith("--") and command != "serve":  # it prints an address, not a result
            assert "justesse" in schema(same.get(command, command))["title"]


def test_every_registry_is_used_by_a_schema():
    text = "".join(FILES.values())
    assert not [name for name in REGISTRIES if f'"{name}"' not in text]
