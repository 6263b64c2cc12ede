"""Which judges take part in a tournament, and which are left out."""

from collections.abc import Collection, Sequence

from justesse import judges
from justesse.core.errors import OptionError
from justesse.judges.entrant import Entrant, Settings
from justesse.judges.judge import Judge

EVERY = "all"


def chosen_judges(names: str | Sequence[str]) -> tuple[list[Judge], set[str]]:
    """Find judges by name, and which of them were named; `all` stands for every one that takes part in tournaments.

    >>> chosen, named = chosen_judges(["all", "prudent-v1"])
    >>> len(chosen) > 5, named
    (True, {'prudent_v1'})
    """
    able = [judge for judge in judges.ALL if judge.in_tournaments]
    known = ", ".join(judge.name for judge in able)
    asked = [names] if isinstance(names, str) else list(names)
    if not asked:
        raise OptionError(f"No judge was named. Name at least one of {known}, or {EVERY}.")
    every = [name for name in asked if name.strip().lower() == EVERY]
    named = [judges.judge_named(name) for name in asked if name not in every]
    for judge in named:
        if judge not in able:
            raise OptionError(
                f"The judge {judge.name} cannot take part in a tournament, because the others are measured against it. "
                f"Judges: {known}, {EVERY}."
            )
    return able if every else list(dict.fromkeys(named)), {judge.name for judge in named}


def enter(chosen: Sequence[Judge], settings: Settings) -> list[Entrant]:
    """List the forms in which the judges take part."""
    entrants = [entrant for judge in chosen for entrant in judge.entrants(settings)]
    if not entrants:
        judge = chosen[0]
        raise OptionError(f"The judge {judge.name} cannot take part: it needs {judge.needs.replace('`', '')}.")
    return entrants


def leave_out(
    entrants: Sequence[Entrant], *, named: Collection[str], measures: Sequence[str], pairs: int, has_joint: bool
) -> tuple[list[Entrant], list[str]]:
    """Leave out the judges that cannot judge here, with a note for each; refuse those that were named.

    Parameters
    ----------
    entrants
        The judges that would take part.
    named
        Names of the judges that were asked for by name, not by `all`.
    measures
        Names of the measures to judge by.
    pairs
        Number of ordered pairs.
    has_joint
        Whether every row has one label and one true class.
    """
    kept, notes, without_joint = [], dict[str, None](), list[Entrant]()
    others = [name for name in measures if name != "accuracy"]
    for entrant in entrants:
        judge = entrant.judge
        if judge.only_accuracy and others:
            if judge.name in named:
                raise OptionError(
                    f"The judge {judge.name} decides on accuracy only. Leave out {judge.name} or {others[0]}."
                )
            notes[f"{judge.name} decides on accuracy only and was left out."] = None
        elif judge.most_pairs is not None and pairs > judge.most_pairs and judge.name not in named:
            notes[
                f"{judge.name} was left out: {pairs:,} pairs would take long. Name the judge to include it "
                f"(--judge {judge.name})."
            ] = None
        elif entrant.needs_joint and not has_joint:
            without_joint.append(entrant)
        else:
            kept.append(entrant)
    if without_joint:
        why = "one label and one true class per row, and some rows accept several (--any-of)"
        able = dict.fromkeys(entrant.name for entrant in without_joint if entrant.judge.takes_noise)
        advice = f" With a noise rate (--noise-rate) {' and '.join(able)} can judge." if able else ""
        if refused := next((item for item in without_joint if item.judge.name in named), None):
            raise OptionError(f"The judge {refused.name} needs {why}.{advice}")
        names = ", ".join(entrant.name for entrant in without_joint)
        notes[f"Left out: {names}. They need {why}.{advice}"] = None
    if not kept:
        raise OptionError(f"No judge is left. {' '.join(notes)}")
    return kept, list(notes)
