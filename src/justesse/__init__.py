"""How right a classifier is, how sure you can be, and whether it should replace the one you have.

>>> import justesse
>>> result = justesse.evaluate(y_true=[1, 1, 0, 0], y_pred=[1, 0, 0, 0])
>>> round(result["accuracy"].value, 2), str(result["accuracy"].interval)
(0.75, '[0.3006, 0.9544]')
"""

from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__

if TYPE_CHECKING:
    from justesse.core.tally import Tally
    from justesse.frames.count import count
    from justesse.verbs.ab.ab import ab
    from justesse.verbs.ab.state import ab_add, ab_start, ab_status
    from justesse.verbs.ab.watch import ab_watch
    from justesse.verbs.annotators.agree import annotators_agree
    from justesse.verbs.annotators.compare import annotators_compare
    from justesse.verbs.annotators.infer import annotators_infer
    from justesse.verbs.annotators.next import annotators_next
    from justesse.verbs.assess.assess import assess
    from justesse.verbs.audit.answer import audit_answer
    from justesse.verbs.audit.export import audit_export
    from justesse.verbs.audit.extend import audit_extend
    from justesse.verbs.audit.next import audit_next
    from justesse.verbs.audit.start import audit_start
    from justesse.verbs.audit.status import audit_report, audit_status
    from justesse.verbs.clean.clean import clean
    from justesse.verbs.compare.compare import compare
    from justesse.verbs.compare_folds.compare_folds import compare_folds
    from justesse.verbs.dossier.datasheet import dossier_datasheet
    from justesse.verbs.dossier.diff import dossier_diff
    from justesse.verbs.dossier.export import dossier_export
    from justesse.verbs.dossier.key import dossier_key
    from justesse.verbs.dossier.plan import dossier_plan
    from justesse.verbs.dossier.reevaluate import dossier_reevaluate
    from justesse.verbs.dossier.replay import dossier_replay
    from justesse.verbs.dossier.show import dossier_show
    from justesse.verbs.dossier.verify import dossier_verify
    from justesse.verbs.evaluate.evaluate import evaluate
    from justesse.verbs.inspect.inspection import inspect
    from justesse.verbs.lifelong.alarms import lifelong_alarms
    from justesse.verbs.lifelong.audit import lifelong_audit
    from justesse.verbs.lifelong.compare import lifelong_compare
    from justesse.verbs.lifelong.curve import lifelong_curve
    from justesse.verbs.lifelong.map import lifelong_map
    from justesse.verbs.lifelong.penalise import lifelong_penalise
    from justesse.verbs.lifelong.policies import lifelong_policies
    from justesse.verbs.lifelong.prequential import lifelong_prequential
    from justesse.verbs.lifelong.run import lifelong_run
    from justesse.verbs.lifelong.score import lifelong_score
    from justesse.verbs.llm_judge.llm_judge import llm_judge
    from justesse.verbs.noise.bias import noise_bias
    from justesse.verbs.noise.bounds import noise_bounds
    from justesse.verbs.noise.breakdown import noise_breakdown
    from justesse.verbs.noise.estimate import noise_estimate
    from justesse.verbs.noise.inject import noise_inject
    from justesse.verbs.noise.profile import noise_profile
    from justesse.verbs.noise.resist import noise_resist
    from justesse.verbs.plan.difference import plan_difference
    from justesse.verbs.plan.error import plan_error, plan_error_difference
    from justesse.verbs.plan.labels import plan_labels
    from justesse.verbs.plan.noise import plan_noise
    from justesse.verbs.plan.precision import plan_precision
    from justesse.verbs.recheck.recheck import recheck_answer, recheck_next
    from justesse.verbs.regression.compare import compare_regression
    from justesse.verbs.regression.evaluate import evaluate_regression
    from justesse.verbs.tournament.tournament import tournament
    from justesse.verbs.unlabelled.evaluate import evaluate_unlabelled

# Loaded on first use, so that `import justesse` and `justesse --version` stay light.
PLACES = {
    "Tally": "justesse.core.tally",
    "ab": "justesse.verbs.ab.ab",
    "ab_add": "justesse.verbs.ab.state",
    "ab_start": "justesse.verbs.ab.state",
    "ab_status": "justesse.verbs.ab.state",
    "ab_watch": "justesse.verbs.ab.watch",
    "annotators_agree": "justesse.verbs.annotators.agree",
    "annotators_compare": "justesse.verbs.annotators.compare",
    "annotators_infer": "justesse.verbs.annotators.infer",
    "annotators_next": "justesse.verbs.annotators.next",
    "assess": "justesse.verbs.assess.assess",
    "audit_answer": "justesse.verbs.audit.answer",
    "audit_export": "justesse.verbs.audit.export",
    "audit_extend": "justesse.verbs.audit.extend",
    "audit_next": "justesse.verbs.audit.next",
    "audit_report": "justesse.verbs.audit.status",
    "audit_start": "justesse.verbs.audit.start",
    "audit_status": "justesse.verbs.audit.status",
    "clean": "justesse.verbs.clean.clean",
    "compare": "justesse.verbs.compare.compare",
    "compare_folds": "justesse.verbs.compare_folds.compare_folds",
    "compare_regression": "justesse.verbs.regression.compare",
    "count": "justesse.frames.count",
    "dossier_datasheet": "justesse.verbs.dossier.datasheet",
    "dossier_diff": "justesse.verbs.dossier.diff",
    "dossier_export": "justesse.verbs.dossier.export",
    "dossier_key": "justesse.verbs.dossier.key",
    "dossier_plan": "justesse.verbs.dossier.plan",
    "dossier_reevaluate": "justesse.verbs.dossier.reevaluate",
    "dossier_replay": "justesse.verbs.dossier.replay",
    "dossier_show": "justesse.verbs.dossier.show",
    "dossier_verify": "justesse.verbs.dossier.verify",
    "evaluate": "justesse.verbs.evaluate.evaluate",
    "evaluate_regression": "justesse.verbs.regression.evaluate",
    "evaluate_unlabelled": "justesse.verbs.unlabelled.evaluate",
    "inspect": "justesse.verbs.inspect.inspection",
    "lifelong_alarms": "justesse.verbs.lifelong.alarms",
    "lifelong_audit": "justesse.verbs.lifelong.audit",
    "lifelong_compare": "justesse.verbs.lifelong.compare",
    "lifelong_curve": "justesse.verbs.lifelong.curve",
    "lifelong_map": "justesse.verbs.lifelong.map",
    "lifelong_penalise": "justesse.verbs.lifelong.penalise",
    "lifelong_policies": "justesse.verbs.lifelong.policies",
    "lifelong_prequential": "justesse.verbs.lifelong.prequential",
    "lifelong_run": "justesse.verbs.lifelong.run",
    "lifelong_score": "justesse.verbs.lifelong.score",
    "llm_judge": "justesse.verbs.llm_judge.llm_judge",
    "noise_bias": "justesse.verbs.noise.bias",
    "noise_bounds": "justesse.verbs.noise.bounds",
    "noise_breakdown": "justesse.verbs.noise.breakdown",
    "noise_estimate": "justesse.verbs.noise.estimate",
    "noise_profile": "justesse.verbs.noise.profile",
    "noise_inject": "justesse.verbs.noise.inject",
    "noise_resist": "justesse.verbs.noise.resist",
    "plan_difference": "justesse.verbs.plan.difference",
    "plan_error": "justesse.verbs.plan.error",
    "plan_error_difference": "justesse.verbs.plan.error",
    "plan_labels": "justesse.verbs.plan.labels",
    "plan_noise": "justesse.verbs.plan.noise",
    "plan_precision": "justesse.verbs.plan.precision",
    "recheck_answer": "justesse.verbs.recheck.recheck",
    "recheck_next": "justesse.verbs.recheck.recheck",
    "tournament": "justesse.verbs.tournament.tournament",
}

# Rooms whose functions can be used directly: `justesse.significance.mcnemar(15, 5)`.
ROOMS = ("annotators", "charts", "intervals", "judges", "lifelong", "measures", "noise", "procedures", "significance")

__all__ = [
    "Tally",
    "__version__",
    "ab",
    "ab_add",
    "ab_start",
    "ab_status",
    "ab_watch",
    "annotators_agree",
    "annotators_compare",
    "annotators_infer",
    "annotators_next",
    "assess",
    "audit_answer",
    "audit_export",
    "audit_extend",
    "audit_next",
    "audit_report",
    "audit_start",
    "audit_status",
    "clean",
    "compare",
    "compare_folds",
    "compare_regression",
    "count",
    "dossier_datasheet",
    "dossier_diff",
    "dossier_export",
    "dossier_key",
    "dossier_plan",
    "dossier_reevaluate",
    "dossier_replay",
    "dossier_show",
    "dossier_verify",
    "evaluate",
    "evaluate_regression",
    "evaluate_unlabelled",
    "inspect",
    "lifelong_alarms",
    "lifelong_audit",
    "lifelong_compare",
    "lifelong_curve",
    "lifelong_map",
    "lifelong_penalise",
    "lifelong_policies",
    "lifelong_prequential",
    "lifelong_run",
    "lifelong_score",
    "llm_judge",
    "noise_bias",
    "noise_bounds",
    "noise_breakdown",
    "noise_estimate",
    "noise_inject",
    "noise_profile",
    "noise_resist",
    "plan_difference",
    "plan_error",
    "plan_error_difference",
    "plan_labels",
    "plan_noise",
    "plan_precision",
    "recheck_answer",
    "recheck_next",
    "tournament",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name in ROOMS:
        return importlib.import_module(f"justesse.{name}")
    if name not in PLACES:
        raise AttributeError(f"module 'justesse' has no attribute {name!r}")
    result = getattr(importlib.import_module(PLACES[name]), name)
    globals()[name] = result
    return result


def __dir__() -> list[str]:
    dunders = {name for name in globals() if name.startswith("__")}
    return sorted({*dunders, *__all__, *ROOMS})
