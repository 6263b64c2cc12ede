"""`justesse ab start`, `ab add` and `ab status`: an on-line comparison that lives in a file."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from justesse.cli.delivery import Delivery, Printing
from justesse.cli.gate import GateOptions, say_gate
from justesse.cli.groups import DECISION, INPUT, INTERVALS, OUTPUT
from justesse.cli.output import listed, patience
from justesse.report.writing import message
from justesse.verbs.ab.options import EventFileOptions, OnlineOptions, TrafficOptions
from justesse.verbs.options.intervals import ConfidenceOptions


def start(
    state: Path,
    events: str | None = None,
    /,
    *,
    columns: Annotated[EventFileOptions, INPUT] = EventFileOptions(),
    decision: Annotated[OnlineOptions, DECISION] = OnlineOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    printing: Printing = Printing(),
) -> None:
    """Make an event file with the rules of a comparison, and add the first events if there are any.

    The rules are fixed from then on. An existing file is never overwritten.

    For example:

      justesse ab start my.ab events.csv --id event

      justesse ab start my.ab --incumbent old --candidate new --margin 0.01

      justesse ab start my.ab events.csv --guardrail "complaint<0.01"

    Parameters
    ----------
    state
        Event file to make, such as my.ab.
    events
        CSV, Parquet, Arrow or JSON lines with the first events. Without it, --incumbent and --candidate are required.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.ab.state import ab_start

    groups = (columns, decision, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["candidate"] = listed(columns.candidate) or None
    with patience("Adding events", progress):
        added = ab_start(state, events, **options)
    printing.deliver(added)
    printing.add(message("Show the verdict: justesse ab status {file}", file=added.file))


def add(state: Path, events: str, /, *, printing: Printing = Printing()) -> None:
    """Add events to an event file: all of them, or none if one is wrong.

    Events whose id is there already are left out and counted, so the same file may be added again, also after an
    interruption. Several processes may add at once.

    For example:

      justesse ab add my.ab events.csv

    Parameters
    ----------
    state
        The event file.
    events
        CSV, Parquet, Arrow or JSON lines with a row for each event, in the order in which they came.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.ab.state import ab_add

    with patience("Adding events", progress):
        added = ab_add(state, events)
    printing.deliver(added)
    printing.add(message("Show the verdict: justesse ab status {file}", file=added.file))


def status(
    state: Path,
    /,
    *,
    traffic: Annotated[TrafficOptions, DECISION] = TrafficOptions(),
    gates: Annotated[GateOptions, OUTPUT] = GateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Show the verdict so far, its confidence interval, and how many more events would decide it.

    Exit code 0: the gate is passed; 1: it is not, or not yet; 2: bad input. The default gate, better, passes if the
    verdict is replace. No gate passes if traffic was not split as planned, unless you accept it (--accept-mismatch).

    For example:

      justesse ab status my.ab

      justesse ab status my.ab --report page.html

    Parameters
    ----------
    state
        The event file.
    """
    from justesse.verbs.ab.state import ab_status
    from justesse.verbs.compare.gates import check_gate

    delivery.check(state)
    with patience("Reading events"):
        comparison = ab_status(state, **asdict(traffic))
    check_gate(gates.gate, comparison.margin, False)
    delivery.deliver(comparison)
    passed = comparison.passes(gates.gate)
    say_gate(delivery, gates, passed)
    return 0 if passed else 1
