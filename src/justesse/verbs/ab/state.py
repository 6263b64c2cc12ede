"""`justesse.ab_start`, `ab_add` and `ab_status`: an on-line comparison that lives in a file."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.choices import OnlineMethod, OpenOutcomes
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.event_blocks import EventBlocks
from justesse.core.recording import remembering
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.frames.events import EventColumns, event_batches, opened_events
from justesse.frames.rows import no_rows
from justesse.store.event_file import (
    Event,
    add_events,
    add_setting,
    count_additions,
    new_events,
    open_events,
    read_events,
    read_settings,
)
from justesse.store.event_tables import MOST_TRACKED
from justesse.verbs.ab.added import EventsAdded
from justesse.verbs.ab.compared import compared
from justesse.verbs.ab.options import EventOptions, OnlineOptions
from justesse.verbs.ab.plan import OnlinePlan
from justesse.verbs.ab.result import OnlineComparison
from justesse.verbs.ab.roles import roles
from justesse.verbs.ab.stored_events import StoredEvents
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.recorded import recorded

PathLike = str | os.PathLike[str]
USUAL_IDS = ("id", "event", "event_id")


@recorded
def ab_start(
    state: PathLike,
    data: Any = None,
    *,
    variant: str | None = None,
    outcome: str | None = None,
    incumbent: str | None = None,
    candidate: str | Sequence[str] | None = None,
    id: str | None = None,
    outcome_range: str | Sequence[float] = EventOptions.outcome_range,
    proxy: str | None = None,
    margin: float = OnlineOptions.margin,
    lower_is_better: bool = False,
    missing: OpenOutcomes = OnlineOptions.missing,
    noise_rate: float = OnlineOptions.noise_rate,
    ratio: str | Sequence[float] | None = None,
    method: OnlineMethod = OnlineOptions.method,
    steady: bool = False,
    guardrail: str | Sequence[str] | None = None,
    level: float = ConfidenceOptions.level,
) -> EventsAdded:
    """Make an event file with the rules of a comparison, and add the first events if there are any.

    The rules are fixed from then on. An existing file is never overwritten.

    Parameters
    ----------
    state
        Event file to make, such as my.ab.
    data
        Path, data frame or dict with the first events. Default: none; `incumbent` and `candidate` are then required.
    variant
        Column with the variant that handled each event. Default: the column variant or arm.
    outcome
        Column with the outcome of each event, such as 1 if it was right and 0 if not. Default: the column outcome,
        reward or success.
    incumbent
        Variant in use. Default: the one called incumbent, control, baseline or old, or else the first by name.
    candidate
        Variants that could replace it, such as new or b,c. Default: all others.
    id
        Column that identifies an event: events that are added twice count once. Default: the column id, event or
        event_id.
    outcome_range
        Smallest and largest outcome possible, such as 0,100. Default: 0,1.
    proxy
        Column with a stand-in for the outcome, known for every event, such as an automatic grade. Its bias is measured
        on the events whose outcome is known. Default: none.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    lower_is_better
        The outcomes are errors, costs or complaints.
    missing
        Outcomes that are still open (empty): refuse the file, take them as missing at random, or decide by the worst
        case. The last two show both intervals. Default: refuse.
    noise_rate
        Largest share of each variant's outcomes that may be wrong, such as 2%. Default: 0.
    ratio
        Planned traffic of the incumbent and the candidates, such as 9:1. Default: equal.
    method
        betting holds for any number of events, asymptotic for many only. Default: betting.
    steady
        The means do not change over time: what was excluded at one look stays excluded.
    guardrail
        What must hold for the candidate's mean minus the incumbent's, such as complaint<0.01, outcome>-0.02 or
        'latency<20 in 0..500'. A candidate that breaks it is stopped, at any look. Default: none.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.

    Returns
    -------
    EventsAdded
        What was added.

    Examples
    --------
    >>> import tempfile
    >>> events = {"id": [1, 2, 3, 4], "variant": ["old", "new"] * 2, "outcome": [0, 1, 1, 1]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = ab_start(f"{folder}/my.ab", events)
    ...     again = ab_add(f"{folder}/my.ab", events)
    ...     started.events, again.events, again.repeated, ab_status(f"{folder}/my.ab").events
    (4, 0, 4, 4)
    """
    options: dict[str, Any] = {
        "variant": variant, "outcome": outcome, "incumbent": incumbent, "candidate": candidate, "id": id, "time": None,
        "outcome_range": outcome_range, "proxy": proxy, "margin": margin, "lower_is_better": lower_is_better,
        "missing": missing, "noise_rate": noise_rate, "ratio": ratio, "method": method, "steady": steady,
        "guardrail": guardrail, "level": level,
    }  # fmt: skip
    plan = OnlinePlan.of(**options)
    if len({guard.name for guard in plan.guardrails}) + (proxy is not None) > MOST_TRACKED:
        raise OptionError(
            f"An event file holds at most {MOST_TRACKED} columns of guardrails and proxies. Leave out some (--guardrail)."
        )
    rows: list[Event] = []
    tracked: list[str] = []
    where = str(state)
    if data is not None:
        options["id"] = _event_id(data, id)
        plan = OnlinePlan.of(**options)
        rows, variants, columns, where = _rows(data, plan)
        tracked = [column.name for column in columns.tracked]
        options |= {"variant": columns.variant, "outcome": columns.outcome}
        names = roles(variants, incumbent, plan.candidate, where)
    else:
        if incumbent is None or not plan.candidate:
            raise OptionError(
                "Without events, name the variants: incumbent=… (--incumbent) and candidate=… (--candidate)."
            )
        options |= {"variant": variant or "variant", "outcome": outcome or "outcome"}
        names = roles([incumbent, *plan.candidate], incumbent, plan.candidate, where)
    options |= {"incumbent": names[0], "candidate": names[1:]}
    OnlinePlan.of(**options).columns([*_named(options)], where)
    settled = {name: value for name, value in options.items() if name != "id" or value is not None}
    with new_events(state, settled) as connection:
        added = add_events(connection, rows, where, tracked=tracked)
    return EventsAdded(os.fspath(state), where, added, added.events, "start")


@recorded
def ab_add(state: PathLike, data: Any) -> EventsAdded:
    """Add events to an event file: all of them, or none if one is wrong.

    Events whose id is there already are left out and counted; a row with an outcome, or with a value of a guardrail or
    proxy, completes an earlier one without. An event that comes again with another value is an error.
    Several processes may add at once. Whatever was added is on the disk when this returns.

    Parameters
    ----------
    state
        The event file.
    data
        Path, data frame or dict with a row for each event, in the order in which they came.

    Returns
    -------
    EventsAdded
        How many events were new, completed and repeated.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = ab_start(f"{folder}/my.ab", incumbent="old", candidate="new")
    ...     ab_add(f"{folder}/my.ab", {"id": [1, 2, 1], "variant": ["old", "new", "old"], "outcome": [1, 1, 1]}).repeated
    1
    """
    file = open_events(state)
    with file.reading() as connection:
        options = _settings(connection)
    chosen = options["id"] or _event_id(data, None)
    plan = OnlinePlan.of(**options | {"id": chosen})
    rows, variants, columns, where = _rows(data, plan)
    known = [plan.incumbent, *(plan.candidate or ())]
    unheard = [name for name in variants if name not in known]
    if unheard:
        at = next(place for place, row in enumerate(rows, start=1) if row[1] == unheard[0])
        raise InputError(
            f"{where}, row {at}: {unheard[0]!r} is not a variant of {file.path}. Variants: "
            f"{', '.join(map(repr, known))}. Nothing was added. Correct the row, or start another comparison."
        )
    with file.writing() as connection:
        _settle_id(connection, chosen, where)
        added = add_events(connection, rows, where, tracked=[column.name for column in columns.tracked])
        _, events, _ = count_additions(connection)
    return EventsAdded(os.fspath(state), where, added, events, "add")


@recorded
def ab_status(state: PathLike, *, accept_mismatch: bool = False) -> OnlineComparison:
    """Judge the events of an event file, exactly as if they were in one file in the order in which they were added.

    Parameters
    ----------
    state
        The event file.
    accept_mismatch
        Decide although traffic was not split as planned, because the cause is known and has nothing to do with the
        outcomes.

    Returns
    -------
    OnlineComparison
        `verdict` is the best candidate's.

    Examples
    --------
    >>> import tempfile
    >>> events = {"id": range(1200), "variant": ["old", "new"] * 600, "outcome": [0, 1, 1, 1, 0, 1, 0, 0, 0, 1] * 120}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = ab_start(f"{folder}/my.ab", events)
    ...     ab_status(f"{folder}/my.ab").verdict.decision
    'replace'
    """
    stored = _stored_events(state)
    plan = OnlinePlan.of(**stored.settings)
    columns = _stored_columns(plan, stored.where)
    return compared(
        stored.blocks, plan, outcome=columns.outcome, where=stored.where, source=None, accept_mismatch=accept_mismatch
    )


@remembering
def _stored_events(state: PathLike) -> StoredEvents:
    file = open_events(state)
    with file.reading() as connection:
        settings = _settings(connection)
        plan = OnlinePlan.of(**settings)
        _, events, repeated = count_additions(connection)
        if not events:
            raise InputError(f"{file.path} has no events yet. Add some with justesse ab add {file.path} events.csv.")
        blocks = _counted(connection, plan, _stored_columns(plan, str(file.path)), repeated)
    return StoredEvents(settings, blocks, str(file.path))


def _stored_columns(plan: OnlinePlan, where: str) -> EventColumns:
    return plan.columns([*_named(vars(plan)), *(guard.name for guard in plan.guardrails)], where)


def _counted(connection: Any, plan: OnlinePlan, columns: EventColumns, repeated: int) -> EventBlocks:
    """Count the events of a file in the order of arrival."""
    names = (plan.incumbent or "", *(plan.candidate or ()))
    codes_of = {name: code for code, name in enumerate(names)}
    counter = columns.counter()
    for page in read_events(connection, len(columns.tracked), by_outcome=columns.by_outcome):
        variants, *numbers = zip(*page, strict=True)
        values = [np.array(column, dtype=float) for column in numbers]  # None becomes NaN
        counter.add(
            names,
            np.array([codes_of[name] for name in variants], dtype=np.int64),
            columns.own.scaled(values[0]),
            {column.name: column.scaled(own) for column, own in zip(columns.tracked, values[1:], strict=True)},
        )
    return counter.blocks(repeated=repeated)


def _rows(data: Any, plan: OnlinePlan) -> tuple[list[Event], list[str], EventColumns, str]:
    """Read and check all rows: events as they are stored, the variants in them, the columns, and a name for errors."""
    table = opened_once(data)[0]
    columns = plan.columns(table.columns, table.name)
    rows: list[Event] = []
    names: tuple[str, ...] = ()
    for opened in opened_events(data, columns):
        for batch in event_batches(opened, columns, with_ids=True):
            names = batch.names
            assert batch.ids is not None
            tracked = zip(*(batch.tracked[column.name].tolist() for column in columns.tracked), strict=True)
            numbers = tracked if columns.tracked else ((),) * len(batch.codes)
            variants = np.array(names, dtype=object)[batch.codes].tolist()
            rows += zip(batch.ids, variants, batch.outcomes.tolist(), numbers, strict=True)
    if not rows:
        raise no_rows(table.name)
    return rows, list(names), columns, table.name


def _named(options: Any) -> list[str]:
    """List the columns that options name."""
    return [options[part] for part in ("variant", "outcome", "id", "proxy") if options[part] is not None]


def _settings(connection: Any) -> dict[str, Any]:
    """Read the settings of a file; the id column may be open until the first events come."""
    return {"id": None, **read_settings(connection)}


def _settle_id(connection: Any, id: str, where: str) -> None:
    """Fix the id column with the first events; refuse another one, if a process settled it meanwhile."""
    settled = _settings(connection)["id"]
    if settled is None:
        add_setting(connection, "id", id)
    elif settled != id:
        raise ColumnError(f"{where}: events are identified by column {settled!r} now, not {id!r}. Nothing was added.")


def _event_id(data: Any, id: str | None) -> str:
    table = opened_once(data)[0]
    if id is not None:
        return check_column(table.columns, table.name, "id", id)
    usual = [name for name in USUAL_IDS if name in table.columns]
    if not usual:
        raise ColumnError(
            f"No id column found in {table.name}. Usual names: {', '.join(USUAL_IDS)}. An event file needs ids, so that "
            "events that are added twice count once. Name the column with id=… (--id)."
        )
    return usual[0]
