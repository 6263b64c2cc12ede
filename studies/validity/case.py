"""What a row of the main table of docs/validity.md measures, and the setting in which it is simulated."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from justesse.core.results import Interval

Kind = Literal["coverage", "size"]
ADVERSARIAL = "adversarial: "
FRESH = "fresh: "  # begins the names of settings that played no part in choosing a method
NOMINAL: dict[Kind, float] = {"coverage": 0.95, "size": 0.05}


@dataclass(frozen=True)
class Hits:
    """How often an interval covered, or a test rejected.

    Parameters
    ----------
    hits
        Repetitions that covered or rejected; for an exact figure, the share itself.
    total
        Repetitions; 0 if the figure is exact.
    absent
        Repetitions without an interval or a p-value; they are neither hits nor misses.
    methods
        Names that the intervals or tests bore.
    """

    hits: float
    total: int
    absent: int = 0
    methods: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether all possible data were enumerated."""
        return not self.total

    @property
    def present(self) -> int:
        """Repetitions with an interval or a p-value."""
        return self.total - self.absent

    @property
    def share(self) -> float:
        """Coverage or size.

        >>> Hits(90, 100, 4).share
        0.9375
        """
        if self.exact:
            return self.hits
        return self.hits / self.present if self.present else float("nan")


@dataclass(frozen=True)
class Case:
    """One row: an interval or a test in one setting.

    Parameters
    ----------
    what
        The figure or the question, such as "macro F1".
    kind
        "coverage" of an interval, or "size" of a test.
    about
        The measures, judges and p-values it is about, such as "measure:f1"; and the interval, such as
        "interval:bootstrap-delta", if nothing else measures it.
    nominal
        What it should be. Default: 0.95 for coverage, 0.05 for a size.
    instead
        What to use if it falls short.
    peer
        For other packages: name, version and line of code.
    """

    what: str
    kind: Kind = "coverage"
    about: tuple[str, ...] = ()
    nominal: float | None = None
    instead: str = ""
    peer: str = ""

    @property
    def wanted(self) -> float:
        """What coverage or size should be."""
        return NOMINAL[self.kind] if self.nominal is None else self.nominal


@dataclass(frozen=True)
class Setting:
    """A simulation that serves one or more cases.

    Parameters
    ----------
    part
        The part of the registry.
    name
        What is simulated, in words.
    n
        Rows, or folds.
    cases
        What is measured.
    run
        Function of a number of repetitions and a seed that returns the hits of each case by `what`.
    repetitions
        How many repetitions the page shows; 0 if all possible data are enumerated.
    chunk
        How many of them are one job.
    models
        Whether models are fitted (`make validity-models`).
    needs
        Package that is no dependency; without it, the setting keeps its recorded figures.
    draws
        Number of resamples, if fewer than the default; 0 if nothing is resampled, or the default is.
    """

    part: str
    name: str
    n: int
    cases: tuple[Case, ...]
    run: Callable[[int, int], Mapping[str, Hits]]
    repetitions: int = 2000
    chunk: int = 500
    models: bool = False
    needs: str = ""
    draws: int = 0

    @property
    def possible(self) -> bool:
        """Whether the package it needs is installed."""
        return not self.needs or find_spec(self.needs) is not None

    def key(self, case: Case) -> str:
        """Return the name of a row, which no other has."""
        return f"{self.part}: {case.what}, {self.name}, n = {self.n}"


def covered(intervals: Iterable[Interval | None], truths: float | Iterable[float]) -> Hits:
    """Count the intervals that contain the truth, or each its own.

    >>> covered([Interval(0, 1, 0.95, "wald"), Interval(2, 3, 0.95, "wald"), None], 0.5)
    Hits(hits=1, total=3, absent=1, methods=('wald',))
    """
    every = list(intervals)
    each = [truths] * len(every) if isinstance(truths, int | float) else list(truths)
    hits = [ends.low - 1e-12 <= true <= ends.high + 1e-12 for ends, true in zip(every, each, strict=True) if ends]
    return Hits(sum(hits), len(every), len(every) - len(hits), tuple(sorted({ends.method for ends in every if ends})))


def rejected(pvalues: Iterable[float], test: str, *, level: float = 0.05) -> Hits:
    """Count the p-values of at most the level; NaN is no p-value.

    >>> rejected([0.01, 0.5, float("nan")], "paired-t")
    Hits(hits=1, total=3, absent=1, methods=('paired-t',))
    """
    every = list(pvalues)
    present = [pvalue for pvalue in every if pvalue == pvalue]
    return Hits(sum(pvalue <= level for pvalue in present), len(every), len(every) - len(present), (test,))


def exactly(share: float, *methods: str) -> Hits:
    """Return a figure that was computed from all possible data."""
    return Hits(float(share), 0, 0, methods)


def merged(chunks: Iterable[Hits]) -> Hits:
    """Add up the repetitions of several jobs.

    >>> merged([Hits(1, 2), Hits(3, 4, 1)])
    Hits(hits=4, total=6, absent=1, methods=())
    """
    every = list(chunks)
    names = tuple(sorted({name for chunk in every for name in chunk.methods}))
    if every[0].exact:
        return exactly(every[0].hits, *names)
    return Hits(
        sum(chunk.hits for chunk in every),
        sum(chunk.total for chunk in every),
        sum(chunk.absent for chunk in every),
        names,
    )
