"""The status of an audit of several classifiers: the order that is settled, bounds of all pairs, and what is left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from justesse.core.results import Estimate, Interval
from justesse.core.version import SCHEMA, __version__
from justesse.judges.audit_rule import METHOD
from justesse.judges.pool_forecast import expected_more
from justesse.report.document import Document, Text
from justesse.report.result import Result
from justesse.report.writing import listed, message, paragraph
from justesse.store.answers import Kind
from justesse.store.settled import RULES
from justesse.verbs.audit.diary import answered_at, diary_columns, entry_dict
from justesse.verbs.audit.kept_audit import KeptAudit
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.pooled_words import ALL_OR_NOTHING, credit_form
from justesse.verbs.audit.words import StatusCommand

KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "withdrawn")
PairVerdict = Literal["first", "second", "equal", "open"]
ASSUMED = (
    "the answers that count are right",
    "rows were not picked for their answers, and no classifier was trained on them",
)
SETTLED = 3  # names in a sentence


@dataclass(frozen=True)
class PairFinding:
    """What an audit shows about two classifiers.

    Parameters
    ----------
    first, second
        Their names.
    verdict
        Which is better: first, second, equal or open.
    difference
        Accuracy, pass rate or score of the second minus that of the first, with bounds that hold for all pairs and
        looks together.
    evidence
        How many times more is owned than at the start, betting that the first, and that the second is better: natural
        logarithms.
    disputed
        Rows on which the two disagree.
    answered
        Answers about these rows.
    settled_after
        Number of answers after which the pair was settled; `None` if it is open.
    """

    first: str
    second: str
    verdict: PairVerdict
    difference: Estimate
    evidence: tuple[float, float]
    disputed: int
    answered: int
    settled_after: int | None

    def to_dict(self) -> dict[str, Any]:
        interval = self.difference.interval
        assert interval is not None
        return {
            "first": self.first,
            "second": self.second,
            "verdict": self.verdict,
            "difference": self.difference.value,
            "interval": interval.to_dict(),
            "evidence": {"first": self.evidence[0], "second": self.evidence[1]},
            "disputed": self.disputed,
            "answered": self.answered,
            "settled_after": self.settled_after,
        }


@dataclass(frozen=True, repr=False)
class PooledStatus(Result):
    """What an audit of several classifiers shows so far; `replaces` is whether its goal is settled."""

    audit: PooledAudit
    part: StatusCommand = "status"
    notes: tuple[str, ...] = ()

    @property
    def decision(self) -> str:
        """`settled` or `cannot_tell`."""
        return self.audit.state.decision

    @property
    def replaces(self) -> bool:
        """Whether the goal is settled: decides the exit code of the command."""
        return self.decision == "settled" and not self.audit.broken

    @cached_property
    def tiers(self) -> list[list[str]]:
        """The classifiers from the best down; those of a tier are not told apart from all others of it."""
        return [[self.audit.models[at] for at in tier] for tier in self.audit.progress.run.tiers()]

    @cached_property
    def expected_more(self) -> int | None:
        """About how many more answers settle the goal; `None` if no number is expected to."""
        return expected_more(self.audit.progress.run)

    @cached_property
    def pairs(self) -> list[PairFinding]:
        """What is known of each pair."""
        run, plan = self.audit.progress.run, self.audit.plan
        low, high = run.bounds()
        evidence = run.evidence.evidence()
        answered = plan.sizes - run.evidence.rows_left
        estimates = np.clip(run.evidence.expected, low, np.maximum(low, high))
        results = []
        for at, (left, right) in enumerate(plan.pairs.tolist()):
            better = run.better[left, right], run.better[right, left]
            verdict: PairVerdict = "second" if better[0] else "first" if better[1] else "open"
            if run.equal[left, right]:
                verdict = "equal"
            ends = (float(low[at]) / plan.n, float(high[at]) / plan.n)
            value = Estimate(
                "difference", float(estimates[at]) / plan.n, plan.n, Interval(*ends, plan.level, METHOD, (-1, 1)),
                is_share=True,
            )  # fmt: skip
            after = int(run.settled_after[at])
            results.append(
                PairFinding(
                    self.audit.models[left],
                    self.audit.models[right],
                    verdict,
                    value,
                    (float(evidence[at, 1]), float(evidence[at, 0])),
                    int(plan.sizes[at]),
                    int(answered[at]),
                    None if after < 0 else after,
                )
            )
        return results

    @property
    def settled_pairs(self) -> int:
        """How many pairs are settled."""
        return sum(pair.verdict != "open" for pair in self.pairs)

    @property
    def best(self) -> list[str] | None:
        """The winner, or the best K if that is the goal; `None` if it is not settled, or another goal."""
        run, goal = self.audit.progress.run, self.audit.plan.goal
        if goal.kind not in ("winner", "top") or not goal.reached(run.better, run.equal):
            return None
        inside = goal.members(run.better, run.equal)[0]
        return [name for name, within in zip(self.audit.models, inside.tolist(), strict=True) if within]

    @property
    def title(self) -> str:
        """What is settled."""
        if self.audit.broken:
            return "This audit file was changed: do not rely on its verdict."
        if not self.audit.state.disputed:
            return "All classifiers give the same answer everywhere: none is better."
        if self.best is not None:
            template = "{names} {n:plural is|are} the best." if len(self.best) == 1 else "{names} are the best {n}."
            return str(message(template, names=listed(self.best), n=len(self.best)))
        counts = {"settled": self.settled_pairs, "n": len(self.pairs)}
        if self.decision == "settled":
            return str(message("All {n:count pair} are settled.", **counts))
        return str(message("Not settled yet: {settled:count} of {n:count pair} settled.", **counts))

    @property
    def headline(self) -> str:
        """The order so far, and what is left."""
        order = self._order()
        counted = message("After {n:count answer}: {order}", n=self.audit.state.answered, order=order)
        return str(paragraph(counted, self.left))

    def _order(self) -> Text:
        if len(self.tiers) == 1:
            return "no classifier is told apart from all others yet."
        groups: list[Text] = [
            listed(tier) if len(tier) <= SETTLED else message("{n} classifiers", n=len(tier)) for tier in self.tiers
        ]
        if len(groups) > 2 * SETTLED:
            groups = [*groups[:SETTLED], "…", *groups[-SETTLED:]]
        return message("{order}, from the best down.", order=" > ".join(map(str, groups)))

    @property
    def left(self) -> str:
        """Why the audit has stopped, or how many answers it may still need."""
        state = self.audit.state
        if state.stop:
            why = {
                "settled": "its goal is settled",
                "answered": "no question is left that could settle more",
                "budget": "all questions of the budget are answered",
            }[state.stop]
            template = "The audit has stopped: {why}."
            if state.stop == "budget" and state.budget < state.disputed:
                template += " It can continue with more questions (justesse audit extend)."
            return str(message(template, why=why))
        template = "About {n:count more answer} may settle it (estimated from {source})."
        if self.expected_more is None:
            template = "No number of answers is expected to settle it."
        elif self.expected_more > state.most - state.answered:
            template += " The budget allows {left:count}."
        source = "the answers so far" if state.answered else "the labels"
        return str(message(template, n=self.expected_more or 0, source=source, left=state.most - state.answered))

    @property
    def cautions(self) -> list[Text]:
        """What to be careful about, the most important first."""
        audit, state = self.audit, self.audit.state
        cautions: list[Text] = []
        if audit.broken:
            template = "The checksums do not match: {broken}. Another program changed the file. Continue with a copy made before that."
            cautions.append(message(template, broken=audit.broken))
        cautions += self.notes
        if state.waiting:
            template = (
                "{n:count answer} {n:plural waits|wait} for an earlier question that is still open ({id:name}): answer it, with "
                "? if it cannot be answered."
            )
            cautions.append(message(template, n=state.waiting, id=audit.open[0].id))
        if state.cannot_say:
            template = (
                "{n:count question} could not be answered, or people disagree. In each pair, each counts against the side that is "
                "to be shown better."
            )
            cautions.append(message(template, n=state.cannot_say))
        if flawed := self.counted["flawed"]:
            template = "{n:count question} {n:plural was|were} called flawed: nobody is right there, and the rows still count in n."
            cautions.append(message(template, n=flawed))
        standing = [entry for each in audit.settled.values() for entry in each.possible]
        if whole := list(dict.fromkeys(audit.all_or_nothing(standing))):
            cautions.append(message(ALL_OR_NOTHING, n=len(whole), ids=whole, form=credit_form(audit)))
        if differ := self.differ:
            template = "People gave different answers to {n:count question} ({ids:names}). {rule}"
            cautions.append(message(template, n=len(differ), ids=differ, rule=RULES[audit.experts]))
        if early := [row for row in audit.settled if row not in audit.turns]:
            template = "{n:count answer} about rows that are not drawn yet: saved, but not counted so far."
            cautions.append(message(template, n=len(early)))
        return cautions

    @property
    def warnings(self) -> list[str]:
        """The cautions as plain text, as in the JSON."""
        return list(map(str, self.cautions))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the claims rest on."""
        error = self.audit.plan.expert_error
        if not error:
            return ASSUMED
        template = "answers are wrong with a chance of at most {error:share}, independently from row to row"
        return str(message(template, error=error)), *ASSUMED[1:]

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

    def looks(self) -> list[tuple[int, int]]:
        """Return after how many answers how many pairs were settled, where that changed."""
        return [(look.answers, look.settled) for look in self.audit.progress.run.looks]

    def to_dict(self) -> dict[str, Any]:
        audit, about = self.audit, self.audit.about
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
            "goal": str(audit.plan.goal),
            "models": list(audit.models),
            "incumbent": audit.models[about["incumbent"]] if audit.plan.goal.kind == "incumbent" else None,
            **audit.state.to_dict(),
            "best": self.best,
            "tiers": self.tiers,
            "ranks": [{"model": name, "best": best, "worst": worst} for name, best, worst in self.standing],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "pairs_settled": self.settled_pairs,
            "expected_more": self.expected_more,
            "method": METHOD,
            "measure": audit.measure,
            "level": about["level"],
            "seed": about["seed"],
            "expert_error": about["expert_error"],
            "expert_rule": audit.experts,
            "classes": list(audit.classes),
            "open": [row.id for row in audit.open],
            "differ": self.differ,
            "kinds": self.counted,
            "answers": [entry_dict(audit, entry) for entry in audit.diary],
            "amendments": [
                {"number": change.number, "name": change.name, "value": change.value, "by": change.by}
                for change in audit.amendments
            ],
            "looks": [list(look) for look in self.looks()],
            "warnings": self.warnings,
            "assumptions": list(self.assumptions),
        }

    def sufficient(self) -> KeptAudit:
        """Return the contents of the audit, from which every figure follows."""
        return KeptAudit.of(self.audit, self.part, self.notes)

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the answers out as columns, one row each, corrected and withdrawn ones included."""
        return diary_columns(self.audit, self.audit.diary)

    def document(self) -> Document:
        from justesse.verbs.audit.pooled_document import pooled_document

        return pooled_document(self)

    @cached_property
    def standing(self) -> list[tuple[str, int, int]]:
        """Name, best and worst possible rank of each classifier, in the order in which they seem to be."""
        run, plan = self.audit.progress.run, self.audit.plan
        points = np.zeros(plan.systems)
        np.add.at(points, plan.pairs[:, 1], run.evidence.expected)
        np.add.at(points, plan.pairs[:, 0], -run.evidence.expected)
        above, below = run.better.sum(-1), run.better.sum(0)
        order = sorted(range(plan.systems), key=lambda at: (int(above[at]), -int(below[at]), -float(points[at])))
        return [(self.audit.models[at], 1 + int(above[at]), plan.systems - int(below[at])) for at in order]

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        """Return the chart of possible ranks."""
        return {"ranks": self._ranks}

    def _ranks(self) -> Any:
        from justesse.charts.model_ranks import model_ranks_chart

        names, best, worst = zip(*self.standing, strict=True)
        return model_ranks_chart(names, best, worst)
