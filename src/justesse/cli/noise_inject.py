"""`justesse noise inject FILE`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli import noise_groups as groups
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.output import listed, numbers, patience, say
from justesse.core.errors import OptionError

NOISE, HARD = Parameter(group=groups.NOISE), Parameter(group=groups.HARD)
COLUMNS, OUTPUT = Parameter(group=groups.COLUMNS), Parameter(group="Output")
TRAINING = Parameter(group=groups.TRAINING, show_default=False)


def inject(
    file: str,
    *,
    noise: Annotated[Literal["uniform", "symmetric", "pair-flip", "transition", "features", "one-model"], NOISE],
    noise_rate: Annotated[float | None, NOISE] = None,
    noise_rates: Annotated[list[str] | None, Parameter(negative="", group=groups.NOISE)] = None,
    transition: Annotated[Path | None, NOISE] = None,
    to: Annotated[Path | None, OUTPUT] = None,
    label: Annotated[str | None, COLUMNS] = None,
    true: Annotated[str, Parameter(group=groups.COLUMNS, show_default=False)] = "true",
    classes: Annotated[str | None, COLUMNS] = None,
    answers: Annotated[str | None, HARD] = None,
    votes: Annotated[str | None, HARD] = None,
    on: Annotated[str | None, HARD] = None,
    ranking: Annotated[Path | None, HARD] = None,
    features: Annotated[list[str] | None, Parameter(negative="", group=groups.TRAINING)] = None,
    annotators: Annotated[int | None, TRAINING] = None,
    seed: Annotated[int, TRAINING] = 0,
    jobs: Annotated[int | None, TRAINING] = None,
    checkpoint: Annotated[Path | None, TRAINING] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Make a share of the labels wrong, and keep the true classes in another column.

    With --noise-rate the noisy labels replace the label column. With
    --noise-rates it stays, and versions are added as label_0.01, label_0.05, ...

    Examples:

      justesse noise inject a.csv --to b.csv --noise uniform --noise-rate 5%

      justesse noise inject a.csv --to b.csv --noise transition --transition t.csv

      justesse noise inject a.csv --to b.csv --noise features --noise-rates 1%,5%

    Parameters
    ----------
    file
        File with a column of labels: csv, tsv, json lines, parquet or arrow, gzip or not.
    noise
        Which labels become wrong.
        uniform, symmetric: every wrong class is equally likely.
        pair-flip: each class becomes the next one.
        transition: by a table of shares.
        features: the hardest rows get their most plausible wrong class.
        one-model: the predictions of the model whose error is nearest to the rate.
    noise_rate
        Share of labels to make wrong, such as 5%. Default with --transition: the rate of the table.
    noise_rates
        Several shares, separated by commas: one version each, lower rates within higher ones.
    transition
        CSV with the shares of each label (columns) for each true class (rows).
    to
        File to write the table with noisy labels to, .csv or .parquet. -o is the same.
    label
        Column with the labels. Default: guessed from label, y, y_true, target.
    true
        Name of the new column with the true classes. Default: true.
    classes
        All classes, separated by commas, including those that do not occur; pair-flip follows this order.
    answers
        File with a column of answers for each annotator, people or models.
    votes
        File with a column of votes for each class.
    on
        Column with the id of the answers or votes. Default: rows are in the same order.
    ranking
        Parquet file for the difficulty of the rows: used if it exists, written if not.
    features
        Columns to train models on, separated by commas. Default: all columns of numbers.
    annotators
        Number of artificial annotators to train. Default: 100; 24 models for one-model.
    seed
        Seed of everything random. Default: 0.
    jobs
        Number of models to train in parallel.
    checkpoint
        Directory for finished models, so that a run that was stopped continues.
    """
    # imported here so that `justesse --help` stays light
    from justesse.verbs.noise.inject import noise_inject

    place = to or delivery.output
    if place is None:
        raise OptionError("name the file to write the noisy labels to, such as --to noisy.csv")
    if to is None:
        delivery = replace(delivery, output=None)  # the verb writes it
    delivery.check(file, transition, answers, votes, ranking, place)
    done: list[float] = []
    with patience("Making labels wrong", lambda: done[-1] if done else None):
        result = noise_inject(
            file,
            to=place,
            noise=noise,
            noise_rate=noise_rate,
            noise_rates=None if noise_rates is None else numbers("noise-rates", noise_rates),
            label=label,
            true=true,
            classes=class_names(classes, False),
            transition=transition,
            answers=answers,
            votes=votes,
            on=on,
            features=listed(features) or None,
            annotators=annotators,
            ranking=ranking,
            seed=seed,
            jobs=jobs,
            checkpoint=checkpoint,
            progress=lambda now, whole: done.append(now / whole),
        )
    delivery.deliver(result)
    if not delivery.json and delivery.format == "terminal":
        say(f"Written: {place}")
