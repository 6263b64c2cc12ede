"""The procedure that a name and a few numbers ask for."""

from typing import Any, Literal, get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import ClassError, OptionError
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.by_time import most_time_folds
from justesse.procedures.folds import Folds, LeaveOneOut, five_by_two
from justesse.procedures.holdout import Holdout
from justesse.procedures.kinds import Kind

Procedure = Literal[
    "stratified-kfold",
    "kfold",
    "grouped",
    "by-time",
    "holdout",
    "repeated-holdout",
    "leave-one-out",
    "5x2",
    "bootstrap",
]
FOLDS = 10
# which numbers each of them takes
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
    """Make the procedure: stratified ten folds unless something else is asked for or groups or times are given.

    >>> named_procedure("repeated-holdout", np.array(["a", "b"] * 20), repeats=4).name
    '4 times stratified holdout of 20%'
    """
    if groups is not None and times is not None:
        raise OptionError("rows are kept together by group or put in order by time, not both; give one of them")
    wanted = name or ("grouped" if groups is not None else "by-time" if times is not None else "stratified-kfold")
    if wanted not in get_args(Procedure):
        raise OptionError(f"procedure must be one of {', '.join(get_args(Procedure))}; got {wanted!r}")
    numbers = {"k": k, "repeats": repeats, "test_share": test_share, "draws": draws}
    for given, value in numbers.items():
        if value is not None and given not in TAKES[wanted]:
            takers = ", ".join(one for one, takes in TAKES.items() if given in takes)
            raise OptionError(f"{given} is for {takers}; {wanted} takes none")
    if wanted == "grouped" and groups is None:
        raise OptionError("folds by group need to know the groups: give group=… (--group COLUMN)")
    if wanted == "by-time" and times is None:
        raise OptionError("folds by time need to know the times: give time=… (--time COLUMN)")
    kind: Kind = "grouped" if groups is not None else "by-time" if times is not None else "stratified"
    if groups is not None:
        _check_groups(groups, labels)
        if wanted in ("stratified-kfold", "kfold", "leave-one-out"):
            raise OptionError(f"{wanted} would put rows of one group on both sides: use the procedure grouped")
    if times is not None and wanted not in ("by-time", "holdout"):
        raise OptionError(f"{wanted} would learn from later rows: use the procedure by-time, or holdout")
    many = 2 if wanted == "5x2" else k if k is not None else FOLDS
    if wanted == "by-time" and times is not None:
        many = _time_folds(times, k)
    elif wanted == "grouped" and groups is not None and k is None:
        many = min(FOLDS, len(np.unique(groups)))
    if kind == "stratified" and wanted in ("stratified-kfold", "5x2"):
        _check_classes(labels, many)
    if wanted == "leave-one-out":
        return LeaveOneOut()
    if wanted == "5x2":
        return five_by_two(kind=kind, random_state=seed)
    if wanted == "bootstrap":
        return Bootstrap(200 if draws is None else draws, "plain" if kind == "stratified" else kind, seed)
    if wanted in ("holdout", "repeated-holdout"):
        often = 1 if wanted == "holdout" else 20 if repeats is None else repeats
        return Holdout(0.2 if test_share is None else test_share, often, kind, seed)
    return Folds(many, 1 if repeats is None else repeats, "plain" if wanted == "kfold" else kind, seed)


def _time_folds(times: Array, k: int | None) -> int:
    """Give the folds wanted, or as many up to ten as the times allow; refuse what they do not allow."""
    if k is not None and k < 2:
        return k  # the folds themselves refuse it
    fit = most_time_folds(times, most=FOLDS if k is None else k)
    if fit and (k is None or fit == k):
        return fit
    counts = np.unique(times, return_counts=True)[1]
    have = f"these {len(times):,} rows have {len(counts):,} different times, the most frequent in {counts.max():,} rows"
    if fit and k is not None:
        raise OptionError(
            f"{k} folds by time need {k + 1} different times that share the rows out; {have}: use {fit} folds (--k {fit}), "
            "or name a finer column of times"
        )
    raise OptionError(
        f"folds by time test on later times what was learnt from earlier ones and need 3 different times or more that "
        f"share the rows out; {have}: name a finer column of times, use --procedure holdout (2 times are enough), or leave "
        "the times out"
    )


def _check_classes(labels: Array, k: int) -> None:
    codes, names = coded(labels)
    counts = np.bincount(codes)
    if counts.min() < k:
        raise ClassError(
            f"{k} stratified folds need {k} rows or more of each class; {names[counts.argmin()]!r} has "
            f"{counts.min()}: ask for fewer folds (k=…, --k), merge or gather rows of that class, or use kfold "
            "(--procedure kfold), which lets folds do without it"
        )


def _check_groups(groups: Array, labels: Array) -> None:
    """Refuse a class of one group: it is never learnt where it is tested, and no figure could say anything of it."""
    group_of, names = coded(groups)
    if len(names) < 2:
        raise OptionError(f"two groups or more are needed to test on other groups; all rows are of {names[0]!r}")
    class_of, classes = coded(labels)
    for code, name in enumerate(classes):
        own = np.unique(group_of[class_of == code])
        if len(own) == 1:
            raise ClassError(
                f"class {name!r} is in group {names[own[0]]!r} alone: split by group, it is either tested and never "
                "learnt or learnt and never tested; gather it from other groups, merge it, or leave those rows out"
            )
