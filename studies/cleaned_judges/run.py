"""Every real filter before two judges, on every set of labels; finished sets are kept."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from justesse.cleaning import ALL
from justesse.cleaning.known_truth import filter_quality
from justesse.cleaning.pool_filter import PoolAction, PoolFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.arrays import Array
from justesse.frames.pairwise import count_all_pairs
from justesse.intervals.ends import z_value
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.judges.tournament import rates
from justesse.significance.overlap import overlap_level
from studies.cleaned_judges.worlds import World

RESULTS = Path(__file__).with_name("results.csv")
FIELDS = ("data", "noise", "draw", "wrong", "filter", "source", "action", "flagged", "detected", "false detected",
          "agreement", "type I", "type II", "worse accepted", "paired agreement", "distance")  # fmt: skip
Row = dict[str, Any]
POOL, MODEL = "classifiers", "another model"


def filters(world: World) -> Iterator[tuple[str, PoolFilter]]:
    """Give every filter that the rows allow: by the answers of the classifiers, and by what another model knows."""
    for item in ALL:
        if {"history", "answers"} & set(item.needs):
            continue
        for action in get_args(PoolAction):
            yield POOL, PoolFilter(written_filter(item.name), action)
            if item.needs == ("probabilities",):
                yield MODEL, PoolFilter(written_filter(item.name), action, world.probabilities)
            elif "features" in item.needs and world.features is not None:
                yield MODEL, PoolFilter(written_filter(item.name), action, features=world.features)


def judged(world: World) -> list[Row]:
    """Judge all ordered pairs without cleaning, and after each filter."""
    classes = int(max(world.labels.max(), world.true.max(), world.answers.max())) + 1
    overlap, paired = Rule(level=overlap_level(z_value(0.025))), Rule()
    pairs = count_all_pairs(world.labels, world.answers, true=world.true)
    known = {
        form: judge_named("reference").decide_many(pairs, rule, form=form)
        for form, rule in (("overlap", overlap), ("paired", paired))
    }
    right = (world.answers == world.true).mean(axis=1)
    difference = right[None, :] - right[:, None]
    about = {
        "data": world.data,
        "noise": world.noise,
        "draw": world.draw,
        "wrong": float((world.labels != world.true).mean()),
    }

    def row(labels: Array) -> Row:
        left = labels >= 0
        counted = count_all_pairs(labels[left], world.answers[:, left])
        classical = judge_named("classical").decide_many(counted, overlap)
        found = rates(classical, known["overlap"], difference)
        own = rates(judge_named("paired").decide_many(counted, paired), known["paired"], difference)
        seen = (world.answers[:, left] == labels[left]).mean(axis=1)
        off = np.abs((seen[None, :] - seen[:, None]) - difference)
        return {
            "agreement": found.agreement.value,
            "type I": found.type_one.value,
            "type II": found.type_two.value,
            "worse accepted": found.worse_accepted.value,
            "paired agreement": own.agreement.value,
            "distance": float(off[~np.eye(len(off), dtype=bool)].mean()),
        }

    none = {"filter": "none", "source": "", "action": "", "flagged": 0.0, "detected": np.nan, "false detected": np.nan}
    rows = [{**about, **none, **row(world.labels)}]
    for source, own in filters(world):
        found = own.suspicion(world.labels, world.answers, classes=classes)
        quality = filter_quality(world.labels, world.true, found.flagged, found.suggested, tuple(range(classes)))
        other = found.suggested if own.action == "correct" else -1
        rows.append(
            {
                **about,
                "filter": own.chosen.words,
                "source": source,
                "action": own.action,
                "flagged": float(found.flagged.mean()),
                "detected": quality.detection[0].value,
                "false detected": quality.false_detection[0].value,
                **row(np.where(found.flagged, other, world.labels)),
            }
        )
    return rows


def kept(path: Path = RESULTS) -> list[Row]:
    """Read the rows of the sets of labels that are done."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    words = ("data", "noise", "filter", "source", "action")
    return [{name: value if name in words else float(value) for name, value in row.items()} for row in rows]


def add(rows: Sequence[Row], path: Path = RESULTS) -> None:
    """Write the rows of one set of labels after those that are done."""
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(
            {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()} for row in rows
        )
