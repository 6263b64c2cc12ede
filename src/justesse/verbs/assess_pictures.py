"""The charts of an assessment, by name."""

import math
import re
from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.procedures.score import fold_scores, rows_alone

if TYPE_CHECKING:
    from justesse.verbs.assessment import Assessment


def names_of(found: "Assessment") -> list[str]:
    """List the charts this assessment has: those of splits only where there are several."""
    scores = split_scores(found)
    boxes = ["boxes"] if scores else []
    pairs = ["pairs"] if len(scores) > 1 else []
    return ["gap", *boxes, *pairs, *(["learning_curve"] if found.curves else [])]


def split_scores(found: "Assessment") -> dict[str, list[float]]:
    """Give the measure of each model, from the best, in every split where all have a value."""
    from justesse.verbs.assess import MEASURES

    if rows_alone(found.found):
        return {}
    kept = type(found.found)(
        found.found.procedure,
        found.found.data,
        {name: found.found.fits[name] for name in found.ranked},
        found.found.seed,
        found.found.groups,
    )
    columns = fold_scores(kept, MEASURES[found.plan.measure])
    rows = [row for row in zip(*(columns[name] for name in found.ranked), strict=True) if all(map(math.isfinite, row))]
    return {name: [row[at] for row in rows] for at, name in enumerate(found.ranked)} if len(rows) > 1 else {}


def picture(found: "Assessment", name: str, *, model: str | None = None) -> Any:
    """Draw one of them."""
    if name not in names_of(found):
        raise OptionError(f"there is no chart {name!r} of this; there are {', '.join(names_of(found))}")
    if name == "gap":
        naive = 1 - found.baselines[0].measures[0].value
        return charts.train_test_gap_chart([found.scored[one] for one in found.ranked], naive=naive)
    if name == "learning_curve":
        wanted = model or next((one for one in found.ranked if one in found.curves), "")
        if wanted not in found.curves:
            raise OptionError(f"there is no learning curve of {wanted!r}; there are those of {', '.join(found.curves)}")
        return charts.learning_curve_chart(found.curves[wanted], wanted)
    scores = split_scores(found)
    if name == "boxes":
        return charts.fold_boxes_chart(scores, found.plan.measure, incumbent="")
    return charts.fold_pairs_chart(scores, found.plan.measure)


def every_picture(found: "Assessment") -> dict[str, Any]:
    """Draw all of them; names of files say whose learning curve it is."""
    made = {name: picture(found, name) for name in names_of(found) if name != "learning_curve"}
    for at, name in enumerate(found.curves):
        own = re.sub(r"\W+", "_", name).strip("_") or str(at)
        made[f"learning_curve_{own}"] = picture(found, "learning_curve", model=name)
    return made
