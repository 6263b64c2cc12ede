"""What `tournament` returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.logs.log_facts import LogFacts
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity
from justesse.judges.tournament import count_of
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.noise.label_versions import LabelVersion
from justesse.verbs.tournament.board_columns import board_columns
from justesse.verbs.tournament.boards import ModelBoard

AGAINST = ("type_one", "type_two", "agreement")
MOST_DECISIONS = 2_000_000  # letters of decisions that JSON still holds
ASSUMPTIONS = (
    "the true classes are right",
    "the rows are independent draws from the population of interest",
    "the classifiers are a random sample of those that could have been compared: an interval says how a rate varies "
    "from sample to sample, on these rows",
)


@dataclass(frozen=True, eq=False)
class JudgeResult:
    """One judge on one version of the labels: whom it replaces, and how often that is wrong.

    `replaces[i, j]` is true if candidate j replaces incumbent i. `against` has type I, type II and agreement for each
    reference. `answers` counts the answers of an expert per pair, if one was asked.
    """

    name: str
    settings: Mapping[str, Any]
    replaces: Array
    against: Mapping[str, Mapping[str, Estimate]]
    worse_accepted: Estimate
    answers: Array | None = None

    def rates(self, reference: str) -> dict[str, Estimate]:
        """Return all four rates against a reference."""
        return {**self.against[reference], "worse_accepted": self.worse_accepted}

    @property
    def asked(self) -> dict[str, float] | None:
        """Answers per pair, if an expert was asked: mean, median and maximum."""
        if self.answers is None:
            return None
        per_pair = self.answers[~np.eye(len(self.answers), dtype=bool)]
        return {"mean": float(per_pair.mean()), "median": float(np.median(per_pair)), "most": int(per_pair.max())}

    def to_dict(self) -> dict[str, Any]:
        return {
            "judge": self.name,
            "settings": dict(self.settings),
            "worse_accepted": _share(self.worse_accepted),
            "against": {
                reference: {name: _share(rate) for name, rate in rates.items()}
                for reference, rates in self.against.items()
            },
            "answers": self.asked,
        }


@dataclass(frozen=True, eq=False)
class Round:
    """All judges on one version of the labels, for one measure.

    `values` and `apparent` are the measure of each classifier against the true classes and against the labels;
    `references` says whom each reference replaces.
    """

    version: LabelVersion
    asked: Quantity
    values: Array
    apparent: Array
    references: Mapping[str, Array]
    judged: tuple[JudgeResult, ...]

    @property
    def order(self) -> Array:
        """Classifiers from the worst to the best against the true classes; those without a value come first."""
        return np.argsort(np.nan_to_num(self.values, nan=-1.0), kind="stable")

    def to_dict(self, names: Sequence[str], decisions: bool) -> dict[str, Any]:
        order, pairs = self.order, len(names) * (len(names) - 1)
        version = self.version
        return {
            "label": version.name,
            "method": version.method,
            "asked": version.asked,
            "realised": version.realised,
            "measure": self.asked.name,
            "class": self.asked.class_name,
            "models": [
                {"name": names[at], "true": finite_or_none(self.values[at]), "label": finite_or_none(self.apparent[at])}
                for at in order.tolist()
            ],
            "references": {
                name: {"replaced": int(replaces.sum()), "pairs": pairs} for name, replaces in self.references.items()
            },
            "judges": [judge.to_dict() for judge in self.judged],
            "decisions": {
                "references": {name: _letters(replaces, order) for name, replaces in self.references.items()},
                "judges": {judge.name: _letters(judge.replaces, order) for judge in self.judged},
            }
            if decisions
            else None,
        }


@dataclass(frozen=True, repr=False, eq=False)
class Tournament(Result):
    """Every judge on every ordered pair of classifiers: whom it replaces, and how often it errs.

    `rounds` has one entry for each version of the labels and measure; `to_dict()` is exactly the `--json`.
    """

    names: tuple[str, ...]
    rounds: tuple[Round, ...]
    n: int
    classes: tuple[ClassName, ...]
    rule: Rule
    source: Any
    files: tuple[str, ...]
    dropped: int
    ignored: tuple[str, ...]
    warnings: tuple[str, ...]
    policy: AnswerPolicy = REFUSE
    others: tuple[tuple[str, ClassName, int], ...] = ()
    missing: Mapping[str, int] = field(default_factory=dict)
    logs: tuple[LogFacts, ...] = ()
    leaderboards: tuple[ModelBoard, ...] = ()

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return ASSUMPTIONS if self.rounds else self.leaderboards[0].board.assumptions

    @property
    def leaderboard(self) -> ModelBoard:
        """The leaderboard by the first column of labels."""
        return self.leaderboards[0]

    @property
    def native(self) -> Any:
        return self.source

    @property
    def pairs(self) -> int:
        """Number of ordered pairs."""
        return len(self.names) * (len(self.names) - 1)

    @property
    def measure_titles(self) -> list[str]:
        """Names of the measures that the judges compared."""
        return list(dict.fromkeys(held.asked.title for held in self.rounds))

    @property
    def judges(self) -> list[str]:
        """The judges that took part."""
        return [judge.name for judge in self.rounds[0].judged] if self.rounds else []

    def rounds_of(self, measure: str | None = None) -> list[Round]:
        """Return the rounds of one measure. Default: the first."""
        title = next(iter(self.measure_titles), None) if measure is None else measure
        return [held for held in self.rounds if held.asked.title == title]

    def title_of(self, held: Round) -> str:
        """Name a round by what distinguishes it from the others: the measure, the version of the labels, or both."""
        versions = {other.version.name for other in self.rounds}
        parts = [held.asked.title] if len(self.measure_titles) > 1 else []
        return "; ".join([*parts, held.version.title] if len(versions) > 1 or not parts else parts)

    @property
    def headline(self) -> str:
        """Which classifiers may be the best; with judges, which of them accepted worse candidates."""
        from justesse.verbs.tournament.document import headline

        return str(headline(self))

    def to_dict(self) -> dict[str, Any]:
        """Return exactly what `--json` prints; decisions pair by pair are left out if there are millions."""
        rounds = [held.to_dict(self.names, self.holds_decisions) for held in self.rounds]
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "models": list(self.names),
            "n": self.n,
            "pairs": self.pairs,
            "classes": list(self.classes),
            "dropped": self.dropped,
            "missing": {"policy": self.policy.missing, "answers": dict(self.missing)},
            "others": {
                "policy": self.policy.others,
                "n": sum(n for _, _, n in self.others),
                "answers": [list(stray) for stray in self.others],
            },
            "ignored": list(self.ignored),
            "level": self.rule.level,
            "margin": self.rule.margin,
            "alternative": self.rule.alternative,
            "seed": self.rule.seed,
            "leaderboards": [held.to_dict() for held in self.leaderboards],
            "rounds": rounds,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            **({"logs": [log.to_dict() for log in self.logs]} if self.logs else {}),
        }

    @property
    def holds_decisions(self) -> bool:
        """Whether JSON has every decision."""
        return len(self.names) ** 2 * sum(2 + len(held.judged) for held in self.rounds) <= MOST_DECISIONS

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the rates of judges out as columns; without judges, the leaderboard, one row for each classifier."""
        if not self.rounds:
            return board_columns(self.leaderboard)
        columns: dict[str, list[Any]] = {}
        for held in self.rounds:
            for judge in held.judged:
                for reference in judge.against:
                    row: dict[str, Any] = {
                        "label": held.version.name,
                        "wrong": held.version.realised,
                        "measure": held.asked.title,
                        "judge": judge.name,
                        "reference": reference,
                    }
                    for name, rate in judge.rates(reference).items():
                        row[name] = finite_or_none(rate.value)
                        row[f"{name}_low"] = rate.interval.low if rate.interval else None
                        row[f"{name}_high"] = rate.interval.high if rate.interval else None
                        row[f"{name}_n"] = int(rate.n)
                    for name, value in row.items():
                        columns.setdefault(name, []).append(value)
        return columns

    def document(self) -> Document:
        from justesse.verbs.tournament.document import tournament_document

        return tournament_document(self)

    def chart(self, name: str | None = None, *, reference: str = "overlap", measure: str | None = None) -> Any:
        """Draw a chart: `decisions` pair by pair, `rates` against the share of wrong labels, or one of the leaderboard.

        Parameters
        ----------
        name
            `decisions` or `rates`; or a name of `drawings()`, such as `ranks`. Default: `decisions`; `ranks` without judges.
        reference
            `overlap` or `paired`.
        measure
            One of `measure_titles`. Default: the first.
        """
        from justesse.verbs.tournament.pictures import picture

        if (draw := self.drawings().get(name or "")) is not None:
            return draw()
        return picture(self, name or ("decisions" if self.rounds else "ranks"), reference=reference, measure=measure)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse.verbs.tournament.board_pictures import board_drawings
        from justesse.verbs.tournament.pictures import picture, pictures

        judged = {name: partial(picture, self, chart, **about) for name, (chart, about) in pictures(self).items()}
        return {**judged, **board_drawings(self.leaderboards)}


def _share(rate: Estimate) -> dict[str, Any]:
    return {
        "count": count_of(rate),
        "n": int(rate.n),
        "value": finite_or_none(rate.value),
        "interval": rate.interval.to_dict() if rate.interval else None,
        "undefined": rate.undefined,
    }


def _letters(replaces: Array, order: Array) -> list[str]:
    """Write decisions as one word for each incumbent, worst first: 1 where the candidate replaces it, 0 where not.

    >>> _letters(np.array([[False, True], [False, False]]), np.array([1, 0]))
    ['-0', '1-']
    """
    letters = np.where(replaces[np.ix_(order, order)], "1", "0")
    np.fill_diagonal(letters, "-")
    return ["".join(row) for row in letters]
