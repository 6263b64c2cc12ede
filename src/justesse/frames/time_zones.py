"""Time zones of written times: columns that are compared have one, or none of them has."""

import re
from collections.abc import Iterable, Mapping

from justesse.core.errors import ColumnError


def has_zone(text: str) -> bool:
    """Tell whether a time is written with a time zone.

    >>> has_zone("2024-01-01T10:00:00Z"), has_zone("2024-01-01")
    (True, False)
    """
    return ":" in text and bool(re.search(r"(Z|[+-]\d{2}:?\d{2})$", text.strip()))


def zone_of(written: Iterable[str]) -> bool | None:
    """Tell whether times of day have a zone; `None` if there are only days. The first tells, as a column is all alike.

    >>> zone_of(["2024-01-01", "2024-01-01T10:00:00Z"]), zone_of(["2024-01-01"])
    (True, None)
    """
    return next((has_zone(text) for text in written if ":" in text), None)


def check_zones(zones: Mapping[str, bool | None], where: str) -> None:
    """Refuse columns of times to compare if some have a time zone and others have none; days alone go with both.

    >>> check_zones({"time": True, "day": None}, "a.csv")
    """
    zoned = [column for column, zone in zones.items() if zone]
    plain = [column for column, zone in zones.items() if zone is False]
    if zoned and plain:
        raise ColumnError(
            f"Times in column {zoned[0]!r} of {where} have a time zone, those in {plain[0]!r} have none. Write both "
            "with their zone, or both without."
        )
