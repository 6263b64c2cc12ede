"""The JSON schemas of what `--json` prints.

The files beside this one are whole schemas. Where a name comes from a registry they say so (`x-registry`), and `schema`
adds the names that are registered. The schema of a command without a file is made from the class of its result.
"""

import json
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, get_args, get_type_hints

import justesse
from justesse import cleaning, judges, significance
from justesse.annotators.models import NAMES as MODELS
from justesse.cleaning.known_truth import NAMES as QUALITIES
from justesse.cleaning.probability_wrong import Basis
from justesse.cleaning.recheck import FIGURES
from justesse.core.all_pairs import Judgeable
from justesse.core.answer_policy import Missing, Others
from justesse.core.choices import (
    AdaptationMode,
    AnswerScale,
    AnswersMethod,
    AskingGoal,
    AskingRule,
    CleaningAction,
    CleaningArm,
    LeakedAnswer,
    Learning,
    LifelongConvention,
    MissingLabelMethod,
    OpenOutcomes,
    PenaltyScore,
    StopDecision,
)
from justesse.core.results import Alternative, Average
from justesse.core.verdict import Decision
from justesse.intervals.planning.labels import LabelChoice
from justesse.judges.audit_rule import METHOD
from justesse.judges.audit_stop import Stop
from justesse.judges.audit_targets import About
from justesse.judges.guardrails import Side
from justesse.judges.pool_run import PoolStop
from justesse.lifelong.ledger import ChargeKind
from justesse.lifelong.policy import WORDS as POLICIES
from justesse.lifelong.transfer import ALL as TRANSFER
from justesse.measures import ALL, regression
from justesse.measures.titles import NAMED
from justesse.noise.bias import Bias
from justesse.noise.label_noise_report import CORRECTING
from justesse.noise.profile import MEANING
from justesse.noise.rung import Letter
from justesse.procedures.baselines import NAMES as BASELINES
from justesse.procedures.conditions import Condition, State
from justesse.procedures.learning_curve import LearningCurve
from justesse.procedures.realism import KINDS as COMPARED_NOISE
from justesse.store.answers import Kind
from justesse.verbs.ab.added import AddingCommand
from justesse.verbs.audit.pooled_status import PairVerdict
from justesse.verbs.audit.words import AuditCommand, Shown, StatusCommand
from justesse.verbs.compare.comparison import Judged
from justesse.verbs.dossier.verification import Computed
from justesse.verbs.evaluate.requirement import Which
from justesse.verbs.lifelong.scored import WORDS as SCORED
from justesse.verbs.llm_judge.words import BiasName, Decided, JudgedMethod, VerdictShape
from justesse.verbs.noise.options import InjectedNoise
from justesse.verbs.schemas.generated import generated_schema
from justesse.verbs.unlabelled.independence import By
from justesse.verbs.unlabelled.shift_words import ShiftMethod

REGISTRIES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "agreement scales": lambda: {"enum": [*get_args(AnswerScale)]},
    "alternatives": lambda: {"enum": [*get_args(Alternative)]},
    "annotator models": lambda: {"enum": [*MODELS]},
    "answers methods": lambda: {"enum": [*get_args(AnswersMethod)]},
    "answer kinds": lambda: {"enum": [*get_args(Kind)]},
    "asking goals": lambda: {"enum": [*get_args(AskingGoal)]},
    "asking rules": lambda: {"enum": [*get_args(AskingRule)]},
    "audit commands": lambda: {"enum": [*get_args(AuditCommand)]},
    "audit methods": lambda: {"enum": [METHOD]},
    "audit questions": lambda: {"enum": [*get_args(About)]},
    "audit shows": lambda: {"enum": [*get_args(Shown), None]},
    "audit status commands": lambda: {"enum": [*get_args(StatusCommand)]},
    "audit stops": lambda: {"enum": [stop or None for stop in get_args(Stop)]},
    "pool stops": lambda: {"enum": [stop or None for stop in get_args(PoolStop)]},
    "pool verdicts": lambda: {"enum": ["settled", "cannot_tell"]},
    "pair verdicts": lambda: {"enum": [*get_args(PairVerdict)]},
    "averages": lambda: {"enum": [*get_args(Average), None]},
    "baselines": lambda: {"enum": [*BASELINES]},
    "biases of a judge": lambda: {"enum": [*get_args(BiasName)]},
    "bias methods": lambda: {"enum": _values(Bias, "method")},
    "calibration bases": lambda: {"enum": [*get_args(Basis)]},
    "check states": lambda: {"enum": [*get_args(State)]},
    "cleaning actions": lambda: {"enum": [*get_args(CleaningAction)]},
    "cleaning figures": lambda: {"enum": ["flagged", *QUALITIES, *FIGURES]},
    "cleaning filters": lambda: {"enum": _names(cleaning.ALL)},
    "commands that add events": lambda: {"enum": [*get_args(AddingCommand)]},
    "compared by": lambda: {"enum": [*_values(Judged, "which"), "scores"]},  # scores of folds
    "compared noise": lambda: {"enum": [*COMPARED_NOISE]},
    "conditions": lambda: {"enum": [*get_args(Condition)]},
    "correcting rungs": lambda: {"enum": [*CORRECTING]},
    "counted measures": lambda: {"enum": _names(ALL)},
    "decisions": lambda: {"enum": [*get_args(Decision)]},
    "evaluated by": lambda: {"enum": [*get_args(Which)]},
    "figures of a judge": lambda: {"enum": [*get_args(JudgedMethod)]},
    "decided figures": lambda: {"enum": [*get_args(Decided)]},
    "guardrail sides": lambda: {"enum": [*get_args(Side)]},
    "injected noise": lambda: {"enum": [*get_args(InjectedNoise)]},
    "judges": lambda: {"enum": _names(judges.ALL)},
    "judgeable measures": lambda: {"enum": [*get_args(Judgeable)]},
    "kinds of labels": lambda: {"enum": _values(LabelChoice, "better")},
    "measures": lambda: {"enum": [*(name for name in NAMED if name not in _names(regression.ALL)), "noise_rate"]},
    "missing answers": lambda: {"enum": [*get_args(Missing)]},
    "numeric measures": lambda: {"enum": _names(regression.ALL)},
    "open outcomes": lambda: {"enum": [*get_args(OpenOutcomes)]},
    "other answers": lambda: {"enum": [*get_args(Others)]},
    "penalty scores": lambda: {"enum": [*get_args(PenaltyScore)]},
    "plans": lambda: {"enum": [name.removeprefix("plan_").replace("_", "-") for name in _verbs("plan_")]},
    "profile shares": lambda: {"enum": [*MEANING]},
    "rungs": lambda: {"enum": [*get_args(Letter)]},
    "tournament judges": lambda: {
        "pattern": f"^({'|'.join(re.escape(judge.name) for judge in judges.ALL if judge.in_tournaments)})( \\(.+\\))?$"
    },
    "leaked answers": lambda: {"enum": [*get_args(LeakedAnswer)]},
    "adaptation modes": lambda: {"enum": [*get_args(AdaptationMode)]},
    "kinds of charges": lambda: {"enum": [*get_args(ChargeKind)]},
    "kinds of learning": lambda: {"enum": [*get_args(Learning)]},
    "lifelong conventions": lambda: {"enum": [*get_args(LifelongConvention)]},
    "lifelong scores": lambda: {"enum": [*SCORED]},
    "policies": lambda: {"enum": [*POLICIES]},
    "transfer figures": lambda: {"enum": [*dict.fromkeys(_names(TRANSFER))]},
    "shapes of verdicts": lambda: {"enum": [*get_args(VerdictShape)]},
    "tests": lambda: {"enum": [*significance.TITLES]},
    "training arms": lambda: {"enum": [*get_args(CleaningArm)]},
    "tests of independence": lambda: {"enum": [*get_args(By)]},
    "ways to estimate without labels": lambda: {"enum": [*get_args(ShiftMethod)]},
    "ways with missing labels": lambda: {"enum": [*get_args(MissingLabelMethod)]},
    "figures computed again": lambda: {"enum": [*get_args(Computed)]},
    "stop decisions": lambda: {"enum": [*get_args(StopDecision)]},
    "whether more rows help": lambda: {"enum": _values(LearningCurve, "more_data")},
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
    file = resources.files("justesse.verbs.schemas").joinpath(f"{name}.json")
    if not file.is_file():
        return generated_schema(name)
    filled: dict[str, Any] = _filled(json.loads(file.read_text(encoding="utf-8")))
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


def _values(declared: type, name: str) -> list[Any]:
    """List the values that a field or a property of a class may have."""
    member = getattr(declared, name, None)
    hint = get_type_hints(member.fget)["return"] if isinstance(member, property) else get_type_hints(declared)[name]
    return [*get_args(hint)]


def _verbs(prefix: str) -> list[str]:
    return [name for name in justesse.__all__ if name.startswith(prefix)]
