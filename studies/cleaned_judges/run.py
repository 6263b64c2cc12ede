"""Every real filter and simulated ones before two judges, on every set of labels; finished sets are kept."""

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from justesse.cleaning.known_truth import filter_quality
from justesse.cleaning.pool_filter import PoolFilter
from justesse.core.arrays import Array
from justesse.frames.pairwise import count_all_pairs
from justesse.intervals.ends import z_value
from justesse.judges import judge_named
from justesse.judges.evidence import Rule
from justesse.judges.tournament import rates
from justesse.significance.overlap import overlap_level
from studies.cleaned_judges.steps import pool_filters
from studies.cleaned_judges.worlds import World
from studies.thesis_judges.thesis import TABLE_6_3

RESULTS = Path(__file__).with_name("results.csv")
FIELDS = ("data", "noise", "draw", "wrong", "filter", "source", "action", "flagged", "detected", "false detected",
          "agreement", "type I", "type II", "worse accepted", "paired agreement", "distance")  # fmt: skip
Row = dict[str, Any]
POOL, MODEL, SIMULATED = "classifiers", "another model", "simulated"
STEPS = tuple(nett for nett in TABLE_6_3 if nett.corrects in (None, 0.75))  # those of the thesis


def filters(world: World) -> Iterator[tuple[str, PoolFilter]]:
    """Give every filter that the rows allow: by the answers of the classifiers, and by what another model knows."""
    for own in pool_filters():
        yield POOL, own
        needs = own.chosen.item.needs
        if needs == ("probabilities",):
            yield MODEL, replace(own, probabilities=world.probabilities)
        elif "features" in needs and world.features is not None:
            yield MODEL, replace(own, features=world.features)


def judged(world: World) -> list[Row]:
    """Judge all ordered pairs without cleaning, after each filter and after each simulated step."""
    return [*after_filters(world), *after_simulated(world)]


def figures_of(world: World) -> tuple[Row, Callable[[Array], Row]]:
    """Give what all rows of a set of labels share, and a function of cleaned labels (-1: removed) that judges by them."""
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

    return about, row


def after_simulated(world: World) -> list[Row]:
    """Judge after the simulated steps of the thesis, which know the true classes and flag so many of them at random."""
    classes = _classes(world)
    about, row = figures_of(world)
    rows = []
    for step in STEPS:
        labels = step.clean_rows(world.labels, world.true, classes=classes, seed=world.draw)
        flagged = labels != world.labels
        rows.append(
            {
                **about,
                "filter": f"NETT({step.detects:g}, {step.mistakes:g})",
                "source": SIMULATED,
                "action": "remove" if step.corrects is None else f"correct {step.corrects:.0%}",
                "flagged": float(flagged.mean()),
                "detected": step.detects,
                "false detected": step.mistakes,
                **row(labels),
            }
        )
    return rows


def _classes(world: World) -> int:
    return int(max(world.labels.max(), world.true.max(), world.answers.max())) + 1


def after_filters(world: World) -> list[Row]:
    """Judge without cleaning, and after each filter."""
    classes = _classes(world)
    about, row = figures_of(world)
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
