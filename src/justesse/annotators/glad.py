"""GLAD: how able an annotator is times how easy an item is."""

import numpy as np
from scipy.special import expit, log_expit

from justesse.annotators.consensus import Consensus
from justesse.annotators.support import Support
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray

ASSUMPTIONS = (
    "annotators err independently of each other, given the true class and the difficulty of an item",
    "an annotator is right with chance 1 / (1 + exp(-ability · easiness)), and all wrong classes are equally likely",
)


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
    from scipy.optimize import minimize

    support = Support.of(annotations)
    k, people, items = max(annotations.n_classes, 2), annotations.n_annotators, annotations.n_items
    who, item = annotations.annotator, annotations.item
    parameters = np.ones(people + items)
    shares = support.vote_shares()
    before, objective, iteration, converged = -np.inf, -np.inf, 0, False
    while iteration < most and not converged:
        iteration += 1
        right = shares[support.own]

        def loss(values: FloatArray, right: FloatArray = right) -> tuple[float, FloatArray]:
            ability, easy = values[:people], np.exp(np.clip(values[people:], -20, 20))
            product = ability[who] * easy[item]
            gained = right * log_expit(product) + (1 - right) * log_expit(-product)
            slope = right - expit(product)
            gradient = np.concatenate(
                [
                    np.bincount(who, weights=slope * easy[item], minlength=people),
                    np.bincount(item, weights=slope * product, minlength=items),
                ]
            )
            return -float(gained.sum()) + 0.5 * float(((values - 1) ** 2).sum()), values - 1 - gradient

        parameters = minimize(loss, parameters, jac=True, method="L-BFGS-B", options={"maxiter": 10}).x
        product = parameters[:people][who] * np.exp(np.clip(parameters[people:], -20, 20))[item]
        off = log_expit(-product) - np.log(k - 1)
        logs = support.totals(off) + support.at_own(log_expit(product) - off)
        shares, evidence = support.normalised(logs - np.log(k))
        objective = float(evidence.sum()) - 0.5 * float(((parameters - 1) ** 2).sum())
        converged = abs(objective - before) <= tolerance * max(items, 1)
        before = objective
    proportions = support.per_class(shares) / items
    likelihood = objective + 0.5 * float(((parameters - 1) ** 2).sum())
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
        extra={"ability": parameters[:people], "easiness": np.exp(parameters[people:])},
    )
