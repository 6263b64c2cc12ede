"""GLAD: how able an annotator is times how easy an item is."""

import numpy as np
from scipy.special import expit, log_expit

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import Support
from justesse.core.annotations import Annotations

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class and the difficulty of an item",
    "an annotator is right with chance 1 / (1 + exp(-ability · easiness)), and all wrong classes are equally likely",
)
ROUNDS, LONGEST = 3, 1.0  # Newton's steps in each iteration of EM, and the longest of them


def glad(annotations: Annotations, *, most: int = 50, tolerance: float = 1e-6) -> Consensus:
    """Fit Whitehill et al.'s model by EM; ability and log easiness have normal priors with mean 1 and spread 1.

    All classes are equally likely beforehand. `ability` is negative for an annotator who misleads. Items with few
    answers keep an easiness near that of the prior.

    Whitehill, Wu, Bergsma, Movellan & Ruvolo, Whose vote should count more, NeurIPS 2009.

    >>> lines = ["xxx", "yyx", "xxx", "yyx", "zzx", "zzz", "xyx", "zzx"]
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> fit = glad(Annotations.of(rows))
    >>> bool(fit.extra["ability"][2] < fit.extra["ability"][0])
    True
    """
    support = Support.of(annotations)
    k, people, items = max(annotations.n_classes, 2), annotations.n_annotators, annotations.n_items
    who, item = annotations.annotator, annotations.item
    ability, log_easy = np.ones(people), np.ones(items)
    easy = np.exp(log_easy)
    shares = support.vote_shares()
    before, objective, doubt, iteration, converged = -np.inf, -np.inf, 0.0, 0, False
    while iteration < most and not converged:
        iteration += 1
        right = shares[support.own]
        for _ in range(ROUNDS):  # given one side, every parameter of the other is a problem of its own: Newton's steps
            product = ability[who] * easy[item]
            chance = expit(product)
            slope = np.bincount(who, weights=(right - chance) * easy[item], minlength=people) - (ability - 1)
            bend = np.bincount(who, weights=chance * (1 - chance) * easy[item] ** 2, minlength=people) + 1
            ability = ability + np.clip(slope / bend, -LONGEST, LONGEST)
            product = ability[who] * easy[item]
            chance = expit(product)
            slope = np.bincount(item, weights=(right - chance) * product, minlength=items) - (log_easy - 1)
            bend = np.bincount(item, weights=chance * (1 - chance) * product**2, minlength=items) + 1
            log_easy = np.clip(log_easy + np.clip(slope / bend, -LONGEST, LONGEST), -20, 20)
            easy = np.exp(log_easy)
        product = ability[who] * easy[item]
        off = log_expit(-product) - np.log(k - 1)
        logs = support.totals(off) + support.at_own(log_expit(product) - off)
        shares, evidence = support.normalised(logs - np.log(k))
        doubt = 0.5 * float(((ability - 1) ** 2).sum() + ((log_easy - 1) ** 2).sum())
        objective = float(evidence.sum()) - doubt
        converged = abs(objective - before) <= tolerance * max(items, 1)
        before = objective
    proportions = support.per_class(shares) / items
    likelihood = objective + doubt
    return Consensus(
        "glad",
        support,
        shares,
        proportions,
        log_likelihood=likelihood,
        iterations=iteration,
        converged=converged,
        assumptions=ASSUMPTIONS,
        warnings=() if converged else (f"EM stopped after {most} iterations: probabilities may change.",),
        extra={"ability": ability, "easiness": easy},
    )
