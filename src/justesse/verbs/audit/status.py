"""`justesse.audit_status`: the running verdict of an audit, what it rests on, and what is left."""

import html
import os
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from justesse.charts.confidence_sequence import Look
from justesse.core.answer_policy import NO_GAPS
from justesse.core.class_sets import joined_classes
from justesse.core.levels import identity
from justesse.core.results import Alternative, finite_or_none
from justesse.core.verdict import Decision
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame
from justesse.judges.audit_rule import GROUP_SEQUENTIAL
from justesse.judges.audit_state import Finding, audit_state
from justesse.judges.audit_targets import About
from justesse.judges.words import TITLES, reason
from justesse.store.answers import Kind
from justesse.store.settled import RULE
from justesse.verbs.any_of import any_of_words
from justesse.verbs.audit.answer import answered_at, entry_dict
from justesse.verbs.audit.audit import Audit, PathLike, read_audit
from justesse.verbs.audit.next import STOPPED

ANSWERED: tuple[Kind, ...] = ("answer", "several", "both", "neither", "flawed", "cannot_say")
WHERE: dict[About, str] = {
    "test set": "on this test set",
    "population": "in the population the test set was drawn from",
}


@dataclass(frozen=True, repr=False)
class AuditStatus:
    """Replace, keep, equivalent or not settled; the interval that holds at every look; answers, and what is left.

    `to_dict()` is exactly the `--json`, `replaces` what the exit code of the command says.
    """

    audit: Audit
    part: Literal["start", "status", "report", "extend"] = "status"

    @property
    def decision(self) -> Decision:
        return self.audit.state.decision

    @property
    def replaces(self) -> bool:
        return self.decision == "replace" and not self.audit.broken

    @property
    def title(self) -> str:
        """What to do."""
        if self.audit.broken:
            return "This audit file was changed: do not rely on its verdict."
        if not self.audit.state.disputed:
            return "Both say the same everywhere: keep the incumbent."
        if not self.audit.state.stop and self.decision == "cannot_tell":
            return "Not settled yet: keep the incumbent, and go on asking."
        return TITLES[self.decision]

    @property
    def headline(self) -> str:
        """What was found, why it was decided so, and what is left."""
        if not self.audit.state.disputed:
            return self.reason
        return " ".join([self.found(self.audit.state.finding), self.reason, self.left])

    @property
    def reason(self) -> str:
        state, about = self.audit.state, self.audit.about
        if not state.disputed:
            return "The two classifiers say the same about every row: no answer could tell them apart on this test set."
        return reason(self.decision, state.finding.difference, about["margin"], about["alternative"])

    def found(self, finding: Finding) -> str:
        """Say how large the difference is, in errors per 100 cases."""
        interval, side = finding.difference.interval, self.audit.about["alternative"]
        assert interval is not None
        answered = self.audit.state.answered
        when = f"After {_answers(answered)}" if answered else "Before any answer"
        errors = f"{_span(interval.low, interval.high, side)} errors per 100 cases {WHERE[finding.about]}"
        guess = f"{100 * self.audit.about['level']:g} % interval; best guess {_errors(finding.difference.value)}"
        return f"{when} the candidate makes {errors} ({guess})."

    def ends(self, finding: Finding) -> str:
        """Show the interval of a difference per 100 cases; an end that was not asked for as an ellipsis."""
        interval, alternative = finding.difference.interval, self.audit.about["alternative"]
        assert interval is not None
        low, high = (f"{100 * end:+.2f}" for end in (interval.low, interval.high))
        return f"{'…' if alternative == 'less' else low} to {'…' if alternative == 'greater' else high}"

    @property
    def left(self) -> str:
        """Say why the audit has stopped, or how many answers it may still need."""
        state = self.audit.state
        if state.stop:
            more = (
                " Go on with: justesse audit extend." if state.stop in ("budget", "futility") and self.can_go_on else ""
            )
            return f"The audit stops: {STOPPED[state.stop]}.{more}"
        room = f"{state.most - state.asked:,} of {state.most:,} questions are left"
        if state.expected_more is None:
            return f"{room[:1].upper()}{room[1:]}; no number of answers is expected to settle it."
        return f"About {_answers(state.expected_more, 'more ')} would settle it if what was seen is how things are; {room}."

    @property
    def can_go_on(self) -> bool:
        """Whether an extension would ask further questions, and they might settle it."""
        state = self.audit.state
        return self.decision == "cannot_tell" and state.answered < state.disputed

    @property
    def warnings(self) -> list[str]:
        """What to be careful about."""
        audit, state, said = self.audit, self.audit.state, []
        if audit.broken:
            said.append(
                f"The chain of checksums breaks: {audit.broken}. Something other than justesse changed the file; go on with a copy from before."
            )
        if self.part == "start" and not audit.about.get("label_sets"):
            said += any_of_words(NO_GAPS, audit.about["classes"])
        if audit.about.get("method") == GROUP_SEQUENTIAL:
            said.append(
                "This audit was started with the group-sequential method, which was removed because it kept no level with "
                "few answers. The same answers are now judged by betting: the verdict may differ from one shown before."
            )
        if state.waiting:
            first = next(iter(audit.open)).id
            said.append(
                f"{_answers(state.waiting)} wait{'s' if state.waiting == 1 else ''} for an earlier question that is open ({first!r}): answer it, or say that it cannot be said."
            )
        if state.cannot_say:
            said.append(
                f"{_counted(state.cannot_say, 'question')} could not be answered; each counts against whichever side is being shown."
            )
        if flawed := self.counted["flawed"]:
            said.append(self._flawed(flawed))
        if differ := self.differ:
            said.append(
                f"People differ about {_counted(len(differ), 'question')} ({', '.join(map(repr, differ[:5]))}). {RULE}"
            )
        known = {identity(name) for name in audit.about["classes"]}
        answered = [one.counts for one in audit.settled.values() if one.counts is not None]
        strangers = [entry.said for entry in answered if entry.kind == "answer" and identity(entry.said) not in known]  # type: ignore[arg-type]
        if strangers:
            said.append(
                f"{_answers(len(strangers))} with a class that neither labels nor classifiers know ({', '.join(map(repr, dict.fromkeys(strangers[:5])))}): both count as wrong there."
            )
        if early := [row for row in audit.settled if row not in audit.turns]:
            said.append(f"{_answers(len(early))} about rows that were not drawn yet: kept, but not counted so far.")
        if state.test_set.decision != state.population.decision:
            said.append(
                "The two questions have different answers: what holds on this test set need not hold in the population, and is easier to show."
            )
        return said

    @property
    def counted(self) -> dict[Kind, int]:
        """How many questions were answered in which way, among the answers that count."""
        rows = [one.row for one in self.audit.drawn[: self.audit.state.answered]]
        ways = [entry.kind if (entry := self.audit.settled[row].counts) else "cannot_say" for row in rows]
        return {kind: ways.count(kind) for kind in ANSWERED}

    def _flawed(self, many: int) -> str:
        """Say what flawed questions count for, and whether the verdict depends on it."""
        audit = self.audit
        flawed = [row for row, one in audit.settled.items() if one.counts and one.counts.kind == "flawed"]
        other = audit_state(audit.plan, audit.drawn, {**audit.answers, **dict.fromkeys(flawed)}).decision
        said = f"{_counted(many, 'question')} {'was' if many == 1 else 'were'} called flawed: nobody gains there, and the rows stay in n."
        if other != audit.state.decision:
            said += f" Counted against whichever side is being shown, they would change the verdict to '{other.replace('_', ' ')}'."
        return said

    @property
    def history(self) -> list[str]:
        """What happened to the file since the audit was started."""
        if self.audit.format == 1:
            return ["The file has format 1: it gets checksums with the next answer that is written to it."]
        told = {
            "migrated": lambda one: (
                f"Brought from format {one.value['from']} to the present one at {one.at}: its first {_counted(one.value['answers'], 'answer')} got their checksums then, so earlier changes cannot be noticed."
            ),
            "budget": lambda one: f"Extended to {one.value:,} questions by {one.by} at {one.at}.",
            "futility": lambda one: (
                f"Set to {'give up if hopeless' if one.value else 'go on even if hopeless'} by {one.by} at {one.at}."
            ),
        }
        return [told[one.name](one) for one in self.audit.amendments if one.name in told]

    @property
    def differ(self) -> list[str]:
        """The ids about which people differ."""
        return [self.audit.disputes[row].id for row, one in self.audit.settled.items() if one.differ]

    def looks(self, about: About | None = None) -> list[Look]:
        """Give the difference and its interval after 0, 1, 2, … answers; both ends hold at all of them together."""
        found = self.audit.state.looks[about or self.audit.state.question]
        columns = (found.estimate.tolist(), found.low.tolist(), found.high.tolist())
        return [(answers, *look) for answers, look in enumerate(zip(*columns, strict=True))]

    def drawn_looks(self, about: About | None = None) -> list[Look]:
        """Give the looks for a picture: an end that was not asked for is put where the disputed rows end."""
        reach = max(self.audit.state.disputed, 1) / self.audit.state.n
        side = self.audit.about["alternative"]
        return [
            (
                answers,
                value,
                max(low, -reach) if side == "less" else low,
                min(high, reach) if side == "greater" else high,
            )
            for answers, value, low, high in self.looks(about)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        audit, about = self.audit, self.audit.about
        state = audit.state.to_dict()
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {
                "answered_at": answered_at(audit.diary),
                "amended_at": {str(one.number): one.at for one in audit.amendments},
            },
            "audit": self.part,
            "file": str(audit.path),
            "format": audit.format,
            "broken": audit.broken,
            **{key: state[key] for key in state if key != "assumptions"},
            "margin": about["margin"],
            "alternative": about["alternative"],
            "expert_error": about["expert_error"],
            "futility": audit.plan.futility,
            "incumbent": about["incumbent"],
            "candidate": about["candidate"],
            "classes": list(audit.classes),
            "open": [one.id for one in audit.open],
            "differ": self.differ,
            "kinds": self.counted,
            "answers": [entry_dict(audit, entry) for entry in audit.diary],
            "amendments": [
                {"number": one.number, "name": one.name, "value": one.value, "by": one.by} for one in audit.amendments
            ],
            "looks": {
                name.replace(" ", "_"): [[look[0], *map(finite_or_none, look[1:])] for look in self.looks(name)]
                for name in WHERE
            },
            "reason": self.reason,
            "warnings": self.warnings,
            "assumptions": state["assumptions"],
        }

    def to_frame(self) -> Any:
        """Give the diary of answers, one row each, as an Arrow table."""
        rows = [{**entry_dict(self.audit, entry), "at": entry.at} for entry in self.audit.diary]
        names = ("number", "id", "turn", "kind", "class", "by", "at", "corrects")
        return native_frame(
            {name: [_text(row[name]) if name == "class" else row[name] for row in rows] for name in names}, like=None
        )

    def chart(self, name: About | None = None) -> Any:
        """Draw the confidence sequence of the question asked, or of the one named: test set or population."""
        from justesse.charts.confidence_sequence import confidence_sequence_chart

        about = name or self.audit.state.question
        level, margin = self.audit.about["level"], self.audit.about["margin"]
        return confidence_sequence_chart(self.drawn_looks(about), level=level, margin=margin, about=WHERE[about])

    def report(self, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None) -> Path:
        """Write a page that opens offline."""
        from justesse.verbs.audit.page import write_page

        return write_page(self, Path(path), interactive=interactive, command=command)

    def __repr__(self) -> str:
        notes = [f"! {warning}" for warning in self.warnings]
        return "\n".join([self.title, *textwrap.wrap(self.headline, 110), *notes])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{html.escape(warning)}</li>" for warning in self.warnings)
        return f"<p><b>{html.escape(self.title)}</b> {html.escape(self.headline)}</p>" + (
            f"<ul>{notes}</ul>" if notes else ""
        )


def audit_status(audit: PathLike) -> AuditStatus:
    """Say how an audit stands: the running verdict, its interval against the answers, and what is left.

    The interval holds at every look together, so that looking often costs nothing; two questions are kept apart, better
    on this test set and better in the population. Waudby-Smith and Ramdas (2020).

    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     found = audit_status(f"{folder}/my.audit")
    >>> found.decision, found.audit.state.disputed
    ('cannot_tell', 30)
    """
    return AuditStatus(read_audit(audit))


def audit_report(
    audit: PathLike, path: str | os.PathLike[str], *, interactive: bool = False, command: str | None = None
) -> AuditStatus:
    """Write the page of an audit: the verdict, the chart, every answer with who and when, what would change it."""
    found = AuditStatus(read_audit(audit), "report")
    found.report(path, interactive=interactive, command=command)
    return found


def _span(low: float, high: float, side: Alternative) -> str:
    """Say an interval of the difference as errors saved or added.

    >>> _span(0.01, 0.03, "two-sided"), _span(-0.01, 0.03, "two-sided"), _span(-0.01, 1.0, "greater")
    ('between 1.00 and 3.00 fewer', 'between 1.00 more and 3.00 fewer', 'at most 1.00 more')
    """
    if side == "greater":
        return f"{'at least' if low > 0 else 'at most'} {_errors(low)}"
    if side == "less":
        return f"{'at most' if high >= 0 else 'at least'} {_errors(high)}"
    if low == high:
        return f"exactly {_errors(low)}"
    if low >= 0:
        return f"between {100 * low:.2f} and {_errors(high)}"
    return (
        f"between {100 * abs(high):.2f} and {_errors(low)}"
        if high < 0
        else f"between {_errors(low)} and {_errors(high)}"
    )


def _text(said: Any) -> str | None:
    """Write the class of an answer, or several."""
    return None if said is None else joined_classes(said if isinstance(said, list) else [said])


def _errors(difference: float) -> str:
    return f"{100 * abs(difference):.2f} {'fewer' if difference >= 0 else 'more'}"


def _answers(number: int, more: str = "") -> str:
    return _counted(number, f"{more}answer")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
