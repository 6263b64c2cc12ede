"""An assessment on the terminal."""

from collections.abc import Sequence

from justesse.cli.output import console, short, table
from justesse.judges.words import p_words
from justesse.verbs.assess.assessment import Assessment
from justesse.verbs.assess.words import bootstrap_rows, choice_words, class_rows, model_rows, pair_rows


def show_assessment(found: Assessment) -> None:
    """Print it."""
    screen = console()

    def show(title: str, rows: Sequence[Sequence[str]]) -> None:
        head, *body = rows
        made = table("", *head)
        made.title = None
        for row in body:
            made.add_row(short(row[0]), *row[1:])
        screen.print(title, style="bold")
        screen.print(made)

    screen.print(found.headline + "\n", style="bold")
    show("On rows not trained on", model_rows(found))
    show(f"Each class, by {found.best}", class_rows(found, found.best))
    if found.bootstrap:
        show("Error by the bootstrap", bootstrap_rows(found))
    if found.pairs:
        show("Which is better", pair_rows(found))
    if found.anova:
        screen.print(f"That all are alike: analysis of variance, blocked by split, p {p_words(found.anova.pvalue)}.\n")
    for name in found.ranked:
        screen.print(f"{name}: {found.scored[name].words}")
    for words in (*choice_words(found), *(f"{name}: {one.words}" for name, one in found.curves.items())):
        screen.print(f"\n{words}")
    screen.print()
    for warning in found.remarks:
        screen.print(f"! {warning}", style="yellow")
    screen.print(f"Assumes that {'; '.join(found.assumptions)}. Seed {found.plan.seed}.", style="dim")
