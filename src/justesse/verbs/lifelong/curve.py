"""`justesse.lifelong_curve`: score against cost of systems that ask an expert."""

import math
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.frames.curve_rows import curve_rows
from justesse.frames.watched import check_unchanged, watched
from justesse.lifelong.cost_curve import RunCurve
from justesse.lifelong.seed_curves import SeedCurves, cost_range
from justesse.verbs.lifelong.curve_options import CurveColumnOptions, CurveOptions
from justesse.verbs.lifelong.curve_result import LearningCosts, SystemCurve
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded


@recorded
def lifelong_curve(
    data: Any,
    *,
    system: str | None = CurveColumnOptions.system,
    run: str | None = CurveColumnOptions.run,
    cost: str | None = CurveColumnOptions.cost,
    score: str | None = CurveColumnOptions.score,
    higher_is_better: bool = CurveColumnOptions.higher_is_better,
    budget: float | None = CurveOptions.budget,
    reach: float | None = CurveOptions.reach,
    random: str | None = CurveOptions.random,
    level: float = ConfidenceOptions.level,
) -> LearningCosts:
    """Compare systems that ask an expert by their score against the cost of the questions, over several seeds.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each system, seed and cost.
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
    budget
        Cost at which all curves are cut, such as 500. Default: the largest cost that all runs reach.
    reach
        Score whose cost to reach is computed, such as 0.9.
    random
        System that asks at random: deficiency and gains are against it. Default: the system named random, if there is
        one.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    LearningCosts
        `systems` has the mean curve, the area, the cost to reach the score, and deficiency and gain against random.

    Notes
    -----
    The area under the curve is divided by the range of costs: it is the mean score on the way (trapezoidal rule).
    Deficiency: Baram, El-Yaniv and Luz (2004).

    Examples
    --------
    >>> rows = {"system": ["random"] * 4 + ["margin"] * 4, "seed": [0, 0, 1, 1] * 2, "cost": [0, 100] * 4,
    ...         "error": [0.5, 0.3, 0.48, 0.32, 0.5, 0.2, 0.46, 0.22]}
    >>> result = lifelong_curve(rows, reach=0.4)
    >>> [(curve.name, round(curve.area.value, 3), round(curve.reached.value)) for curve in result.systems]
    [('random', 0.4, 50), ('margin', 0.345, 29)]
    """
    check_level(level)
    data = watched(data)
    rows = curve_rows(data, system=system, run=run, cost=cost, score=score)
    curves = {
        name: SeedCurves({seed: RunCurve(*points) for seed, points in runs.items()}) for name, runs in rows.runs.items()
    }  # fmt: skip
    if random is not None and random not in curves:
        raise OptionError(
            f"{rows.where} has no system {random!r} to compare with. Systems: {', '.join(map(repr, curves))}."
        )
    if reach is not None and not math.isfinite(reach):
        raise OptionError(f"The score to reach must be a finite number; got {reach!r}.")
    if rows.columns["score"].lower() == "accuracy" and not higher_is_better:
        raise OptionError(
            "Scores are in the column 'accuracy', where a higher score is better. Add higher_is_better=True "
            "(--higher-is-better)."
        )
    chance = random or next((name for name in curves if name.lower() == "random"), None)
    costs, limit = cost_range(list(curves.values()), budget), math.inf if budget is None else budget
    baseline = None if chance is None else curves[chance]
    better: dict[str, Any] = {"higher_is_better": higher_is_better, "level": level}
    systems = tuple(
        SystemCurve(
            name=name,
            seeds=len(runs.runs),
            points=tuple(runs.points(costs, level=level)),
            area=runs.area(costs, level=level),
            reached=None if reach is None else runs.cost_to_reach(reach, **better, budget=limit),
            gain=None if baseline is None or name == chance else runs.area_gain(baseline, costs, **better),
            deficiency=None if baseline is None or name == chance else runs.deficiency(baseline, costs, level=level),
            shortest=runs.last,
        )
        for name, runs in curves.items()
    )
    check_unchanged(data)
    return LearningCosts(
        systems=systems,
        costs=costs,
        higher_is_better=higher_is_better,
        target=reach,
        random=chance,
        level=level,
        columns=rows.columns,
        source=data,
    )
