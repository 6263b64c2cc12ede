"""What `compare` gives without labels, and how it describes itself."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Estimate, finite_or_none, level_name
from justesse.core.verdict import Decision, Verdict
from justesse.core.version import SCHEMA, __version__
from justesse.frames.side_by_side import SideBySide
from justesse.judges.evidence import Rule
from justesse.judges.reference_dependence import ReferenceDependence
from justesse.judges.words import TITLES
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.significance import title_of_test
from justesse.verbs.compare.gates import Gate, check_gate
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.unlabelled.independence import Independence

HOW = (
    "No labels are used. A reference classifier that errs independently of both, and is better than chance, agrees more "
    "often with the better of the two (Raj, Singh and Baker 2011). The difference of the agreements has Tango's score "
    "interval and McNemar's mid-p test. The accuracies differ by at least as much, in the same direction.",
    "Dependence: where the two differ, the reference may take one side for other reasons than being right. The dependence "
    "is how much this adds to its lean: half the difference between its leans to the right side where the candidate is "
    "right and where the incumbent is right, and its lean where neither is right, whichever is larger. While it is smaller "
    "than the lean that was seen, the order of the two is as found.",
)
UNTESTABLE = (
    "Three classifiers cannot show whether the reference errs independently: this is an assumption. If the reference "
    "resembles one of the two (architecture, training data), it sides with that one. Name further references "
    "(--reference), or a column with labels for some rows (--label), to test it."
)


@dataclass(frozen=True)
class ByReference:
    """What one reference classifier says: the verdict, and the dependence it tolerates."""

    name: str
    verdict: Verdict
    dependence: ReferenceDependence

    def to_dict(self) -> dict[str, Any]:
        written = self.verdict.to_dict()
        kept = ("verdict", "difference", "interval", "undefined", "pvalue", "test", "reason")
        return {"name": self.name, **{key: written[key] for key in kept}, "dependence": self.dependence.to_dict()}


@dataclass(frozen=True, repr=False)
class UnlabelledComparison(Result):
    """The verdict by the agreement with a reference classifier, and what it rests on."""

    judged: tuple[ByReference, ...]
    rows: SideBySide
    independence: Independence
    rule: Rule
    sources: tuple[Any, ...] = ()

    robustness_unknown = "there are no labels"

    @property
    def verdict(self) -> Verdict:
        """The verdict by the first reference."""
        return self.judged[0].verdict

    @property
    def dependence(self) -> ReferenceDependence:
        """The dependence that this verdict tolerates."""
        return self.judged[0].dependence

    @property
    def decision(self) -> Decision:
        return self.verdict.decision

    @property
    def difference(self) -> Estimate:
        """How much more often the reference agrees with the candidate than with the incumbent."""
        return self.verdict.difference

    @property
    def replaces(self) -> bool:
        return self.decision == "replace"

    def passes(self, gate: Gate = "better", *, robust: bool = False) -> bool:
        """Tell whether the candidate passes a gate; without labels, only `better` and `none` can be asked."""
        check_gate(gate, self.rule.margin, robust)
        if gate == "not-worse":
            raise OptionError(
                "The gate not-worse needs labels: the agreement with a reference shows which is better, not by how much. "
                "Use the gate better or none."
            )
        return gate == "none" or (self.replaces and not robust)

    def __bool__(self) -> bool:
        raise TypeError("A comparison is neither true nor false. Use .replaces or .passes('better').")

    @property
    def names(self) -> tuple[str, str]:
        """Names of the incumbent and of the candidate."""
        first, other, *_ = self.rows.patterns.names
        return first, other

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        return tuple(map(str, _warnings(self)))

    def to_dict(self) -> dict[str, Any]:
        written = self.verdict.to_dict()
        kept = ("verdict", "difference", "interval", "undefined", "n", "pvalue", "test", "reason")
        incumbent, candidate = self.names
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "headline": {"which": "reference", **{key: written[key] for key in kept}},
            **{key: written[key] for key in (*kept, "judge", "measure", "margin", "level", "alternative")},
            "incumbent": {"name": incumbent, **written["incumbent"]},
            "candidate": {"name": candidate, **written["candidate"]},
            "reference": self.judged[0].name,
            "dependence": self.dependence.to_dict(),
            "independence": self.independence.to_dict(),
            "references": [item.to_dict() for item in self.judged],
            "classes": list(self.rows.patterns.classes),
            "columns": {"on": self.rows.on, "predictions": list(self.rows.columns)},
            "dropped": self.rows.dropped,
            "unmatched": self.rows.unmatched,
            "gates": {"better": self.replaces, "better_robust": False, "not_worse": None},
            "warnings": list(self.warnings),
            "assumptions": list(self.verdict.assumptions),
            "seed": self.rule.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        verdicts = [item.verdict for item in self.judged]
        ends = [verdict.difference.interval for verdict in verdicts]
        return {
            "reference": [item.name for item in self.judged],
            "verdict": [verdict.decision for verdict in verdicts],
            "incumbent_agreement": [finite_or_none(verdict.incumbent.value) for verdict in verdicts],
            "candidate_agreement": [finite_or_none(verdict.candidate.value) for verdict in verdicts],
            "difference": [finite_or_none(verdict.difference.value) for verdict in verdicts],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "level": [self.rule.level for _ in verdicts],
            "pvalue": [finite_or_none(verdict.outcome.pvalue) for verdict in verdicts],
            "differ": [item.dependence.differ for item in self.judged],
            "tolerated_dependence": [item.dependence.tolerated for item in self.judged],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        rows = [(item.name, item.verdict.difference) for item in self.judged]
        draw = partial(
            charts.difference_chart, rows, margin=self.rule.margin, measure="agreement", against=", with each reference"
        )
        return {"differences": draw}

    def document(self) -> Document:
        return Document(
            "Comparison of an incumbent and a candidate without labels",
            _headline(self),
            [_assumption(self), _agreement(self)],
            self.to_dict(),
            verdict=TITLES[self.decision],
            tone=self.decision,
            name="unlabelled-comparison",
            figures=[
                KeyFigure(
                    "Difference in agreement, candidate - incumbent", self.difference, "points", "not of accuracy"
                ),
                KeyFigure("Agreement of the incumbent", self.verdict.incumbent, "share", self.names[0]),
                KeyFigure("Agreement of the candidate", self.verdict.candidate, "share", self.names[1]),
            ],
            cautions=self.warnings,
            assumptions=self.verdict.assumptions,
            how=HOW,
            facts=_facts(self),
            seed=self.rule.seed,
        )


def _headline(result: UnlabelledComparison) -> Text:
    verdict = result.verdict
    template = (
        "Agreement with {reference}: {ours:share} → {theirs:share}, {gain:points} ({gain:level_name} "
        "{gain:points_interval} points, n = {n:count}), no labels used."
    )
    if verdict.difference.interval is None:
        template = "Agreement with {reference}: no interval ({why}), n = {n:count}, no labels used."
    parts: list[Text] = [
        message(
            template,
            reference=result.judged[0].name,
            ours=verdict.incumbent.value,
            theirs=verdict.candidate.value,
            gain=verdict.difference,
            n=result.rows.patterns.n,
            why=verdict.difference.undefined,
        ),
        verdict.reason,
        _survives(result),
    ]
    if not math.isnan(verdict.outcome.pvalue):
        parts.append(
            message("{test:capital}: {p:p}.", test=title_of_test(verdict.outcome.test), p=verdict.outcome.pvalue)
        )
    return paragraph(*parts)


def _survives(result: UnlabelledComparison) -> Text:
    """Say which dependence the order survives."""
    if result.decision not in ("replace", "keep"):
        return ""
    if len(result.rows.patterns.classes) == 2:
        return message(
            "The order survives a dependence up to {most:.3f}: where the two differ, the reference may be right up to "
            "{points:.1f} points more often if one of them is right than if the other is.",
            most=result.dependence.tolerated,
            points=100 * result.dependence.tolerated,
        )
    return message(
        "The order survives a dependence up to {most:.3f}: where the two differ, up to {points:.1f} points of the "
        "reference's lean may have other reasons than being right.",
        most=result.dependence.tolerated,
        points=100 * result.dependence.tolerated,
    )


def _warnings(result: UnlabelledComparison) -> list[Text]:
    lines: list[Text] = []
    if result.independence.rejected:
        lines.append(
            paragraph(
                "The classifiers do not err independently: the agreement with the reference cannot be trusted to order them.",
                *result.independence.sentences(),
            )
        )
    elif result.independence.tested:
        lines.append(
            paragraph(
                "Independence was tested and not rejected; this does not prove it.", *result.independence.sentences()
            )
        )
    else:
        lines += [UNTESTABLE, *result.independence.sentences()]
    sides = {item.verdict.difference.value > 0 for item in result.judged if item.verdict.difference.interval}
    if len(sides) > 1:
        lines.append("The references favour different classifiers: they cannot all err independently of both.")
    if result.rows.dropped:
        lines.append(message("{n:count row} without an answer of every classifier left out.", n=result.rows.dropped))
    if result.rows.unmatched:
        lines.append(message("{n:count row} left out: another file lacks their id.", n=result.rows.unmatched))
    return lines


def _assumption(result: UnlabelledComparison) -> Section:
    tested: Text = "not testable with three classifiers and no labels"
    if result.independence.tested:
        tested = "rejected" if result.independence.rejected else "tested, not rejected"
    sides = result.dependence
    head: list[str | Column] = ["where the two differ", Column("rows", "count"), Column("share", "share")]
    cells = [
        ("the reference gives the candidate's answer", sides.with_candidate),
        ("the reference gives the incumbent's answer", sides.with_incumbent),
        ("the reference gives a third answer", sides.other),
    ]
    rows = [[words, many, many / sides.differ if sides.differ else math.nan] for words, many in cells]
    lean: Text = ""
    if sides.lean.interval is not None:
        lean = message(
            "Lean to the candidate: {lean:points} of these rows ({lean:level_name} {lean:points_interval}). The end "
            "nearer to 0 is the dependence that the order tolerates.",
            lean=sides.lean,
        )
    parts: list[Part] = [
        Words([message("Independence of the reference: {tested}.", tested=tested), *result.independence.sentences()]),
        Table("What the reference does where the two differ", head, rows, lean),
    ]
    return Section("independence", "What it assumes", parts, "headline")


def _agreement(result: UnlabelledComparison) -> Section:
    head: list[str | Column] = [
        "reference", Column("verdict", "decision"), Column("incumbent", "share", 2), Column("candidate", "share", 2),
        Column("difference", "points"), Column(level_name(result.rule.level, result.rule.alternative), "points_interval"),
        Column("tolerates", "ratio", 1, "Tolerates: the dependence up to which the order is as found."),
    ]  # fmt: skip
    rows = [
        [
            item.name, item.verdict.decision, item.verdict.incumbent.value, item.verdict.candidate.value,
            item.verdict.difference, item.verdict.difference, item.dependence.tolerated,
        ]
        for item in result.judged
    ]  # fmt: skip
    note = "Differences are in points of agreement; the first reference decides."
    detail: Any = "headline" if len(result.judged) > 1 else "full"
    figure = Figure(result.drawings()["differences"])
    return Section("agreement", "Agreement with each reference", [figure, Table("Agreement", head, rows, note)], detail)


def _facts(result: UnlabelledComparison) -> list[tuple[str, Text]]:
    incumbent, candidate = result.names
    return [
        ("incumbent", incumbent),
        ("candidate", candidate),
        ("references", ", ".join(item.name for item in result.judged)),
        ("rows", f"{result.rows.patterns.n:,}"),
        ("classes", shortened([str(name) for name in result.rows.patterns.classes])),
        ("margin", f"{result.rule.margin:g}"),
        *(fact for source in result.sources for fact in file_facts(source)),
        ("justesse", __version__),
    ]
