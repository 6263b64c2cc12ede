"""Model complexity: rows for which decision trees need a leaf of their own."""

import numpy as np

from justesse.cleaning.evidence import LabelEvidence, check_share
from justesse.cleaning.filter import Filter
from justesse.cleaning.suspicion import Suspicion
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import stream


def look(evidence: LabelEvidence, *, trees: int = 50, more_than: float = 0.5) -> Suspicion:
    """Grow trees to purity on random halves; flag a row if most trees that saw it gave it a leaf of its own.

        score = share of trees trained on the row whose leaf for it holds no other training row
        flagged if score > more_than, and trees not trained on the row predict another class

    Without the row such a tree is one leaf smaller: the row makes the description of the classes more complex and
    explains nothing else. Real exceptions do the same, so flagged rows may be the interesting ones. Gamberger, Lavrač
    and Džeroski (2000) test all subsets of rows instead, which takes far longer; thesis 3.4.2.

    >>> x = np.r_[np.linspace(0, 1, 20), np.linspace(2, 3, 20)][:, None]
    >>> labels = np.repeat([0, 1], 20)
    >>> labels[5] = 1
    >>> np.flatnonzero(look(LabelEvidence(labels, ("a", "b"), features=x)).flagged).tolist()
    [5]
    """
    from sklearn.tree import DecisionTreeClassifier

    if trees < 2:
        raise OptionError(f"trees must be 2 or more; got {trees!r}.")
    check_share("more_than", more_than)
    if evidence.n < 4:
        raise InputError(f"Trees on halves need at least 4 rows; got {evidence.n}.")
    values = np.asarray(evidence.features, dtype=np.float32)
    random = stream(evidence.seed, "complexity filter")
    seen, alone = np.zeros(evidence.n), np.zeros(evidence.n)
    votes = np.zeros((evidence.n, len(evidence.classes)))
    for _ in range(trees):
        half = np.zeros(evidence.n, dtype=bool)
        half[random.permutation(evidence.n)[: evidence.n // 2]] = True
        tree = DecisionTreeClassifier(max_features="sqrt", random_state=int(random.integers(2**31)))
        tree.fit(values[half], evidence.labels[half])
        leaves = tree.apply(values[half])
        size = np.bincount(leaves)
        seen[half] += 1
        alone[half] += size[leaves] == 1
        others = np.flatnonzero(~half)
        np.add.at(votes, (others, tree.predict(values[others]).astype(np.int64)), 1.0)
    score = alone / np.maximum(seen, 1)
    asked = votes.sum(axis=1, keepdims=True)
    shares = np.where(asked > 0, votes / np.maximum(asked, 1), 1 / votes.shape[1])
    best = np.asarray(shares.argmax(axis=1))
    flagged = (score > more_than) & (best != evidence.labels)

    def reason(row: int) -> str:
        return (
            f"{alone[row]:.0f} of {seen[row]:.0f} trees need a leaf for this row alone; trees without it predict "
            f"{evidence.classes[best[row]]}."
        )

    return Suspicion(score, flagged, np.where(flagged, best, evidence.labels), reason, shares, facts={"trees": trees})


COMPLEXITY = Filter(
    "complexity",
    "Model complexity",
    "Flags a row for which most decision trees need a leaf of its own, against their prediction without it.",
    ("features",),
    look,
    "Gamberger, Lavrač and Džeroski (2000)",
    "Real exceptions matter: they need a leaf of their own as wrong labels do.",
    {
        "trees": "number of trees",
        "more_than": "share of trees with a leaf for the row alone, above which it is flagged",
    },
)
