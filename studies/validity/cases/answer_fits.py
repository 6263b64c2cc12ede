"""How often the answers of independent annotators are held not to fit the model: few annotators, and many with few answers."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.annotators.answer_fit import answer_fit
from justesse.core.annotations import Annotations
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, rejected

MISFIT = "answers do not fit the model"


def _drawn(rng: np.random.Generator, n: int, right: tuple[float, float], people: int, each: int, k: int) -> Annotations:
    """Draw `each` annotators for every item; all are as often right on any item."""
    truth = rng.integers(0, k, n)
    who = np.sort(np.argsort(rng.random((n, people)), axis=1)[:, :each], axis=1)
    wrong = (truth[:, None] + rng.integers(1, k, (n, each))) % k
    answers = np.where(rng.random((n, each)) < np.linspace(*right, people)[who], truth[:, None], wrong)
    item = np.repeat(np.arange(n), each)
    return Annotations.sorted(range(n), range(people), tuple(range(k)), item, who.ravel(), answers.ravel())


def _independent(
    n: int, right: tuple[float, float], people: int, each: int, k: int
) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "answer fit", str(people), str(each), str(k))
        checks = [answer_fit(_drawn(rng, n, right, people, each, k), seed=at) for at in range(repetitions)]
        return {
            MISFIT: rejected([float("nan") if each is None else each.pvalue for each in checks], "posterior predictive")
        }

    return run


def _percent(right: tuple[float, float]) -> str:
    return " to ".join(f"{100 * share:g}" for share in sorted(set(right)))


SETTINGS = tuple(
    Setting(
        "annotators",
        f"{people} independent annotators, {_percent(right)} % right, {each} answer each item, {k} classes",
        n,
        (Case(MISFIT, "size", ("p-value:answer_fit",)),),
        _independent(n, right, people, each, k),
        repetitions=400,
        chunk=50,
        models=True,
    )
    for n, right, people, each, k in (
        (300, (0.7, 0.7), 6, 6, 3),
        (200, (0.55, 0.95), 100, 5, 2),
        (200, (0.6, 0.9), 120, 3, 3),
    )
)
