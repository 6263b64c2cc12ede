"""`justesse noise inject FILE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli.evaluate import class_names
from justesse.cli.output import listed, numbers, patience, print_json, say, show_lines
from justesse.cli.share import MaybeShare
from justesse.cli.whole import MaybeWhole, Whole

Flag = Parameter(negative="")
Several = Annotated[list[str] | None, Parameter(negative="")]


def inject(
    file: str,
    *,
    to: Path,
    noise: Literal["uniform", "symmetric", "pair-flip", "transition", "features", "one-model"],
    noise_rate: MaybeShare = None,
    noise_rates: Several = None,
    label: str | None = None,
    true: str = "true",
    classes: str | None = None,
    transition: Path | None = None,
    answers: str | None = None,
    votes: str | None = None,
    on: str | None = None,
    features: Several = None,
    annotators: MaybeWhole = None,
    ranking: Path | None = None,
    seed: Whole = 0,
    jobs: MaybeWhole = None,
    checkpoint: Path | None = None,
    json: Annotated[bool, Flag] = False,
) -> None:
    """Make a share of the labels of a file wrong, and keep the truth in a column beside them.

    With --noise-rate the noisy labels take the place of the label column; with --noise-rates that column stays and the
    versions stand beside it, as label_0.01, label_0.05, ...

    The models are: uniform and symmetric, every wrong class alike; pair-flip, each class taken for the next one;
    transition, by a table of shares; features, the hardest rows, each as what it is most easily taken for, by answers
    or votes of people or models, or else by artificial annotators trained on the file; one-model, what the one model
    predicts whose error is nearest to the rate.

    Examples:

      justesse noise inject data.csv --to noisy.csv --noise uniform \\
          --noise-rate 0.05

      justesse noise inject data.csv --to noisy.csv --noise transition \\
          --transition table.csv

      justesse noise inject d.csv --to noisy.csv --noise features \\
          --answers said.csv --on id --noise-rates 0.01,0.05,0.1

      justesse noise inject d.csv --to noisy.csv --noise features --noise-rate 0.1 \\
          --ranking hard.parquet --checkpoint w

    Parameters
    ----------
    file
        A file with a column of labels; csv, tsv, json lines, parquet or arrow, gzip or not.
    to
        Where to write the table with noisy labels, .csv or .parquet.
    noise
        Which labels become wrong, and as what; see above.
    noise_rate
        The share of labels to make wrong; a transition table has its own, and is scaled to this one if given.
    noise_rates
        Several shares, separated by commas: a version for each, those of lower rates within those of higher ones.
    label
        Column with the labels; guessed from: label, y, y_true, target.
    true
        Name of the new column with the truth.
    classes
        All classes, separated by commas, also those that do not occur; pair-flip takes each for the next.
    transition
        CSV with the shares of each label (columns) for each true class (rows).
    answers
        File with a column of answers for each annotator, people or models, for the model features.
    votes
        File with a column of counts of votes for each class, for the model features.
    on
        Column with the id by which answers or votes are found; without it they are in the order of the rows.
    features
        Columns to train models on, separated by commas; all columns of numbers by themselves.
    annotators
        How many artificial annotators to train: 100, or 24 models to choose one from.
    ranking
        Parquet file for the difficulty of the rows: written if it does not exist, used if it does.
    seed
        Seed of all that is drawn.
    jobs
        How many models to train side by side.
    checkpoint
        Directory for what is done, so that a run that was stopped goes on where it was.
    json
        Print JSON instead of words.
    """
    # imported here so that `justesse --help` stays light
    from justesse.verbs.noise.inject import noise_inject

    done: list[float] = []
    with patience("Making labels wrong", lambda: done[-1] if done else None):
        found = noise_inject(
            file,
            to=to,
            model=noise,
            rate=noise_rate,
            rates=None if noise_rates is None else numbers("noise-rates", noise_rates),
            label=label,
            true_column=true,
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
    if json:
        print_json(found.to_dict())
        return
    show_lines(repr(found))
    say(f"Written: {to}")
