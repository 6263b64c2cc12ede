"""`justesse lifelong prequential TABLE`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import ANSWERS, INPUT, INTERVALS, MEASURES
from justesse.cli.output import patience
from justesse.verbs.lifelong.options import MemoryOptions, StreamOptions
from justesse.verbs.options.answers import GapOptions
from justesse.verbs.options.intervals import ConfidenceOptions


def prequential(
    table: str,
    /,
    *,
    columns: Annotated[StreamOptions, INPUT] = StreamOptions(),
    memory: Annotated[MemoryOptions, MEASURES] = MemoryOptions(),
    answers: Annotated[GapOptions, ANSWERS] = GapOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Follow the error of a system over time, beside a baseline that repeats the last label.

    For example:

      justesse lifelong prequential stream.csv

      justesse lifelong prequential stream.parquet --delay 48 --period month

      justesse lifelong prequential stream.csv --known labelled_on --window 500

      justesse lifelong prequential all.csv --version version --trained trained

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each item, in any order if there are times.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.prequential import lifelong_prequential

    delivery.check(table)
    groups = (columns, memory, answers, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    with patience("Counting", progress):
        result = lifelong_prequential(table, **options)
    delivery.deliver(result)
