"""How a baseline is called in a table."""

from justesse.procedures.baselines import Baseline
from justesse.report.writing import message

TITLES = {"frequency": "random, by class frequency", "uniform": "random, uniform"}


def baseline_title(baseline: Baseline) -> str:
    """Name what a baseline predicts.

    >>> baseline_title(Baseline("majority", "cat", ())), baseline_title(Baseline("uniform", None, ()))
    ("always 'cat'", 'random, uniform')
    """
    if baseline.name == "majority":
        return str(message("always {name:name}", name=baseline.class_name))
    return TITLES[baseline.name]
