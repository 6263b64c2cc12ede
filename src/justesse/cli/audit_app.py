"""The parts of `justesse audit` are added to this."""

from cyclopts import App

app = App(
    name="audit",
    help="Ask an expert about rows on which classifiers disagree, until the verdict is sure.",
    help_format="plaintext",
)
