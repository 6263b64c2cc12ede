"""All networks on both kinds of labels, and the figures the page speaks of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.seeds import stream
from studies.expected import load
from studies.noise_ladder.coverage import by_class, trials
from studies.noise_ladder.images import Array, Images, Settings
from studies.noise_ladder.rungs import outside, rungs, sampled

EXPECTED, NETWORKS = (Path(__file__).with_name(name) for name in ("expected.csv", "networks.csv"))
EXACT = 1e-6  # how far a network's own figures may be off: they are of the first seed
OFFICIAL, VOTE = "official label", "one vote"
RUNGS = ("plain", "lam_stork", "inversion", "recheck")
NAMES = ("labels", "network")
Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """One row per kind of labels and network, one per way to use a re-checked sample, and single figures."""

    networks: list[Row]
    trials: list[Row]
    figures: dict[str, float]


def run(settings: Settings) -> Found:
    """Climb the ladder with every network and both kinds of labels."""
    images = Images.read(settings.predictions, settings.votes)
    kinds = {OFFICIAL: [images.official], VOTE: [images.one_vote(settings.seed + at) for at in range(settings.draws)]}
    tables = {kind: [_all_networks(images, label, kind, settings) for label in sets] for kind, sets in kinds.items()}
    best = tables[OFFICIAL][0][0]["network"]
    figures, tried = dict(_published(images)), []
    for kind, sets in kinds.items():
        summed = _figures(tables[kind], best) | _outside(images, sets[0])
        figures |= {f"{kind}: {name}": value for name, value in summed.items()}
        for network in settings.watched:
            rows = images.tally(sets[0], network)
            some = trials(rows, settings.rechecked, repetitions=settings.repetitions, seed=settings.seed)
            tried += [{"labels": kind, "network": network, **asdict(one)} for one in some]
    for one in tried:
        figures[f"{one['labels']}, {one['network']}: coverage of {one['way']}, {one['about']}"] = one["covered"]
    rows = images.tally(kinds[VOTE][0], best)
    covered = by_class(rows, settings.rechecked, repetitions=settings.repetitions, seed=settings.seed)
    for measure, shares in covered.items():
        figures[f"{VOTE}, best network: coverage of {measure}, lowest of all classes"] = min(shares)
        figures[f"{VOTE}, best network: coverage of {measure}, mean of all classes"] = float(np.mean(shares))
    return Found(tables[OFFICIAL][0] + tables[VOTE][0], tried, figures)


def expected_figures() -> dict[str, tuple[float, float]]:
    """Read what `expected.csv` says, with its tolerance."""
    return {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}


def expected_networks() -> dict[str, tuple[float, float]]:
    """Read what `networks.csv` says of each network."""
    return {name: (float(value), EXACT) for name, value in flat(load(NETWORKS)).items()}


def flat(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the networks' rows as single figures."""
    return {
        f"{row['labels']}, {row['network']}: {name}": value
        for row in rows
        for name, value in row.items()
        if name not in NAMES
    }


def _all_networks(images: Images, label: Array, kind: str, settings: Settings) -> list[Row]:
    """Give a row per network, the truly best first."""
    found = []
    for network in images.networks:
        rows = images.tally(label, network)
        sample = sampled(rows, settings.rechecked, stream(settings.seed, "sample", network))
        found.append({"labels": kind, "network": network, **rungs(rows, sample, settings.claim)})
    return sorted(found, key=lambda row: -row["true"])


def _figures(tables: Sequence[Sequence[Row]], best: str) -> dict[str, float]:
    """Sum up all networks and all sets of labels of one kind; counts of networks are of the first set."""
    names = [name for name in tables[0][0] if name not in NAMES]
    column = {name: np.array([[row[name] for row in rows] for rows in tables]) for name in names}
    of_best = [row for rows in tables for row in rows if row["network"] == best]
    true, rate = column["true"], column["rate"]
    found = {"share of wrong labels": float(rate.mean())}
    for name in ("wrong_labels_if_right", "wrong_labels_if_wrong"):
        found |= _ends(f"best network, {name}", np.array([row[name] for row in of_best]))
    for name in ("bias", "F_n", "F_r"):
        found |= _ends(name, column[name])
    for name in RUNGS:
        found |= _ends(f"error of {name}", column[name] - true)
        inside = (column[f"{name}_low"] <= true) & (true <= column[f"{name}_high"])
        found[f"networks whose interval of {name} covers"] = float(inside[0].sum())
    found["networks whose inversion is further off than plain"] = float(
        (np.abs(column["inversion"] - true) > np.abs(column["plain"] - true))[0].sum()
    )
    for name in ("rate", "table"):
        low, high = column[f"{name}_low"], column[f"{name}_high"]
        found[f"accuracies outside the bounds from the {name}"] = float(
            ((true < low - EXACT) | (true > high + EXACT)).sum()
        )
        found[f"width of the bounds from the {name}, mean"] = float((high - low).mean())
    found["networks whose inversion is outside the bounds from the table"] = float(
        (column["inversion"] > column["table_high"] + EXACT)[0].sum()
    )
    for name in ("beats_majority_until", "claim_until"):
        found[f"networks with {name} above the share of wrong labels"] = float((column[name] > rate)[0].sum())
    return found


def _ends(name: str, values: Array) -> dict[str, float]:
    return {f"{name}, smallest": float(values.min()), f"{name}, largest": float(values.max())}


def _outside(images: Images, label: Array) -> dict[str, float]:
    found = [outside(images.tally(label, network)) for network in images.networks]
    counts = {name: np.array([one[name] for one in found]).sum(axis=0) for name in found[0]}
    return {
        "true values of any measure": float(counts["rate"][1]),
        **{f"true values outside the bounds from the {name}": float(some[0]) for name, some in counts.items()},
    }


def _published(images: Images) -> Iterator[tuple[str, float]]:
    """Give what the authors of the answers and of the votes say of them."""
    right = dict(zip(images.networks, (images.given == images.official).mean(axis=1).tolist(), strict=True))
    yield "votes per image, mean", float(images.votes.sum(axis=1).mean())
    yield "accuracy by the official labels, smallest", min(right.values())
    yield "accuracy by the official labels, largest", max(right.values())
    for name in ("shake_shake_26_2x64d_SSI", "wrn_28_10"):
        yield f"gain of {name} by cutout", right[f"{name}_cutout16"] - right[name]
