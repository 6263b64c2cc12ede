"""What `audit_status` returns: the running verdict of an audit, its interval, and how many questions are left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, get_args

from justesse.charts.confidence_sequence import Look
from justesse.core.results import finite_or_none
from justesse.core.verdict import Decision
from justesse.core.version import SCHEMA, __version__
from justesse.judges.audit_state import Finding
from justesse.judges.audit_targets import QUESTIONS, About
from justesse.judges.words import TITLES, reason
from justesse.report.document import Document, Text
from justesse.report.result import Result
from justesse.report.writing import message, paragraph
from justesse.store.answers import Kind
from justesse.verbs.audit.audit import Audit
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.cautions import history, status_cautions
from justesse.verbs.audit.diary import answered_at, diary_columns, entry_dict
from justesse.verbs.audit.experts import ExpertDoubt, expert_assumptions, expert_doubt
from justesse.verbs.audit.kept_audit import KeptAudit
from justesse.verbs.audit.measure import ACCURACY
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.words import SHORT_WHERE, STOPPED, WHERE, StatusCommand

KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind not in ("withdrawn", "credit"))


@dataclass(frozen=True, repr=False)
class AuditStatus(Result):
    """The verdict of an audit so far, its always-valid interval, the answers, and how many questions are left.

    `decision` is replace, keep, equivalent or cannot_tell; `replaces` decides the exit code of the command. `notes` are
    cautions about how the audit was started.
    """

    audit: Audit
    part: StatusCommand = "status"
    notes: tuple[str, ...] = ()

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
            if self.audit.compares_costs:
                return "Both cost the same everywhere: keep the incumbent."
            return "Both give the same answer everywhere: keep the incumbent."
        if not self.audit.state.stop and self.decision == "cannot_tell":
            return "Not settled yet: keep the incumbent and continue the audit."
        if self.other_question:
            # the caution about new cases must not contradict the first line
            action = TITLES[self.decision]
            where = SHORT_WHERE[self.audit.state.question].capitalize()
            return str(message("{where}: {action}", where=where, action=action[0].lower() + action[1:]))
        return TITLES[self.decision]

    @property
    def value_kind(self) -> Literal["points", "signed"]:
        """How a difference is written: shares in points, costs as they are."""
        return "signed" if self.audit.compares_costs else "points"

    @property
    def interval_kind(self) -> Literal["points_interval", "signed_interval"]:
        """How its interval is written."""
        return "signed_interval" if self.audit.compares_costs else "points_interval"

    @property
    def headline(self) -> str:
        """The difference, why it was decided so, and what is left."""
        if not self.audit.state.disputed:
            return self.reason
        sentences = [self.difference_words(self.audit.state.finding), self.reason, self.other_question, self.left]
        return str(paragraph(*sentences))

    @property
    def reason(self) -> str:
        """Why it was decided so."""
        state, about = self.audit.state, self.audit.about
        if not state.disputed and self.audit.compares_costs:
            return "The two classifiers cost the same for every row, whatever its class: no question could tell them apart."
        if not state.disputed:
            return (
                "The two classifiers give the same answer for every row: no question could tell them apart on this "
                "test set."
            )
        return reason(self.decision, state.finding.difference, about["margin"], about["alternative"])

    @property
    def other_question(self) -> str:
        """The verdict of the question that was not asked, if it differs."""
        state, margin = self.audit.state, self.audit.about["margin"]
        asked, other = state.finding, state.population if state.question == "test set" else state.test_set
        if not state.disputed or asked.decision == other.decision:
            return ""
        interval = other.difference.interval
        # an interval above 0 tells which is better, not whether by as much as matters
        by_enough = bool(margin and interval and interval.low > 0)
        verdict = {
            "cannot_tell": message("it is not settled whether the gain exceeds the margin of {margin:g}", margin=margin)
            if by_enough
            else "it is not settled which is better",
            "equivalent": message("the two differ by less than {margin:g}", margin=margin),
            "replace": "the candidate is better",
            "keep": "the incumbent is better",
        }[other.decision]
        return str(
            message(
                "But {where} {verdict} ({value:level_name} {value:signed_interval})."
                if self.audit.compares_costs
                else "But {where} {verdict} ({value:level_name} {value:points_interval}).",
                where=WHERE[other.about],
                verdict=verdict,
                value=other.difference,
            )
        )

    def difference_words(self, finding: Finding) -> str:
        """Write the difference and its interval, in points or in costs."""
        answered = self.audit.state.answered
        return str(
            message(
                "{difference:capital} {where} {when}: {value:signed} ({value:level_name} {value:signed_interval}); positive "
                "is cheaper."
                if self.audit.compares_costs
                else "{difference:capital} {where} {when}: {value:points} ({value:level_name} {value:points_interval}).",
                difference=self.audit.plan.difference,
                where=WHERE[finding.about],
                when=message("after {n:count answer}", n=answered) if answered else "before any answer",
                value=finding.difference,
            )
        )

    @property
    def left(self) -> str:
        """Why the audit has stopped, or how many answers it may still need."""
        state = self.audit.state
        if state.stop:
            settled = state.stop in ("replace", "keep", "equivalent")
            sure = message("the verdict {where} is sure", where=SHORT_WHERE[state.question])
            template = "The audit has stopped: {why}."
            if self.can_go_on and state.stop != "answered":
                template += " It can continue with more questions (justesse audit extend)."
            return str(message(template, why=sure if settled else STOPPED[state.stop]))
        return str(
            message(
                "{expected} {unanswered:count} of {most:count} questions are left to answer.",
                expected=self._expected,
                unanswered=state.most - state.asked + len(self.audit.open),
                most=state.most,
            )
        )

    @property
    def _expected(self) -> Text:
        """How many more answers may settle it."""
        state = self.audit.state
        if state.expected_more is None:
            return "No number of answers is expected to settle it."
        template = "About {n:count more answer} may settle it (estimated from {source})."
        return message(template, n=state.expected_more, source="the answers so far" if state.answered else "the labels")

    @property
    def can_go_on(self) -> bool:
        """Whether an extension would ask further questions that might settle it."""
        state = self.audit.state
        open_ended = self.decision == "cannot_tell" and state.stop != "class sizes"
        return open_ended and state.answered < state.disputed

    @property
    def cautions(self) -> list[Text]:
        """What to be careful about, the most important first."""
        return status_cautions(self)

    @property
    def warnings(self) -> list[str]:
        """The cautions as plain text, as in the JSON."""
        return list(map(str, self.cautions))

    @property
    def history(self) -> list[str]:
        """What happened to the file since the audit was started."""
        return list(map(str, history(self.audit)))

    @property
    def counted(self) -> dict[Kind, int]:
        """How many questions were answered in which way, among the answers that count."""
        rows = [question.row for question in self.audit.drawn[: self.audit.state.answered]]
        kinds = [entry.kind if (entry := self.audit.settled[row].counts) else "cannot_say" for row in rows]
        return {kind: kinds.count(kind) for kind in KINDS}

    @property
    def differ(self) -> list[str]:
        """The ids of questions that people answered differently."""
        return [self.audit.disputes[row].id for row, answer in self.audit.settled.items() if answer.differ]

    @cached_property
    def experts(self) -> ExpertDoubt | None:
        """How certain the answers that count are, if several experts answered the same questions."""
        return expert_doubt(self.audit)

    def looks(self, about: About | None = None) -> list[Look]:
        """Return the difference and its interval after 0, 1, 2, … answers; the intervals hold at all of them together."""
        looks = self.audit.state.looks[about or self.audit.state.question]
        columns = (looks.estimate.tolist(), looks.low.tolist(), looks.high.tolist())
        return [(answers, *look) for answers, look in enumerate(zip(*columns, strict=True))]

    def drawn_looks(self, about: About | None = None) -> list[Look]:
        """Return the looks for a picture: a side without a bound ends where the disputed rows end."""
        reach = self.audit.plan.widest
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
        audit, about = self.audit, self.audit.about
        state = audit.state.to_dict()
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {
                "answered_at": answered_at(audit.diary),
                "amended_at": {str(change.number): change.at for change in audit.amendments},
            },
            "audit": self.part,
            "file": str(audit.path),
            "format": audit.format,
            "broken": audit.broken,
            **{key: state[key] for key in state if key != "assumptions"},
            "measure": about.get("measure", ACCURACY),
            "policy": {part: about["weights"][part] for part in ("policy", "words")} if about.get("weights") else None,
            "counts_within": audit.plan.counts_within,
            "costs": about.get("costs"),
            "margin": about["margin"],
            "alternative": about["alternative"],
            "expert_error": about["expert_error"],
            "expert_rule": audit.experts,
            "futility": audit.plan.futility,
            "incumbent": about["incumbent"],
            "candidate": about["candidate"],
            "classes": list(audit.classes),
            "open": [row.id for row in audit.open],
            "differ": self.differ,
            "experts": self.experts.to_dict() if self.experts else None,
            "kinds": self.counted,
            "answers": [entry_dict(audit, entry) for entry in audit.diary],
            "amendments": [
                {"number": change.number, "name": change.name, "value": change.value, "by": change.by}
                for change in audit.amendments
            ],
            "looks": {
                about.replace(" ", "_"): [[look[0], *map(finite_or_none, look[1:])] for look in self.looks(about)]
                for about in QUESTIONS
            },
            "reason": self.reason,
            "warnings": self.warnings,
            "assumptions": list(expert_assumptions(audit)),
        }

    def sufficient(self) -> KeptAudit:
        """Return the contents of the audit, from which every figure follows."""
        return KeptAudit.of(self.audit, self.part, self.notes)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the answers out as columns, one row each, corrected and withdrawn ones included."""
        return diary_columns(self.audit, self.audit.diary)

    def document(self) -> Document:
        from justesse.verbs.audit.document import status_document

        return status_document(self)

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        """Return the charts of both questions, `test_set` and `population`, the question asked first."""
        asked_first = sorted(QUESTIONS, key=lambda about: about != self.audit.state.question)
        return {about.replace(" ", "_"): partial(self._confidence_sequence, about) for about in asked_first}

    def chart(self, name: str | None = None) -> Any:
        """Draw the confidence sequence of the question asked, or of the one named: test_set or population."""
        return super().chart(name and name.replace(" ", "_"))

    def _confidence_sequence(self, about: About) -> Any:
        from justesse.charts.confidence_sequence import confidence_sequence_chart

        level, margin = self.audit.about["level"], self.audit.about["margin"]
        return confidence_sequence_chart(
            self.drawn_looks(about),
            level=level,
            margin=margin,
            about=WHERE[about],
            difference=self.audit.plan.difference,
            points=not self.audit.compares_costs,
        )


def status_of(
    audit: BaseAudit, part: StatusCommand = "status", notes: tuple[str, ...] = ()
) -> "AuditStatus | PooledStatus":
    """Return the status of an audit, of two classifiers or of several."""
    if isinstance(audit, PooledAudit):
        return PooledStatus(audit, part, notes)
    assert isinstance(audit, Audit)
    return AuditStatus(audit, part, notes)
