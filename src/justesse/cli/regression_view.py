"""A regression on the terminal."""

import math
from pathlib import Path

from justesse.cli.output import console, table
from justesse.verbs.regression import RegressionEvaluation, ends_words


def show_regression(found: RegressionEvaluation, output: Path | None) -> None:
    """Print it: the answer first, then the tables, then what to be careful about."""
    screen = console()
    screen.print(found.headline + "\n", style="bold")
    measures = table("", "measure", "value", f"{100 * found.confidence.level:g} % interval", "n")
    for one in found.estimates:
        value = "undefined" if math.isnan(one.value) else f"{one.value:.6g}"
        measures.add_row(one.name, value, ends_words(one) if one.interval else "–", f"{one.n:,.0f}")
    naive = table("", "baseline", "prediction", "mse", "rmse", "mae")
    for guess in found.baselines:
        shown = "any" if math.isnan(guess.prediction) else f"{guess.prediction:.6g}"
        naive.add_row(guess.name, shown, *(f"{value:.6g}" for value in (guess.mse, guess.rmse, guess.mae)))
    for one_table in (measures, naive):
        one_table.title = None
        screen.print(one_table)
    for one in found.estimates:
        if one.undefined:
            screen.print(f"! {one.name}: {one.undefined}.", style="yellow")
    for warning in found.warnings:
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(found.assumptions)}. Seed {found.confidence.seed}.", style="dim")
    if output:
        screen.print(f"All measures are in {output}.")
