"""`justesse audit next`, `answer` and `ask`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from justesse.cli.delivery import Delivery, Printing
from justesse.core.errors import OptionError
from justesse.verbs.audit.options import (
    AnswerChangeOptions,
    AnswerKindOptions,
    PersonOptions,
    QuestionOptions,
    RevealOptions,
)

FLAT = Parameter(name="*")
INSTEAD = Parameter(name="*", group=Group("Instead of a class", sort_key=1))
CHANGES = Parameter(name="*", group=Group("Changes and new classes", sort_key=2))


@Parameter(name="*", group="Output")
@dataclass(frozen=True)
class QuestionDelivery(Delivery):
    """Where questions go.

    Parameters
    ----------
    output
        Write the questions as a table to fill in, such as answers.csv or answers.parquet.
    """

    output: Annotated[Path | None, Parameter(alias="-o")] = None


@dataclass(frozen=True)
class CountedQuestionOptions(QuestionOptions):
    """Which questions to show; -n is short for --n."""

    n: Annotated[int, Parameter(alias="-n")] = QuestionOptions.n


def next_(
    audit: str,
    /,
    *,
    questions: Annotated[CountedQuestionOptions, FLAT] = CountedQuestionOptions(),
    delivery: QuestionDelivery = QuestionDelivery(),
) -> None:
    """Print the questions to answer now. The order of the two answers hides which classifier gave which.

    Asking twice gives the same questions until they are answered.

    For example:

      justesse audit next my.audit -n 20

      justesse audit next my.audit -n 50 -o answers.csv

    The second command writes a table with an empty column named class. Fill it in, then:

      justesse audit answer my.audit --file answers.csv

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.verbs.audit.next import audit_next

    delivery.check(audit)
    delivery.deliver(audit_next(audit, **asdict(questions)))


def answer(
    audit: str,
    id: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    class_name: Annotated[str | None, Parameter(name="class", allow_leading_hyphen=True)] = None,
    /,
    *,
    file: Path | None = None,
    person: Annotated[PersonOptions, FLAT] = PersonOptions(),
    kinds: Annotated[AnswerKindOptions, INSTEAD] = AnswerKindOptions(),
    changes: Annotated[AnswerChangeOptions, CHANGES] = AnswerChangeOptions(),
    printing: Printing = Printing(),
) -> None:
    """Save the answer to one question, or many answers from a file: all of them, or none if one cannot be used.

    For example:

      justesse audit answer my.audit img-0673 owl --by Ann

      justesse audit answer my.audit img-0673 dog --by Ann --correct

      justesse audit answer my.audit img-0674 "cat|dog" --by Ann

      justesse audit answer my.audit --file answers.csv --by Ann

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    id
        Id of the question.
    class_name
        The true class, or several as cat|dog; or one of the words both, neither, flawed and ? (cannot say). If a class
        has such a name, the class is meant; write (both) for the word.
    file
        File with the columns id and class, and by if several people answered. Empty cells are skipped.
    """
    from justesse.verbs.audit.answer import audit_answer

    if file is not None and id is not None:
        raise OptionError(f"Give one question and its class, or --file FILE, not both; got {id!r} beside --file.")
    options = asdict(person) | asdict(kinds) | asdict(changes)
    printing.deliver(audit_answer(audit, id, class_name, answers=file, **options))


def ask(
    audit: str,
    /,
    *,
    person: Annotated[PersonOptions, FLAT] = PersonOptions(),
    reveal: Annotated[RevealOptions, FLAT] = RevealOptions(),
) -> None:
    """Ask in the terminal, one question after the other. Answer with single keys.

    Each answer is saved before the next question is shown. Several people can answer at the same time: nobody sees a
    question that someone else is answering.

    For example:

      justesse audit ask my.audit --by Ann

    Parameters
    ----------
    audit
        The audit file, or URL#NAME of an audit in a store.
    """
    from justesse.cli.audit_ask import ask_all

    ask_all(audit, by=person.by, reveal=reveal.reveal)
