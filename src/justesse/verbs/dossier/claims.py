"""The figures of a dossier as claims of an attestation: a metric, its value, its interval, and a threshold if there is one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

COMPARISON = "candidate minus incumbent"
TRUE, LABELS = {"against": "true classes"}, {"against": "labels"}
COMPARATOR = re.compile(r"[<>]=?")
OUTSIDE = ("schema", "version", "run")


def claims(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List what a result claims; nothing if its figures have another form.

    >>> measure = {"name": "accuracy", "value": 0.9, "n": 50, "interval": None}
    >>> claims({"measures": [measure]})
    [{'metric': 'accuracy', 'value': 0.9, 'sampleSize': 50, 'interval': None}]
    """
    if results.get("leaderboards"):
        return [claim for board in results["leaderboards"] for claim in _ranked(board)]
    if all(isinstance(results.get(who), dict) for who in ("incumbent", "candidate")):
        return [claim for item in results.get("comparisons") or [results] for claim in _compared(item)]
    return list(_measured(results))


def other_figures(results: Mapping[str, Any]) -> dict[str, Any]:
    """Give all figures of a result that has no claims."""
    return {} if claims(results) else {key: value for key, value in results.items() if key not in OUTSIDE}


def _measured(results: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Claim each measure of all rows, and each measure that a requirement is about.

    With true classes, those are about the true classes; the measures against the labels follow.
    """
    noise = results.get("noise")
    breakdown = noise.get("breakdown") if isinstance(noise, dict) else None
    requirements = [item for item in results.get("requirements") or [] if isinstance(item.get("measure"), dict)]
    required = [item["measure"] for item in requirements]
    against_true = results.get("true")
    main = against_true or results
    on_true, on_labels = (TRUE, LABELS) if against_true else ({}, {})
    for item in main.get("measures") or []:
        if isinstance(item, dict) and not _part(item) and not any(_same(item, other) for other in required):
            yield {**_claim(item, results), **on_true, **({} if against_true else _fragile(item, breakdown))}
    for requirement in requirements:
        item = requirement["measure"]
        comparator = COMPARATOR.search(requirement["requirement"])
        yield {
            **_claim(item, results),
            **_part(item),
            **on_true,
            "comparator": comparator[0] if comparator else None,
            "threshold": requirement.get("threshold"),
            "passed": requirement.get("met"),
            "compared": requirement.get("bound"),
            **({} if against_true else _fragile(item, breakdown)),
        }
    for item in (results.get("measures") or []) if against_true else []:
        if not _part(item):
            yield {**_claim(item, results), **on_labels, **_fragile(item, breakdown)}


def _compared(results: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Claim the differences between two classifiers, and what was decided, with the measure that decides.

    With true classes, they decide, so the differences against them come first.
    """
    names = {who: results[who]["name"] for who in ("incumbent", "candidate") if "name" in results[who]}
    about = {"comparison": COMPARISON, **names}
    if isinstance(on_true := results.get("true"), dict):
        yield from _differences(on_true, {**about, **TRUE})
        yield from _differences(results, {**about, **LABELS})
    else:
        yield from _differences(results, about)


def _differences(results: Mapping[str, Any], about: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    main = results.get("measure") or results.get("outcome") or "outcome"
    decided = {"verdict": results.get("verdict"), "margin": results.get("margin"), "breakdown": results.get("breakdown_rate")}  # fmt: skip
    if "difference" in results:
        yield {**_claim({**results, "name": main}, results), **about, **decided}
    for item in results.get("measures") or []:
        if isinstance(item.get("difference"), dict):
            yield {**_claim(item["difference"], results), **about, **(decided if item["name"] == main else {})}
        elif item["name"] != main and not _part(item):
            yield {**_claim(item, results), **about}


def _ranked(board: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Claim the score of each model of a leaderboard."""
    for model in board["models"]:
        if isinstance(model.get("score"), dict):
            yield {**_claim(model["score"], board), "model": model["name"], "rank": model["rank"], "by": board["by"]}


def _claim(item: Mapping[str, Any], results: Mapping[str, Any]) -> dict[str, Any]:
    value = item.get("value", item.get("difference"))
    claim = {"metric": item["name"], "value": value, "sampleSize": item.get("n", results.get("n"))}
    unknown = {"undefined": item.get("undefined")} if value is None else {}
    return {**claim, "interval": item.get("interval"), **unknown}


def _part(item: Mapping[str, Any]) -> dict[str, Any]:
    """Say which class or average a measure is about; nothing if it is about all rows."""
    return {key: item[key] for key in ("class", "average") if item.get(key) is not None}


def _same(item: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return item["name"] == other["name"] and _part(item) == _part(other)


def _fragile(item: Mapping[str, Any], breakdown: Any) -> dict[str, Any]:
    """Add the share of wrong labels that could overturn what is claimed of the accuracy."""
    return {"breakdown": breakdown} if item["name"] == "accuracy" and breakdown is not None else {}
