"""A comparison of fold scores on the terminal."""

import math

from justesse.cli.compare_view import STYLES
from justesse.cli.output import console, table
from justesse.core.results import Interval
from justesse.judges.words import p_words
from justesse.verbs.fold_comparison import FoldComparison


def show_folds(found: FoldComparison) -> None:
    """Print it."""
    screen = console()
    screen.print(found.title, style=STYLES[found.verdict.decision])
    screen.print(found.headline + "\n")
    better = "lower is better" if found.lower_is_better else "higher is better"
    k, test = len(found.scores[found.incumbent]), found.verdict.outcome.test
    level = f"{100 * found.each_level:.4g} % interval"
    shown = table(
        f"Mean {found.measure} over {k} folds ({better}); incumbent: {found.incumbent}",
        "candidate", "its mean", "incumbent's", "difference", level, f"{test} p", "p (Holm)", "verdict",
    )  # fmt: skip
    for one, p in zip(found.verdicts, found.adjusted_pvalues, strict=True):
        shown.add_row(
            one.name,
            f"{one.candidate.value:.4f}",
            f"{one.incumbent.value:.4f}",
            f"{one.difference.value:+.4f}",
            _ends(one.difference.interval),
            p_words(one.outcome.pvalue),
            p_words(p),
            one.decision,
        )
    tables, together = [shown], ""
    if found.anova and not found.friedman:
        corrected = "corrected for shared training rows, " if "corrected" in found.anova.test else ""
        together = (
            f"All {len(found.scores)} together: analysis of variance, {corrected}p {p_words(found.anova.pvalue)}."
        )
    if found.friedman and found.nemenyi and found.anova:
        tests = f"ANOVA p-value {p_words(found.anova.pvalue)}, Friedman {p_words(found.friedman.f_pvalue)}"
        apart = f"{found.nemenyi.critical_difference:.2f}"
        ranks = table(
            f"All {len(found.scores)} together: {tests}; mean ranks closer than {apart} cannot be told apart",
            "model", "mean rank",
        )  # fmt: skip
        for name, rank in sorted(zip(found.friedman.names, found.friedman.ranks, strict=True), key=lambda one: one[1]):
            ranks.add_row(name, f"{rank:.2f}")
        tables.append(ranks)
    for one_table in tables:
        screen.print(one_table.title, style="bold")
        one_table.title = None
        screen.print(one_table)
    if together:
        screen.print(together)
    for warning in found.warnings:
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(found.verdict.assumptions)}. Seed {found.seed}.", style="dim")


def _ends(interval: Interval | None) -> str:
    if interval is None:
        return "–"
    return " to ".join(f"{end:+.4f}" if math.isfinite(end) else "…" for end in (interval.low, interval.high))
