"""The charts of an assessment, by name."""

import re
from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment


def names_of(found: "Assessment") -> list[str]:
    """List the charts this assessment has: those of splits only where there are several."""
    of_splits = ["boxes", "pairs"][: len(found.split_scores)]
    return ["gap", *of_splits, *(["learning_curve"] if found.curves else [])]


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
    if name == "boxes":
        return charts.fold_boxes_chart(found.split_scores, found.plan.measure, incumbent="")
    return charts.fold_pairs_chart(found.split_scores, found.plan.measure)


def every_picture(found: "Assessment") -> dict[str, Any]:
    """Draw all of them; names of files say whose learning curve it is."""
    made = {name: picture(found, name) for name in names_of(found) if name != "learning_curve"}
    for at, name in enumerate(found.curves):
        own = re.sub(r"\W+", "_", name).strip("_") or str(at)
        made[f"learning_curve_{own}"] = picture(found, "learning_curve", model=name)
    return made
