"""One round of a tournament: all judges decide all pairs by one version of the labels and one measure."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.all_pairs import AllPairs, PairTable, shares
from justesse.core.arrays import Array
from justesse.frames.entrant_codes import Entrants
from justesse.frames.pair_disagreements import count_disagreements
from justesse.frames.pairwise import count_all_pairs
from justesse.judges import judge_named
from justesse.judges.entrant import Entrant, Scene
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity
from justesse.judges.tournament import REFERENCES, rate_estimates
from justesse.verbs.noise.label_versions import LabelVersion
from justesse.verbs.tournament.result import AGAINST, JudgeResult, Round


def played_round(
    entrants: Entrants,
    version: LabelVersion,
    asked: Quantity,
    judging: Sequence[Entrant],
    rule: Rule,
    report: Callable[[int], None],
) -> Round:
    """Let every judge decide all pairs by one version of the labels and one measure.

    Parameters
    ----------
    entrants
        Answers of the classifiers.
    version
        The labels.
    asked
        The measure.
    judging
        The judges.
    rule
        Level, margin and alternative.
    report
        Called with the number of steps done.
    """
    scene = _scene(entrants, version, asked, rule)
    pairs = scene.pairs
    reference = judge_named("reference")
    references = {form: reference.decide_many(pairs, rule, form=form) for form in REFERENCES}
    report(1)
    judged = []
    for done, entrant in enumerate(judging, 2):
        decisions = entrant.decide(scene)
        rates = {
            form: rate_estimates(decisions.replaces, right, pairs.true_difference, level=rule.level)
            for form, right in references.items()
        }
        against = {form: {name: own[name] for name in AGAINST} for form, own in rates.items()}
        worse = rates["paired"]["worse_accepted"]
        judged.append(
            JudgeResult(entrant.name, entrant.settings, decisions.replaces, against, worse, decisions.answers)
        )
        report(done)
    return Round(version, asked, _values(pairs, true=True), _values(pairs, true=False), references, tuple(judged))


def _scene(entrants: Entrants, version: LabelVersion, asked: Quantity, rule: Rule) -> Scene:
    """Count what the judges look at; what only some of them need is counted when they ask for it."""
    about: dict[str, Any] = {"measure": asked.name, "at": asked.at}
    by_truth = entrants.judged_by(entrants.true_column)
    if entrants.judged:  # labels and true classes judge apart, so there is no table of the two
        truth = count_all_pairs(entrants.true, by_truth, **about).labels
        pairs = replace(count_all_pairs(version.labels, version.answers, **about), true=truth)
    else:
        pairs = count_all_pairs(version.labels, entrants.answers, true=entrants.true, **about)

    def count(labels: Array, rows: Array) -> PairTable:
        return count_all_pairs(labels[rows], np.compress(rows, version.answers, axis=1), **about).labels

    def disagreements() -> Array:
        return count_disagreements(version.answers == version.labels, by_truth == entrants.true, entrants.answers)

    return Scene(
        pairs=pairs,
        rule=rule,
        labels=version.labels,
        true=entrants.true,
        answers=entrants.answers,
        classes=len(entrants.classes),
        difficulty=version.difficulty if entrants.difficulty is None else entrants.difficulty,
        count=count,
        count_disagreements=disagreements,
    )


def _values(pairs: AllPairs, *, true: bool) -> Array:
    """Compute the measure of every classifier, against the true classes or the labels."""
    counted = shares(pairs.need("true", "the true classes") if true else pairs.labels, pairs.measure)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(counted.incumbent_right, dtype=float) / np.asarray(counted.incumbent_of)
    return np.diagonal(values).copy()
