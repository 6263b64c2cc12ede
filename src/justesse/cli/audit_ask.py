"""Questions on the terminal, one after the other: a key answers, and the answer is on disk before the next is shown."""

from pathlib import Path

from justesse.cli.audit_view import question_text
from justesse.cli.keys import END, Keys, check_terminal
from justesse.cli.output import console, say
from justesse.core.errors import ClassError, InputError
from justesse.core.levels import shown_name
from justesse.core.printable import printable
from justesse.core.results import ClassName
from justesse.verbs.audit_answer import audit_answer, known_class, user
from justesse.verbs.audit_ask import let_go, question_for
from justesse.verbs.audit_next import AskedQuestion
from justesse.verbs.audit_status import audit_status

KEYS = "[o] another class  [?] cannot say  [s] skip  [u] undo  [q] quit"


def ask_all(audit: Path, *, by: str | None, reveal: bool) -> None:
    """Ask until the audit stops or the person does."""
    check_terminal("use justesse audit next and justesse audit answer in scripts")
    who, screen = by or user(), console()
    done: list[str] = []
    skipped: list[str] = []
    try:
        with Keys() as keys:
            while (found := question_for(audit, by=who, skipped=skipped, reveal=reveal)) is not None:
                question, left = found
                screen.print()
                screen.print(f"Question {question.turn}, {left:,} more at most", style="dim")
                screen.print(question_text(question))
                pressed = _pressed(keys, question)
                if pressed == "q":
                    break
                if pressed == "s":
                    skipped.append(question.id)
                    screen.print("skipped; it stays open", style="dim")
                elif pressed == "u" and not done:
                    screen.print("nothing to take back in this session", style="dim")
                elif pressed == "u":
                    audit_answer(audit, done[-1], by=who, withdraw=True)
                    screen.print(f"taken back: {printable(done.pop())}", style="dim")
                elif _answered(keys, audit, question, pressed, who):
                    done.append(question.id)
    finally:
        let_go(audit, by=who)
        print(f"\n{len(done)} answer{'' if len(done) == 1 else 's'} kept in this session.", flush=True)
    now = audit_status(audit)
    screen.print(now.title, style="bold")
    screen.print(now.headline)
    for warning in now.warnings:
        screen.print(f"! {warning}", style="yellow")


def _pressed(keys: Keys, question: AskedQuestion) -> str:
    """Wait for a key that means something."""
    one, other = (printable(shown_name(said)) for said in question.said)
    print(f"[1] {one}  [2] {other}  {KEYS}: ", end="", flush=True)
    while True:
        pressed = keys.key()
        if pressed in END or pressed.lower() == "q":
            print("quit")
            return "q"
        if pressed in ("1", "2") and question.said[int(pressed) - 1] is None:
            continue  # a missing answer is no class
        if pressed.lower() in ("1", "2", "o", "?", "s", "u"):
            print(pressed if pressed not in "12" else (one, other)[int(pressed) - 1], flush=True)
            return pressed.lower()


def _answered(keys: Keys, audit: Path, question: AskedQuestion, pressed: str, who: str) -> bool:
    """Record what a key says; give `False` if the person thought better of it, or it cannot be recorded."""
    said: ClassName = None
    if pressed in ("1", "2"):
        said = question.said[int(pressed) - 1]
    elif pressed == "o" and (said := _typed(keys, audit)) is None:
        return False
    try:
        audit_answer(audit, question.id, said, by=who, cannot_say=pressed == "?", new_class=pressed == "o")
    except InputError as error:
        say(error)
        return False
    return True


def _typed(keys: Keys, audit: Path) -> str | None:
    """Ask for another class; one that nobody knows so far must be meant."""
    typed = keys.line("Which class? (empty: back) ")
    if not typed:
        return None
    try:
        known_class(audit, typed)
    except ClassError as error:
        say(error)
        print(f"Is {typed!r} really a new class? [y] yes, any other key: back ", end="", flush=True)
        sure = keys.key().lower() == "y"
        print("yes" if sure else "back")
        return typed if sure else None
    return typed
