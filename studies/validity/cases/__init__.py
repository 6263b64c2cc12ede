"""The registry of docs/validity.md: every interval and every test that is measured, one family per file.

To add an interval or a test to the page, add a `Setting` to its family and run `python -m studies.validity FAMILY`. Until
then the page lists it as not measured yet.
"""

from studies.validity.case import Setting
from studies.validity.cases import (
    annotator_shares,
    annotators,
    answer_fits,
    answers,
    audit_rules,
    audits,
    by_hand,
    checked_items,
    checks,
    cleaned_training,
    cleaning,
    clustered_measures,
    clusters,
    copies,
    drifting,
    experts,
    few_labels,
    fitted,
    judging,
    label_noise,
    learning_costs,
    lifelong,
    measured_audits,
    model_rates,
    noise_rates,
    noise_tables,
    numbers,
    online,
    online_events,
    over_folds,
    peers,
    penalised,
    policy_audits,
    same_rows,
    scores,
    searches,
    shares,
    shifted,
    streams,
    tables,
    unlabelled,
    weights,
)

FAMILIES = (
    *(by_hand, shares, tables, weights, clusters, clustered_measures, scores, numbers),
    *(same_rows, over_folds, judging, audits, audit_rules, label_noise, noise_rates, noise_tables, checks, copies),
    drifting,
    *(experts, measured_audits, model_rates, policy_audits),
    *(unlabelled, shifted),
    few_labels,
    *(cleaning, cleaned_training),
    *(
        annotators,
        annotator_shares,
        answer_fits,
        answers,
        checked_items,
        fitted,
        searches,
        online,
        online_events,
        lifelong,
        penalised,
        streams,
        learning_costs,
        peers,
    ),
)
ALL: tuple[Setting, ...] = tuple(setting for family in FAMILIES for setting in family.SETTINGS)
PARTS = tuple(dict.fromkeys(setting.part for setting in ALL))
