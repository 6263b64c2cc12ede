"""Which variant is in use, and which could replace it."""

from collections.abc import Sequence

from justesse.core.errors import InputError, OptionError

USUAL_INCUMBENTS = ("incumbent", "control", "baseline", "old", "current", "champion", "production")


def roles(
    variants: Sequence[str], incumbent: str | None, candidate: str | Sequence[str] | None, where: str
) -> list[str]:
    """Return the incumbent, then the candidates."""
    own = usual_incumbent(variants) if incumbent is None else incumbent
    others = [name for name in variants if name != own] if candidate is None else candidate
    names = [own, *([others] if isinstance(others, str) else others)]
    for name in names:
        if name not in variants:
            raise InputError(
                f"No event of variant {name!r} in {where}. Variants: {', '.join(map(repr, variants))}. Check the names of "
                "the incumbent and the candidates."
            )
    if len(set(names)) < len(names):
        raise OptionError(f"Name each variant once; got {names!r}.")
    unheard = [name for name in variants if name not in names]
    if unheard:
        raise InputError(
            f"Variant {unheard[0]!r} in {where} is neither the incumbent nor a candidate. Name it with candidate=… "
            "(--candidate), or remove its rows."
        )
    if len(names) < 2:
        raise InputError(f"{where} has one variant only, {own!r}. Two are needed for a comparison.")
    return names


def usual_incumbent(variants: Sequence[str]) -> str:
    """Return the variant with a usual name of an incumbent, or else the first in the order of the alphabet.

    >>> usual_incumbent(["new", "old"]), usual_incumbent(["v2", "v1"])
    ('old', 'v1')
    """
    usual = [name for word in USUAL_INCUMBENTS for name in variants if name.lower() == word]
    return usual[0] if usual else min(variants)
