"""People as the expert of a run: its questions go to lists of labels to re-check, and the run waits for the answers."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.core.results import ClassName
from justesse.lifelong.experts.expert import AnswersPendingError, ExpertReply
from justesse.lifelong.item import Item
from justesse.lifelong.written_speech import read_speech, write_speech
from justesse.store.recheck_file import (
    ENDING,
    RecheckAsks,
    RecheckRecord,
    RecheckRow,
    loaded_recheck,
    open_recheck,
    write_recheck,
)


def is_list(expert: str) -> bool:
    """Say whether an expert is a file that people answer."""
    return expert.lower().endswith(ENDING)


@dataclass(frozen=True)
class People:
    """People who answer the questions of a run, one list per exchange.

    Parameters
    ----------
    path
        The first list, such as ask.recheck; the next are ask-2.recheck, ask-3.recheck, and so on.
    on
        What ids are called.
    classes
        All classes.
    cost
        Price of a question.
    asks
        What people answer: the class of an item, its text, or who speaks when.
    """

    path: Path
    on: str
    classes: tuple[ClassName, ...]
    cost: float = 1.0
    asks: RecheckAsks = "predictions"
    _read: dict[Path, RecheckRecord] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_simulated(self) -> bool:
        """No: what people answer is kept."""
        return False

    def price(self, id: str) -> float:
        """Return the price of a question, the same for all."""
        return self.cost

    def replies(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], before: int
    ) -> list[ExpertReply]:
        """Return the answers of an exchange, or write its list and wait."""
        path, record = self._record(exchange, items, hypotheses)
        if record.open:
            raise AnswersPendingError(str(path), len(record.open), len(record.rows))
        return [self._reply(record, row) for row in range(len(record.rows))]

    def belief(
        self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any], at: int, before: int
    ) -> ExpertReply:
        """Return the answer about one item of a list, or wait for it; the others may be open."""
        path, record = self._record(exchange, items, hypotheses)
        if at in record.open:
            raise AnswersPendingError(str(path), len(record.open), len(record.rows))
        return self._reply(record, at)

    def _record(self, exchange: int, items: Sequence[Item], hypotheses: Sequence[Any]) -> tuple[Path, RecheckRecord]:
        """Read the list of an exchange; write it first if there is none."""
        path = self._list(exchange)
        if path in self._read:
            return path, self._read[path]
        if not path.exists():
            rows = [
                RecheckRow(item.id, answer, answer, 0, 1.0, _shown(item))
                for item, answer in zip(items, map(self._written, hypotheses), strict=True)
            ]
            write_recheck(path, rows, on=self.on, classes=self.classes, asks=self.asks)
        file = open_recheck(path)
        with file.reading() as connection:
            record = loaded_recheck(connection, file.path)
        if [row.id for row in record.rows] != [item.id for item in items]:
            raise FileError(
                f"{path} holds the questions of another run. Name another file, or go on with the run that it belongs to."
            )
        self._read[path] = record
        return path, record

    def _written(self, hypothesis: Any) -> Any:
        """Write what the system answers for people to read."""
        if self.asks == "predictions":
            return hypothesis
        return write_speech(hypothesis or []) if self.asks == "speech" else str(hypothesis or "")

    def _reply(self, record: RecheckRecord, row: int) -> ExpertReply:
        """Return the answer that counts; none if people cannot tell or disagree."""
        settled = record.settled(row)
        entry = None if settled is None else settled.counts
        if entry is None or entry.kind != "answer":
            return ExpertReply(None)
        answer = entry.classes[0]
        return ExpertReply(read_speech(str(answer)) if self.asks == "speech" else answer)

    def _list(self, exchange: int) -> Path:
        path = Path(os.path.expanduser(self.path))
        return path if exchange == 1 else path.with_name(f"{path.stem}-{exchange}{path.suffix}")


def _shown(item: Item) -> str:
    """Write what people see of an item.

    >>> _shown(Item("7", "May", {"size": 3, "colour": "red"}))
    'size: 3, colour: red'
    """
    return ", ".join(f"{name}: {value}" for name, value in item.values.items() if value is not None)
