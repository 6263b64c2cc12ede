"""`justesse inspect`: can this test set be trusted?"""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.gate import say_exit_code
from justesse.cli.groups import INPUT, INTERVALS, REQUIREMENTS
from justesse.cli.output import listed, patience
from justesse.verbs.inspect.options import OtherRowOptions, RequirementOptions, RoleOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions


def inspect(
    test: str | None = None,
    /,
    *,
    others: Annotated[OtherRowOptions, INPUT] = OtherRowOptions(),
    roles: Annotated[RoleOptions, INPUT] = RoleOptions(),
    requirements: Annotated[RequirementOptions, REQUIREMENTS] = RequirementOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    seed: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Check that a test set is disjoint from training, large enough, representative and documented.

    Every check has a code, a finding and a remedy. Exit code 1 if a check fails; otherwise 0, or 2 for bad input.

    For example:

      justesse inspect test.csv

      justesse inspect test.csv --train train.csv --text message

      justesse inspect test.csv --train train.csv --group patient --time date

      justesse inspect test.csv --population use.csv --by hospital,sex

      justesse inspect --datasheet test.yaml

    Parameters
    ----------
    test
        File with the test rows, or a pattern in quotes.
    """
    from justesse.verbs.inspect.inspection import inspect as run

    delivery.check(test, others.train, others.population, others.datasheet)
    done: list[float] = []
    groups = (others, roles, requirements, intervals, seed)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {"by": listed(roles.by) or None, "features": listed(roles.features) or None}
    with patience("Inspecting", lambda: done[-1] if done else None):
        inspection = run(test, progress=done.append, **options)
    delivery.deliver(inspection)
    say_exit_code(delivery, "Checks", inspection.passed)
    return 0 if inspection.passed else 1
