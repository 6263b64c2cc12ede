"""An audit on the terminal: the verdict, its confidence sequence in plain characters, the questions."""

from rich.text import Text

from justesse.cli.output import console
from justesse.cli.sequence_view import sequence_lines
from justesse.core.class_sets import joined_classes
from justesse.core.levels import shown_name
from justesse.core.printable import printable, printable_lines
from justesse.report.terminal import STYLES
from justesse.verbs.audit.next import AskedQuestion, AuditQuestions
from justesse.verbs.audit.status import WHERE, AuditStatus

LONG = 2_000  # characters of a text that are shown


def show_status(found: AuditStatus) -> None:
    """Print the running verdict."""
    screen, state = console(), found.audit.state
    screen.print(found.title, style=STYLES[found.decision])
    screen.print(f"{found.headline}\n")
    screen.print(
        f"The difference {WHERE[state.question]}, per 100 cases; right of 0 (|) the candidate is better", style="bold"
    )
    wide = max(20, min(60, screen.width - 32))
    for line in sequence_lines(found.drawn_looks(), wide):
        screen.print(Text(line), no_wrap=True, crop=True)
    other = state.population if state.question == "test set" else state.test_set
    screen.print(f"\n{found.found(other)} That question: {other.decision.replace('_', ' ')}.")
    screen.print(
        f"Rows: {state.n:,}; the two disagree on {state.disputed:,}. Questions asked: {state.asked:,} of at most "
        f"{state.most:,}; answers that count: {state.answered:,}; questions open: {len(found.audit.open):,}."
    )
    for warning in found.warnings:
        screen.print(f"! {warning}", style="yellow")
    for sentence in found.history:
        screen.print(sentence, style="dim")
    screen.print(f"Assumes that {'; '.join(state.assumptions)}. Seed {state.seed}.", style="dim")
    if not state.stop:
        screen.print(f"Go on with: justesse audit ask {found.audit.path}")


def show_questions(found: AuditQuestions) -> None:
    """Print the questions that are due."""
    screen = console()
    screen.print(found.title, style="bold")
    for one in found.questions:
        screen.print()
        screen.print(question_text(one))
    if found.questions:
        several = joined_classes(found.audit.classes[:2], found.audit.separator or "|")
        words = f"Answer with a class, several ({printable(several)}), both, neither, flawed or ? (cannot say)."
        screen.print(Text(f"\n{words}", style="dim"))


def question_text(one: AskedQuestion) -> Text:
    """Write a question: its id, both answers, and what is shown of the row; nothing in it steers the terminal."""
    text = Text(f"{printable(one.id)}  ", style="bold")
    text.append(f"{printable(shown_name(one.said[0]))} or {printable(shown_name(one.said[1]))}?", style="not bold")
    if one.revealed:
        names = (
            ("incumbent", one.revealed.incumbent),
            ("candidate", one.revealed.candidate),
            ("label", one.revealed.label),
        )
        text.append(
            f"  ({', '.join(f'{part}: {printable(shown_name(said))}' for part, said in names)})", style="not bold dim"
        )
    if one.shown:
        more = "…" if len(one.shown) > LONG else ""
        shown = printable_lines(one.shown[:LONG]).replace("\n", "\n  ")  # none of its lines can pass for one of ours
        text.append(f"\n{shown}{more}", style="not bold")
    return text
