"""`justesse lifelong map A B C`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import INPUT, INTERVALS, POLICY
from justesse.cli.output import listed, patience
from justesse.verbs.lifelong.options import MapPolicyOptions, SystemOptions, VersionOptions, VersionPairOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions


def map_systems(
    *files: str,
    systems: Annotated[SystemOptions, INPUT] = SystemOptions(),
    columns: Annotated[VersionOptions, INPUT] = VersionOptions(),
    pairing: Annotated[VersionPairOptions, INPUT] = VersionPairOptions(),
    policy: Annotated[MapPolicyOptions, POLICY] = MapPolicyOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    drawing: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Map which of several systems is better under which policy: for sure, not sure, and where the ranking flips.

    All intervals of the map hold together with the confidence level.

    For example:

      justesse lifelong map a.csv b.csv c.csv --period month

      justesse lifelong map all.csv --system system --policies past,recent,window:3

    Parameters
    ----------
    files
        A table for each system, with a row for each test item and version; or one table with --system.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.map import lifelong_map

    delivery.check(*files)
    groups = (systems, columns, pairing, policy, intervals, drawing)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["policies"] = None if policy.policies is None else listed(policy.policies)
    with patience("Counting", progress):
        result = lifelong_map(*files, **options)
    delivery.deliver(result)
