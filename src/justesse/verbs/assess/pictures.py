"""The charts of an assessment, by name."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.measures import error

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment


def drawings(result: "Assessment") -> Mapping[str, Callable[[], Any]]:
    """List the charts of this assessment; those of splits need several splits, that of pairs two models."""
    scores = result.split_scores
    made: dict[str, Callable[[], Any]] = {}
    if scores:
        made["boxes"] = partial(charts.fold_boxes_chart, scores, result.plan.measure, incumbent="")
    majority = result.baselines[0][error.name].value
    scored = [result.scored[name] for name in result.ranked]
    made["gap"] = partial(charts.train_test_gap_chart, scored, naive=majority)
    if len(scores) > 1:
        made["pairs"] = partial(charts.fold_pairs_chart, scores, result.plan.measure)
    for at, (name, curve) in enumerate(result.curves.items()):
        file = re.sub(r"\W+", "_", name).strip("_") or str(at)
        made[f"learning_curve_{file}"] = partial(charts.learning_curve_chart, curve, name)
    return made


def learning_curve_picture(result: "Assessment", model: str | None = None) -> Any:
    """Draw the learning curve of one model. Default: of the best that has one."""
    if not result.curves:
        raise OptionError("This result has no learning curve. Ask for it with learning_curve=True (--learning-curve).")
    name = model or next(name for name in result.ranked if name in result.curves)
    if name not in result.curves:
        raise OptionError(f"There is no learning curve of {name!r}. Models with one: {', '.join(result.curves)}.")
    return charts.learning_curve_chart(result.curves[name], name)
