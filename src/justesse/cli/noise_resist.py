"""`justesse noise resist FILE`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import INPUT, INTERVALS, NOISE, TRAINING
from justesse.cli.output import listed, listed_calls, numbers, patience
from justesse.verbs.noise.options import (
    LearnedColumnOptions,
    LearnerOptions,
    RankingOptions,
    TrainingCleaningOptions,
    TrainingNoiseOptions,
)
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.options.jobs import JobOptions


def resist(
    file: str,
    /,
    *,
    columns: Annotated[LearnedColumnOptions, INPUT] = LearnedColumnOptions(),
    noise: Annotated[TrainingNoiseOptions, NOISE] = TrainingNoiseOptions(),
    ranking: Annotated[RankingOptions, NOISE] = RankingOptions(),
    learners: Annotated[LearnerOptions, TRAINING] = LearnerOptions(),
    cleaning: Annotated[TrainingCleaningOptions, TRAINING] = TrainingCleaningOptions(),
    seed: Annotated[SeedOptions, TRAINING] = SeedOptions(),
    jobs: Annotated[JobOptions, TRAINING] = JobOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Train learners on wrong labels, and measure their errors on clean ones.

    Learners use columns of numbers as they are, and one-hot encode columns of names. A column with a different value
    in every row is left out.

    For example:

      justesse noise resist data.csv --label species

      justesse noise resist data.csv --model tree,forest --noise-rates 0,10%,30%

      justesse noise resist data.csv --noise features --realism

      justesse noise resist data.csv --noise-rates 20% --filter entropy,oracle

    Parameters
    ----------
    file
        File with a column of labels that are right, and columns to learn from.
    """
    # imported here so that `justesse --help` stays light
    from justesse.verbs.noise.resist import noise_resist

    delivery.check(file, ranking.ranking)
    groups = (columns, noise, ranking, learners, cleaning, seed, jobs, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {
        "noise_rates": None if noise.noise_rates is None else numbers("noise-rates", noise.noise_rates),
        "classes": class_names(columns.classes, False),
        "features": listed(columns.features) or None,
        "model": listed(learners.model) or None,
        "filter": listed_calls(cleaning.filter) or None,
        "arm": listed(cleaning.arm) or None,
        "filter_model": listed(cleaning.filter_model) or None,
    }
    done: list[float] = []
    with patience("Training learners", lambda: done[-1] if done else None):
        result = noise_resist(file, progress=lambda now, whole: done.append(now / whole), **options)
    delivery.deliver(result)
