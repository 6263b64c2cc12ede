"""The figures of a dossier computed again: from what it keeps of the data, or from the data."""

import math
from collections.abc import Mapping
from typing import Any

import justesse
from justesse.core.errors import JustesseError
from justesse.core.recording import MISSING, Recording, during
from justesse.dossier.canonical import unmarked
from justesse.dossier.prints import escaped
from justesse.report.result import Result
from justesse.verbs.audit.kept_audit import KeptAudit
from justesse.verbs.audit.restored_status import restored_status
from justesse.verbs.dossier.asked import called, harmless_options, has_objects
from justesse.verbs.dossier.kinds import memory_of
from justesse.verbs.dossier.sufficient import (
    BASES,
    FROM_DATA,
    FROM_RESULT,
    KEPT,
    NOT_KEPT,
    WRITES,
    always_keeps,
    may_be_unkept,
    missing_counts,
)

TOLERANCE = 1e-9  # relative: other processors and libraries round the last digits in another way
OUTSIDE = ("run", "version")


class CannotRepeatError(JustesseError):
    """Why the figures of a dossier cannot be computed again."""


def why_not(error: Exception) -> str:
    """Say why figures were not computed again; what breaks on made-up counts has no words of its own.

    >>> why_not(KeyError("id")), why_not(CannotRepeatError("Too large."))
    ('What the dossier keeps does not fit together.', 'Too large.')
    """
    own = str(error) if isinstance(error, JustesseError) else ""
    return own or "What the dossier keeps does not fit together."


def repeated(record: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> Result:
    """Compute the result of a dossier again: from what it keeps of the data, or from the data that are passed."""
    asked = unmarked(record["asked"])
    verb = asked["verb"]
    if not isinstance(verb, str) or verb not in justesse.PLACES:
        raise CannotRepeatError(f"This version of justesse has no function {verb!r}.")
    if verb not in (KEPT if data is None else FROM_DATA):
        raise CannotRepeatError(f"The figures of justesse.{verb} {NOT_KEPT.get(verb, WRITES)}.")
    if data is None and not always_keeps(record) and KEPT[verb] and not any(map(record["kept"].get, KEPT[verb])):
        raise CannotRepeatError(f"Dossiers of schema {record['dossier']} keep no counts of justesse.{verb}.")
    if data is None and verb in FROM_RESULT:
        return _from_result(record, verb)
    if has_objects(asked["options"]):
        raise CannotRepeatError(
            "An option holds an object, such as a model, of which the dossier has only a description."
        )
    function = getattr(justesse, verb)
    options = harmless_options(asked["options"], from_counts=data is None)
    if data is not None:
        result = called(function, options, data)
    else:
        memory = memory_of(unmarked(record["kept"]))
        if places := missing_counts(record):
            raise CannotRepeatError(f"The dossier lacks {places[0]}. Ask for the dossier as it was written.")
        with during(Recording(verb, {}, memory, replays=True)):
            result = called(function, options)
    assert isinstance(result, Result)
    return result


def _from_result(record: Mapping[str, Any], verb: str) -> Result:
    """Compute a result again from what it held itself."""
    (held,) = memory_of({"result": unmarked(record["kept"]).get("result") or [None]})["result"]
    if held is MISSING:
        raise CannotRepeatError("The dossier lacks /kept/result. Ask for the dossier as it was written.")
    if not isinstance(held, KeptAudit) or held.part != verb.rpartition("_")[2].replace("audit", "start"):
        raise CannotRepeatError(f"Entry /kept/result is not what justesse.{verb} keeps. The file was edited.")
    return restored_status(held)


def basis(record: Mapping[str, Any]) -> list[str]:
    """Name what the figures are computed again from: tally, scores, fold scores, answers or options alone."""
    kept = record["kept"]
    names = [BASES[name] for name, values in kept.items() if name in BASES and any(v is not None for v in values)]
    return list(dict.fromkeys(names)) or ["options"]


def figures(result: Result) -> dict[str, Any]:
    """Give all that a result says: its JSON, assumptions and warnings, without what differs from run to run."""
    document = result.document()
    return {
        "results": {key: value for key, value in result.to_dict().items() if key not in OUTSIDE},
        "assumptions": list(map(str, document.assumptions)),
        "warnings": list(map(str, document.cautions)),
        "verdict": verdict_of(result),
    }


def verdict_of(result: Result) -> dict[str, Any]:
    """Give what was decided: in words, and the keys of the JSON that decide."""
    document, written = result.document(), result.to_dict()
    keys = ("verdict", "passes", "passed", "gates", "decision")
    return {
        "words": str(document.verdict) or str(document.headline),
        **{key: written[key] for key in keys if key in written},
    }


def recorded_figures(record: Mapping[str, Any]) -> dict[str, Any]:
    """Give the same of a dossier."""
    results = {key: value for key, value in record["results"].items() if key not in OUTSIDE}
    return {"results": results, **{key: record[key] for key in ("assumptions", "warnings", "verdict")}}


def differences(before: Any, now: Any, where: str = "") -> list[tuple[str, Any, Any]]:
    """List the places where two values differ, with both values; numbers may differ in the last digits.

    >>> differences({"n": 3, "w": ["a", "b"]}, {"n": 3.0, "w": ["b"]})
    [('/w/0', 'a', 'b'), ('/w/1', 'b', None)]
    """
    if isinstance(before, dict) and isinstance(now, dict):
        keys = [*before, *(key for key in now if key not in before)]
        parts = [
            (f"{where}/{escaped(key)}", before.get(key), now.get(key), key in before and key in now) for key in keys
        ]
        return [
            place for at, old, new, both in parts for place in (differences(old, new, at) if both else [(at, old, new)])
        ]
    if isinstance(before, (list, tuple)) and isinstance(now, (list, tuple)):
        places: list[tuple[str, Any, Any]] = []
        for at in range(max(len(before), len(now))):
            old, new = (values[at] if at < len(values) else None for values in (before, now))
            if at < len(before) and at < len(now):
                places += differences(old, new, f"{where}/{at}")
            else:
                places.append((f"{where}/{at}", old, new))
        return places
    return [] if _alike(before, now) else [(where, before, now)]


def _alike(before: Any, now: Any) -> bool:
    numbers = [isinstance(value, (int, float)) and not isinstance(value, bool) for value in (before, now)]
    if all(numbers):
        return before == now or math.isclose(before, now, rel_tol=TOLERANCE, abs_tol=1e-12)
    if isinstance(before, str) and isinstance(now, str):  # a path may be a kind of text of its own
        return str(before) == str(now)
    return type(before) is type(now) and bool(before == now)


# what a reader acts on: no dossier can exempt it from being computed again
DECIDING = ("/results/headline", "/results/verdict", "/results/passes", "/results/passed", "/results/gates", "/results/decision",
            "/verdict")  # fmt: skip
PROSE = ("/warnings", "/assumptions", "/results/warnings", "/results/assumptions")


def exempt(record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Give the places that a dossier may leave unchecked, and those that it claims though they decide.

    >>> exempt({"recomputed": {"except": ["/results/scores", "/results/headline/value", "/results"]}})
    (['/results/scores'], ['/results/headline/value', '/results'])
    """
    places = [place for place in record["recomputed"]["except"] if place]
    claimed = [place for place in places if any(is_under(place, [own]) or is_under(own, [place]) for own in DECIDING)]
    refused = [*claimed, *(place for place in places if place in PROSE)]
    return [place for place in places if place not in refused], refused


def unchecked_places(record: Mapping[str, Any], differing: list[tuple[str, Any, Any]]) -> list[str]:
    """Name the differing places that need not come out again: those that the dossier exempts, and rightly so.

    A dossier exempts what its counts do not determine. If it keeps all that its function read, that is nothing;
    otherwise it is what does not come out at all, and the sentences after it. Earlier schemas kept less.
    """
    places, _ = exempt(record)
    own = [item for item in differing if is_under(item[0], places)]
    if not always_keeps(record):
        return [where for where, _, _ in own]
    if not may_be_unkept(record):
        return []
    return [where for where, _, now in own if now is None or is_under(where, list(PROSE))]


def left_out_sentences(before: Any, now: Any) -> list[tuple[str, Any, Any]]:
    """List the warnings and assumptions that come out again, but that a dossier does not have.

    >>> left_out_sentences({"warnings": ["a"], "assumptions": []}, {"warnings": ["b", "a"], "assumptions": []})
    [('/warnings', None, 'b')]
    """
    return [(f"/{key}", None, words) for key in ("warnings", "assumptions") for words in now[key] if words not in before[key]]  # fmt: skip


def shorter_lists(before: Any, now: Any) -> list[tuple[str, Any, Any]]:
    """List where a dossier has fewer warnings or assumptions than come out again.

    >>> shorter_lists({"warnings": [], "assumptions": []}, {"warnings": ["few rows"], "assumptions": []})
    [('/warnings', [], ['few rows'])]
    """
    keys = ("warnings", "assumptions")
    return [(f"/{key}", before[key], now[key]) for key in keys if len(before[key]) < len(now[key])]


def by_version(places: list[tuple[str, Any, Any]]) -> list[tuple[str, Any, Any]]:
    """Leave out what another version of justesse may write in another way: new keys, and sentences that do not decide.

    >>> by_version([("/results/new", None, 1), ("/warnings/0", "Few rows here.", "There are few rows."), ("/results/n", 3, 4)])
    [('/results/n', 3, 4)]
    """
    return [
        (where, old, new)
        for where, old, new in places
        if is_under(where, list(DECIDING))
        or not (
            (old is None and new is not None)
            or is_under(where, list(PROSE))
            or (isinstance(old, str) and isinstance(new, str) and min(old.count(" "), new.count(" ")) >= 2)
        )
    ]


def is_under(where: str, places: list[str]) -> bool:
    """Tell whether a place lies in one of some places.

    >>> is_under("/results/scores/auc", ["/results/scores"]), is_under("/results/n", [])
    (True, False)
    """
    return any(where == place or where.startswith(f"{place}/") for place in places)
