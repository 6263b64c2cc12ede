"""`justesse audit next`, `answer` and `ask`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from justesse.cli.delivery import Delivery, Printing
from justesse.core.errors import OptionError

INSTEAD = Parameter(group=Group("Instead of a class", sort_key=1))
CHANGES = Parameter(group=Group("Changes and new classes", sort_key=2))


def next_(
    audit: Path,
    *,
    n: Annotated[int, Parameter(alias="-n")] = 10,
    reveal: bool = False,
    delivery: Delivery = Delivery(),
) -> None:
    """Print the questions to answer now. Their order of answers hides which classifier gave which.

    Asking twice gives the same questions until they are answered.

    Examples:

      justesse audit next my.audit -n 20

      justesse audit next my.audit -n 50 -o answers.csv

    The second writes a table with an empty column class. Fill it in, then:

      justesse audit answer my.audit --file answers.csv

    Parameters
    ----------
    audit
        The audit file.
    n
        How many questions. Default: 10.
    reveal
        Show which classifier gave which answer, and the label.
    """
    from justesse.verbs.audit.next import audit_next

    delivery.check(audit)
    delivery.deliver(audit_next(audit, n, reveal=reveal))


def answer(
    audit: Path,
    id: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    class_name: Annotated[str | None, Parameter(name="class", allow_leading_hyphen=True)] = None,
    /,
    *,
    file: Path | None = None,
    by: str | None = None,
    both: Annotated[bool, INSTEAD] = False,
    neither: Annotated[bool, INSTEAD] = False,
    flawed: Annotated[bool, INSTEAD] = False,
    cannot_say: Annotated[bool, INSTEAD] = False,
    withdraw: Annotated[bool, CHANGES] = False,
    correct: Annotated[bool, CHANGES] = False,
    new_class: Annotated[bool, CHANGES] = False,
    printing: Printing = Printing(),
) -> None:
    """Save the answer to one question, or many answers from a file: all of them, or none if one cannot be used.

    Examples:

      justesse audit answer my.audit img-0673 owl --by Ann

      justesse audit answer my.audit img-0673 dog --by Ann --correct

      justesse audit answer my.audit img-0674 "cat|dog" --by Ann

      justesse audit answer my.audit --file answers.csv --by Ann

    Parameters
    ----------
    audit
        The audit file.
    id
        Id of the question.
    class_name
        The true class, or several as cat|dog; or one of the words both, neither, flawed and ? (cannot say). If a class
        has such a name, the class is meant; write (both) for the word.
    file
        File with the columns id and class, and by if several people answered. Empty cells are skipped.
    by
        Name of the person answering. Default: your login name.
    both
        Both classifiers are right.
    neither
        Neither classifier is right.
    flawed
        The question has no right answer. It counts for neither classifier.
    cannot_say
        The true class cannot be determined. Counts against the side that is to be shown better.
    withdraw
        Withdraw your answer. The file keeps it.
    correct
        Correct your own answer. The file keeps the old one.
    new_class
        Allow a class that neither labels nor classifiers use.
    """
    from justesse.verbs.audit.answer import audit_answer

    if file is not None and id is not None:
        raise OptionError("give one question and its class, or --file FILE, not both")
    answered = audit_answer(
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
    printing.deliver(answered)


def ask(audit: Path, *, by: str | None = None, reveal: bool = False) -> None:
    """Ask in the terminal, one question after the other; single keys answer.

    Each answer is saved before the next question is shown. Several people can answer at once: each sees other
    questions.

    Example:

      justesse audit ask my.audit --by Ann

    Parameters
    ----------
    audit
        The audit file.
    by
        Name of the person answering. Default: your login name.
    reveal
        Show which classifier gave which answer, and the label.
    """
    from justesse.cli.audit_ask import ask_all

    ask_all(audit, by=by, reveal=reveal)
