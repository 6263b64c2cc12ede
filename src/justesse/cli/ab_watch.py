"""`justesse ab watch`: the interval drawn again in the terminal whenever events come."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Annotated, Any

from justesse.cli.groups import DECISION, INPUT, INTERVALS, STOPPING
from justesse.cli.output import console, listed, say
from justesse.verbs.ab.options import EventOptions, OnlineOptions, TrafficOptions, WatchOptions
from justesse.verbs.options.intervals import ConfidenceOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from justesse.verbs.ab.result import OnlineComparison

WAITING = "Waiting for events of two variants."
MORE = "Waiting for more events; Ctrl-C ends."


def watch(
    source: str,
    /,
    *,
    looking: Annotated[WatchOptions, STOPPING] = WatchOptions(),
    columns: Annotated[EventOptions, INPUT] = EventOptions(),
    decision: Annotated[OnlineOptions, DECISION] = OnlineOptions(),
    traffic: Annotated[TrafficOptions, DECISION] = TrafficOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
) -> int:
    """Draw the interval of the difference whenever events come; Ctrl-C ends it.

    In a pipe it prints one line for each change. Exit code 0: the verdict is replace when it ends; 1: it is not, or not
    yet; 2: bad input.

    For example:

      justesse ab watch my.ab --until-decided

      justesse ab watch events.csv --incumbent old --seconds 3600

    Parameters
    ----------
    source
        Event file made by justesse ab start, or a file to which events are appended.
    """
    from justesse.verbs.ab.watch import ab_watch, decided

    options = {
        name: value
        for group in (columns, decision, traffic, intervals)
        for name, value in asdict(group).items()
        if value != {field.name: field.default for field in fields(group)}[name]
    }
    if columns.candidate:
        options["candidate"] = listed(columns.candidate)
    last: OnlineComparison | None = None
    with _shown() as show:
        try:
            for result in ab_watch(source, **asdict(looking), **options):
                last = result or last
                show(result, not (looking.until_decided and result is not None and decided(result)))
        except KeyboardInterrupt:  # the usual way to end it
            pass
    return 0 if last is not None and last.passes() else 1


@contextmanager
def _shown() -> "Iterator[Callable[[OnlineComparison | None, bool], None]]":
    """Give what shows a comparison, and whether it waits for more: drawn in place on a terminal, lines elsewhere."""
    from justesse.verbs.ab.frame import frame, line

    screen = console()
    if not screen.is_terminal:
        waits: list[bool] = []

        def printed(result: "OnlineComparison | None", more: bool) -> None:
            say(WAITING if result is None else line(result))
            if more and result is not None and not waits:
                waits.append(True)
                say(MORE, to_errors=True)  # once, and apart from the results

        yield printed
        return
    from rich.live import Live
    from rich.text import Text

    def drawn(result: "OnlineComparison | None", more: bool) -> Any:
        rows = max(min(screen.height - 7, 14), 3)
        lines = [WAITING] if result is None else [*frame(result, screen.width, rows), *([MORE] if more else [])]
        return Text("\n".join(lines), no_wrap=True, overflow="crop")

    with Live(console=screen, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:
        yield lambda result, more: live.update(drawn(result, more), refresh=True)
    say("")
