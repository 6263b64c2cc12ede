"""`justesse annotators agree | infer | next | compare`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import INPUT, INTERVALS, LABELS, MODELS
from justesse.cli.output import patience, say
from justesse.cli.split_names import split_names
from justesse.core.errors import OptionError
from justesse.verbs.annotators.options import (
    AgreementOptions,
    AnswerColumnOptions,
    AskingOptions,
    CheckOptions,
    FeatureOptions,
    GoldOptions,
    ModelComparisonOptions,
    TruthModelOptions,
)

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

      justesse annotators agree answers.csv --scale interval --json

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
    check: Annotated[CheckOptions, LABELS] = CheckOptions(),
    model: Annotated[TruthModelOptions, MODELS] = TruthModelOptions(),
    features: Annotated[FeatureOptions, MODELS] = FeatureOptions(),
    to: Annotated[Path | None, Parameter(group="Output")] = None,
    confusion: Annotated[Path | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Infer the probable class of each item, and how often each annotator is right.

    For example:

      justesse annotators infer answers.csv --to truth.csv

      justesse annotators infer answers.csv --check gold.csv --report page.html

      justesse annotators infer a.csv --method item-response --features length

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    to
        Write items, their probable classes and probabilities, such as truth.csv or truth.parquet.
    confusion
        Write each annotator's confusion table with intervals, such as confusion.csv or confusion.parquet.
    """
    from justesse.verbs.annotators.infer import annotators_infer

    delivery.check(file, gold.gold, check.check, to=to, confusion=confusion)
    names = {name: split_names(text) if text else None for name, text in asdict(features).items()}
    tables = {"write_truth": to, "write_confusion": confusion}
    _run(annotators_infer, file, delivery, columns, gold, check, model, tables=tables, **names)
    for path in filter(None, tables.values()):
        if not delivery.json:
            say(f"Written: {path}")


@app.command(name="next")
def next_(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    gold: Annotated[GoldOptions, LABELS] = GoldOptions(),
    questions: Annotated[AskingOptions, INTERVALS] = AskingOptions(),
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


@app.command
def compare(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    comparison: Annotated[ModelComparisonOptions, INTERVALS] = ModelComparisonOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compare models of annotators by held-out answers, and a classifier with the annotators.

    For example:

      justesse annotators compare answers.csv

      justesse annotators compare answers.csv --prediction predictions.csv

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    """
    from justesse.verbs.annotators.compare import annotators_compare

    delivery.check(file, comparison.prediction)
    _run(annotators_compare, file, delivery, columns, comparison)


def _price(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        return name, float(value)
    except ValueError:
        raise OptionError(f"A price is written name=number, such as expert=10; got {text!r}.") from None


def _run(
    verb: Any,
    file: str,
    delivery: Delivery,
    columns: AnswerColumnOptions,
    *groups: Any,
    tables: Any = None,
    **more: Any,
) -> Any:
    from justesse.frames.batch import all_or_none
    from justesse.frames.engine import progress

    options = {name: value for group in (columns, *groups) for name, value in asdict(group).items()}
    delivery.check(file, options.get("gold"))
    options["classes"] = class_names(columns.classes, columns.as_text)
    with patience("Computing", progress):
        result = verb(file, **options, **more)
    with all_or_none():
        for write, path in (tables or {}).items():
            if path:
                getattr(result, write)(path)
    delivery.deliver(result)
    return result
