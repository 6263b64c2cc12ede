"""`justesse lifelong run`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.groups import ADAPTATION, EXPERT, INPUT, INTERVALS, OUTPUT, POLICY, SCORES
from justesse.cli.output import listed, patience, say_written
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.run_options import (
    AdaptationOptions,
    RunExpertOptions,
    RunFileOptions,
    RunScoreOptions,
    RunStreamOptions,
)
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions


def run(
    *,
    system: Annotated[str, Parameter(group="Input")],
    stream: Annotated[str, Parameter(group="Input")],
    columns: Annotated[RunStreamOptions, INPUT] = RunStreamOptions(),
    scoring: Annotated[RunScoreOptions, SCORES] = RunScoreOptions(),
    adaptation: Annotated[AdaptationOptions, ADAPTATION] = AdaptationOptions(),
    expert: Annotated[RunExpertOptions, EXPERT] = RunExpertOptions(),
    policy: Annotated[PolicyOptions, POLICY] = PolicyOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    seed: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    written: Annotated[RunFileOptions, OUTPUT] = RunFileOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Run a system that keeps learning over a stream, with an expert who answers at a price.

    The system is a command that reads and writes JSON lines. Exit code 0: the run is complete; 1: it waits for people;
    2: bad input.

    For example:

      justesse lifelong run --system "python s.py" --stream a.csv --budget 500

      justesse lifelong run --system ./s --stream a.csv --expert noisy:0.1

      justesse lifelong run --system ./s --stream a.csv --to answers.csv

      justesse lifelong run --system ./s --stream a.csv --score wer

      justesse lifelong run --system ./s --stream a.csv --policy recent --restarts

    Parameters
    ----------
    system
        Command that is the system, such as "python my_system.py".
    stream
        CSV, Parquet, Arrow or JSON lines with a row for each item: its time, its label, and what the system sees.
    """
    from justesse.verbs.lifelong.run import lifelong_run

    files = asdict(written)
    delivery.check(stream, scoring.reference, **files)
    groups = (columns, scoring, adaptation, expert, policy, intervals, seed)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["features"] = listed(columns.features) or None
    done: list[float] = []
    with patience("Running", lambda: done[-1] if done else None):
        result = lifelong_run(system, stream, progress=lambda now, whole: done.append(now / whole), **options, **files)
    delivery.deliver(result)
    if delivery.to_terminal:
        for path in files.values():
            if path is not None:
                say_written(path)
    return 0 if result.record.pending is None else 1
