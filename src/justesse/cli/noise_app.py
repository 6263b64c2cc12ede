"""The parts of `justesse noise` hang on this."""

from cyclopts import App

app = App(
    name="noise", help="Wrong labels: what they do, how many there are, how to make them.", help_format="plaintext"
)
