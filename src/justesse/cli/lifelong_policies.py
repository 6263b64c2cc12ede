"""`justesse lifelong policies`."""

from dataclasses import asdict
from typing import Annotated

from justesse.cli.delivery import Delivery
from justesse.cli.groups import POLICY
from justesse.cli.output import listed, say_written
from justesse.verbs.lifelong.policies_options import PolicyPeriodOptions


def policies(
    table: str | None = None,
    /,
    *,
    weighed: Annotated[PolicyPeriodOptions, POLICY] = PolicyPeriodOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """List the policies that say how much each period matters, with a sentence and a small picture each.

    For example:

      justesse lifelong policies

      justesse lifelong policies --policies recent,window:6 --periods 12

      justesse lifelong policies a.csv --policies recent --to weights.csv

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a column of times: its periods are weighed. Default: periods 1, 2, 3, ...
    """
    from justesse.verbs.lifelong.policies import lifelong_policies

    delivery.check(table, to=weighed.to)
    options = {**asdict(weighed), "policies": listed(weighed.policies) or None}
    result = lifelong_policies(table, **options)
    delivery.deliver(result)
    if delivery.to_terminal and weighed.to is not None:
        say_written(weighed.to)
