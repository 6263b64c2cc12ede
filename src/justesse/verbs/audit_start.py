"""`justesse.audit_start`: put the rows on which two classifiers disagree into a file of questions for an expert."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.disputed import Disputed, disputed
from justesse.frames.together import Together
from justesse.store.audit_file import check_free
from justesse.verbs.compare import counted_pair, put_together
from justesse.verbs.page import fingerprint


def rows_to_ask(
    data: Any,
    candidates: Sequence[Any],
    *,
    incumbent: str | None,
    candidate: str | None,
    on: str | None,
    true: str | None,
    suspicion: str | None,
    shown: str | None,
    classes: Sequence[ClassName] | None,
    drop_missing: bool,
    as_text: bool,
    **columns: Any,
) -> tuple[tuple[str, str], Tally, Disputed]:
    """Name both classifiers, count all rows, and fetch those on which the two disagree."""
    if on is None:
        raise OptionError("questions are answered by their id: name its column with on=… (--on id)")
    if len(candidates) > 1:
        raise OptionError(f"an audit is about one candidate; got {len(candidates)}: start an audit for each")
    extra = list(dict.fromkeys(name for name in (suspicion, shown) if name is not None))
    found = put_together(
        data, candidates, incumbent, candidate, None, None, None,
        on=on if candidates else None, true=true, by=extra, **columns,
    )  # fmt: skip
    if isinstance(found, Tally):
        raise InputError("an audit asks about single rows, and a Tally has none: give the data as paths or frames")
    own, ((name, table),) = found
    counted = _without_truth(table, true)
    check = {"classes": classes, "drop_missing": drop_missing, "as_text": as_text}
    tally = counted_pair(name, replace(counted, slices={}), check, None).tally
    place = table.slices
    rows = disputed(
        table,
        tally.classes,
        on=on,
        true=table.columns["true"] if true else None,
        suspicion=place[f"by {suspicion}"] if suspicion else None,
        shown=place[f"by {shown}"] if shown else None,
    )
    return (own, name), tally, rows


def _without_truth(table: Together, true: str | None) -> Together:
    """Leave out a column that is merely named as if it held the truth: only an expert asked for may know it."""
    return table if true else replace(table, columns={k: v for k, v in table.columns.items() if k != "true"})
