"""Audits of all ordered pairs of the 30 networks, with one human vote per image as label.

`JUSTESSE_DATA=… python -m studies.cifar10_networks.audits [draws]`; the expert is the majority of the votes.
"""

import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.judges.audit_plan import plan_audit
from justesse.judges.simulated_audits import simulate_audits
from studies.cifar10_networks.answers import NOT_NETWORKS
from studies.data import data_file

Array = NDArray[Any]
BUDGET, POINT = 400, 0.01


def main(draws: int = 20) -> None:
    true, given, votes = read()
    settings: list[tuple[str, float, bool]] = [
        (question, level, suspected)
        for suspected in (False, True)
        for question in ("test set", "population")
        for level in (0.95, 0.995)
    ]
    found: dict[Any, list[Array]] = {setting: [] for setting in settings}
    for draw in range(draws):
        label = drawn_labels(votes, draw)
        tables = {suspected: np.stack(list(tallied(label, given, true, suspected))) for suspected in (False, True)}
        for question, level, suspected in settings:
            audits = simulate_audits(
                tables[suspected], len(true), level=level, alternative="greater", budget=BUDGET, question=question, seed=draw
            )  # fmt: skip
            gain, replaced = audits.difference, audits.replaced
            accepted = replaced[gain < 0].mean()
            figures = [accepted, replaced[gain > 0].mean(), replaced[gain >= POINT].mean()]
            found[question, level, suspected].append(
                np.array([*figures, audits.answered.mean(), np.median(audits.answered)])
            )
        print(f"draw {draw + 1} of {draws}", file=sys.stderr, flush=True)
    print(
        "question, level, suspicion: worse accepted mean and most, better found, ≥ 1 point found mean and least, answers"
    )
    for (question, level, suspected), rows in found.items():
        mean, worst = np.mean(rows, 0), np.array(rows)
        print(
            f"{question}, {level}, {'votes of the others' if suspected else 'none'}: {mean[0]:.4f} {worst[:, 0].max():.4f}, "
            f"{mean[1]:.4f}, {mean[2]:.4f} {worst[:, 2].min():.4f}, {mean[3]:.1f} (median {mean[4]:.0f})"
        )


def read() -> tuple[Array, Array, Array]:
    """Read the majority class, the answers of the networks and the votes, as codes of the columns of votes."""
    votes = pq.read_table(data_file("cifar10/human_votes.parquet"))
    answers = pq.read_table(data_file("cifar10/predictions.parquet"))
    classes = np.array(votes.column_names[1:])
    order = np.argsort(classes)

    def codes(name: str) -> Array:
        return order[np.searchsorted(classes[order], answers[name].to_numpy().astype(str))]

    networks = [name for name in answers.column_names if name not in NOT_NETWORKS]
    counts = np.stack([votes[name].to_numpy() for name in classes], 1)
    return codes("true"), np.stack([codes(name) for name in networks]), counts


def drawn_labels(votes: Array, draw: int) -> Array:
    """Draw one vote for each image."""
    luck = stream(draw, "votes").random(len(votes)) * votes.sum(1)
    return np.asarray((votes.cumsum(1) <= luck[:, None]).sum(1))


def tallied(label: Array, given: Array, true: Array, suspected: bool) -> Iterator[Array]:
    """Count the disputed rows of every ordered pair by stratum; suspicious is what most other networks contradict."""
    against = (given != label).sum(0)
    for one, other in permutations(range(len(given)), 2):
        others = against - (given[one] != label) - (given[other] != label) if suspected else None
        counts = plan_audit(label, given[one], given[other], suspicion=others).counts(true)
        yield np.pad(counts, ((0, (9 if suspected else 3) - len(counts)), (0, 0)))


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:2]))
