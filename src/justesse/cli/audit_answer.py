"""`justesse audit next`, `answer` and `ask`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from justesse.cli.output import ENDINGS, check_places, print_json, say, show_lines
from justesse.cli.whole import whole
from justesse.core.errors import OptionError

Flag = Parameter(negative="")


def next_(
    audit: Path,
    *,
    n: Annotated[int, Parameter(alias="-n", converter=whole)] = 10,
    reveal: Annotated[bool, Flag] = False,
    to: Annotated[Path | None, Parameter(alias="-o")] = None,
    json: Annotated[bool, Flag] = False,
) -> None:
    """Print the questions now due; the order of the two answers does not tell who gave which.

    Asking twice gives the same questions, until they are answered.

    Examples:

      justesse audit next my.audit -n 20

      justesse audit next my.audit -n 50 --to answers.csv

    Parameters
    ----------
    audit
        The audit file.
    n
        How many questions.
    reveal
        Say who gave which answer, and the label.
    to
        Also write them as a table with an empty column class to fill in, .csv or .parquet.
    json
        Print JSON instead of words.
    """
    from justesse.cli.audit_view import show_questions
    from justesse.frames.native import check_place
    from justesse.verbs.audit.next import audit_next

    check_places([audit], to=to)
    if to:
        check_place(to, endings=ENDINGS["output"])
    found = audit_next(audit, n, reveal=reveal)
    if to:
        found.save(to)
    if json:
        print_json(found.to_dict())
        return
    show_questions(found)
    if to:
        say(f"Written: {to}")


def answer(
    audit: Path,
    id: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    class_name: Annotated[str | None, Parameter(name="class", allow_leading_hyphen=True)] = None,
    /,
    *,
    file: Path | None = None,
    by: str | None = None,
    both: Annotated[bool, Flag] = False,
    neither: Annotated[bool, Flag] = False,
    flawed: Annotated[bool, Flag] = False,
    cannot_say: Annotated[bool, Flag] = False,
    withdraw: Annotated[bool, Flag] = False,
    correct: Annotated[bool, Flag] = False,
    new_class: Annotated[bool, Flag] = False,
    json: Annotated[bool, Flag] = False,
) -> None:
    """Answer one question, or many from a file: all of them are on disk when the command ends, or none.

    Examples:

      justesse audit answer my.audit img-0673 owl --by Ann

      justesse audit answer my.audit img-0673 dog --by Ann --correct

      justesse audit answer my.audit img-0674 "cat|dog" --by Ann

      justesse audit answer my.audit --file answers.csv

    Parameters
    ----------
    audit
        The audit file.
    id
        The id of the question.
    class_name
        The true class; several right ones as cat|dog. Also both, neither, flawed or ?, unless a class is called so.
    file
        File with the columns id and class, and by if several people answered. A class, cat|dog, both, neither, flawed,
        or ? (cannot say).
    by
        Who answers; the name you are logged in with by itself.
    both
        Both classifiers are right.
    neither
        Neither classifier is right.
    flawed
        The question has no right answer. Counts for neither.
    cannot_say
        The true class cannot be said. Counts against whichever side is being shown.
    withdraw
        Take your answer back; it stays in the diary.
    correct
        Correct your own answer; the old one stays in the diary.
    new_class
        Allow a class that neither labels nor classifiers know.
    json
        Print JSON instead of words.
    """
    from justesse.verbs.audit.answer import audit_answer

    if file is not None and id is not None:
        raise OptionError("give one question and its class, or --file FILE, not both")
    found = audit_answer(
        audit,
        id,
        class_name,
        answers=file,
        by=by,
        both=both,
        neither=neither,
        flawed=flawed,
        cannot_say=cannot_say,
        withdraw=withdraw,
        correct=correct,
        new_class=new_class,
    )
    if json:
        print_json(found.to_dict())
    else:
        show_lines(repr(found))


def ask(audit: Path, *, by: str | None = None, reveal: Annotated[bool, Flag] = False) -> None:
    """Ask in the terminal, one question after the other, with single keys; every answer is on disk before the next.

    Several people may do so at once: each is shown other questions.

    Example:

      justesse audit ask my.audit --by Ann

    Parameters
    ----------
    audit
        The audit file.
    by
        Who answers; the name you are logged in with by itself.
    reveal
        Say who gave which answer, and the label.
    """
    from justesse.cli.audit_ask import ask_all

    ask_all(audit, by=by, reveal=reveal)
