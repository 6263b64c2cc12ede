"""Shares of rows: the coverage of every method, summed over all counts."""

from collections.abc import Callable, Mapping
from typing import Any

from justesse.intervals import PROPORTION
from studies.validity.case import Case, Hits, Setting, exactly
from studies.validity.coverage import proportion

SHARES = ("measure:accuracy", "measure:error")
INSTEAD = {
    "wald": "Wilson or Clopper-Pearson",
    "wilson": "Clopper-Pearson (`--method clopper-pearson`), never below 95 %",
    "jeffreys": "Clopper-Pearson (`--method clopper-pearson`), never below 95 %",
    "agresti-coull": "Clopper-Pearson (`--method clopper-pearson`), never below 95 %",
}
SIDES = {"two-sided": "share", "greater": "lower bound of a share", "less": "upper bound of a share"}


def _run(n: int, p: float, method: str, alternative: str) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        side: Any = alternative
        return {f"{SIDES[alternative]}, {method}": exactly(proportion(method, n, p, alternative=side), method)}

    return run


SETTINGS = tuple(
    Setting(
        "shares",
        f"true share {p:g}",
        n,
        (Case(f"{SIDES[side]}, {method}", about=SHARES, instead=INSTEAD.get(method, "")),),
        _run(n, p, method, side),
        repetitions=0,
    )
    for method in PROPORTION
    for side, ns, ps in (
        ("two-sided", (10, 30, 100, 1000), (0.5, 0.9, 0.99)),
        ("greater", (30, 100), (0.9,)),
        ("less", (30, 100), (0.9,)),
    )
    for n in ns
    for p in ps
)
