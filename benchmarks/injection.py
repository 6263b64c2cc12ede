"""Feature noise from 60,000 instances × 100 annotators, against algorithm 2 of the thesis written as plain loops."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.injection"
CLASSES, RATE = 10, 0.10


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    plain, ours = alone(HERE, "loops", 60_000, 100), alone(HERE, "ranking", 60_000, 100, repeat=7)
    detail = f"{1000 * ours.seconds:.0f} ms against {plain.seconds:.2f} s"
    yield "feature noise, 60,000 × 100 answers", "plain loops", plain.seconds / ours.seconds, 50, detail


def draw(instances: int, annotators: int) -> tuple[Any, Any]:
    """Make answers of annotators that err on hard instances, a fifth of them wrong."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, CLASSES, instances)
    wrong = rng.random((instances, annotators)) < rng.beta(1, 4, instances)[:, None]
    other = (labels[:, None] + rng.integers(1, CLASSES, wrong.shape)) % CLASSES
    return np.where(wrong, other, labels[:, None]).astype(np.int16), labels


def ranking(instances: int, annotators: int) -> Callable[[], Any]:
    from justesse.noise.ranking import Ranking

    answers, labels = draw(instances, annotators)
    return lambda: Ranking.from_answers(answers, labels).noisy(labels, RATE)


def loops(instances: int, annotators: int) -> Callable[[], Any]:
    answers, labels = (found.tolist() for found in draw(instances, annotators))

    def job() -> Any:
        trust = [sum(map(int.__eq__, said, labels)) / instances for said in zip(*answers, strict=True)]
        given, ranked = [], []
        for row, label in zip(answers, labels, strict=True):
            by_class: dict[int, list[float]] = {}
            for answer, weight in zip(row, trust, strict=True):
                by_class.setdefault(answer, []).append(weight)
            given.append(by_class)
            ranked.append(sum(sum(weights) for answer, weights in by_class.items() if answer != label))
        noisy = list(labels)
        for i in sorted(range(instances), key=lambda one: -ranked[one])[: round(RATE * instances)]:
            wrong = [one for one in range(CLASSES) if one != labels[i]]
            noisy[i] = max(wrong, key=lambda one: sum(given[i].get(one, ())))
        return noisy

    return job
