"""The JSON schemas of what `--json` prints.

The files beside this one are whole schemas. Where a name comes from a registry they say so (`x-registry`), and `schema`
adds the names that are registered.
"""

import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, get_args

from justesse import judges, significance
from justesse.core.all_pairs import Judgeable
from justesse.core.answer_policy import Missing, Others
from justesse.core.results import Alternative, Average
from justesse.core.verdict import Decision
from justesse.judges.audit_stop import Stop
from justesse.judges.audit_targets import About
from justesse.measures import ALL, regression
from justesse.measures.titles import NAMED
from justesse.noise.label_noise_report import CORRECTING
from justesse.noise.rung import Letter
from justesse.procedures.baselines import NAMES as BASELINES
from justesse.procedures.conditions import Condition, State
from justesse.store.answers import Kind
from justesse.verbs.noise.options import InjectedNoise

REGISTRIES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "alternatives": lambda: {"enum": [*get_args(Alternative)]},
    "answer kinds": lambda: {"enum": [*get_args(Kind)]},
    "audit questions": lambda: {"enum": [*get_args(About)]},
    "audit stops": lambda: {"enum": [stop or None for stop in get_args(Stop)]},
    "averages": lambda: {"enum": [*get_args(Average), None]},
    "baselines": lambda: {"enum": [*BASELINES]},
    "check states": lambda: {"enum": [*get_args(State)]},
    "conditions": lambda: {"enum": [*get_args(Condition)]},
    "correcting rungs": lambda: {"enum": [*CORRECTING]},
    "counted measures": lambda: {"enum": _names(ALL)},
    "decisions": lambda: {"enum": [*get_args(Decision)]},
    "injected noise": lambda: {"enum": [*get_args(InjectedNoise)]},
    "judges": lambda: {"enum": _names(judges.ALL)},
    "judgeable measures": lambda: {"enum": [*get_args(Judgeable)]},
    "measures": lambda: {"enum": [*(name for name in NAMED if name not in _names(regression.ALL)), "noise_rate"]},
    "missing answers": lambda: {"enum": [*get_args(Missing)]},
    "numeric measures": lambda: {"enum": _names(regression.ALL)},
    "other answers": lambda: {"enum": [*get_args(Others)]},
    "rungs": lambda: {"enum": [*get_args(Letter)]},
    "tournament judges": lambda: {
        "pattern": f"^({'|'.join(re.escape(judge.name) for judge in judges.ALL if judge.in_tournaments)})( \\(.+\\))?$"
    },
    "tests": lambda: {"enum": [*significance.TITLES]},
}


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a command's JSON, with the names that are registered.

    Parameters
    ----------
    name
        Name of the schema, such as compare or tournament.

    >>> schema("evaluate")["title"]
    'What `justesse evaluate --json` prints'
    >>> "mcc" in schema("evaluate")["$defs"]["estimate"]["properties"]["name"]["enum"]
    True
    """
    text = resources.files("justesse.verbs.schemas").joinpath(f"{name}.json").read_text(encoding="utf-8")
    filled: dict[str, Any] = _filled(json.loads(text))
    return filled


def _filled(part: Any) -> Any:
    """Add the registered names wherever a part of a schema names a registry."""
    if isinstance(part, list):
        return [_filled(item) for item in part]
    if not isinstance(part, dict):
        return part
    names = REGISTRIES[part["x-registry"]]() if isinstance(part.get("x-registry"), str) else {}
    return {key: _filled(value) for key, value in part.items()} | names


def _names(members: Any) -> list[str]:
    return [member.name for member in members]
