"""A tournament on the terminal."""

from justesse.cli.output import console, table
from justesse.core.results import Estimate
from justesse.verbs.tournament.result import ASSUMPTIONS, REFERENCES, Tournament

MOST = 60


def show_tournament(found: Tournament) -> None:
    """Print it: the answer first, then the rates against each reference, then what to be careful about."""
    screen = console()
    screen.print(found.headline + "\n", style="bold")
    rows = [(held, one) for held in found.rounds for one in held.judged]
    heads = ("type I, %", "type II, %", "agreement, %", "truly worse accepted, %")
    for reference, words in REFERENCES.items():
        screen.print(f"Reference: {words}", style="bold")
        shown = table("", "judge", *heads)
        shown.title = None
        before = None
        for held, one in rows[:MOST]:
            if len(found.rounds) > 1 and held is not before:
                shown.add_row(f"· {found.title_of(held)}", *[""] * len(heads), style="bold")
                before = held
            shown.add_row(one.name, *map(_cell, one.rates(reference).values()))
        screen.print(shown)
    if len(rows) > MOST:
        screen.print(f"The first {MOST} of {len(rows):,} rows; --json and -o have all.")
    for held, one in rows[:MOST]:
        if asked := one.asked:
            where = f" ({found.title_of(held)})" if len(found.rounds) > 1 else ""
            said = f"{asked['mean']:.1f} answers a pair on average, {asked['median']:.0f} in the median"
            screen.print(f"{one.name}{where}: {said}, {asked['most']:.0f} at most.")
    for warning in found.warnings:
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(ASSUMPTIONS)}. Seed {found.rule.seed}.", style="dim")


def _cell(one: Estimate) -> str:
    if one.interval is None:
        return "undefined"
    return f"{100 * one.value:.2f} ({100 * one.interval.low:.1f}–{100 * one.interval.high:.1f})"
