"""`justesse noise inject FILE`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import PageDelivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import HARD, INPUT, NOISE, OUTPUT, TRAINING
from justesse.cli.output import listed, numbers, patience, say_written
from justesse.core.errors import OptionError
from justesse.verbs.noise.options import (
    HardRowOptions,
    InjectedColumnOptions,
    InjectedFileOptions,
    InjectedNoiseOptions,
)
from justesse.verbs.options.intervals import SeedOptions
from justesse.verbs.options.jobs import JobOptions


@dataclass(frozen=True)
class NoisyFileOptions(InjectedFileOptions):
    """Where the noisy labels go; -o is short for --to."""

    to: Annotated[Path | None, Parameter(alias=("--output", "-o"))] = None


def inject(
    file: str,
    /,
    *,
    columns: Annotated[InjectedColumnOptions, INPUT] = InjectedColumnOptions(),
    noise: Annotated[InjectedNoiseOptions, NOISE],
    hard: Annotated[HardRowOptions, HARD] = HardRowOptions(),
    seed: Annotated[SeedOptions, TRAINING] = SeedOptions(),
    jobs: Annotated[JobOptions, TRAINING] = JobOptions(),
    written: Annotated[NoisyFileOptions, OUTPUT] = NoisyFileOptions(),
    delivery: PageDelivery = PageDelivery(),
) -> None:
    """Make a share of the labels wrong, and keep the true classes in another column.

    With --noise-rate the noisy labels replace the label column. With --noise-rates it stays, and each version is a
    new column, such as label_0.01 and label_0.05. --to is required.

    For example:

      justesse noise inject a.csv --to b.csv --noise uniform --noise-rate 5%

      justesse noise inject a.csv --to b.csv --noise transition --transition t.csv

      justesse noise inject a.csv --to b.csv --noise features --noise-rates 1%,5%

    Parameters
    ----------
    file
        File with a column of labels.
    """
    # imported here so that `justesse --help` stays light
    from justesse.verbs.noise.inject import noise_inject

    if written.to is None:
        raise OptionError("Name the file for the noisy labels, such as --to noisy.csv.")
    delivery.check(file, noise.transition, hard.answers, hard.votes, hard.ranking, to=written.to)
    groups = (columns, noise, hard, seed, jobs)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {
        "noise_rates": None if noise.noise_rates is None else numbers("noise-rates", noise.noise_rates),
        "classes": class_names(columns.classes, False),
        "features": listed(hard.features) or None,
    }
    done: list[float] = []
    with patience("Making labels wrong", lambda: done[-1] if done else None):
        result = noise_inject(file, to=written.to, progress=lambda now, whole: done.append(now / whole), **options)
    delivery.deliver(result)
    if delivery.to_terminal:
        say_written(written.to)
