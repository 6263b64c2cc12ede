"""Does a model learn the task or the annotator? The three measurements of Geva et al. (2019), with intervals."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.results import Estimate, TestResult, check_level
from justesse.core.seeds import stream
from justesse.procedures.conditions import Check, not_applicable
from justesse.significance.corrected_t import corrected_t

FEWEST = 10  # rows an annotator needs to be included
TEST_SHARE = 0.2
APART = "Use different annotators for the test and training rows, and more of them."


@dataclass(frozen=True)
class AnnotatorBias:
    """Three accuracy differences over random splits; `lost` is `None` with fewer than three annotators.

    `with_name`: with the annotator's name as a feature minus without; `predictable`: predicting the annotator from the
    features minus always predicting the most frequent one, over splits that keep the share of each; `lost`: random
    splits minus splits between annotators.
    """

    with_name: TestResult
    predictable: TestResult
    lost: TestResult | None
    accuracy: float
    accuracy_with_name: float
    accuracy_of_new: float
    predictable_accuracy: float
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
    """Measure whether the annotator's name helps a model, is predictable, and what unseen annotators cost.

        with_name = acc(x, name) - acc(x)
        predictable = acc(name | x) - most frequent
        lost = acc(random) - acc(new annotators)

    Each is a mean over `repeats` 80:20 splits with Nadeau and Bengio's corrected interval. Annotators are predicted on
    splits with the same share of each annotator in both parts: in other splits, whoever is most frequent in training
    is rarer in the test, and a model that knows nothing seems better than that. The model is a quick one (linear
    for text, trees for a table); a better one may find more. Do not use if annotators were given different kinds of
    cases: the name then stands for the kind. Geva, Goldberg and Berant (2019).

    Parameters
    ----------
    x
        Features: a matrix, sparse for text.
    y
        Labels as codes.
    annotators
        Annotators as codes.
    text
        Whether `x` comes from a text.
    repeats
        Number of random splits.
    level
        Confidence level.
    seed
        Seed of splits and models.

    >>> rng = np.random.default_rng(0)
    >>> who, x = rng.integers(0, 4, 400), rng.normal(size=(400, 1))
    >>> bias = annotator_bias(x, (x[:, 0] > who - 1.5).astype(int), who, repeats=5)
    >>> bias.with_name.difference.interval.low > 0, bias.predictable.difference.interval.low > 0
    (True, False)
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

    check_level(level)
    many = len(np.unique(annotators))
    state = int(stream(seed, "annotators").integers(2**31))
    names = np.eye(int(annotators.max()) + 1)[annotators]
    named = hstack([x, csr_matrix(names)]).tocsr() if text else np.hstack([x, names])
    without, with_name, predictable, naive, new = [], [], [], [], []
    for at, (train, test) in enumerate(ShuffleSplit(repeats, test_size=TEST_SHARE, random_state=state).split(y)):
        without.append(_accuracy(x, y, train, test, text, state + at))
        with_name.append(_accuracy(named, y, train, test, text, state + at))
    most_frequent, generator = np.bincount(annotators).argmax(), stream(seed, "annotator splits")
    for at in range(repeats):
        train, test = _split_alike(annotators, generator)
        predictable.append(_accuracy(x, annotators, train, test, text, state + at))
        naive.append(float((annotators[test] == most_frequent).mean()))
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
        differ(without, with_name),
        differ(naive, predictable),
        lost,
        accuracy=mean(without),
        accuracy_with_name=mean(with_name),
        accuracy_of_new=mean(new),
        predictable_accuracy=mean(predictable),
        most_frequent=mean(naive),
        n=len(y),
        annotators=many,
        repeats=repeats,
        seed=seed,
    )


def _split_alike(codes: NDArray[np.int64], generator: np.random.Generator) -> tuple[Any, Any]:
    """Draw a test set with a fifth of the rows of each code, and return the rows of training and test.

    >>> train, test = _split_alike(np.repeat([0, 1], [15, 10]), np.random.default_rng(0))
    >>> np.repeat([0, 1], [15, 10])[test].tolist(), len(train)
    ([0, 0, 0, 1, 1], 20)
    """
    drawn = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        drawn[generator.choice(rows, round(TEST_SHARE * len(rows)), replace=False)] = True
    if not drawn.any():  # so few rows of each that a fifth of them is none
        drawn[generator.choice(len(codes), max(round(TEST_SHARE * len(codes)), 1), replace=False)] = True
    return np.flatnonzero(~drawn), np.flatnonzero(drawn)


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
    """Check that a model learns the task, not the annotator; annotators with fewer than ten rows are left out.

    Parameters
    ----------
    x
        Features, one row per instance.
    y
        Code of each row's label.
    annotators
        Code of each row's annotator.
    text
        Whether the features are counts of words.
    level
        Confidence level.
    seed
        Seed of the splits.
    """
    frequent = np.flatnonzero(np.bincount(annotators) >= FEWEST)
    kept = np.isin(annotators, frequent)
    codes = ("JU008", "JU009", "JU010")
    if len(frequent) < 2:
        why = f"Fewer than two annotators have {FEWEST} rows or more."
        return [not_applicable(code, why) for code in codes]
    if len(np.unique(y[kept])) < 2:
        return [not_applicable(code, "All rows have the same label.") for code in codes]
    names = np.searchsorted(frequent, annotators[kept])
    bias = annotator_bias(x[kept], y[kept], names, text=text, level=level, seed=seed)
    sizes = {"n": bias.n, "annotators": bias.annotators, "repeats": bias.repeats, "seed": bias.seed}
    helps = _bias_check(
        "JU008",
        bias.with_name,
        f"A quick model has accuracy {100 * bias.accuracy_with_name:.1f} % with the annotator's name as a feature, "
        f"{100 * bias.accuracy:.1f} % without it",
        "Annotators label similar cases differently: write clearer instructions, and settle disagreements before testing.",
        sizes,
    )
    predictable = _bias_check(
        "JU009",
        bias.predictable,
        f"A quick model predicts the annotator with accuracy {100 * bias.predictable_accuracy:.1f} %; always predicting the "
        f"most frequent one, {100 * bias.most_frequent:.1f} %",
        APART,
        sizes,
    )
    if bias.lost is None:
        return [helps, predictable, not_applicable("JU010", "Needs three annotators or more.")]
    lost = _bias_check(
        "JU010",
        bias.lost,
        f"A quick model has accuracy {100 * bias.accuracy:.1f} % on annotators it was trained on, "
        f"{100 * bias.accuracy_of_new:.1f} % on others",
        f"{APART} Measured accuracy is too high by about this much.",
        sizes,
    )
    return [helps, predictable, lost]


def _bias_check(code: str, test: TestResult, finding: str, remedy: str, sizes: dict[str, Any]) -> Check:
    difference: Estimate | None = test.difference
    assert difference is not None
    interval = difference.interval
    figures = {"difference": difference.to_dict(), "pvalue": test.to_dict()["pvalue"], **sizes}
    around = (
        f"{100 * interval.level:g} % CI {100 * interval.low:+.1f} to {100 * interval.high:+.1f}"
        if interval
        else "no interval"
    )
    sentence = f"{finding}: a difference of {100 * difference.value:+.1f} points ({around})."
    if interval and interval.low > 0:
        return Check(code, "failed", sentence, remedy, figures=figures)
    return Check(code, "passed", sentence, figures=figures)
