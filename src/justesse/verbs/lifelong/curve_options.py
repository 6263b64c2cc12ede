"""The options of `lifelong curve`."""

from justesse.core.option_group import option_group


@option_group
class CurveColumnOptions:
    """Where systems, seeds, costs and scores are.

    Parameters
    ----------
    system
        Column with the system. Default: the column named system, model, strategy or name; without one, a single system.
    run
        Column with the seed of the run. Default: the column named seed, run or repetition; without one, a single run.
    cost
        Column with what had been spent. Default: the column named cost, spent, labels or questions.
    score
        Column with the score at that cost. Default: the column named score, value, accuracy or error.
    higher_is_better
        A higher score is better, as for accuracy. Default: lower is better, as for error rates.
    """

    system: str | None = None
    run: str | None = None
    cost: str | None = None
    score: str | None = None
    higher_is_better: bool = False


@option_group
class CurveOptions:
    """What to read from the curves.

    Parameters
    ----------
    budget
        Cost at which all curves are cut, such as 500. Default: the largest cost that all runs reach.
    reach
        Score whose cost to reach is computed, such as 0.9.
    random
        System that asks at random: deficiency and gains are against it. Default: the system named random, if there is
        one.
    """

    budget: float | None = None
    reach: float | None = None
    random: str | None = None
