"""`justesse noise resist FILE`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from justesse.cli import noise_groups as groups
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.output import listed, numbers, patience, say

COLUMNS, TRAINING = Parameter(group=groups.COLUMNS), Parameter(group=groups.TRAINING, show_default=False)
NOISE = Parameter(group=groups.NOISE, show_default=False)


def resist(
    file: str,
    *,
    label: Annotated[str | None, COLUMNS] = None,
    features: Annotated[list[str] | None, Parameter(negative="", group=groups.COLUMNS)] = None,
    classes: Annotated[str | None, COLUMNS] = None,
    noise: Annotated[Literal["uniform", "pair-flip", "features"], NOISE] = "uniform",
    noise_rates: Annotated[list[str] | None, Parameter(negative="", group=groups.NOISE)] = None,
    annotators: Annotated[int | None, NOISE] = None,
    ranking: Annotated[Path | None, NOISE] = None,
    realism: Annotated[bool, Parameter(negative="", group=groups.NOISE, show_default=False)] = False,
    model: Annotated[list[str] | None, Parameter(negative="", group=groups.TRAINING)] = None,
    test_share: Annotated[float, TRAINING] = 0.2,
    repeats: Annotated[int, TRAINING] = 5,
    level: Annotated[float, TRAINING] = 0.95,
    seed: Annotated[int, TRAINING] = 0,
    jobs: Annotated[int | None, TRAINING] = None,
    chart: Annotated[Path | None, Parameter(group="Output")] = None,
    delivery: Delivery = Delivery(),
) -> None:
    """Train learners on wrong labels, and measure their errors on clean ones.

    Learners use numbers as they are and names as zeros and ones. A column with
    a different value in every row is left out.

    Examples:

      justesse noise resist data.csv --label species

      justesse noise resist data.csv --model tree,forest --noise-rates 0,10%,30%

      justesse noise resist data.csv --noise features --realism

    Parameters
    ----------
    file
        File with a column of labels that are right, and columns to learn from.
    label
        Column with the labels. Default: guessed from label, y, y_true, target.
    features
        Columns to learn from, separated by commas. Default: all columns of numbers and of names.
    classes
        All classes, separated by commas, in the order that pair-flip follows.
    noise
        uniform: every wrong class is equally likely. Default.
        pair-flip: each class becomes the next one.
        features: the hardest rows get their most plausible wrong class.
    noise_rates
        Shares of wrong training labels, separated by commas. Default: 0,0.05,0.1,0.2,0.4.
    annotators
        Number of artificial annotators to train for --noise features. Default: 100.
    ranking
        Parquet file for the difficulty of the rows: used if it exists, written if not.
    realism
        Also measure how often learners repeat the noise on unseen rows, compared with other noise of the same rate.
    model
        Learners, separated by commas: tree, forest, logistic, neighbours, bayes, boosting, network.
        Default: tree,neighbours,logistic,bayes.
    test_share
        Share of rows to test on. Default: 0.2.
    repeats
        Number of random splits. Default: 5.
    level
        Confidence level. Default: 0.95.
    seed
        Seed of splits, noise and learners. Default: 0.
    jobs
        Number of learners to train in parallel.
    chart
        Also draw errors against rates, .svg or .png.
    """
    # imported here so that `justesse --help` stays light
    from justesse.frames.native import check_place
    from justesse.verbs.noise.resist import RATES, noise_resist
    from justesse.verbs.noise.resistance import PICTURES

    delivery.check(file, ranking)
    if chart:
        check_place(chart, endings=PICTURES, read=(file, ranking))
    done: list[float] = []
    with patience("Training learners", lambda: done[-1] if done else None):
        result = noise_resist(
            file,
            label=label,
            model=listed(model) or None,
            noise_rates=RATES if noise_rates is None else numbers("noise-rates", noise_rates),
            noise=noise,
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
            result.save_chart(chart)
    delivery.deliver(result)
    if chart and not delivery.json and delivery.format == "terminal":
        say(f"Written: {chart}")
