"""The headings of options in `--help`, in their order; each takes the fields of a group of options as options."""

from cyclopts import Group, Parameter


def _heading(title: str) -> Parameter:
    return Parameter(name="*", group=Group.create_ordered(title))


INPUT = _heading("Input")
JUDGING = _heading("Judges")
MODELS = _heading("Models")
SPLITS = _heading("Procedure")
REQUIREMENTS = _heading("Requirements")
NOISE = _heading("Noise")
HARD = _heading("Noise by features")
EXPERT = _heading("Expert")
DECISION = _heading("Decision")
MEASURES = _heading("Measures")
SCORES = _heading("Scores")
REFERENCE = _heading("Labelled reference")
TRAINING = _heading("Training")
INTERVALS = _heading("Intervals")
LABELS = _heading("Wrong labels")
ANNOTATORS = _heading("Annotators instead of labels")
JUDGES = _heading("Options of single judges")
MISTAKES = _heading("Mistakes")
PREDICTIONS = _heading("Predictions")
ANSWERS = _heading("Missing answers")
LOGS = _heading("Evaluation logs")
PLAN = _heading("Plan")
GOALS = _heading("Goals")
STOPPING = _heading("Stopping")
POLICY = _heading("Policy")
TRANSFER = _heading("Forgetting and transfer")
ADAPTATION = _heading("Adaptation")
OUTPUT = _heading("Output")
DOSSIER = Parameter(group=Group.create_ordered("Dossier"))
