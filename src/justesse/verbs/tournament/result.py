"""What `tournament` hands back."""

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity
from justesse.verbs.noise.label_versions import LabelVersion
from justesse.verbs.tournament.words import count_of, headline, share_words
from justesse.verbs.words import in_columns

AGAINST = ("type_one", "type_two", "agreement")
REFERENCES = {
    "overlap": "overlap of intervals, true classes",
    "paired": "paired comparison, true classes",
}
MOST_DECISIONS = 2_000_000  # letters of decisions that JSON still holds
ASSUMPTIONS = (
    "the true classes are right",
    "the rows are independent draws from the population of interest",
    "the classifiers are draws from those that could have been compared: an interval says how a rate varies from pool "
    "to pool, on these rows",
)


@dataclass(frozen=True, eq=False)
class JudgeResult:
    """One judge on one version of the labels: whom it replaces, and how often that is wrong.

    `replaces[i, j]` says that candidate j takes the place of incumbent i; `against` has type I, type II and agreement
    for each reference; `answers` are those an expert gave per pair, if one was asked.
    """

    name: str
    settings: Mapping[str, Any]
    replaces: Array
    against: Mapping[str, Mapping[str, Estimate]]
    worse_accepted: Estimate
    answers: Array | None = None

    def rates(self, reference: str) -> dict[str, Estimate]:
        """Give all four rates."""
        return {**self.against[reference], "worse_accepted": self.worse_accepted}

    @property
    def asked(self) -> dict[str, float] | None:
        """How many answers a pair took, if an expert was asked: on average, in the median, and at most."""
        if self.answers is None:
            return None
        pairs = self.answers[~np.eye(len(self.answers), dtype=bool)]
        return {"mean": float(pairs.mean()), "median": float(np.median(pairs)), "most": int(pairs.max())}

    def to_dict(self) -> dict[str, Any]:
        return {
            "judge": self.name,
            "settings": dict(self.settings),
            "worse_accepted": _share(self.worse_accepted),
            "against": {
                reference: {name: _share(one) for name, one in found.items()}
                for reference, found in self.against.items()
            },
            "answers": self.asked,
        }


@dataclass(frozen=True, eq=False)
class Round:
    """All judges on one version of the labels, for one measure.

    `values` and `apparent` are the measure of each classifier against the true classes and against the labels;
    `order` lists the classifiers from the worst to the best truly; `references` says whom each reference replaces.
    """

    version: LabelVersion
    asked: Quantity
    values: Array
    apparent: Array
    references: Mapping[str, Array]
    judged: tuple[JudgeResult, ...]

    @property
    def order(self) -> Array:
        """Classifiers from the worst to the best; those without a value come first."""
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
                name: {"replaced": int(found.sum()), "pairs": pairs} for name, found in self.references.items()
            },
            "judges": [one.to_dict() for one in self.judged],
            "decisions": {
                "references": {name: _letters(found, order) for name, found in self.references.items()},
                "judges": {one.name: _letters(one.replaces, order) for one in self.judged},
            }
            if decisions
            else None,
        }


@dataclass(frozen=True, repr=False, eq=False)
class Tournament:
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

    @property
    def pairs(self) -> int:
        """How many ordered pairs there are."""
        return len(self.names) * (len(self.names) - 1)

    @property
    def measures(self) -> list[str]:
        """What was judged, in words."""
        return list(dict.fromkeys(one.asked.title for one in self.rounds))

    @property
    def judges(self) -> list[str]:
        """Who judged."""
        return [one.name for one in self.rounds[0].judged]

    def of(self, measure: str | None = None) -> list[Round]:
        """Give the rounds of one measure, the first by itself."""
        wanted = self.measures[0] if measure is None else measure
        return [one for one in self.rounds if one.asked.title == wanted]

    def title_of(self, held: Round) -> str:
        """Name a round by what sets it apart from the others: the measure, the version of the labels, or both."""
        versions = {one.version.name for one in self.rounds}
        parts = [held.asked.title] if len(self.measures) > 1 else []
        return "; ".join([*parts, held.version.title] if len(versions) > 1 or not parts else parts)

    @property
    def headline(self) -> str:
        """Say which judges never accepted a worse candidate, and which of them misses the fewest better ones."""
        return headline(self)

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints; decisions pair by pair are left out where there are millions."""
        rounds = [one.to_dict(self.names, self.holds_decisions) for one in self.rounds]
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
                "answers": [list(one) for one in self.others],
            },
            "ignored": list(self.ignored),
            "level": self.rule.level,
            "margin": self.rule.margin,
            "alternative": self.rule.alternative,
            "seed": self.rule.seed,
            "rounds": rounds,
            "warnings": list(self.warnings),
            "assumptions": list(ASSUMPTIONS),
        }

    @property
    def holds_decisions(self) -> bool:
        """Whether JSON has every decision."""
        return len(self.names) ** 2 * sum(2 + len(one.judged) for one in self.rounds) <= MOST_DECISIONS

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the rates out as columns, one row for each version, measure, judge and reference."""
        found: dict[str, list[Any]] = {}
        for held in self.rounds:
            for one in held.judged:
                for reference in one.against:
                    row: dict[str, Any] = {
                        "label": held.version.name,
                        "wrong": held.version.realised,
                        "measure": held.asked.title,
                        "judge": one.name,
                        "reference": reference,
                    }
                    for name, rate in one.rates(reference).items():
                        row[name] = finite_or_none(rate.value)
                        row[f"{name}_low"] = rate.interval.low if rate.interval else None
                        row[f"{name}_high"] = rate.interval.high if rate.interval else None
                        row[f"{name}_n"] = int(rate.n)
                    for name, value in row.items():
                        found.setdefault(name, []).append(value)
        return found

    def to_frame(self) -> Any:
        """Give the rates in the caller's kind of data frame (an Arrow table for a path)."""
        return native_frame(self.to_columns(), like=self.source)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the rates: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    def report(self, path: str | os.PathLike[str], *, command: str | None = None) -> Path:
        """Write a page that opens offline."""
        from justesse.verbs.tournament.page import write_page

        return write_page(self, Path(path), command=command)

    def chart(self, name: str = "decisions", *, reference: str = "overlap", measure: str | None = None) -> Any:
        """Give an Altair chart: `decisions` pair by pair, or `rates` against the share of wrong labels."""
        from justesse.verbs.tournament.pictures import picture

        return picture(self, name, reference=reference, measure=measure)

    def charts(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write every chart as SVG and PNG."""
        from justesse.report.chart_files import write_charts
        from justesse.verbs.tournament.pictures import every_picture

        return write_charts(every_picture(self), Path(folder))

    def rows(self, reference: str) -> list[tuple[str, ...]]:
        """Lay the rates against one reference out in words, a heading first."""
        several = len(self.rounds) > 1
        heads = (*(["labels"] if several else []), "judge", "type I", "type II", "agreement", "truly worse accepted")
        found: list[tuple[str, ...]] = [heads]
        for held in self.rounds:
            for one in held.judged:
                rates = one.rates(reference).values()
                found.append(
                    (*([self.title_of(held)] if several else []), one.name, *(share_words(rate) for rate in rates))
                )
        return found

    def __repr__(self) -> str:
        lines = [self.headline]
        for reference, words in REFERENCES.items():
            lines += ["", f"Reference: {words}", *in_columns(self.rows(reference))]
        notes = ["", *(f"! {warning}" for warning in self.warnings)] if self.warnings else []
        return "\n".join([*lines, *notes])

    def _repr_html_(self) -> str:
        tables = []
        for reference, words in REFERENCES.items():
            head, *body = self.rows(reference)
            cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
            rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in body)
            caption = f"<caption>Reference: {html.escape(words)}</caption>"
            tables.append(f"<table>{caption}<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>")
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        return f"<p>{html.escape(self.headline)}</p>{''.join(tables)}" + (f"<ul>{notes}</ul>" if notes else "")


def _share(one: Estimate) -> dict[str, Any]:
    return {
        "count": count_of(one),
        "n": int(one.n),
        "value": finite_or_none(one.value),
        "interval": one.interval.to_dict() if one.interval else None,
        "undefined": one.undefined,
    }


def _letters(replaces: Array, order: Array) -> list[str]:
    """Write decisions as one word for each incumbent, worst first: 1 where the candidate replaces it, 0 where not.

    >>> _letters(np.array([[False, True], [False, False]]), np.array([1, 0]))
    ['-0', '1-']
    """
    letters = np.where(replaces[np.ix_(order, order)], "1", "0")
    np.fill_diagonal(letters, "-")
    return ["".join(row) for row in letters]
