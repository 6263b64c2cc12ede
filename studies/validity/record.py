"""The measured figures as data, docs/validity.csv, from which the page is made without simulating."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from justesse.core.version import __version__
from studies.validity.case import Case, Hits, Setting

RECORD = Path(__file__).parents[2] / "docs" / "validity.csv"
COLUMNS = (
    *("key", "part", "what", "setting", "n", "kind", "nominal", "methods"),
    *("hits", "total", "absent", "version"),
)


@dataclass(frozen=True)
class Measured:
    """A case with its setting and what was measured."""

    setting: Setting
    case: Case
    hits: Hits


def read(path: Path = RECORD) -> dict[str, dict[str, str]]:
    """Read the rows by key; none if there is no file."""
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def hits_of(row: Mapping[str, str]) -> Hits:
    """Read what was measured.

    >>> hits_of({"hits": "95", "total": "100", "absent": "0", "methods": "wald; wilson"}).share
    0.95
    """
    methods = tuple(name for name in row["methods"].split("; ") if name)
    return Hits(float(row["hits"]), int(row["total"]), int(row["absent"]), methods)


def measured(settings: Iterable[Setting], rows: Mapping[str, Mapping[str, str]]) -> Iterator[Measured]:
    """Give every case that has been measured."""
    for setting in settings:
        for case in setting.cases:
            if row := rows.get(setting.key(case)):
                yield Measured(setting, case, hits_of(row))


def is_complete(setting: Setting, rows: Mapping[str, Mapping[str, str]]) -> bool:
    """Tell whether all cases of a setting have as many repetitions as they should."""
    kept = [rows.get(setting.key(case)) for case in setting.cases]
    return all(row is not None and int(row["total"]) >= setting.repetitions for row in kept)


def add(setting: Setting, found: Mapping[str, Hits], order: Iterable[Setting], path: Path = RECORD) -> None:
    """Write the figures of a setting into the file; rows stay in the order of the registry, strangers are dropped."""
    rows = read(path)
    for case in setting.cases:
        hits = found[case.what]
        values = (
            *(setting.key(case), setting.part, case.what, setting.name, setting.n, case.kind, case.wanted),
            *("; ".join(hits.methods), f"{hits.hits:.12g}", hits.total, hits.absent, __version__),
        )
        rows[setting.key(case)] = dict(zip(COLUMNS, map(str, values), strict=True))
    keys = dict.fromkeys(other.key(case) for other in order for case in other.cases)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in keys if key in rows)
