"""The headings of options in `--help`, in their order; each takes the fields of a group of options as options."""

from cyclopts import Group, Parameter


def _heading(title: str) -> Parameter:
    return Parameter(name="*", group=Group.create_ordered(title))


INPUT = _heading("Input")
DECISION = _heading("Decision")
MEASURES = _heading("Measures")
SCORES = _heading("Scores")
INTERVALS = _heading("Intervals")
LABELS = _heading("Wrong labels")
JUDGES = _heading("Options of single judges")
ANSWERS = _heading("Missing answers")
PLAN = _heading("Plan")
OUTPUT = _heading("Output")
