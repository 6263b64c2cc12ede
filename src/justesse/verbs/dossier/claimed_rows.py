"""Whether the number of rows that a dossier names is the number that its counts are of."""

from collections.abc import Mapping
from typing import Any

from justesse.dossier.canonical import unmarked
from justesse.frames.count import Counted
from justesse.report.writing import Message, message
from justesse.verbs.compare.read_pairs import ReadPairs
from justesse.verbs.dossier.kinds import memory_of

# with these, one row of a table is not one row of the counts
ANOTHER_UNIT = ("any_of", "answers", "item", "majority_at", "pass_at", "task", "y_true", "y_pred")


def odd_rows(record: Mapping[str, Any]) -> tuple[str, Message] | None:
    """Say that a table has other rows than the counts of an evaluation are of; `None` if not, or if nothing tells.

    Only where every row of one table is counted: nothing missing, nothing joined.
    """
    data, options, kept = record["data"], record["asked"]["options"], record["kept"]
    if record["asked"]["verb"] not in ("evaluate", "compare") or len(data) != 1 or data[0]["rows"] is None:
        return None
    if any(options.get(name) is not None for name in ANOTHER_UNIT):
        return None
    memory = memory_of(unmarked({name: kept[name] for name in ("rows", "pairs") if name in kept}))
    for read in (value for values in memory.values() for value in values):
        parts = [read] if isinstance(read, Counted) else read.pairs if isinstance(read, ReadPairs) else []
        for part in parts:
            gaps = part.gaps
            if gaps.dropped or gaps.labels or any(gaps.answers.values()) or part.tally.n == data[0]["rows"]:
                continue
            template = "the dossier has {rows:count}, its counts are of {n:count}"
            return "/data/0/rows", message(template, rows=data[0]["rows"], n=part.tally.n)
    return None
