"""Ask people about a judge's verdicts, one after the other, until it is decided whether a model wins often enough."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from typing import Any

from justesse.core.choices import JudgedAbout
from justesse.core.errors import InputError, OptionError
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.core.recording import remembered
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_table
from justesse.judges.audit_rule import METHOD
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.store.audit_file import check_new
from justesse.verbs.audit.answer import audit_answer
from justesse.verbs.audit.audit import Audit, read_audit
from justesse.verbs.audit.kept_audit import KeptAudit
from justesse.verbs.audit.next import audit_next
from justesse.verbs.audit.restored_status import restored_status
from justesse.verbs.audit.start import audit_start
from justesse.verbs.audit.status_result import AuditStatus
from justesse.verbs.llm_judge.asked_units import AskedUnits
from justesse.verbs.llm_judge.options import JudgedIntervalOptions, JudgedOptions
from justesse.verbs.llm_judge.words import INDEPENDENT, PEOPLE_RIGHT, Decided

BY = "people"
SAMPLING = "wider of clopper-pearson and score"  # what an interval about a population allows for the draw of the items


@dataclass(frozen=True, repr=False, eq=False)
class JudgeAudit(Result):
    """What people's ratings show so far about one model, and which items they should rate next.

    Parameters
    ----------
    units
        The units asked about.
    status
        The audit that keeps the draws and the ratings.
    above
        What the win rate or accuracy is compared with.
    judge
        Name of the judge.
    next_ids
        Units to rate next.
    """

    units: AskedUnits
    status: AuditStatus
    above: float
    judge: str
    next_ids: tuple[str, ...] = ()

    @property
    def figure(self) -> str:
        return "win rate" if self.units.pairs else "accuracy"

    @property
    def of_population(self) -> bool:
        """Whether the figure is about the population that the items come from; otherwise about these items."""
        return self.status.audit.state.question == "population"

    @property
    def naive(self) -> float:
        """The figure by the judge alone."""
        return float(self.units.value.mean())

    @property
    def estimate(self) -> Estimate:
        """The figure by the ratings so far, with an interval that holds at all looks together."""
        difference = self.status.audit.state.finding.difference
        ends = difference.interval
        assert ends is not None
        sign = -1 if self.above < 0.5 else 1
        low, high = sorted((1 + sign * end) / 2 for end in (ends.low, ends.high))
        return Estimate(
            self.figure.replace(" ", "_"), (1 + sign * difference.value) / 2, self.status.audit.state.answered,
            Interval(low, high, ends.level, ends.method, (0.0, 1.0)), is_share=True,
        )  # fmt: skip

    @property
    def decision(self) -> Decided:
        """Whether the figure is above or below what it is compared with."""
        ends = self.estimate.interval
        assert ends is not None
        if self.status.audit.broken:
            return "cannot_tell"
        return "above" if ends.low > self.above else "below" if ends.high < self.above else "cannot_tell"

    @property
    def warnings(self) -> list[str]:
        """What may be misread."""
        audit = self.status.audit
        result = []
        if audit.broken:
            template = "The checksums do not match: {broken}. Another program changed the file. Continue with a copy made before that."
            result.append(str(message(template, broken=audit.broken)))
        if apart := self.units.units.verdicts.disagreements:
            even = "a tie counts" if self.units.pairs else "it is open, and counts against both sides,"
            template = "People disagree about {n:count item} of the ratings given now: what most say counts, and {even} if neither side has more."
            result.append(str(message(template, n=apart, even=even)))
        if audit.state.cannot_say:
            template = "{n:count rating} cannot be read as one answer: each counts against both sides."
            result.append(str(message(template, n=audit.state.cannot_say)))
        return result

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the interval rests on; nothing is assumed about the judge."""
        return (PEOPLE_RIGHT, INDEPENDENT) if self.of_population else (PEOPLE_RIGHT,)

    def to_dict(self) -> dict[str, Any]:
        state = self.status.audit.state
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "ask": str(self.status.audit.path),
            "judge": self.judge,
            "model": self.units.model,
            "against": self.units.against,
            "figure": self.figure.replace(" ", "_"),
            "above": self.above,
            "about": "population" if self.of_population else "rows",
            "method": {"ratings": METHOD, "sampling": SAMPLING if self.of_population else None},
            "decision": self.decision,
            "naive": finite_or_none(self.naive),
            "estimate": self.estimate.to_dict(),
            "answered": state.answered,
            "asked": state.asked,
            "waiting": state.waiting,
            "budget": state.budget,
            "n": state.n,
            "stop": state.stop or None,
            "expected_more": state.expected_more,
            "next": list(self.next_ids),
            "warnings": self.warnings,
            "assumptions": list(self.assumptions),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay out the units to rate next as a table to fill in."""
        return self.units.to_rate(list(self.next_ids))

    def document(self) -> Document:
        from justesse.verbs.llm_judge.asked_document import asked_document

        return asked_document(self)


def ask_people(
    units: AskedUnits,
    file: str | os.PathLike[str],
    *,
    judge: str,
    above: float,
    about: JudgedAbout,
    budget: int | None,
    level: float,
    seed: int,
    ask_next: int,
    to: Any,
) -> JudgeAudit:
    """Start an audit of a judge's verdicts or go on with it: save new ratings, and draw the units to rate next.

    Parameters
    ----------
    units
        The units, with people's ratings if there are some.
    file
        The audit file; it is made if it does not exist.
    judge
        Name of the judge.
    above
        What the win rate or accuracy is compared with.
    about
        Whom the figure is about.
    budget
        Number of ratings at most.
    level
        Confidence level at all looks together.
    seed
        Seed of the draws.
    ask_next
        Number of units to list; 0 for none.
    to
        File for the list, or nothing.

    Notes
    -----
    Let x be 1 if the model wins a unit, -1 if it loses and 0 for a tie. The win rate of n units is (1 + Σx/n)/2. An
    audit of two made-up classifiers, one that claims that the model always wins and one that claims that it always
    loses, has the difference Σx/n: its labels are the judge's verdicts, its strata what the judge says and how sure it
    is. So units are drawn without replacement with known chances, more where a rating is expected to decide more; the
    interval holds at every look whatever the judge says (`ConfidenceSequence`), and a good judge makes it narrow.
    """
    if not 0 < above < 1:
        raise OptionError(f"above (--above) must lie between 0 and 1, such as 0.5; got {above!r}.")
    if ask_next < 0:
        raise OptionError(f"ask_next (--ask-next) is a number of items to rate, 0 or more; got {ask_next!r}.")
    if budget is not None and budget < 1:
        raise OptionError(f"budget (--budget) is a number of ratings, 1 or more; got {budget!r}.")
    if ask_next == 0 and to is not None:
        raise OptionError("to (--to) is the file for items to rate next. Say how many: ask_next=20 (--ask-next 20).")

    fresh: list[AuditStatus] = []

    def asked() -> tuple[KeptAudit, tuple[str, ...]]:
        audit = _opened(units, file, above=above, about=about, budget=budget, level=level, seed=seed)
        answers = units.answers()
        if answers["id"]:
            audit_answer(file, answers=answers, by=BY, correct=True)
        ids = tuple(question.id for question in audit_next(file, ask_next).questions) if ask_next else ()
        fresh.append(AuditStatus(_read(audit.path)))
        return fresh[0].sufficient(), ids

    held, next_ids = remembered("asked", asked)
    status = fresh[0] if fresh else restored_status(held)  # from a dossier, where there is no file
    assert isinstance(status, AuditStatus)
    result = JudgeAudit(units, status, above, judge, next_ids)
    if to is not None:
        write_table(result.to_columns(), Path(to))
    return result


def _read(path: Any) -> Audit:
    audit = read_audit(path)
    if not isinstance(audit, Audit):
        raise InputError(f"{path} is an audit of several classifiers. Name another file with ask=… (--ask).")
    return audit


def _opened(
    units: AskedUnits, file: str | os.PathLike[str], *, above: float, about: JudgedAbout, budget: int | None,
    level: float, seed: int,
) -> Audit:  # fmt: skip
    """Open the audit of these units, or start it."""
    name = units.model or ("output 1" if units.pairs else "the model")
    versus = f" against {units.against}" if units.against else ""
    verb = ("wins", "loses") if units.pairs else ("is right", "is wrong")
    wins, loses = (f"{name} {word}{versus}" for word in verb)
    rows = units.rows(wins, loses)
    # the one that is to exceed the margin is the candidate, and a margin is no less than 0
    candidate, incumbent = (wins, loses) if above >= 0.5 else (loses, wins)
    margin = round(abs(2 * above - 1), 12)
    if Path(file).exists():
        audit = _read(Path(file))
        _check_same(audit, candidate, incumbent, margin, rows)
        _check_settings(audit, about=about, budget=budget, level=level, seed=seed)
        return audit
    if about == "population" and units.repeated_items:
        raise OptionError(
            "Several comparisons belong to one item, so they are no random sample of a population. Ask about these items "
            "only: about='rows' (--about rows); or about one pair of models: against=… (--against)."
        )
    check_new(Path(file))
    started = audit_start(
        rows, incumbent=incumbent, candidate=candidate, on="id", label="label", suspicion="doubt", to=file,
        classes=units.classes, as_text=True, margin=margin, level=level, seed=seed, budget=budget,
        question="population" if about == "population" else "test set",
    )  # fmt: skip
    assert isinstance(started, AuditStatus)
    return started.audit


def _check_same(audit: Audit, candidate: str, incumbent: str, margin: float, rows: Mapping[str, list[Any]]) -> None:
    """Refuse a file that asks something else, or that was started with other verdicts."""
    about = audit.about
    same = (about["candidate"], about["incumbent"]) == (candidate, incumbent)
    if not same or abs(about["margin"] - margin) > 1e-9 or set(audit.by_id) != set(rows["id"]):
        raise InputError(
            f"{audit.path.name} asks something else: whether {about['candidate']!r} more often than "
            f"{about['incumbent']!r} by {about['margin']:g}, about {about['n']:,} items. Use the same verdicts and the same "
            "ask_about (--ask-about), against (--against) and above (--above) as when it was started, or another file "
            "(--ask)."
        )
    changed = [
        name
        for name, verdict, doubt, wins in zip(rows["id"], rows["label"], rows["doubt"], rows[candidate], strict=True)
        if (row := audit.by_id[name]).label != verdict
        or row.candidate != wins
        or not isclose(row.suspicion or 0.0, doubt, abs_tol=1e-8)
    ]
    if changed:
        raise InputError(
            f"The verdicts are not those that {audit.path.name} was started with: {quantity(len(changed), 'item')} "
            f"{'has' if len(changed) == 1 else 'have'} another verdict ({first_names(changed, 5)}). Use the same verdicts, or "
            "another file (--ask)."
        )


def _check_settings(audit: Audit, *, about: JudgedAbout, budget: int | None, level: float, seed: int) -> None:
    """Refuse settings that differ from those of the file; a default is no wish."""
    kept = audit.about
    own: dict[str, tuple[Any, Any, Any]] = {
        "about": (about, JudgedOptions.about, "population" if kept["question"] == "population" else "rows"),
        "level": (level, JudgedIntervalOptions.level, kept["level"]),
        "seed": (seed, JudgedIntervalOptions.seed, kept["seed"]),
        "budget": (budget, None, kept["budget"]),
    }
    for name, (value, default, has) in own.items():
        if value in (default, has) or (name == "budget" and value >= kept["n"] == has):
            continue
        more = (
            f", or allow more ratings with justesse audit extend {audit.path} --budget {value}"
            if name == "budget" and value > has
            else ""
        )
        raise OptionError(
            f"{audit.path.name} has {name} {has} (--{name} {has}), not {value}. Leave it out, or name "
            f"another file with ask=… (--ask){more}."
        )
