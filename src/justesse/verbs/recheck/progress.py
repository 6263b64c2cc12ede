"""What `justesse.recheck_next` and `justesse.recheck_answer` return: how far a list is answered, and what comes next."""

from dataclasses import dataclass
from typing import Any

from justesse.core.levels import identity
from justesse.core.results import Estimate
from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Detail, Document, KeyFigure, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.store.answers import Entry
from justesse.store.recheck_file import RecheckAsks, RecheckRecord

SHOWN = 50
SYSTEM = "system_answer"
ANSWER = "system's answer"
NOUNS: dict[RecheckAsks, str] = {"labels": "label", "predictions": ANSWER, "texts": ANSWER, "speech": ANSWER}
RIGHT: dict[RecheckAsks, str] = {
    "labels": "true class", "predictions": "true class", "texts": "right text", "speech": "right speakers and times",
}  # fmt: skip
TYPED: dict[RecheckAsks, str] = {
    "texts": "Type the right text, = if the system's answer is right, or ? if it cannot be determined.",
    "speech": "Type who speaks when, such as Ann 0-4.5; Ben 4.5-9, in seconds. = means that the system's answer is right, nobody "
    "that there is no speech, ? that it cannot be determined.",
}


@dataclass(frozen=True, repr=False, eq=False)
class RecheckProgress(Result):
    """A list of labels, or of a system's answers, to check: what people answered, and the rows that are shown.

    Parameters
    ----------
    record
        The list and its answers.
    shown
        Numbers of the rows to answer next.
    recorded
        Answers that were saved by this call.
    repeated
        Answers that the same person had given before.
    reveal
        Whether the labels of the rows to answer are shown, and what the filter makes of them.
    """

    record: RecheckRecord
    shown: tuple[int, ...] = ()
    recorded: tuple[Entry, ...] = ()
    repeated: int = 0
    reveal: bool = False

    @property
    def answered(self) -> int:
        """Number of rows with an answer that counts."""
        return sum(self._counts(row) for row in range(len(self.record.rows)))

    @property
    def wrong(self) -> int:
        """Number of rows whose label, or system's answer, is wrong by the answer that counts."""
        return sum(
            self._counts(at) and identity(self._answer(at)) != identity(row.label)
            for at, row in enumerate(self.record.rows)
        )

    @property
    def tied(self) -> int:
        """Number of rows to which people gave different answers, none of them more often; one more answer decides."""
        return len(self.record.tied)

    @property
    def cannot_say(self) -> int:
        """Number of rows whose true class nobody who answered could determine."""
        return len(self.record.rows) - self.answered - len(self.record.open) - self.tied

    def _counts(self, row: int) -> bool:
        settled = self.record.settled(row)
        return settled is not None and settled.counts is not None and settled.counts.kind == "answer"

    def _answer(self, row: int) -> Any:
        settled = self.record.settled(row)
        return None if settled is None else settled.answer

    def trace(self) -> list[dict[str, Any]]:
        """List every answer with who gave it, the old label and the new one; later answers of a person replace earlier."""
        rows = self.record.rows
        return [
            {
                "number": entry.number, "id": rows[entry.row].id, "label": rows[entry.row].label, "kind": entry.kind,
                "true": entry.answer, "by": entry.by, "corrects": entry.corrects,
            }
            for entry in self.record.diary.entries
        ]  # fmt: skip

    def questions(self) -> list[dict[str, Any]]:
        """Lay out the rows to answer next: without their labels, unless these are to be shown.

        The rows of a run have no label, only what the system answered.
        """
        rows, labelled = self.record.rows, self.record.asks == "labels"
        return [
            {
                "id": rows[at].id,
                "label": rows[at].label if labelled and self.reveal else None,
                "suggested": None if self._blind else rows[at].suggested,
                "reason": "" if self._blind else rows[at].reason,
            }
            for at in self.shown
        ]

    @property
    def _blind(self) -> bool:
        """Whether people answer without knowing the labels."""
        return self.record.asks == "labels" and not self.reveal

    def corrections(self) -> list[list[Any]]:
        """List the rows whose label is wrong by the answer that counts: id, label, true class, who gave it."""
        listed = []
        for at, row in enumerate(self.record.rows):
            if self._counts(at) and identity(self._answer(at)) != identity(row.label):
                settled = self.record.settled(at)
                assert settled is not None
                people = [entry.by for entry in settled.people if entry.answer == settled.answer]
                listed.append([row.id, row.label, self._answer(at), ", ".join(people)])
        return listed

    def people(self) -> list[list[Any]]:
        """Count the standing answers of each person: labels confirmed, labels corrected, rows nobody can determine."""
        counts: dict[str, list[int]] = {}
        for at, row in enumerate(self.record.rows):
            for entry in self.record.diary.standing(at):
                own = counts.setdefault(entry.by, [0, 0, 0])
                wrong = [identity(name) for name in entry.classes] != [identity(row.label)]
                own[2 if entry.kind == "cannot_say" else int(wrong)] += 1
        return [[name, sum(own), *own] for name, own in sorted(counts.items())]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {"answered_at": {str(entry.number): entry.at for entry in self.record.diary.entries}},
            "file": str(self.record.path),
            "rows": len(self.record.rows),
            "answered": self.answered,
            "open": len(self.record.open),
            "tied": [self.record.rows[at].id for at in self.record.tied],
            "cannot_say": self.cannot_say,
            "wrong": self.wrong,
            "asks": self.record.asks,
            "questions": self.questions(),
            "recorded": [entry.number for entry in self.recorded],
            "repeated": self.repeated,
            "answers": self.trace(),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay out the rows to answer next, with an empty column true."""
        rows = self.questions()
        names = {"id": self.record.on, "label": "label", "suggested": "suggested", "reason": "reason"}
        if self._blind:
            names = {"id": self.record.on}
        elif self.record.asks != "labels":
            names = {"id": self.record.on, "suggested": SYSTEM, "reason": "shown"}
        return {name: [row[key] for row in rows] for key, name in names.items()} | {"true": [None] * len(rows)}

    def document(self) -> Document:
        noun = NOUNS[self.record.asks]
        listed = {name: values[:SHOWN] for name, values in self.to_columns().items() if name != "true"}
        *names, last = listed
        head: list[str | Column] = [*(noun if name == SYSTEM else name for name in names), Column(last, "words", 1)]
        if self._blind:
            head = [last]
        lines = [list(row) for row in zip(*listed.values(), strict=True)]
        rows = self.record.rows
        saved = [[rows[entry.row].id, rows[entry.row].label, entry.words, entry.by] for entry in self.recorded[:SHOWN]]
        corrections, people = self.corrections(), self.people()
        more = len(corrections) - SHOWN
        note = message("{n:count} more: the JSON lists every answer.", n=more) if more > 0 else ""
        tables: dict[tuple[str, str, Detail], Table] = {
            ("saved", "Saved answers", "headline"): Table("Saved", [self.record.on, noun, "answer", "by"], saved),
            ("questions", "Rows to answer next", "headline"): Table(
                "To answer next", head, lines, self._how_to_answer()
            ),
            ("corrections", str(message("Wrong {noun}s so far", noun=noun)), "full"): Table(
                "Wrong by the answer that counts",
                [self.record.on, noun, RIGHT[self.record.asks], "by"],
                corrections[:SHOWN],
                note=note,
            ),
            ("people", "Who answered", "full"): Table(
                "Answers that stand",
                [
                    "person",
                    *(Column(name, "count") for name in ("answers", f"{noun} right", f"{noun} wrong", "cannot say")),
                ],
                people,
            ),
        }
        sections = [Section(id, title, [table], detail) for (id, title, detail), table in tables.items() if table.rows]
        return Document(
            "Labels to re-check" if self.record.asks == "labels" else "Answers of a system to check",
            self._headline(),
            sections,
            self.to_dict(),
            name="recheck",
            figures=[
                KeyFigure("Answered rows", Estimate("answered", self.answered, self.answered), "count"),
                KeyFigure(str(message("Wrong {noun}s among them", noun=noun)), Estimate("wrong", self.wrong, self.wrong), "count"),
            ],
            assumptions=("the people who answer are right; if they disagree, the answer most of them gave counts",),
            cautions=self._ties(),
            facts=[("file", str(self.record.path)), ("justesse", __version__)],
        )  # fmt: skip

    def _how_to_answer(self) -> str | Message:
        if not self._blind:
            return TYPED.get(self.record.asks, "")
        template = "Classes: {names:names}. Labels are hidden, so that people answer without knowing them (--reveal shows them)."
        return message(template, names=self.record.classes)

    def _ties(self) -> list[Message]:
        """Name the rows on which people disagree without a majority."""
        ids = [self.record.rows[at].id for at in self.record.tied]
        template = (
            "People disagree about {ids:names}, so no answer counts there. One more answer of another person decides."
        )
        return [message(template, ids=ids)] if ids else []

    def _headline(self) -> Message:
        rest = [
            str(message(template, n=n))
            for template, n in (
                ("{n:count} tied", self.tied),
                ("{n:count} that cannot be determined", self.cannot_say),
            )
            if n
        ]
        template = (
            "{answered:count} of {rows:count} rows answered; {wrong:count} of their labels {wrong:plural is|are} wrong. "
            "{open:count row} open{rest}."
        )
        if not self.answered:
            template = "{answered:count} of {rows:count} rows answered. {open:count row} open{rest}."
        if self.record.asks != "labels":
            template = (
                "A run asks for the {right} of {rows:count item}. {answered:count} answered; the system was wrong on "
                "{wrong:count} of them. {open:count} open{rest}."
            )
        return message(
            template,
            answered=self.answered, rows=len(self.record.rows), wrong=self.wrong, open=len(self.record.open),
            rest="".join(f", {part}" for part in rest), right=RIGHT[self.record.asks],
        )  # fmt: skip
