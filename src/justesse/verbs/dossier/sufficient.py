"""What the dossiers of each function keep, so that its figures can be computed again; the others keep checksums only."""

from collections.abc import Mapping
from typing import Any

from justesse.core import recording

# At least one of these names is among what a dossier keeps; with none, the options determine every figure.
# A dossier may come from anyone: it chooses among functions that only compute, and none of its words opens a file.
KEPT: Mapping[str, tuple[str, ...]] = {
    "ab": ("count_events", "count_shadow_events"),
    "ab_status": ("stored_events",),
    "annotators_agree": ("read_annotations",),
    "annotators_compare": ("read_annotations",),
    "annotators_infer": ("read_annotations",),
    "annotators_next": ("read_annotations",),
    "audit_extend": ("result",),
    "audit_report": ("result",),
    "audit_start": ("result",),
    "audit_status": ("result",),
    "compare": ("pairs", "read_annotations", "side_by_side"),
    "compare_folds": ("folds",),
    "compare_regression": ("numbers",),
    "evaluate": ("rows", "read_annotations"),
    "evaluate_regression": ("read_numbers",),
    "evaluate_unlabelled": ("side_by_side", "reference_and_target"),
    "lifelong_alarms": ("event_times",),
    "lifelong_audit": ("result",),
    "lifelong_compare": ("count_version_pairs", "count_pair_labels"),
    "lifelong_curve": ("curve_rows",),
    "lifelong_map": ("count_version_pairs",),
    "lifelong_penalise": ("penalised",),
    "lifelong_policies": (),
    "lifelong_prequential": ("read_stream",),
    "lifelong_score": ("count_versions", "score_versions", "count_labels"),
    "llm_judge": ("read_verdicts",),
    "noise_bias": ("rows",),
    "noise_bounds": ("rows",),
    "noise_breakdown": ("rows",),
    "noise_estimate": ("pairs", "audited", "counted_before", "read_probabilities"),
    "noise_profile": ("rows",),
    "plan_difference": (),
    "plan_error": (),
    "plan_error_difference": (),
    "plan_labels": ("label_scores",),
    "plan_noise": (),
    "plan_precision": (),
    "tournament": ("answers",),
}
# why the figures of the others cannot be computed from what a dossier keeps
WRITES = "report what was read, written or asked, and nothing is computed from it"
NOT_KEPT: Mapping[str, str] = {
    "assess": "come from models that were trained",
    "clean": "come from models that were trained, and from the rows",
    "dossier_reevaluate": "follow from two evaluations: verify their dossiers",
    "inspect": "follow from the rows, which a dossier does not keep",
    "lifelong_run": "come from a system that was asked",
    "noise_inject": "follow from the rows, which a dossier does not keep",
    "noise_resist": "come from models that were trained",
}
# the functions whose dossiers of schema 1 and 2 keep counts, unless one of these options chose another way to compute
KEPT_BEFORE = frozenset({"compare", "compare_folds", "evaluate", "noise_bias", "noise_bounds", "noise_breakdown",
                         "noise_profile", "tournament"})  # fmt: skip
ANOTHER_WAY = ("answers", "reference")
# the functions that count rows, and say how many
COUNTED = frozenset({"compare", "evaluate", "noise_bias", "noise_bounds", "noise_breakdown", "noise_profile"})
OPTIONS_MAY_DO = frozenset({"lifelong_penalise", "plan_labels"})  # numbers may be given instead of data
# the result itself holds what its figures follow from: settings, rows, questions and answers of an audit
FROM_RESULT = frozenset(name for name, keys in KEPT.items() if keys == ("result",))
# a user who has the data may repeat these with them; the others write, fit models or read a database
FROM_DATA = frozenset(KEPT) - FROM_RESULT - {"ab_status", "lifelong_policies"}
# options that may hold an object of the caller's, such as a function: what follows from it cannot be computed again
OBJECTS = frozenset({"policies", "policy"})
NOT_FINITE = frozenset({"inf", "-inf", "nan"})  # as earlier versions wrote such numbers
ROOM = 10  # no function keeps more numbers of a value in its data
# what figures rest on, by what was read
BASES: Mapping[str, str] = {
    "rows": "tally",
    "pairs": "tally",
    "candidate_pairs": "tally",
    "sample": "tally",
    "training": "tally",
    "audited": "tally",
    "counted_before": "tally",
    "scores": "scores",
    "label_scores": "scores",
    "read_probabilities": "probabilities",
    "reference_and_target": "scores",
    "folds": "fold scores",
    "curve_rows": "scores",
    "answers": "answers",
    "read_annotations": "answers",
    "joined_predictions": "answers",
    "side_by_side": "tally",
    "read_verdicts": "verdicts",
    "numbers": "numbers",
    "read_numbers": "numbers",
    "read_stream": "answers",
    "penalised": "counts",
    "count_events": "counts",
    "count_shadow_events": "counts",
    "stored_events": "counts",
    "count_versions": "counts",
    "score_versions": "scores",
    "count_labels": "counts",
    "count_version_pairs": "counts",
    "count_pair_labels": "counts",
    "count_version_items": "answers",
    "count_open_items": "answers",
    "event_times": "times",
    "result": "answers of the audit",
}


def missing_counts(record: Mapping[str, Any]) -> list[str]:
    """List the places where a dossier lacks what its function always keeps.

    What was too large to keep is null; small data are never too large.

    >>> asked = {"verb": "evaluate", "options": {}}
    >>> dossier = {"dossier": 3, "asked": asked, "results": {}, "data": [{"rows": 300, "columns": ["a", "b"]}], "kept": {}}
    >>> missing_counts(dossier), missing_counts(dossier | {"kept": {"rows": [{"value": 1}]}})
    (['/kept/rows'], [])
    >>> missing_counts(dossier | {"kept": {"rows": [None]}})
    ['/kept/rows/0']
    """
    verb, kept, data = record["asked"]["verb"], record["kept"], record["data"]
    names = KEPT[verb] if always_keeps(record) else ()
    if names and not any(kept.get(name) for name in names):
        return [] if not data and verb in OPTIONS_MAY_DO else [f"/kept/{names[0]}"]
    size = _values_read(record)
    if not names or size is None or size * ROOM > recording.MOST_NUMBERS:
        return []
    return [f"/kept/{name}/{at}" for name, values in kept.items() for at, value in enumerate(values) if value is None]


def _values_read(record: Mapping[str, Any]) -> int | None:
    """Say how many values the function read; `None` if that is not known."""
    results, data = record["results"], record["data"]
    if record["asked"]["verb"] in FROM_RESULT:
        disputed, models = results.get("disputed"), results.get("models")
        return disputed * (5 + len(models or ())) if isinstance(disputed, int) else None
    if record["asked"]["verb"] == "ab_status":  # its events are in a file of their own, which has no rows to count
        events = results.get("events")
        return 2 * events if isinstance(events, int) else None
    tables = [entry for entry in data if entry.get("argument") != "ask"]  # an audit file has no rows to count
    if any(entry.get("kind") == "justesse.Tally" for entry in tables):  # no more cells than rows
        return 3 * results["n"] if isinstance(results.get("n"), int) else None
    if any(entry["rows"] is None for entry in tables):
        return None
    size = sum(int(entry["rows"]) * len(entry["columns"] or ()) for entry in tables)
    counted = results.get("n")
    if record["asked"]["verb"] in COUNTED and _is_counted(record["asked"]["options"]) and isinstance(counted, int):
        # a made-up number of rows hides nothing: a tally has no more cells than rows were counted
        return min(size, sum(counted * len(entry["columns"] or ()) for entry in tables))
    return size


def always_keeps(record: Mapping[str, Any]) -> bool:
    """Tell whether every dossier of this function and schema keeps what its figures follow from."""
    verb, options = record["asked"]["verb"], record["asked"]["options"]
    if record["dossier"] > 2:
        return verb in KEPT
    return verb in KEPT_BEFORE and _is_counted(options)


def _is_counted(options: Mapping[str, Any]) -> bool:
    return all(options.get(name) is None for name in ANOTHER_WAY)


def may_be_unkept(record: Mapping[str, Any]) -> bool:
    """Tell whether a dossier may lack what its figures follow from: it was too large, or an option holds an object."""
    unkept = any(value is None for values in record["kept"].values() for value in values)
    return unkept or any(map(_is_object, record["asked"]["options"].values()))


def odd_objects(record: Mapping[str, Any]) -> list[str]:
    """List the options that hold a description of an object, though no caller can pass one there."""
    return [
        f"/asked/options/{name}"
        for name, value in record["asked"]["options"].items()
        if name not in OBJECTS and _is_object(value)
    ]


def _is_object(value: Any) -> bool:
    if isinstance(value, dict):
        described = value.get("$object")
        return (described is not None and described not in NOT_FINITE) or any(map(_is_object, value.values()))
    return isinstance(value, list) and any(map(_is_object, value))
