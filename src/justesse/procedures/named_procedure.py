"""The procedure that a name and a few numbers ask for, and the inner splits that fit it."""

from typing import Any, get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import Procedure
from justesse.core.coded import coded
from justesse.core.errors import ClassError, OptionError
from justesse.core.quantity import quantity
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.by_time import most_time_folds
from justesse.procedures.folds import Folds, LeaveOneOut, five_by_two
from justesse.procedures.holdout import Holdout
from justesse.procedures.kinds import Kind

FOLDS, HOLDOUTS, DRAWS, TEST_SHARE = 10, 20, 200, 0.2
CURVE_SPLITS = 10
MOST_SPLITS = 100_000  # a model is trained for each
# the numbers that each procedure takes
TAKES: dict[str, tuple[str, ...]] = {
    "stratified-kfold": ("k", "repeats"),
    "kfold": ("k", "repeats"),
    "grouped": ("k", "repeats"),
    "by-time": ("k",),
    "holdout": ("test_share",),
    "repeated-holdout": ("repeats", "test_share"),
    "leave-one-out": (),
    "5x2": (),
    "bootstrap": ("draws",),
}


def named_procedure(
    name: Procedure | None,
    labels: Array,
    *,
    groups: Array | None = None,
    times: Array | None = None,
    k: int | None = None,
    repeats: int | None = None,
    test_share: float | None = None,
    draws: int | None = None,
    seed: int = 0,
) -> Any:
    """Make a procedure from its name.

    Parameters
    ----------
    name
        Default: stratified-kfold; grouped if there are `groups`, by-time if there are `times`.
    labels
        Class of each row.
    groups
        Group of each row. Rows of one group stay together.
    times
        Time of each row. Models are tested on later rows only.
    k
        Number of folds. Default: 10, fewer if there are fewer groups or times.
    repeats
        Repetitions. Default: 1 for folds, 20 for repeated-holdout.
    test_share
        Share of rows that a holdout tests on. Default: 0.2.
    draws
        Draws of the bootstrap. Default: 200.
    seed
        Seed of the random splits.

    Returns
    -------
    Folds, LeaveOneOut, Holdout or Bootstrap
        A splitter that scikit-learn takes as `cv`.

    Examples
    --------
    >>> named_procedure("repeated-holdout", np.array(["a", "b"] * 20), repeats=4).name
    '4 times stratified holdout of 20%'
    """
    if groups is not None and times is not None:
        raise OptionError("Rows are either kept together by group or ordered by time. Give group or time, not both.")
    kind: Kind = "grouped" if groups is not None else "by-time" if times is not None else "stratified"
    procedure = name or ("stratified-kfold" if kind == "stratified" else kind)
    _check_name(procedure, groups, times)
    _check_numbers(procedure, {"k": k, "repeats": repeats, "test_share": test_share, "draws": draws})
    if groups is not None:
        _check_groups(groups, labels)
    folds = 2 if procedure == "5x2" else FOLDS if k is None else k
    if procedure == "by-time" and times is not None:
        folds = _time_folds(times, k)
    elif procedure == "grouped" and groups is not None and k is None:
        folds = min(FOLDS, len(np.unique(groups)))
    if kind == "stratified" and procedure in ("stratified-kfold", "5x2"):
        _check_classes(labels, folds)
    if procedure == "leave-one-out":
        return LeaveOneOut()
    if procedure == "5x2":
        return five_by_two(kind=kind, random_state=seed)
    if procedure == "bootstrap":
        return Bootstrap(DRAWS if draws is None else draws, "plain" if kind == "stratified" else kind, seed)
    if procedure in ("holdout", "repeated-holdout"):
        repetitions = 1 if procedure == "holdout" else HOLDOUTS if repeats is None else repeats
        return Holdout(TEST_SHARE if test_share is None else test_share, repetitions, kind, seed)
    return Folds(folds, 1 if repeats is None else repeats, "plain" if procedure == "kfold" else kind, seed)


def inner_folds(procedure: Any, labels: Array, *, seed: int = 0) -> Folds:
    """Make the folds in which a search chooses within the training rows of an outer procedure.

    Five, or fewer if a training set may hold fewer rows of the smallest class; three by time inside folds by time.

    >>> inner_folds(Folds(10), np.array(["a", "b"] * 50)).k
    5
    """
    if getattr(procedure, "kind", None) == "by-time":
        return Folds(3, kind="by-time")
    fewest = int(np.bincount(coded(labels)[0]).min() / 2)
    return Folds(min(5, fewest), random_state=seed) if fewest >= 2 else Folds(3, kind="plain", random_state=seed)


def curve_splits(procedure: Any, times: Array | None = None, *, seed: int = 0) -> Folds | Holdout:
    """Make the splits of a learning curve, which keep together what the procedure keeps together.

    >>> curve_splits(Folds(10)).name
    '10 times stratified holdout of 20%'
    """
    kind = getattr(procedure, "kind", "stratified")
    if kind == "by-time" and times is not None:
        return Folds(max(2, most_time_folds(times, most=5)), kind="by-time")
    return Holdout(TEST_SHARE, CURVE_SPLITS, "grouped" if kind == "grouped" else "stratified", seed)


def _check_name(procedure: str, groups: Array | None, times: Array | None) -> None:
    if procedure not in get_args(Procedure):
        raise OptionError(f"procedure must be one of {', '.join(get_args(Procedure))}; got {procedure!r}.")
    if procedure == "grouped" and groups is None:
        raise OptionError("Procedure 'grouped' needs the group of each row. Name its column with group=… (--group).")
    if procedure == "by-time" and times is None:
        raise OptionError("Procedure 'by-time' needs the time of each row. Name its column with time=… (--time).")
    if groups is not None and procedure in ("stratified-kfold", "kfold", "leave-one-out"):
        raise OptionError(f"Procedure {procedure!r} would train and test on rows of one group. Use 'grouped'.")
    if times is not None and procedure not in ("by-time", "holdout"):
        raise OptionError(
            f"Procedure {procedure!r} would train on rows later than those it tests. Use 'by-time' or 'holdout'."
        )


def _check_numbers(procedure: str, numbers: dict[str, Any]) -> None:
    for option, value in numbers.items():
        if value is not None and option not in TAKES[procedure]:
            takers = ", ".join(name for name, takes in TAKES.items() if option in takes)
            raise OptionError(f"Procedure {procedure!r} takes no {option}. Use it with {takers}.")
        if option in ("repeats", "draws") and value is not None and not 1 <= value <= MOST_SPLITS:
            raise OptionError(f"{option} (--{option}) must be a whole number from 1 to {MOST_SPLITS:,}; got {value!r}.")


def _time_folds(times: Array, k: int | None) -> int:
    """Return the folds asked for, or as many up to ten as the times allow; refuse what they do not allow."""
    if k is not None and k < 2:
        return k  # Folds refuses it
    most = most_time_folds(times, most=FOLDS if k is None else k)
    if most and (k is None or most == k):
        return most
    counts = np.unique(times, return_counts=True)[1]
    have = (
        f"{quantity(len(times), 'row')} have {quantity(len(counts), 'different time')}, the most frequent in "
        f"{quantity(int(counts.max()), 'row')}"
    )
    if most and k is not None:
        raise OptionError(
            f"{k} folds by time need at least {k + 1} different times, evenly spread over the rows. {have}. "
            f"Use {most} folds (--k {most}), or a column with finer times."
        )
    raise OptionError(
        f"Folds by time need at least 3 different times, evenly spread over the rows. {have}. Use a column "
        "with finer times, use --procedure holdout (2 times are enough), or leave out --time."
    )


def _check_classes(labels: Array, k: int) -> None:
    codes, names = coded(labels)
    counts = np.bincount(codes)
    if counts.min() < k:
        raise ClassError(
            f"{k} stratified folds need at least {k} rows of each class, but class {names[counts.argmin()]!r} "
            f"has {counts.min()}. Use fewer folds (--k), merge classes, add rows of that class, or use "
            "--procedure kfold."
        )


def _check_groups(groups: Array, labels: Array) -> None:
    """Refuse a class that is in one group only: no model could learn it and be tested on it."""
    group_of, names = coded(groups)
    if len(names) < 2:
        raise OptionError(
            f"Testing on other groups needs at least two groups, but all rows are in group {names[0]!r}. Name "
            "another column (--group), or leave it out."
        )
    class_of, classes = coded(labels)
    for code, name in enumerate(classes):
        groups_of_class = np.unique(group_of[class_of == code])
        if len(groups_of_class) == 1:
            raise ClassError(
                f"Class {name!r} is in group {names[groups_of_class[0]]!r} only. Split by group, no model can "
                "both learn it and be tested on it. Add rows from other groups, merge the class, or leave "
                "those rows out."
            )
