"""The parts of `justesse noise` are commands of this."""

from cyclopts import App

app = App(
    name="noise",
    help="Wrong labels: how many there are, what they do to a measure, how to simulate them.",
    help_format="plaintext",
)
