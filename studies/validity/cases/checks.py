"""Answers in clusters, the best of several models, and the check that rows are like a population."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.core.results import ClassName
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.noise.clustered_rates import clustered_rates
from justesse.procedures.luck_of_choice import corrected_choice
from justesse.procedures.same_shares import same_shares
from justesse.significance.selection import as_good_by_luck, best_by_luck
from studies.validity.case import Case, Hits, Setting, covered, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
EACH, RATE, DRAWS = 5, 0.1, 200


def _clusters(items: int, spread: float) -> Run:
    """Label each item five times; the chance of a wrong label is beta distributed over items."""
    shape = (RATE / spread, (1 - RATE) / spread)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, found = stream(seed, "clusters", str(items), str(spread)), []
        for _ in range(repetitions):
            wrong = rng.binomial(EACH, rng.beta(*shape, size=items)).tolist()
            cells = [("a", "a", item, EACH - many) for item, many in enumerate(wrong)]
            cells += [("a", "b", item, many) for item, many in enumerate(wrong)]
            rates, _ = clustered_rates(Tally.of(("true", "label", "cluster"), [cell for cell in cells if cell[-1]]))
            found.append(rates[0].interval)
        return {"noise rate of items labelled five times": covered(found, RATE)}

    return run


def _best(models: int, n: int, accuracies: tuple[float, float]) -> Run:
    """Choose the best of several models by its accuracy on the rows; the truth is that of the one chosen."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, true = stream(seed, "best", str(models), str(n), str(accuracies)), np.linspace(*accuracies, models)
        found, truths, lucky = [], [], []
        for at in range(repetitions):
            right = rng.random((n, models)) < true
            chosen = corrected_choice({str(k): right[:, k] for k in range(models)}, draws=DRAWS, seed=at)
            found.append(chosen.corrected.interval)
            truths.append(float(true[int(chosen.best)]))
            guesses = int((rng.random((n, models)) < 0.5).sum(axis=0).max())
            lucky.append(best_by_luck(as_good_by_luck(guesses, n), models))
        return {
            "accuracy of the best model": covered(found, truths),
            "best of several guessers, as good by luck": rejected(lucky, "best-by-luck"),
        }

    return run


def _shares(n: int, shares: tuple[float, ...], counted: bool) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "same shares", str(n), str(shares), str(counted))
        pvalues = []
        for at in range(repetitions):
            ours: dict[ClassName, int] = dict(enumerate(rng.multinomial(n, shares).tolist()))
            theirs: dict[ClassName, float] = dict(enumerate(rng.multinomial(3 * n, shares) if counted else shares))
            pvalues.append(same_shares(ours, theirs, counted=counted, seed=at).pvalue)
        return {"rows like the population": rejected(pvalues, "chi-square or permutation")}

    return run


SETTINGS = (
    *(
        Setting(
            "checks",
            f"10 % wrong labels, {words}",
            items,
            (Case("noise rate of items labelled five times", instead="more items"),),
            _clusters(items, spread),
        )
        for items in (20, 100)
        for spread, words in ((0.05, "items much alike"), (1.0, "items unlike each other"))
    ),
    *(
        Setting(
            "checks",
            f"{models} models with accuracies from {low:g} to {high:g}",
            n,
            (
                Case(
                    "accuracy of the best model",
                    about=("interval:bootstrap-out-of-bag",),
                    instead="nested cross-validation",
                ),
                Case("best of several guessers, as good by luck", "size"),
            ),
            _best(models, n, (low, high)),
            draws=DRAWS,
        )
        for models, n, low, high in ((20, 100, 0.7, 0.7),)
    ),
    *(
        Setting(
            "checks",
            f"{len(shares)} classes, " + ("counted rows" if counted else "known shares"),
            n,
            (Case("rows like the population", "size", ("p-value:same_shares", "p-value:representative")),),
            _shares(n, shares, counted),
            repetitions=2000,
        )
        for n, shares, counted in (
            (200, (0.5, 0.3, 0.2), False),
            (200, (0.5, 0.3, 0.2), True),
            (30, (0.9, 0.09, 0.01), False),
        )
    ),
)
