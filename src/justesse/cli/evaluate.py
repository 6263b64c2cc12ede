"""`justesse evaluate FILE`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.gate import say_exit_code
from justesse.cli.groups import ANNOTATORS, ANSWERS, INPUT, INTERVALS, LABELS, LOGS, MEASURES, SCORES
from justesse.cli.output import listed, patience
from justesse.cli.split_names import split_names
from justesse.core.errors import OptionError
from justesse.verbs.evaluate.options import MeasureOptions, SampleOptions, ScoreOptions
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.options.columns import WeightedColumnOptions
from justesse.verbs.options.intervals import IntervalOptions
from justesse.verbs.options.label_noise import RecheckedNoiseOptions
from justesse.verbs.options.logs import LogOptions

NUMERIC = {"label", "prediction", "weight", "by", "level", "alternative", "draws", "seed", "missing", "drop_missing"}


def evaluate(
    file: str,
    /,
    *,
    columns: Annotated[WeightedColumnOptions, INPUT] = WeightedColumnOptions(),
    regression: Annotated[bool, Parameter(group=INPUT.group)] = False,
    measures: Annotated[MeasureOptions, MEASURES] = MeasureOptions(),
    samples: Annotated[SampleOptions, MEASURES] = SampleOptions(),
    scores: Annotated[ScoreOptions, SCORES] = ScoreOptions(),
    intervals: Annotated[IntervalOptions, INTERVALS] = IntervalOptions(),
    labels: Annotated[RecheckedNoiseOptions, LABELS] = RecheckedNoiseOptions(),
    annotators: Annotated[AnnotatorAnswerOptions, ANNOTATORS] = AnnotatorAnswerOptions(),
    answers: Annotated[AnswerOptions, ANSWERS] = AnswerOptions(),
    logs: Annotated[LogOptions, LOGS] = LogOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Evaluate one classifier: every measure with its confidence interval, and baselines.

    Exit code 1 if a requirement (--require) is not met or a claim (--claim) is false; otherwise 0, or 2 for bad input.

    The file is CSV, TSV, JSON lines, Parquet or Arrow, gzipped or not, and may be larger than memory. A pattern in
    quotes reads several files. Evaluation logs of language models are recognised by their content:
    lm-evaluation-harness, inspect_ai, HELM, Every Eval Ever, OpenAI evals, promptfoo and lighteval.

    For example:

      justesse evaluate predictions.csv

      justesse evaluate predictions.parquet --label y --prediction model_b

      justesse evaluate 'day-*.csv.gz' --by hospital --json

      justesse evaluate scores.parquet --score p_spam --positive spam

      justesse evaluate predictions.csv --cost costs.csv --output measures.csv

      justesse evaluate predictions.csv --report page.html

      justesse evaluate predictions.csv --noise-rate 1%:5% --claim "accuracy>=0.9"

      justesse evaluate predictions.csv --require "recall:spam>=0.8"

      justesse evaluate predictions.csv --audited checked.csv --on id

      justesse evaluate predictions.csv --answers answers.csv --on id

      justesse evaluate run.eval --metric match

      justesse evaluate samples.csv --cluster question --pass-at 1,5

    Parameters
    ----------
    file
        File, a pattern in quotes such as 'day-*.csv', or the folder of an evaluation log.
    regression
        Labels and predictions are numbers, not classes.
    """
    from justesse.frames.engine import progress  # here, so that `--help` stays light

    delivery.check(
        file,
        measures.cost,
        measures.class_weight,
        measures.resubstitution,
        labels.transition,
        labels.audited,
        annotators.answers,
    )
    groups = (columns, measures, samples, scores, intervals, labels, annotators, answers, logs)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["by"] = listed(columns.by)
    if regression:
        from justesse.verbs.regression.evaluate import evaluate_regression

        _check_numeric(groups)
        numeric = {name: options[name] for name in sorted(NUMERIC)}
        with patience("Reading and measuring", progress):
            numbers = evaluate_regression(file, **numeric)
        delivery.deliver(numbers)
        return 0
    from justesse.verbs.evaluate.evaluate import evaluate as run

    options["classes"] = class_names(columns.classes, columns.as_text)
    with patience("Counting and measuring", progress):
        evaluation = run(file, **options)
    delivery.deliver(evaluation)
    if checked := " and ".join(["requirements"] * bool(evaluation.requirements) + ["claim"] * evaluation.claimed):
        say_exit_code(delivery, checked.capitalize(), evaluation.passes)
    return 0 if evaluation.passes else 1


def _check_numeric(groups: tuple[Any, ...]) -> None:
    """Refuse options that need classes."""
    for group in groups:
        usual = type(group)()
        for name, value in asdict(group).items():
            refused = value == "wrong" if name == "missing" else name not in NUMERIC and value != getattr(usual, name)
            if refused:
                option = f"--{name.replace('_', '-')}{' wrong' if name == 'missing' else ''}"
                raise OptionError(f"{option} is for classes, --regression for numbers. Leave one of them out.")


def class_names(typed: str | None, as_text: bool) -> list[bool | int | float | str | None] | None:
    """Read a list of classes as a file's column would be.

    >>> class_names("0,1,2", False), class_names("low,high", False), class_names(None, False)
    ([0, 1, 2], ['low', 'high'], None)
    >>> class_names('"a,b",c', False)
    ['a,b', 'c']
    """
    if typed is None:
        return None
    import numpy as np

    from justesse.frames.values import named

    words = np.array(split_names(typed), dtype=object)
    if "" in words:
        raise OptionError(f"--classes has an empty name in {typed!r}. Separate names by single commas.")
    return list(named(words, form="text", column="--classes", as_text=as_text).names)
