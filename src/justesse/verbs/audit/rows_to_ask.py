"""The rows of an audit: all are counted, and those that can change the difference are fetched."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import merged, ordered, spellings
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.disagreeing_rows import DisagreeingRows, disagreeing_rows
from justesse.verbs.audit.measure import AuditMeasure, chosen_measure
from justesse.verbs.compare.paired_answers import counted_pair, put_together


def rows_to_ask(
    data: Any,
    candidates: Sequence[Any],
    *,
    incumbent: str | None,
    candidate: str | None,
    on: str,
    true: str | None,
    suspicion: str | None,
    shown: Sequence[str],
    classes: Sequence[ClassName] | None,
    policy: AnswerPolicy,
    as_text: bool,
    measure: str | None,
    cost: Any,
    counts_within: float | None,
    **columns: Any,
) -> tuple[tuple[str, str], Tally, DisagreeingRows, AuditMeasure]:
    """Name both classifiers, count all rows, and fetch those that can change the difference.

    Parameters
    ----------
    data
        The incumbent's answers, or one table with the answers of both: path or data frame.
    candidates
        The candidate's answers, if they are in another table.
    incumbent
        Column of the incumbent's answers, if all answers are in one table.
    candidate
        Column of the candidate's answers, if all answers are in one table.
    on
        Column with the id of each row.
    true
        Column that plays the expert, if there is one.
    suspicion
        Column of numbers, higher where the label is more likely wrong.
    shown
        Columns that the expert sees.
    classes
        All classes in order. Default: those of the labels.
    policy
        What to do with missing answers, and with answers that are no class.
    as_text
        Read all labels and predictions as text.
    measure
        Name of the measure. Default: accuracy; cost with costs.
    cost
        Table of costs.
    counts_within
        How far the number of rows of each class may be from that of the labels.
    **columns
        Columns of labels and predictions, and whether to keep only the ids that all tables have.

    Returns
    -------
    tuple
        The names of both, the counts of all rows, the rows that can change the difference, and the measure.
    """
    if len(candidates) > 1:
        raise OptionError(f"An audit has one candidate; got {len(candidates)}. Start an audit for each.")
    if not candidates and not isinstance(data, Tally) and (incumbent is None or candidate is None):
        raise InputError(
            "One table needs the names of two columns: incumbent=… (--incumbent COL) and candidate=… (--candidate COL). "
            "Name them, or pass a second table. For three classifiers or more in one table, say what to settle, goal=… "
            "(--goal pairs), or name their columns, models=… (--model a,b,c)."
        )
    extra = list(dict.fromkeys(name for name in (suspicion, *shown) if name is not None))
    answers = put_together(
        data, candidates, incumbent, candidate, None, None, None,
        on=on if candidates else None, true=true, by=extra, **columns,
    )  # fmt: skip
    if isinstance(answers, Tally):
        raise InputError("An audit asks about single rows, and a Tally has none. Pass files or data frames.")
    own_name, ((name, table),) = answers
    # a column that happens to be called true is no expert: only the one that was named is
    parts = {part: column for part, column in table.columns.items() if part != "true"}
    check = {"classes": classes, "policy": policy, "as_text": as_text}
    pair = counted_pair(name, replace(table, columns=parts, slices={}), check, None)
    tally = pair.tally
    known = {text for name in tally.classes if name is not None for text in spellings(name)}
    accepted = pair.gaps.accepted.get("label", {})  # an expert may choose any class that some label accepts
    place = {column: table.slices[f"by {column}"] for column in extra}
    chosen = chosen_measure(measure, cost, counts_within, tally, sets=policy.any_of is not None)
    every = merged(tally.classes, ordered(name for name in accepted if not spellings(name) & known))
    rows = disagreeing_rows(
        table,
        every,
        on=on,
        true=None if true is None else table.columns["true"],
        suspicion=place.get(suspicion or ""),
        shown={name: place[name] for name in shown},
        any_of=policy.any_of,
        chosen_pairs=chosen.chosen_pairs(every),
    )
    return (own_name, name), tally, rows, chosen
