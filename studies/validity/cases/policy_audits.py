"""Audits of two systems under a policy, looked at after every answer: rows of a heavy period count many times more."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.judges.audit_payoffs import payoffs
from justesse.judges.measured_audit import plan_measured_audit
from justesse.lifelong.policy import Policy
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED, BOUNDS, REPLACES
from studies.validity.cases.measured_audits import CLASSES, followed_audits

Run = Callable[[int, int], Mapping[str, Hits]]
SIZES = (120, 80, 60, 40)  # items of each period
LABELS = {"right": "right labels", "candidate": "all disputed labels favour the candidate", "random": "random labels"}


def _items(policy: Policy, labels: str, rng: np.random.Generator) -> tuple[Array, ...]:
    """Draw items of four periods; the candidate is as good under the policy, or worse by less than one item."""
    period = np.repeat(np.arange(len(SIZES)), SIZES)
    weights = (policy.weights([str(at) for at in range(len(SIZES))]) / np.array(SIZES))[period]
    true = rng.integers(0, 3, len(period))
    old, new = (np.where(rng.random(len(period)) < 0.75, true, rng.integers(0, 3, len(period))) for _ in range(2))
    # items that the candidate alone gets right are given back, the heaviest first, until it is no better
    for at in np.argsort(-weights, kind="stable"):
        lead = float(weights @ ((new == true).astype(float) - (old == true)))
        if lead > 1e-12 and new[at] == true[at] != old[at] and weights[at] <= lead + weights.min():
            old[at] = true[at]
    while weights @ ((new == true).astype(float) - (old == true)) > 1e-12:
        at = rng.choice(np.flatnonzero((new == true) & (old != true)))
        old[at] = true[at]
    label = {"right": true, "candidate": np.where(old != new, new, true), "random": rng.integers(0, 3, len(true))}[
        labels
    ]
    return label, old, new, true, weights


def _audited(policy: str, labels: str, alternative: str) -> Run:
    """Follow audits of candidates that are no better under a policy."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "policy audits", policy, labels, alternative)
        replaced = missed = 0
        datasets = min(5, repetitions)
        for _ in range(datasets):
            label, old, new, true, weights = _items(Policy.parse(policy), labels, rng)
            cells = np.stack([label, old, new, np.ones_like(label)], -1)
            gains = payoffs("accuracy", CLASSES, cells)
            plan = plan_measured_audit(
                gains,
                label,
                old,
                new,
                n=len(label),
                weights=weights * len(label),
                alternative=alternative,
                futility=False,
            )
            results = followed_audits(plan, true, repetitions // datasets, rng)
            replaced, missed = replaced + int(results[0].sum()), missed + int(results[1].sum())
        total = repetitions // datasets * datasets
        if alternative == "greater":
            return {REPLACES: Hits(replaced, total, 0, ("betting",))}
        return {BOUNDS: Hits(total - missed, total, 0, ("betting",))}

    return run


SETTINGS = (
    *(
        Setting("audits", f"policy {policy}, candidate no better, {words}", sum(SIZES), (Case(REPLACES, "size", AUDITED),), _audited(policy, labels, "greater"))
        for policy in ("recent", "past", "window:1")
        for labels, words in LABELS.items()
    ),
    *(
        Setting("audits", f"policy {policy}, candidate no better, {LABELS['candidate']}, at all looks together", sum(SIZES), (Case(BOUNDS, about=AUDITED),), _audited(policy, "candidate", "two-sided"))
        for policy in ("recent", "past")
    ),
)  # fmt: skip
