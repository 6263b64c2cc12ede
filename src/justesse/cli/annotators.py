"""`justesse annotators agree | infer | next | compare`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import INPUT, INTERVALS, LABELS
from justesse.cli.output import patience, say
from justesse.core.errors import OptionError
from justesse.verbs.annotators.options import AgreementOptions, AnswerColumnOptions, GoldOptions, ModelOptions, QuestionOptions

app = App(
    name="annotators",
    help="Several people's answers: how far they agree, what is probably true, whom to trust.",
    help_format="plaintext",
)


@app.command
def agree(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    agreement: Annotated[AgreementOptions, INTERVALS] = AgreementOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Measure how far annotators agree: percent, Fleiss' kappa, Gwet's AC1, Krippendorff's alpha, every pair.

    For example:

      justesse annotators agree answers.csv

      justesse annotators agree answers.csv --scale ordinal --classes low,mid,high --json

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    """
    from justesse.verbs.annotators.agree import annotators_agree

    _run(annotators_agree, file, delivery, columns, agreement)


@app.command
def infer(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    gold: Annotated[GoldOptions, LABELS] = GoldOptions(),
    model: Annotated[ModelOptions, INTERVALS] = ModelOptions(),
    to: Annotated[Path | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Infer the probable class of each item, and how often each annotator is right.

    For example:

      justesse annotators infer answers.csv --to truth.csv

      justesse annotators infer answers.csv --method mace --gold gold.csv --report page.html

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    to
        Write items, their probable classes and probabilities, such as truth.csv or truth.parquet.
    """
    from justesse.verbs.annotators.infer import annotators_infer

    delivery.check(file, gold.gold, to=to)
    _run(annotators_infer, file, delivery, columns, gold, model, to=to)
    if to and delivery.to_terminal:
        say(f"Written: {to}")


@app.command(name="next")
def next_(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    gold: Annotated[GoldOptions, LABELS] = GoldOptions(),
    questions: Annotated[QuestionOptions, INTERVALS] = QuestionOptions(),
    price: list[str] | None = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Choose whom to ask about which item next.

    For example:

      justesse annotators next answers.csv --number 20 -o questions.csv

      justesse annotators next answers.csv --price expert=10 --budget 50

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    price
        Price of an annotator's answer, such as expert=10. Default: 1 each.
    """
    from justesse.verbs.annotators.next import annotators_next

    prices = dict(_price(text) for text in price) if price else None
    _run(annotators_next, file, delivery, columns, gold, questions, prices=prices)


def _price(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name, float(value)
    except ValueError:
        raise OptionError(f"A price is written name=number, such as expert=10; got {text!r}.") from None


def _run(verb: Any, file: str, delivery: Delivery, columns: AnswerColumnOptions, *groups: Any, to: Any = None, **more: Any) -> Any:
    from justesse.frames.engine import progress

    options = {name: value for group in (columns, *groups) for name, value in asdict(group).items()}
    delivery.check(file, options.get("gold"))
    options["classes"] = class_names(columns.classes, columns.as_text)
    with patience("Computing", progress):
        result = verb(file, **options, **more)
    if to:
        result.write_truth(to)
    delivery.deliver(result)
    return result
