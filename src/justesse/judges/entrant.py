"""Judges as they take part in a tournament: each with its settings, and how it decides all pairs of one round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from justesse.core.all_pairs import AllPairs, PairTable
from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.judges.evidence import Rule
from justesse.noise.models import check_rate

if TYPE_CHECKING:
    from justesse.judges.judge import Judge

HardBy = Literal["disagreement", "random", "difficulty"]


class RowCleaner(Protocol):
    """A filter that a verb hands to a tournament: it sees labels and answers, never the truth, and may train models."""

    @property
    def words(self) -> str: ...

    def clean_rows(self, labels: Array, answers: Array, *, classes: int, seed: int = 0) -> Array: ...


@dataclass(frozen=True)
class Settings:
    """The options of the judges of a tournament.

    Parameters
    ----------
    rate
        Share of wrong labels that judges may assume. `None`: the true one.
    pc
        Share of rows that count as hard.
    hard_by
        How rows are ranked by hardness; `None` takes every ranking there is.
    cleaning
        Simulated cleaning steps, each (s, e) or (s, e, c).
    budget
        Answers that an audit may ask for.
    expert_error
        Share of these answers that may be wrong.
    seed
        Seed of random rankings, cleaning steps and audits.
    has_difficulty
        Whether the difficulty of the rows is known.
    cleaners
        Filters that clean the labels before the judge cleaned decides.
    """

    rate: float | None = None
    pc: float = 0.1
    hard_by: str | Sequence[str] | None = None
    cleaning: Sequence[Sequence[float]] = ()
    budget: int = 200
    expert_error: float = 0.0
    seed: int = 0
    has_difficulty: bool = False
    cleaners: Sequence[RowCleaner] = ()

    def __post_init__(self) -> None:
        if not all(len(chances) in (2, 3) for chances in self.cleaning):
            raise OptionError(f"A cleaning step has chances (s, e) or (s, e, c); got {list(self.cleaning)!r}.")
        if self.rate is not None:
            check_rate(self.rate)
        if not 0 <= self.pc <= 1:
            raise OptionError(f"pc, the share of rows that count as hard, must lie between 0 and 1; got {self.pc!r}.")
        for ranking in self.rankings:
            if ranking not in get_args(HardBy):
                raise OptionError(f"hard_by must be one of {', '.join(get_args(HardBy))}; got {ranking!r}.")

    @property
    def rankings(self) -> list[str]:
        """The rankings asked for, or all that are possible."""
        if self.hard_by is None:
            return [name for name in get_args(HardBy) if self.has_difficulty or name != "difficulty"]
        return [self.hard_by] if isinstance(self.hard_by, str) else list(self.hard_by)


@dataclass(frozen=True, eq=False)
class Scene:
    """What a judge may look at in one round: one version of the labels, one measure.

    Parameters
    ----------
    pairs
        Counts of all ordered pairs.
    rule
        Margin, level and alternative.
    labels, true
        Codes of the labels and of the true classes, by row.
    answers
        Codes of the predictions, one row for each classifier.
    classes
        Number of classes.
    difficulty
        A number for each row, larger where it is harder, if it is known.
    count
        Counts all pairs against other labels, on some of the rows.
    count_disagreements
        Counts the rows on which each pair disagrees, by whom label and true class agree with.
    """

    pairs: AllPairs
    rule: Rule
    labels: Array
    true: Array
    answers: Array
    classes: int
    difficulty: Array | None
    count: Callable[[Array, Array], PairTable]
    count_disagreements: Callable[[], Array]

    @cached_property
    def disagreements(self) -> Array:
        """The rows on which each pair disagrees, counted once for all entrants."""
        return self.count_disagreements()


@dataclass(frozen=True, eq=False)
class Decisions:
    """Whom a judge replaces, [i, j] true where candidate j replaces incumbent i, and the answers it asked for."""

    replaces: Array
    answers: Array | None = None


@dataclass(frozen=True)
class Entrant:
    """A judge with its settings; `needs_joint` says that it needs a table of labels by true classes."""

    name: str
    judge: "Judge"
    decide: Callable[[Scene], Decisions]
    settings: dict[str, Any] = field(default_factory=dict)
    needs_joint: bool = False
    caution: str = ""


def plain_entrant(judge: "Judge", settings: Settings) -> Entrant:
    """Make the one entrant of a judge without variants: with the noise rate if the judge takes it."""
    options = {"rate": settings.rate} if judge.takes_noise else {}
    needs_joint = judge.takes_noise and settings.rate is None
    return Entrant(
        judge.name,
        judge,
        lambda scene: Decisions(judge.decide_many(scene.pairs, scene.rule, **options)),
        {"rate": "the true one"} if needs_joint else options,
        needs_joint,
    )
