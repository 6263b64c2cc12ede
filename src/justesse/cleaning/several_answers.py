"""Several annotators' answers: rows whose label is improbable by a model of the annotators."""

import numpy as np

from justesse.cleaning.evidence import LabelEvidence, check_share
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import NO_CLASS, Suspicion


def look(evidence: LabelEvidence, *, at_least: float = 0.0) -> Suspicion:
    """Flag a row if its label is not the most probable class by Dawid and Skene's model of the annotators.

        P(wrong) = 1 - P(true class = label | answers, confusion table of each annotator)
        flagged if another class is more probable and P(wrong) >= at_least

    A row without answers is not flagged. Annotators who err together, or repeat each other, are taken at their word:
    see `annotators infer`. Dawid and Skene (1979).

    >>> from justesse.core.annotations import Annotations
    >>> votes = [(i, who, "a" if i < 3 else "b") for i in range(6) for who in ("ann", "bob", "cid")]
    >>> labels = np.array([0, 0, 1, 1, 1, 1])
    >>> look(LabelEvidence(labels, ("a", "b"), answers=Annotations.of(votes))).flagged.tolist()
    [False, False, True, False, False, False]
    """
    from justesse.annotators.dawid_skene import dawid_skene

    check_share("at_least", at_least)
    notes = evidence.answers
    assert notes is not None
    fit = dawid_skene(notes, prior=0.5)
    shares = np.full((evidence.n, len(evidence.classes)), np.nan)
    items = np.asarray(notes.items, dtype=np.int64)
    columns = [evidence.classes.index(name) for name in notes.classes]
    shares[items[:, None], np.array(columns)[None, :]] = fit.dense()
    shares = np.where(np.isnan(shares).all(axis=1, keepdims=True), np.nan, np.nan_to_num(shares))
    answered = np.zeros(evidence.n, dtype=bool)
    answered[items[notes.per_item > 0]] = True
    even = np.where(answered[:, None], shares, 1 / shares.shape[1])
    own, best = evidence.own(even), np.asarray(even.argmax(axis=1))
    flagged = answered & (own < even[np.arange(evidence.n), best]) & (1 - own >= at_least)
    number = np.zeros(evidence.n, dtype=np.int64)
    number[items] = notes.per_item

    def reason(row: int) -> str:
        if not answered[row]:
            return "No annotator answered this row."
        names, label = evidence.classes, evidence.labels[row]
        return (
            f"By {number[row]} answers {names[best[row]]} has probability {even[row, best[row]]:.3g}, "
            f"{names[label]} {own[row]:.3g}."
        )

    wrong = np.where(answered, np.clip(1 - own, 0, 1), np.nan)
    score = np.where(answered, np.clip(1 - own, 0, 1), 0.0)
    suggested = np.where(flagged, best, np.where(answered, evidence.labels, NO_CLASS))
    facts = {"answered": int(answered.sum()), "annotators": notes.n_annotators}
    return Suspicion(score, flagged, suggested, reason, even, wrong, facts, fit.warnings)


SEVERAL_ANSWERS = Filter(
    "answers",
    "Answers of several annotators",
    "Flags a row whose label is not the most probable class by a model of several annotators.",
    ("answers",),
    look,
    "Dawid and Skene (1979)",
    "Annotators err together or repeat each other: they then count as several opinions.",
    {"at_least": "probability of a wrong label from which a row is flagged"},
)
