"""Questions on the terminal, one after the other: a key answers, and the answer is saved before the next question."""

from dataclasses import replace
from typing import TYPE_CHECKING

from justesse.cli.keys import END, Keys, check_terminal
from justesse.cli.output import console, say
from justesse.core.errors import InputError
from justesse.core.levels import shown_name
from justesse.core.printable import printable, printable_lines
from justesse.report.terminal import show
from justesse.report.writing import message
from justesse.store.answers import Kind
from justesse.verbs.audit.ask import Due, Sitting
from justesse.verbs.audit.next import AskedQuestion

if TYPE_CHECKING:
    from rich.text import Text

KINDS: dict[str, Kind] = {"b": "both", "n": "neither", "f": "flawed", "?": "cannot_say"}
KEYS = (
    "[b] both right",
    "[n] neither",
    "[o] other or several",
    "[f] flawed",
    "[?] cannot say",
    "[s] skip",
    "[u] undo",
    "[q] quit: ",
)
POOLED_KEYS = ("[n] none right", *KEYS[2:])  # of more than two classifiers
DIGITS = "123456789"
TYPE = "Type the class, or several as a|b (empty: back): "
WIDE = 80
LONG = 2_000  # characters of a text that are shown


def ask_all(audit: str, *, by: str | None, reveal: bool) -> None:
    """Ask until the audit stops or the person does."""
    check_terminal("In scripts, use justesse audit next and justesse audit answer")
    sitting, screen = Sitting(audit, by=by, reveal=reveal), console()
    try:
        with Keys() as keys:
            while (due := sitting.next()) is not None:
                question = due.question
                screen.print()
                screen.print(counter(due), style="dim")
                screen.print(question_text(question))
                pressed = _pressed(keys, question, min(WIDE, screen.width))
                if pressed == "q":
                    break
                if pressed == "s":
                    sitting.skip(question.id)
                    screen.print("Skipped. The question stays open.", style="dim")
                elif pressed == "u" and not sitting.done:
                    screen.print("No answer of this session is left to undo.", style="dim")
                elif pressed == "u":
                    last = sitting.done[-1]
                    sitting.answer(last, None, "withdrawn")
                    screen.print(str(message("Answer to {id:text} withdrawn.", id=last)), style="dim")
                else:
                    _answer(keys, sitting, question, pressed)
    finally:
        sitting.leave()
        print()
        say(message("{n:count answer} saved in this session.", n=len(sitting.done)))
    show(replace(sitting.status().document(), sections=(), assumptions=()), screen)


def counter(due: Due) -> str:
    """Write the number of the question, and how many are answered.

    >>> counter(Due(AskedQuestion(7, "a", ("x", "y"), None), 5, 50))
    'Question 7. Answered: 5 of at most 50.'
    """
    template = "Question {turn:count}. Answered: {answered:count} of at most {most:count}."
    return str(message(template, turn=due.question.turn, answered=due.answered, most=due.most))


def prompt_lines(question: AskedQuestion, width: int = WIDE) -> list[str]:
    """Lay the keys out in lines that fit. A long class name is shortened: the question above has it in full.

    >>> for line in prompt_lines(AskedQuestion(1, "a", ("cat", "dog"), None)):
    ...     print(line)
    [1] cat  [2] dog  [b] both right  [n] neither  [o] other or several  [f] flawed
    [?] cannot say  [s] skip  [u] undo  [q] quit:
    """
    room = max(width // 2 - 6, 8)
    names = [printable(shown_name(name)).replace("\n", " ") for name in question.answers]
    names = [name if len(name) <= room else f"{name[: room - 1]}…" for name in names]
    lines = [""]
    choices = [f"[{key}] {name}" for key, name in zip(DIGITS, names, strict=False)]
    for part in (*choices, *(POOLED_KEYS if question.pooled else KEYS)):
        longer = f"{lines[-1]}  {part}" if lines[-1] else part
        if len(longer) < width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def _pressed(keys: Keys, question: AskedQuestion, width: int) -> str:
    """Wait for a key that means something."""
    names = {key: printable(shown_name(name)) for key, name in zip(DIGITS, question.answers, strict=False)}
    names |= {"n": "none right"} if question.pooled else {"b": "both right", "n": "neither"}
    names |= {"f": "flawed", "?": "cannot say"}
    print("\n".join(prompt_lines(question, width)), end="", flush=True)
    while True:
        pressed = keys.key()
        if pressed in END or pressed.lower() == "q":
            print("quit")
            return "q"
        if pressed in DIGITS and pressed in names and question.answers[int(pressed) - 1] is None:
            continue  # a missing answer is no class
        if pressed.lower() in (*names, "o", "s", "u"):
            print(names.get(pressed.lower(), pressed), flush=True)
            return pressed.lower()


def _answer(keys: Keys, sitting: Sitting, question: AskedQuestion, pressed: str) -> None:
    """Save the answer a key stands for; typing no class goes back to the question."""
    try:
        if pressed in DIGITS:
            sitting.answer(question.id, question.answers[int(pressed) - 1])
        elif pressed in KINDS:
            sitting.answer(question.id, None, KINDS[pressed])
        elif typed := _typed(keys, sitting, question.credits):
            sitting.answer(question.id, typed, new_class=True)
    except InputError as error:
        say(error)


def _typed(keys: Keys, sitting: Sitting, credits: bool) -> str | None:
    """Ask for another class; a new one must be confirmed."""
    typed = keys.line("Type the class, several as a|b, or credits as #1=1|#2=0.5 (empty: back): " if credits else TYPE)
    if typed and (error := sitting.unknown(typed)):
        say(error.short)
        words = message("Add {typed:name} as a new class? [y] yes, any other key: no ", typed=typed)
        print(words, end="", flush=True)
        sure = keys.key().lower() == "y"
        print("yes" if sure else "no")
        return typed if sure else None
    return typed


def question_text(question: AskedQuestion) -> "Text":
    """Write a question and the text of its row; nothing in it steers the terminal."""
    from rich.text import Text

    text = Text(question.words, style="bold")
    if question.shown:
        more = "…" if len(question.shown) > LONG else ""
        shown = printable_lines(question.shown[:LONG]).replace(
            "\n", "\n  "
        )  # none of its lines can pass for one of ours
        text.append(f"\n  {shown}{more}", style="not bold")
    return text
