"""Checks for copies between training and test, on rows that were split at random: false alarms."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.core.seeds import stream
from justesse.frames.sides import side
from justesse.procedures.disjoint import check_near
from justesse.procedures.random_split import as_many_repeated, as_many_shared
from studies.validity.case import Case, Hits, Setting, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
NEAR = "near copies found (JU003)"
SHARED, REPEATED = "as many shared rows (JU001, JU002)", "as many repeated rows (JU004)"
ABOUT = ("p-value:disjoint",)
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))


def _texts(rng: np.random.Generator, n: int) -> list[str]:
    """Write texts from few patterns, each with a number of its own, so that some are nearly the same."""
    patterns = ["".join(LETTERS[rng.integers(26, size=40)]) for _ in range(4 * n)]
    return [f"{patterns[at]} {rng.integers(100)}" for at in rng.integers(4 * n, size=n)]


def _near(test: int, train: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, failed = stream(seed, "near copies", str(test), str(train)), 0
        for at in range(repetitions):
            texts = _texts(rng, test + train)
            ours, theirs = side({"text": texts[:test]}, "test"), side({"text": texts[test:]}, "train")
            failed += check_near(ours, theirs, "text", near=0.8, seed=at).state == "failed"
        return {NEAR: Hits(failed, repetitions, 0, ("fisher-exact",))}

    return run


def _pvalues(rows: int, contents: int, share: float) -> Run:
    """Split rows of few contents at random and compare the equal rows with those of all random splits."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "random splits", str(rows), str(contents), str(share))
        pvalues: dict[str, list[float]] = {SHARED: [], REPEATED: []}
        size = round(share * rows)
        for _ in range(repetitions):
            drawn = rng.integers(contents, size=rows)
            test, train = (np.bincount(part, minlength=contents) for part in (drawn[:size], drawn[size:]))
            kinds, many = np.unique(np.stack([test, train]), axis=1, return_counts=True)
            pvalues[SHARED].append(as_many_shared(kinds[0], kinds[1], many))
            pvalues[REPEATED].append(as_many_repeated(kinds[0], kinds[1], many))
        return {what: rejected(found, "random split") for what, found in pvalues.items()}

    return run


SETTINGS = (
    *(
        Setting("copies", f"texts of few patterns, {train} training texts, nothing copied", test, (Case(NEAR, "size", ABOUT),), _near(test, train), chunk=100)
        for test, train in ((50, 150),)
    ),
    *(
        Setting("copies", f"{contents} different contents, {100 * share:g} % of the rows in the test", rows, (Case(SHARED, "size", ABOUT), Case(REPEATED, "size", ABOUT)), _pvalues(rows, contents, share))
        for rows, contents, share in ((300, 1000, 0.2), (300, 100, 0.2), (1000, 20_000, 0.5), (60, 5, 0.2))
    ),
)  # fmt: skip
