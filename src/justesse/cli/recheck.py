"""`justesse recheck next` and `justesse recheck answer`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from justesse.cli.audit_answer import CHANGES, FLAT
from justesse.cli.delivery import Delivery, Printing
from justesse.core.errors import OptionError
from justesse.verbs.audit.options import PersonOptions
from justesse.verbs.recheck.options import RecheckAnswerOptions, RecheckQuestionOptions

app = App(
    name="recheck",
    help="Answer a list made by justesse clean --recheck-to ask.recheck or justesse lifelong run --expert ask.recheck.",
    help_format="plaintext",
)


@Parameter(name="*", group="Output")
@dataclass(frozen=True)
class RowDelivery(Delivery):
    """Where rows go.

    Parameters
    ----------
    output
        Write the rows as a table to fill in, such as answers.csv, with an empty column true.
    """

    output: Annotated[Path | None, Parameter(alias="-o")] = None


@dataclass(frozen=True)
class CountedRowOptions(RecheckQuestionOptions):
    """Which rows to show; -n is short for --n."""

    n: Annotated[int, Parameter(alias="-n")] = RecheckQuestionOptions.n


@app.command(name="next")
def next_(
    recheck: Path,
    /,
    *,
    rows: Annotated[CountedRowOptions, FLAT] = CountedRowOptions(),
    delivery: RowDelivery = RowDelivery(),
) -> None:
    """Show the rows to answer next, and how far the list is answered.

    For example:

      justesse recheck next ask.recheck -n 20

      justesse recheck next ask.recheck -n 50 -o answers.csv

    Parameters
    ----------
    recheck
        The file made by justesse clean --recheck-to ask.recheck.
    """
    from justesse.verbs.recheck.recheck import recheck_next

    delivery.check(recheck)
    delivery.deliver(recheck_next(recheck, **asdict(rows)))


@app.command
def answer(
    recheck: Path,
    id: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    class_name: Annotated[str | None, Parameter(name="class", allow_leading_hyphen=True)] = None,
    /,
    *,
    file: Path | None = None,
    person: Annotated[PersonOptions, FLAT] = PersonOptions(),
    changes: Annotated[RecheckAnswerOptions, CHANGES] = RecheckAnswerOptions(),
    printing: Printing = Printing(),
) -> None:
    """Save the true class of one row, or many from a file: all of them, or none if one cannot be used.

    Several people can answer at the same time. If they disagree, the answer most of them gave counts.

    For example:

      justesse recheck answer ask.recheck img-0673 owl --by Ann

      justesse recheck answer ask.recheck img-0673 dog --by Ann --correct

      justesse recheck answer ask.recheck --file answers.csv --by Ann

    Parameters
    ----------
    recheck
        The file made by justesse clean --recheck-to ask.recheck.
    id
        Id of the row, or its number if the rows have no id.
    class_name
        The true class, or ? if it cannot be determined. If a run asks for texts, the right text, or = if the system's
        is right; for recordings, who speaks when, such as "Ann 0-4.5; Ben 4.5-9".
    file
        File with the columns id and true, and by if several people answered. Empty cells are skipped.
    """
    from justesse.verbs.recheck.recheck import recheck_answer

    if file is not None and id is not None:
        raise OptionError(f"Give one row and its class, or --file FILE, not both; got {id!r} beside --file.")
    printing.deliver(recheck_answer(recheck, id, class_name, answers=file, **asdict(person), **asdict(changes)))
