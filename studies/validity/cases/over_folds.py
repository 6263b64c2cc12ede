"""Scores of folds and of data sets: tests and intervals."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals import spread, student
from justesse.significance.anova import anova
from justesse.significance.bayesian_signed_rank import bayesian_signed_rank
from justesse.significance.corrected_t import corrected_t
from justesse.significance.correlated_t import correlated_t
from justesse.significance.equivalence_t import equivalence_t
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.five_by_two_t import five_by_two_t
from justesse.significance.friedman import friedman
from justesse.significance.holm_ranks import holm_ranks
from justesse.significance.nemenyi import nemenyi
from justesse.significance.one_sample_t import one_sample_t
from justesse.significance.paired_t import paired_t
from justesse.significance.sign_flip import sign_flip
from studies.validity.case import Case, Hits, Setting, covered, rejected
from studies.validity.fold_sizes import ROWS, accuracies, data_set

Run = Callable[[int, int], Mapping[str, Hits]]
Scores = dict[str, Any]
OVERLAP = 1 / 9  # test rows per training row, of ten folds
CORRECTED = "the corrected resampled t test (the default)"
DRAWS = 999


def _held(rng: np.random.Generator, folds: int) -> Any:
    turns = rng.permutation(np.arange(ROWS) % folds)
    return np.stack([turns == turn for turn in range(folds)])


@cache
def _true_accuracy() -> float:
    """Measure the mean accuracy of a learner trained on nine tenths of the rows, over many data sets."""
    rng = stream(0, "true accuracy over folds")
    return float(np.mean([accuracies(*data_set(rng), _held(rng, 10)).mean() for _ in range(4000)]))


def _of_one_data_set(how: str) -> Run:
    """Try learners that are equally good over data sets to come, and are compared on one."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "fold cases", how)
        pvalues: dict[str, list[float]] = {}
        sure: dict[str, list[float]] = {}
        ends: dict[str, list[Interval | None]] = {"mean score, not corrected": [], "mean score": [], "difference": []}
        for at in range(repetitions):
            rows = data_set(rng)
            held = _held(rng, 10) if how == "folds" else np.stack([_held(rng, 10)[0] for _ in range(20)])
            scores = accuracies(*rows, held)
            pair = scores[:, 0].tolist(), scores[:, 1].tolist()
            corrected = corrected_t(*pair, test_over_train=OVERLAP)
            results: Scores = {
                "paired-t": paired_t(*pair).pvalue,
                "corrected-t": corrected.pvalue,
                "sign-flip": sign_flip(*pair, draws=DRAWS, seed=at).pvalue,
                "anova-blocked": anova(scores).pvalue,
                "anova-blocked-corrected": anova(scores, test_over_train=OVERLAP).pvalue,
                "anova-one-way": anova(scores, blocked=False).pvalue,
                "friedman": friedman(scores).f_pvalue,
            }
            for test, pvalue in results.items():
                pvalues.setdefault(test, []).append(pvalue)
            better = {
                "correlated-t": correlated_t(*pair, test_over_train=OVERLAP).candidate_better,
                "bayesian-signed-rank": bayesian_signed_rank(*pair, draws=DRAWS, seed=at).candidate_better,
            }
            for test, chance in better.items():
                sure.setdefault(test, []).append(1 - chance)
            ends["mean score, not corrected"].append(student(pair[0]).interval)
            ends["mean score"].append(student(pair[0], test_over_train=OVERLAP).interval)
            ends["difference"].append(corrected.difference.interval if corrected.difference else None)
        truths = {"difference": 0.0}
        return {
            **{test: rejected(found, test) for test, found in (pvalues | sure).items()},
            **{what: covered(found, truths.get(what, _true_accuracy())) for what, found in ends.items()},
        }

    return run


def _again_and_again(repeats: int) -> Run:
    """Split the same rows into ten folds so many times: the more often, the surer a test that takes them as new."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "repeated folds", str(repeats))
        plain, corrected = [], []
        for _ in range(repetitions):
            scores = accuracies(*data_set(rng), np.concatenate([_held(rng, 10) for _ in range(repeats)]))
            pair = scores[:, 0].tolist(), scores[:, 1].tolist()
            plain.append(paired_t(*pair).pvalue)
            corrected.append(corrected_t(*pair, test_over_train=OVERLAP).pvalue)
        return {"paired-t": rejected(plain, "paired-t"), "corrected-t": rejected(corrected, "corrected-t")}

    return run


def _five_by_two(repetitions: int, seed: int) -> Mapping[str, Hits]:
    rng = stream(seed, "five by two")
    by_t, by_f, by_side, ends = [], [], [], []
    for _ in range(repetitions):
        scores = accuracies(*data_set(rng), np.concatenate([_held(rng, 2) for _ in range(5)]))
        halves = [scores[:, learner].reshape(5, 2) for learner in (0, 1)]
        result = five_by_two_t(*halves)
        by_t.append(result.pvalue)
        by_side.append(five_by_two_t(*halves, alternative="greater").pvalue)
        by_f.append(five_by_two_f(*halves).pvalue)
        ends.append(result.difference.interval if result.difference else None)
    return {
        "five-by-two-t": rejected(by_t, "five-by-two-t"),
        "five-by-two-t, one-sided": rejected(by_side, "five-by-two-t"),
        "five-by-two-f": rejected(by_f, "five-by-two-f"),
        "difference": covered(ends, 0.0),
    }


def _data_sets(many: int, learners: int, ties: bool) -> Run:
    """Try learners that are equally good on independent data sets, which are hard or easy for all alike."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "data sets", str(many), str(learners), str(ties))
        pvalues: dict[str, list[float]] = {}
        for at in range(repetitions):
            table = 1.5 * rng.normal(size=(many, 1)) + rng.normal(size=(many, learners))
            table = np.round(table) if ties else table
            pair = table[:, 0].tolist(), table[:, 1].tolist()
            better = (table[:, 1] + 2).tolist()
            ranked = friedman(table)
            pairs = np.array(nemenyi(ranked.ranks, many).pvalues)
            contrasts = holm_ranks(ranked.ranks, many).contrasts
            own = rng.normal(size=many).tolist()
            results = {
                "anova-blocked": anova(table).pvalue,
                "anova-one-way": anova(table, blocked=False).pvalue,
                "friedman": ranked.f_pvalue,
                "friedman, chi-square": ranked.pvalue,
                "nemenyi": float(pairs[np.triu_indices(learners, 1)].min()),
                "holm-ranks": min(one.adjusted for one in contrasts),
                "sign-flip": sign_flip(*pair, seed=at).pvalue,
                "paired-t": paired_t(*pair).pvalue,
                "paired-t, one-sided": paired_t(*pair, alternative="greater").pvalue,
                "equivalence-t": equivalence_t(pair[0], better, 2.0).pvalue,
                "one-sample-t": one_sample_t(own, 0.0).pvalue,
                "one-sample-t, one-sided": one_sample_t(own, 0.0, alternative="less").pvalue,
                "bayesian-signed-rank": 1 - bayesian_signed_rank(*pair, draws=DRAWS, seed=at).candidate_better,
            }
            for test, pvalue in results.items():
                pvalues.setdefault(test, []).append(pvalue)
        return {what: rejected(found, what.split(",")[0]) for what, found in pvalues.items()}

    return run


def _independent(kind: str, k: int) -> Run:
    """Draw k independent scores with mean 1 and standard deviation 0.5."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, shape = stream(seed, "independent scores", kind, str(k)), (repetitions, k)
        scores = rng.normal(1, 0.5, size=shape) if kind == "normal" else rng.exponential(0.5, size=shape) + 0.5
        return {
            "mean score": covered([student(row.tolist()).interval for row in scores], 1.0),
            "standard deviation of scores": covered([spread(row.tolist()).interval for row in scores], 0.5),
        }

    return run


SHARE_ROWS = ("paired-t", "sign-flip", "anova-blocked", "anova-one-way", "friedman", "bayesian-signed-rank")
ONE_DATA_SET = (
    *(Case(test, "size", instead=CORRECTED) for test in SHARE_ROWS),
    *(Case(test, "size") for test in ("corrected-t", "correlated-t", "anova-blocked-corrected")),
    Case("mean score, not corrected", instead="`test_over_train`, which `justesse assess` uses"),
    *(Case(what) for what in ("mean score", "difference")),
)
DATA_SETS = tuple(
    Case(test, "size", instead="sign flips, exact with few data sets" if test == "bayesian-signed-rank" else "")
    for test in (
        *("anova-blocked", "anova-one-way", "friedman", "friedman, chi-square", "nemenyi", "holm-ranks", "sign-flip"),
        *("paired-t", "paired-t, one-sided", "equivalence-t", "one-sample-t", "one-sample-t, one-sided"),
        "bayesian-signed-rank",
    )
)
SKEWED = Case("mean score", instead="nothing measured here: with scores this skewed, show all of them")
SPREAD = Case("standard deviation of scores", instead="nothing: it assumes normal scores")
SETTINGS = (
    Setting("folds", "10-fold cross-validation of one data set, equal learners", 10, ONE_DATA_SET, _of_one_data_set("folds"), draws=DRAWS),
    Setting("folds", "20 random splits of one data set, equal learners", 20, ONE_DATA_SET, _of_one_data_set("splits"), draws=DRAWS),
    Setting("folds", "10-fold cross-validation of one data set, repeated 10 times, equal learners", 100, (Case("paired-t", "size", instead=CORRECTED), Case("corrected-t", "size")), _again_and_again(10)),
    Setting(
        "folds",
        "5 times 2 folds of one data set, equal learners",
        10,
        (*(Case(test, "size") for test in ("five-by-two-t", "five-by-two-t, one-sided", "five-by-two-f")), Case("difference")),
        _five_by_two,
    ),
    *(
        Setting("folds", f"{learners} equal learners on independent data sets{words}", many, DATA_SETS, _data_sets(many, learners, ties))
        for many, learners, ties, words in ((10, 4, False, ""), (5, 4, False, ""), (30, 4, True, ", heavy ties"), (10, 12, False, ""))
    ),
    *(
        Setting("folds", f"independent {kind} scores", k, (SKEWED, SPREAD), _independent(kind, k), 10_000, 2500)
        for kind in ("normal", "exponential")
        for k in (5, 30)
    ),
)  # fmt: skip
