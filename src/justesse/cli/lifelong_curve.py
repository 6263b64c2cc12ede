"""`justesse lifelong curve`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import GOALS, INPUT, INTERVALS
from justesse.cli.output import patience
from justesse.verbs.lifelong.curve_options import CurveColumnOptions, CurveOptions
from justesse.verbs.options.intervals import ConfidenceOptions


def curve(
    table: str,
    /,
    *,
    columns: Annotated[CurveColumnOptions, INPUT] = CurveColumnOptions(),
    goals: Annotated[CurveOptions, GOALS] = CurveOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compare systems that ask an expert by their score against the cost of the questions, over several seeds.

    For example:

      justesse lifelong curve runs.csv

      justesse lifelong curve runs.csv --higher-is-better --budget 500 --reach 0.9

      justesse lifelong curve runs.csv --random shuffled --report page.html

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each system, seed and cost.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.curve import lifelong_curve

    delivery.check(table)
    options: dict[str, Any] = {
        name: value for group in (columns, goals, intervals) for name, value in asdict(group).items()
    }
    with patience("Reading", progress):
        result = lifelong_curve(table, **options)
    delivery.deliver(result)
