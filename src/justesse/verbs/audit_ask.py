"""One question for one person: not one that is on somebody else's screen."""

from collections.abc import Sequence

from justesse.store.audit_file import open_audit
from justesse.store.held import held_by_others, hold, release
from justesse.verbs.audit import PathLike, loaded_to_write
from justesse.verbs.audit_next import AskedQuestion, asked, topped_up


def question_for(
    audit: PathLike, *, by: str, skipped: Sequence[str] = (), reveal: bool = False
) -> tuple[AskedQuestion, int] | None:
    """Give the next question for one person, and how many more there can be; `None` if there is none.

    Questions this person has skipped, and those others are looking at, are passed over; a new one is drawn if none is
    left.
    """
    file = open_audit(audit)
    with file.writing() as connection:
        found = loaded_to_write(connection, file.path)
        if found.state.stop:
            return None
        others = held_by_others(connection, by=by)
        passed = [one.row for one in found.open if one.row in others or one.id in skipped]
        found = topped_up(connection, found, len(passed) + 1)
        free = [one for one in found.open if one.row not in passed]
        if not free:
            return None
        hold(connection, free[0].row, by=by)
    return asked(found, free[0], reveal=reveal), found.state.most - len(found.drawn)


def let_go(audit: PathLike, *, by: str) -> None:
    """Let others have the question that was on this person's screen."""
    with open_audit(audit).writing() as connection:
        release(connection, by=by)
