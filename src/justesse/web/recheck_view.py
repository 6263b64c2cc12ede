"""Lists to re-check: which ones a directory has, and what a page shows of their rows."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.levels import shown_name
from justesse.store.recheck_file import ENDING, RecheckRecord, loaded_recheck, open_recheck
from justesse.verbs.recheck.progress import RIGHT
from justesse.web.shelf import file_inside

MOST_BUTTONS = 9
HINTS = {
    "texts": "Correct the text where it is wrong.",
    "speech": "Write who speaks when, such as Ann 0-4.5; Ben 4.5-9, in seconds. Write nobody if there is no speech.",
}


@dataclass(frozen=True)
class AskedRow:
    """What a page shows of a row.

    Parameters
    ----------
    id
        Id in the data.
    shown
        What people see of the item.
    system
        What the system answered; `None` if people answer without knowing.
    choices
        Classes to choose from; empty if people type.
    hint
        What to type.
    """

    id: str
    shown: str
    system: str | None
    choices: tuple[str, ...]
    hint: str

    @property
    def has_buttons(self) -> bool:
        """Whether there is a button for each class."""
        return 0 < len(self.choices) <= MOST_BUTTONS


@dataclass(frozen=True)
class ShownList:
    """What a page shows of a list: the row to answer next, and how far it is answered.

    `last` is the id of the row that the person answered last, `ask` the question.
    """

    ask: str
    row: AskedRow | None
    rows: int
    open: int
    tied: int
    own: int
    last: str | None


def recheck_names(folder: Path | None) -> list[str]:
    """List the lists to re-check of a directory."""
    names = sorted(path.name for path in folder.glob(f"*{ENDING}")) if folder else []
    return [name for name in names if recheck_path(folder, name)]


def recheck_path(folder: Path | None, name: str) -> Path | None:
    """Return the path of a list; `None` unless it is a file inside the directory."""
    return None if folder is None else file_inside(folder, name, ENDING)


def shown_list(path: Path, person: str) -> ShownList:
    """Read a list, and choose the row that a person answers next: an open one, then one on which others disagree."""
    file = open_recheck(path)
    with file.reading() as connection:
        record = loaded_recheck(connection, file.path)
    own, tied = record.diary.rows_of(person), record.tied
    waiting = [*record.open, *(row for row in tied if row not in own)]
    last = record.diary.last_row_of(person)
    return ShownList(
        ask=f"What {'are' if record.asks == 'speech' else 'is'} the {RIGHT[record.asks]}?",
        row=_asked(record, waiting[0]) if waiting else None,
        rows=len(record.rows),
        open=len(record.open),
        tied=len(tied),
        own=len(own),
        last=None if last is None else record.rows[last].id,
    )


def _asked(record: RecheckRecord, at: int) -> AskedRow:
    row = record.rows[at]
    if record.asks == "labels":  # people answer without knowing the label, or why it was flagged
        return AskedRow(row.id, "", None, tuple(map(shown_name, record.classes)), "")
    choices = tuple(map(shown_name, record.classes)) if record.asks == "predictions" else ()
    return AskedRow(row.id, row.reason, shown_name(row.label), choices, HINTS.get(record.asks, ""))
