"""Re-checked rows: a file of ids and true classes beside the rows they are about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.errors import ClassError, ColumnError, InputError
from justesse.core.levels import CLASS_AXES
from justesse.core.tally import Tally
from justesse.frames.columns import check_column, guess_column, has_column
from justesse.frames.count_axes import count_axes
from justesse.frames.drawn_sample import ORDER, STRATUM, DrawnSample, is_drawn
from justesse.frames.joined import JoinedRows, to_join
from justesse.frames.rows import DuckRows, Rows

TRUE = "true"


def count_audited(
    rows: Sequence[Rows],
    axes: Mapping[str, str],
    audited: Any,
    *,
    on: str | None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
    drawn: DrawnSample | None = None,
) -> Tally:
    """Count the re-checked rows by their true class and by these axes of the rows they are about.

    Ids that the rows do not have, and ids answered twice, are refused.

    Parameters
    ----------
    rows
        Tables that `to_join` opened.
    axes
        Column of each axis.
    audited
        Table with the re-checked rows: their ids and a column `true`.
    on
        Column with ids in both tables.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.
    drawn
        How the rows were drawn, if `drawn_sample` says so: adds the axes stratum and order.
    """
    if on is None:
        raise InputError("Re-checked rows are matched by their id. Name its column with on=… (--on id).")
    whole = _files(rows, on)
    answers = _files(to_join(audited if drawn is None else drawn.table), on)
    if drawn is not None:
        answers = [replace(part, name=drawn.name) for part in answers]
    elif is_drawn(answers[0].columns):
        raise InputError(
            f"The rows of {answers[0].name} were drawn with different probabilities, but a random sample is needed "
            "here. Use them with evaluate or compare, or draw a random sample."
        )
    if answers[0].name == whole[0].name:
        answers = [replace(part, name=f"{part.name} (re-checked rows)") for part in answers]
    where, columns = answers[0].name, answers[0].columns
    if not has_column("true", columns, where):
        raise ColumnError(
            f"No column 'true' with the true classes in {where}. Columns: "
            f"{', '.join(map(repr, columns[:20]))}. Re-checked rows need {on!r} and 'true'."
        )
    true = guess_column("true", columns, where, None)
    _check_once(answers, on, true)
    beside = [name for name in (STRATUM, ORDER) if drawn is not None and name in columns]
    joined = JoinedRows(
        {"incumbent": whole, "candidate": answers},
        {
            **{axis: ("incumbent", column) for axis, column in axes.items()},
            TRUE: ("candidate", true),
            **{name: ("candidate", name) for name in beside},
        },
        on,
        common=True,
    )
    tally, _ = count_axes(
        [joined],
        {TRUE: TRUE, **{axis: axis for axis in axes}, **{name: name for name in beside}},
        policy=replace(policy, others="class" if policy.others == "wrong" else policy.others),
        as_text=as_text,
    )
    _check_spelling(tally)
    if strangers := joined.unmatched.get("candidate", 0):
        raise InputError(
            f"Re-checked rows not found in {whole[0].name}: {joined.only({'candidate': strangers})}. "
            "Only rows of this test set can correct its figures. Remove the others."
        )
    return tally


def _check_spelling(tally: Tally) -> None:
    """Refuse a true class that differs from a class of the rows in capitals or spaces only."""
    answers = [at for at, axis in enumerate(tally.axes) if axis in CLASS_AXES and axis != TRUE]
    known = {tally.classes[code] for code in np.unique(tally.codes[:, answers])}
    spelt = {str(name).strip().lower(): name for name in known}
    for code in np.unique(tally.codes[:, 0]):
        name = tally.classes[code]
        if name not in known and (other := spelt.get(str(name).strip().lower())) is not None:
            raise ClassError(
                f"Class {name!r} in the re-checked rows is written {other!r} in the other rows. Write it the same "
                "way in both."
            )


def _files(rows: Sequence[Rows], on: str) -> list[DuckRows]:
    results = [part for part in rows if isinstance(part, DuckRows)]
    if len(results) < len(rows):
        raise InputError("Rows of a lazy frame cannot be re-checked. Collect the frame first.")
    for part in results:
        check_column(part.columns, part.name, "on", on)
    return results


def _check_once(checked: Sequence[DuckRows], on: str, true: str) -> None:
    for part in checked:
        twice = (
            part.relation([on, true])
            .aggregate("c0, count(*) AS n, count(DISTINCT c1) AS m, min(c1::VARCHAR) AS a, max(c1::VARCHAR) AS b", "c0")
            .filter("n > 1")
            .order("m DESC, c0")
            .limit(1)
            .fetchall()
        )
        if twice:
            name, times, answers, first, other = twice[0]
            if answers > 1:
                raise InputError(
                    f"Two true classes for {on} {name!r} in {part.name}: {first!r} and {other!r}. Keep the right row "
                    "only."
                )
            raise InputError(f"Id {name!r} occurs {times} times in column {on!r} of {part.name}. Keep one row per id.")
