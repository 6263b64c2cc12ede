"""Options of single judges, as the judge takes them."""

from typing import Any

from justesse import judges
from justesse.cleaning.simulated import Nett
from justesse.core.errors import OptionError
from justesse.judges.cleaned import FlaggedRows
from justesse.judges.judge import Judge


def judge_options(judge: Judge, **settings: Any) -> dict[str, Any]:
    """Return the options of the judge as it takes them; refuse those of another judge."""
    options = {name: value for name, value in settings.items() if value is not None}
    for name in options:
        if name not in judge.options:
            owners = " and ".join(other.name for other in judges.ALL if name in other.options)
            raise OptionError(
                f"{name} is for the judge {owners}, not for {judge.name}. Leave it out, or choose that judge (--judge)."
            )
    options.pop("hard", None)  # a column of the rows, counted with them
    if "cleaning" in options:
        chances = options.pop("cleaning")
        if len(chances) not in (2, 3):
            raise OptionError(f"A cleaning step needs the chances (s, e) or (s, e, c); got {chances!r}.")
        if "flagged" in options:
            raise OptionError("Give flagged rows or a simulated cleaning step (cleaning), not both.")
        options["cleaner"] = Nett(*chances)
    if options.pop("flagged", None) is not None:
        options["cleaner"] = FlaggedRows()
    return options
