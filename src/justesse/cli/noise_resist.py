"""`justesse noise resist FILE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli.evaluate import class_names
from justesse.cli.output import listed, numbers, patience, print_json, say, show_lines
from justesse.cli.share import Share
from justesse.cli.whole import MaybeWhole, Whole

Flag = Parameter(negative="")
Several = Annotated[list[str] | None, Parameter(negative="")]


def resist(
    file: str,
    *,
    label: str | None = None,
    model: Several = None,
    noise_rates: Several = None,
    noise: Literal["uniform", "pair-flip", "features"] = "uniform",
    features: Several = None,
    classes: str | None = None,
    annotators: MaybeWhole = None,
    ranking: Path | None = None,
    realism: Annotated[bool, Flag] = False,
    test_share: Share = 0.2,
    repeats: Whole = 5,
    level: Share = 0.95,
    seed: Whole = 0,
    jobs: MaybeWhole = None,
    json: Annotated[bool, Flag] = False,
    chart: Path | None = None,
) -> None:
    """Which learners stand wrong training labels: error on clean test labels as more and more are wrong.

    Without --model: tree, neighbours, logistic and bayes. They learn from numbers as they are and from names as zeros
    and ones; a column with another value in every row is left out.

    Examples:

      justesse noise resist data.csv --label species

      justesse noise resist data.csv --label species --model tree,forest \\
          --noise-rates 0,0.1,0.3 --chart error.svg

      justesse noise resist data.csv --label species --noise features \\
          --ranking hard.parquet --realism

    Parameters
    ----------
    file
        A file with a column of labels that are right, and columns to learn from.
    label
        Column with the labels; guessed from: label, y, y_true, target.
    model
        Any of tree, forest, logistic, neighbours, bayes, boosting, network, separated by commas.
    noise_rates
        Shares of wrong training labels, separated by commas; by itself 0,0.05,0.1,0.2,0.4.
    noise
        uniform: every wrong class alike; pair-flip: each class as the next; features: the hardest, as what they look.
    features
        Columns to learn from, separated by commas; by itself all columns of numbers and of names.
    classes
        All classes, separated by commas, in the order that pair-flip follows.
    annotators
        How many artificial annotators to train for the model features; 100.
    ranking
        Parquet file for the difficulty of the rows: written if it does not exist, used if it does.
    realism
        Also say how often learners repeat the noise on rows they have not seen, beside other noise of the same rate.
    test_share
        The share of rows to test on.
    repeats
        How many random splits.
    level
        Confidence level of the intervals.
    seed
        Seed of splits, noise and learners.
    jobs
        How many to train side by side.
    json
        Print JSON instead of tables.
    chart
        Also draw errors against rates, .svg or .png.
    """
    # imported here so that `justesse --help` stays light
    from justesse.frames.native import check_place
    from justesse.procedures.learners import USUAL
    from justesse.verbs.noise.resist import PICTURES, RATES, noise_resist

    if chart:
        check_place(chart, endings=PICTURES, read=(file, ranking))
    done: list[float] = []
    with patience("Training learners", lambda: done[-1] if done else None):
        found = noise_resist(
            file,
            target=label,
            learner=listed(model) or USUAL,
            rates=RATES if noise_rates is None else numbers("noise-rates", noise_rates),
            model=noise,
            features=listed(features) or None,
            classes=class_names(classes, False),
            annotators=annotators,
            ranking=ranking,
            realism=realism,
            test_share=test_share,
            repeats=repeats,
            level=level,
            seed=seed,
            jobs=jobs,
            progress=lambda now, whole: done.append(now / whole),
        )
        if chart:
            found.save_chart(chart)
    if json:
        print_json(found.to_dict())
        return
    show_lines(repr(found))
    if chart:
        say(f"Written: {chart}")
