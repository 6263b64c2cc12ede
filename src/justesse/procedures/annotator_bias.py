"""Is the task learnt, or the annotator? Geva, Goldberg and Berant's three measurements, with intervals."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import Estimate, TestResult, check_level
from justesse.core.seeds import stream
from justesse.procedures.conditions import Check, not_applicable
from justesse.significance.corrected_t import corrected_t

FEWEST = 10  # rows an annotator needs to be told from others
TEST_SHARE = 0.2
APART = "Let other people annotate the test than the training rows, and more of them."


@dataclass(frozen=True)
class AnnotatorBias:
    """Three differences of accuracy over random splits; `lost` is `None` with fewer than three annotators.

    `helped`: with the annotator's name as a feature minus without; `told`: guessing the annotator from the features minus
    always naming the most frequent one; `lost`: random splits minus splits between annotators.
    """

    helped: TestResult
    told: TestResult
    lost: TestResult | None
    accuracy: float
    accuracy_with_name: float
    accuracy_of_new: float
    told_accuracy: float
    most_frequent: float
    n: int
    annotators: int
    repeats: int
    seed: int


def annotator_bias(
    x: Any,
    y: NDArray[np.int64],
    annotators: NDArray[np.int64],
    *,
    text: bool = False,
    repeats: int = 10,
    level: float = 0.95,
    seed: int = 0,
) -> AnnotatorBias:
    """Measure whether the annotator's name helps a model, whether it can be told, and what new annotators cost.

        helped = acc(x, name) - acc(x),   told = acc(name | x) - most frequent,   lost = acc(random) - acc(new annotators)

    Each is a mean over `repeats` splits of 80 : 20 with Nadeau and Bengio's corrected interval. The model is quick (a linear
    one for text, trees for a table): a better one may find more. Wrong to use if each annotator was given other kinds of
    cases: the name then tells the kind, and new annotators bring new kinds. Geva, Goldberg and Berant (2019).

    >>> rng = np.random.default_rng(0)
    >>> who, x = rng.integers(0, 4, 400), rng.normal(size=(400, 1))
    >>> found = annotator_bias(x, (x[:, 0] > who - 1.5).astype(int), who, repeats=5)
    >>> found.helped.difference.interval.low > 0, found.told.difference.interval.low > 0
    (True, False)
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

    check_level(level)
    many = len(np.unique(annotators))
    state = int(stream(seed, "annotators").integers(2**31))
    names = np.eye(int(annotators.max()) + 1)[annotators]
    named = hstack([x, csr_matrix(names)]).tocsr() if text else np.hstack([x, names])
    without, helped, told, naive, new = [], [], [], [], []
    for at, (train, test) in enumerate(ShuffleSplit(repeats, test_size=TEST_SHARE, random_state=state).split(y)):
        without.append(_accuracy(x, y, train, test, text, state + at))
        helped.append(_accuracy(named, y, train, test, text, state + at))
        told.append(_accuracy(x, annotators, train, test, text, state + at))
        naive.append(float((annotators[test] == np.bincount(annotators[train]).argmax()).mean()))
    if many > 2:
        between = GroupShuffleSplit(repeats, test_size=max(TEST_SHARE, 1 / many), random_state=state)
        splits = between.split(y, groups=annotators)
        new = [_accuracy(x, y, train, test, text, state + at) for at, (train, test) in enumerate(splits)]

    def differ(less: list[float], more: list[float], share: float = TEST_SHARE) -> TestResult:
        return corrected_t(less, more, test_over_train=share / (1 - share), level=level)

    def mean(scores: list[float]) -> float:
        return float(np.mean(scores)) if scores else math.nan

    lost = differ(new, without, max(TEST_SHARE, 1 / many)) if new else None
    return AnnotatorBias(
        differ(without, helped),
        differ(naive, told),
        lost,
        accuracy=mean(without),
        accuracy_with_name=mean(helped),
        accuracy_of_new=mean(new),
        told_accuracy=mean(told),
        most_frequent=mean(naive),
        n=len(y),
        annotators=many,
        repeats=repeats,
        seed=seed,
    )


def _accuracy(x: Any, y: NDArray[np.int64], train: Any, test: Any, text: bool, state: int) -> float:
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.linear_model import SGDClassifier

    if len(np.unique(y[train])) < 2 or not x.shape[1]:
        return float((y[test] == np.bincount(y[train]).argmax()).mean())
    model = (
        SGDClassifier(loss="log_loss", max_iter=20, tol=None, random_state=state)
        if text
        else ExtraTreesClassifier(50, max_features=0.5, min_samples_leaf=3, random_state=state)
    )
    return float((model.fit(x[train], y[train]).predict(x[test]) == y[test]).mean())


def check_annotator_bias(
    x: Any, y: NDArray[np.int64], annotators: NDArray[np.int64], *, text: bool, level: float = 0.95, seed: int = 0
) -> list[Check]:
    """Check that a model learns the task and not the annotator; annotators with fewer than ten rows are left out."""
    frequent = np.flatnonzero(np.bincount(annotators) >= FEWEST)
    kept = np.isin(annotators, frequent)
    codes = ("JU008", "JU009", "JU010")
    if len(frequent) < 2:
        why = f"Fewer than two annotators have {FEWEST} rows or more: a model cannot tell them apart."
        return [not_applicable(code, why) for code in codes]
    if len(np.unique(y[kept])) < 2:
        return [not_applicable(code, "All rows bear the same label: there is nothing to learn.") for code in codes]
    names = np.searchsorted(frequent, annotators[kept])
    found = annotator_bias(x[kept], y[kept], names, text=text, level=level, seed=seed)
    seen = {"n": found.n, "annotators": found.annotators, "repeats": found.repeats, "seed": found.seed}
    helps = _bias_check(
        "JU008",
        found.helped,
        f"With the annotator's name as a feature a quick model is right in {100 * found.accuracy_with_name:.1f} % of rows, "
        f"without it in {100 * found.accuracy:.1f} %",
        "Annotators label alike cases differently: write clearer instructions, and settle disagreements before testing.",
        seen,
    )
    told = _bias_check(
        "JU009",
        found.told,
        f"A quick model names the annotator in {100 * found.told_accuracy:.1f} % of rows; always naming the most frequent "
        f"one, {100 * found.most_frequent:.1f} %",
        APART,
        seen,
    )
    if found.lost is None:
        return [helps, told, not_applicable("JU010", "With fewer than three annotators none can be kept for the test.")]
    lost = _bias_check(
        "JU010",
        found.lost,
        f"A quick model is right in {100 * found.accuracy:.1f} % of rows by annotators it was trained on, and in "
        f"{100 * found.accuracy_of_new:.1f} % by others",
        f"{APART} As it is, the test flatters by about this much.",
        seen,
    )
    return [helps, told, lost]


def _bias_check(code: str, found: TestResult, said: str, remedy: str, seen: dict[str, Any]) -> Check:
    difference: Estimate | None = found.difference
    assert difference is not None
    interval = difference.interval
    figures = {"difference": difference.to_dict(), "pvalue": found.to_dict()["pvalue"], **seen}
    around = (
        f"{100 * interval.low:+.1f} to {100 * interval.high:+.1f}, {100 * interval.level:g} % interval"
        if interval
        else "no interval"
    )
    sentence = f"{said}: a difference of {100 * difference.value:+.1f} points ({around})."
    if interval and interval.low > 0:
        return Check(code, "failed", sentence, remedy, figures=figures)
    return Check(code, "passed", sentence, figures=figures)
