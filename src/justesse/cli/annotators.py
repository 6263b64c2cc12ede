"""`justesse annotators agree | infer | next | compare`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import GOALS, INPUT, INTERVALS, MEASURES, MODELS, PLAN, STOPPING
from justesse.cli.output import patience, say
from justesse.cli.split_names import split_names
from justesse.core.errors import OptionError
from justesse.verbs.annotators.options import (
    AgreementIntervalOptions,
    AgreementOptions,
    AnswerColumnOptions,
    AskingOptions,
    CheckOptions,
    ComparedClassifierOptions,
    DetailOptions,
    FeatureOptions,
    GoalInputOptions,
    GoldOptions,
    ModelComparisonIntervalOptions,
    ModelComparisonOptions,
    StoppingOptions,
    TruthIntervalOptions,
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
    agreement: Annotated[AgreementOptions, MEASURES] = AgreementOptions(),
    intervals: Annotated[AgreementIntervalOptions, INTERVALS] = AgreementIntervalOptions(),
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

    _run(annotators_agree, file, delivery, columns, agreement, intervals)


@app.command
def infer(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    details: Annotated[DetailOptions, INPUT] = DetailOptions(),
    gold: Annotated[GoldOptions, INPUT] = GoldOptions(),
    check: Annotated[CheckOptions, INPUT] = CheckOptions(),
    model: Annotated[TruthModelOptions, MODELS] = TruthModelOptions(),
    features: Annotated[FeatureOptions, MODELS] = FeatureOptions(),
    intervals: Annotated[TruthIntervalOptions, INTERVALS] = TruthIntervalOptions(),
    to: Annotated[Path | None, Parameter(group="Output")] = None,
    confusion: Annotated[Path | None, Parameter(group="Output")] = None,
    transition_to: Annotated[Path | None, Parameter(group="Output")] = None,
    labels_of: Annotated[str | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Infer the probable class of each item, and how often each annotator is right.

    For example:

      justesse annotators infer answers.csv --to truth.csv

      justesse annotators infer answers.csv --check gold.csv --report page.html

      justesse annotators infer a.csv --method item-response --features length

      justesse annotators infer answers.csv --transition-to t.csv --labels-of ann

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    to
        Write items, their probable classes and probabilities, such as truth.csv or truth.parquet.
    confusion
        Write each annotator's confusion table with intervals, such as confusion.csv or confusion.parquet.
    transition_to
        Write the transition table (true classes by labels) for --transition of other commands, such as t.csv. Its
        counts are those of a re-checked sample of the same precision.
    labels_of
        Whose labels --transition-to is about: the name of an annotator, or majority. Default: majority.
    """
    from justesse.verbs.annotators.infer import annotators_infer

    delivery.check(file, gold.gold, check.check, to=to, confusion=confusion, transition_to=transition_to)
    _check_table(to)
    tables = {"write_truth": to, "write_confusion": confusion, "write_transition": transition_to}
    if labels_of is not None and transition_to is None:
        raise OptionError("--labels-of says whose labels --transition-to is about. Name its file, or leave this out.")
    settings = {"write_transition": {"labels_of": labels_of or "majority"}}
    groups = (details, gold, check, model, intervals)
    _run(annotators_infer, file, delivery, columns, *groups, tables=tables, settings=settings, **_columns(features))
    for path in filter(None, tables.values()):
        if not delivery.json:
            say(f"Written: {path}")


@app.command(name="next")
def next_(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    gold: Annotated[GoldOptions, INPUT] = GoldOptions(),
    questions: Annotated[AskingOptions, PLAN] = AskingOptions(),
    price: Annotated[list[str] | None, Parameter(group="Plan")] = None,
    goals: Annotated[GoalInputOptions, GOALS] = GoalInputOptions(),
    stopping: Annotated[StoppingOptions, STOPPING] = StoppingOptions(),
    to: Annotated[Path | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Choose whom to ask about which item next, and say when to stop.

    For example:

      justesse annotators next answers.csv --number 20 --to questions.csv

      justesse annotators next answers.csv --price expert=10 --budget 50

      justesse annotators next answers.csv --target 0.98 --check checks.csv

      justesse annotators next answers.csv --goal noise --noise-of majority

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    price
        Prices of annotators' answers, such as expert=10,ann=2. Default: 1 each.
    to
        Write the questions, such as questions.csv or questions.parquet.
    """
    from justesse.verbs.annotators.next import annotators_next

    delivery.check(file, gold.gold, stopping.check, goals.incumbent, goals.candidate, goals.probabilities, to=to)
    _check_table(to)
    prices = _prices(price) if price else None
    features = {"features": split_names(goals.features) if goals.features else None}
    _run(
        annotators_next, file, delivery, columns, gold, questions, goals, stopping,
        tables={"write_questions": to}, prices=prices, **features,
    )  # fmt: skip
    if to and not delivery.json:
        say(f"Written: {to}")


@app.command
def compare(
    file: str,
    /,
    *,
    columns: Annotated[AnswerColumnOptions, INPUT] = AnswerColumnOptions(),
    classifier: Annotated[ComparedClassifierOptions, INPUT] = ComparedClassifierOptions(),
    features: Annotated[FeatureOptions, MODELS] = FeatureOptions(),
    comparison: Annotated[ModelComparisonOptions, MODELS] = ModelComparisonOptions(),
    intervals: Annotated[ModelComparisonIntervalOptions, INTERVALS] = ModelComparisonIntervalOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compare models of annotators by held-out answers, and a classifier with the annotators.

    For example:

      justesse annotators compare answers.csv

      justesse annotators compare answers.csv --prediction predictions.csv

      justesse annotators compare a.csv --prediction p.csv --check gold.csv

      justesse annotators compare answers.csv --features length,score

    Parameters
    ----------
    file
        File with a row for each answer, or a row for each item and a column for each annotator.
    """
    from justesse.verbs.annotators.compare import annotators_compare

    delivery.check(file, classifier.prediction, classifier.check)
    _run(annotators_compare, file, delivery, columns, classifier, comparison, intervals, **_columns(features))


def _columns(features: FeatureOptions) -> dict[str, list[str] | None]:
    return {name: split_names(text) if text else None for name, text in asdict(features).items()}


def _prices(texts: list[str]) -> dict[str, float]:
    """Read the price of each annotator's answers; two prices of one annotator are refused."""
    prices: dict[str, float] = {}
    for name, price in (_price(part) for text in texts for part in _split_prices(text)):
        if name in prices and prices[name] != price:
            raise OptionError(f"Give one price for {name!r}; got {prices[name]:g} and {price:g}.")
        prices[name] = price
    return prices


def _split_prices(text: str) -> list[str]:
    """Split prices at commas, unless a comma belongs to a name."""
    parts = split_names(text)
    return parts if all("=" in part for part in parts) else [text]


def _check_table(path: Path | None) -> None:
    from justesse.frames.native import TABLES, check_place

    if path is not None:
        check_place(path, endings=TABLES)


def _price(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    try:
        if name:
            return name, float(value)
    except ValueError:
        pass
    raise OptionError(f"A price is written name=number, such as expert=10 or expert=10,ann=2; got {text!r}.")


def _run(
    verb: Any,
    file: str,
    delivery: Delivery,
    columns: AnswerColumnOptions,
    *groups: Any,
    tables: Any = None,
    settings: Any = None,
    **more: Any,
) -> Any:
    from justesse.frames.batch import all_or_none
    from justesse.frames.engine import progress

    options = {name: value for group in (columns, *groups) for name, value in asdict(group).items()} | more
    delivery.check(file, options.get("gold"))
    options["classes"] = class_names(columns.classes, columns.as_text)
    options["annotators"] = split_names(columns.annotators) if columns.annotators else None
    with patience("Computing", progress):
        result = verb(file, **options)
    with all_or_none():
        for write, path in (tables or {}).items():
            if path:
                getattr(result, write)(path, **(settings or {}).get(write, {}))
    delivery.deliver(result)
    return result
