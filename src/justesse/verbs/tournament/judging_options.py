"""What a tournament reads from options about judges: whether any takes part, filters, and measures."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from justesse.cleaning.pool_filter import PoolAction, PoolFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.all_pairs import Judgeable
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.judges.judge import Judge
from justesse.judges.quantity import PER_CLASS, Quantity, quantity
from justesse.verbs.tournament.options import OPTION_NAMES

NO_JUDGE = "none"
# options of one judge each
OWNERS = {
    "pc": "prudent_v2", "hard_by": "prudent_v2", "difficulty": "prudent_v2", "cleaning": "cleaned", "filter": "cleaned",
    "budget": "audited", "expert_error": "audited",
}  # fmt: skip
JUDGEABLE: tuple[Judgeable, ...] = get_args(Judgeable)


def without_judges(
    judges: str | Sequence[str] | None,
    cluster: str | None,
    noise_rates: Sequence[float] | None,
    options: Mapping[str, Any],
) -> bool:
    """Tell whether the leaderboard alone is asked for; refuse what only judges use."""
    names = [judges] if isinstance(judges, str) else list(judges or ())
    none = any(name.strip().lower() == NO_JUDGE for name in names)
    if none and len(names) > 1:
        raise OptionError(f"judges names {NO_JUDGE} and others: {', '.join(names)}. Name judges, or {NO_JUDGE} alone.")
    if not none and cluster is None:
        return False
    used = {**options, "judges": None if none else judges, "noise_rates": noise_rates}
    for name, value in used.items():
        if value is not None:
            option = OPTION_NAMES.get(name, name).replace("_", "-")
            why = f"no judge takes part (--judge {NO_JUDGE})"
            if not none:
                why = "judges take rows as independent, so none takes part with clusters (--cluster)"
            raise OptionError(f"{name} (--{option}) is for judges, and {why}. Leave one of them out.")
    return True


def check_taking_part(chosen: Sequence[Judge], options: Mapping[str, Any]) -> None:
    """Refuse options of a judge that does not take part: they would change nothing."""
    names = {judge.name for judge in chosen}
    for name, value in options.items():
        if value is not None and OWNERS[name] not in names:
            raise OptionError(
                f"{name} (--{name.replace('_', '-')}) is for the judge {OWNERS[name]}, which does not take part. Add it, or "
                f"leave {name} out."
            )


def cleaners(filter: str | Sequence[str] | None) -> list[PoolFilter]:
    """Make filters that look at the classifiers' answers, each with both actions."""
    words = [] if filter is None else [filter] if isinstance(filter, str) else list(filter)
    if len(set(words)) < len(words):
        raise OptionError(f"Name each filter once; got {', '.join(words)}.")
    return [PoolFilter(written_filter(word), action) for word in words for action in get_args(PoolAction)]


def quantities_of(measure: str | Sequence[str], classes: Sequence[ClassName]) -> list[Quantity]:
    """Read the measures to judge by; a measure of a class without a class is that of every class."""
    names = [measure] if isinstance(measure, str) else list(measure)
    if not names:
        raise OptionError("At least one measure is needed, such as accuracy; got none.")
    quantities = []
    for name in names:
        each = list(classes) if name.strip().lower() in PER_CLASS else [None]
        quantities += [quantity(name, classes, positive=positive) for positive in each]
    for asked in quantities:
        if asked.name not in JUDGEABLE:
            raise OptionError(f"A tournament judges by accuracy, recall:CLASS or precision:CLASS; got {asked.title!r}.")
    return list({asked.title: asked for asked in quantities}.values())
