"""`justesse ab EVENTS`, and `justesse ab …` with its parts."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import App

from justesse.cli.ab_state import add, start, status
from justesse.cli.ab_watch import watch
from justesse.cli.delivery import Delivery
from justesse.cli.gate import GateOptions, say_gate
from justesse.cli.groups import DECISION, INPUT, INTERVALS, OUTPUT
from justesse.cli.output import listed, patience
from justesse.verbs.ab.options import EventOptions, OnlineOptions, TrafficOptions
from justesse.verbs.options.intervals import ConfidenceOptions

app = App(name="ab", help_format="plaintext")
app.command(start)
app.command(add)
app.command(status)
app.command(watch)


@app.default
def ab(
    events: str,
    /,
    *,
    columns: Annotated[EventOptions, INPUT] = EventOptions(),
    decision: Annotated[OnlineOptions, DECISION] = OnlineOptions(),
    traffic: Annotated[TrafficOptions, DECISION] = TrafficOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    gates: Annotated[GateOptions, OUTPUT] = GateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Decide whether a variant should replace the incumbent, from outcomes over time; you may look at any time.

    Exit code 0: the gate is passed; 1: it is not, or not yet; 2: bad input. The default gate, better, passes if the
    verdict is replace. No gate passes if traffic was not split as planned, unless you accept it (--accept-mismatch).

    For example:

      justesse ab events.csv --variant variant --outcome outcome

      justesse ab events.csv --incumbent old --margin 0.01 --ratio 9:1

      justesse ab events.csv --id event --time at --missing worst-case

      justesse ab events.csv --guardrail "complaint<0.01" --proxy grade

      justesse ab costs.csv --outcome cost --outcome-range 0,100 --lower-is-better

    Parameters
    ----------
    events
        CSV, Parquet, Arrow or JSON lines with a row for each event, in the order in which they came.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.ab.ab import ab as run
    from justesse.verbs.compare.gates import check_gate

    check_gate(gates.gate, decision.margin, False)
    delivery.check(events)
    groups = (columns, decision, traffic, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["candidate"] = listed(columns.candidate) or None
    with patience("Reading events", progress):
        comparison = run(events, **options)
    delivery.deliver(comparison)
    passed = comparison.passes(gates.gate)
    say_gate(delivery, gates, passed)
    return 0 if passed else 1
