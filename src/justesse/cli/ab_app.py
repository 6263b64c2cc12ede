"""The parts of `justesse ab` are added to this."""

from cyclopts import App

app = App(
    name="ab",
    help="Decide whether a variant should replace the incumbent, from outcomes over time; one may look at any time.",
    help_format="plaintext",
)
