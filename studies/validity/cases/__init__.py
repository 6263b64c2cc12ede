"""The registry of docs/validity.md: every interval and every test that is measured, one family per file.

To add an interval or a test to the page, add a `Setting` to its family and run `python -m studies.validity FAMILY`. What
is not measured yet is in `NOT_YET`, with the reason, and is shown on the page.
"""

from studies.validity.case import Setting
from studies.validity.cases import (
    audits,
    by_hand,
    checks,
    fitted,
    judging,
    label_noise,
    numbers,
    over_folds,
    peers,
    same_rows,
    scores,
    shares,
    tables,
    weights,
)

FAMILIES = (
    *(by_hand, shares, tables, weights, scores, numbers),
    *(same_rows, over_folds, judging, audits, label_noise, checks, fitted, peers),
)
ALL: tuple[Setting, ...] = tuple(setting for family in FAMILIES for setting in family.SETTINGS)
PARTS = tuple(dict.fromkeys(setting.part for setting in ALL))
MODELS = "It needs fitted models; `make validity-models` measures it, which takes an hour or more. The section Procedures has small runs."
TO_RUN = "Its simulation is in the registry and was not run yet."
NOT_YET: dict[str, str] = {
    "interval:bootstrap-out-of-bag": TO_RUN,
    "interval:bootstrap-studentised": TO_RUN,
    "interval:bootstrap-delta": MODELS,
    "interval:bootstrap-of-splits": MODELS,
    "interval:delong": "No result has it by default; `justesse.intervals.delong` offers it.",
    "interval:wilson, finite population": "Its simulation is not in the registry yet.",
    "interval:log-cr2": "It needs fitted models and grouped rows.",
    "p-value:annotator_bias": "It needs fitted models and annotated rows.",
    "p-value:disjoint": "The section Copies between training and test has its false alarms, from few repetitions.",
    "p-value:model_pairs": "It adjusts the tests over folds by Holm; the tests themselves are measured.",
    "p-value:shared_limit": MODELS,
    "optimism of nested cross-validation": MODELS,
    "ranges of Lam and Stork, bounds from a rate": "Only the interval of a known rate is measured.",
    "MCC, kappa and cost after inverting a transition table": "Only accuracy, precision, recall and macro F1 are measured.",
    "F_c, F_n and F_r of each class": "Only the overall shares are measured.",
    "suspected rows and given-up audits": "The section Audits has them, from few repetitions.",
    "p-value and population bounds of an audit": "Decisions, and bounds about the test set, are measured.",
}
