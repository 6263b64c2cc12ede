"""Every reference for every pair of networks, and the error rates of triples and fours, against the true classes."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.seeds import stream
from justesse.intervals.agreement_errors import agreement_errors
from justesse.intervals.agreement_model import abilities, contrasts, errors_of
from justesse.intervals.wilson import wilson
from justesse.significance.agreement_fit import agreement_fit
from justesse.significance.paired_difference import paired_difference
from studies.data import data_file

Floats = NDArray[np.float64]
EXPECTED = Path(__file__).with_name("expected.csv")
NOT_NETWORKS = ("id", "label", "true", "true_share")
FOURS, TRIPLES, DRAWS, LABELLED = 1000, 300, 200, 500
# networks of one family by the beginning of their names
FAMILIES = ("random_features", "resnet", "pyramidnet", "resnext", "shake", "vgg", "wrn", "wide_resnet")


@dataclass(frozen=True, eq=False)
class Networks:
    """Names, classes, answers (network × image) and the true class of each image."""

    names: tuple[str, ...]
    classes: tuple[str, ...]
    answers: NDArray[np.int64]
    true: NDArray[np.int64]

    @classmethod
    def read(cls) -> "Networks":
        table = pq.read_table(data_file("cifar10/predictions.parquet"))
        names = tuple(name for name in table.column_names if name not in NOT_NETWORKS)
        true = np.array(table["true"].to_pylist())
        classes, codes = np.unique(true, return_inverse=True)
        answers = np.stack([np.searchsorted(classes, table[name].to_pylist()) for name in names])
        return cls(names, tuple(classes.tolist()), answers, codes)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        return np.asarray(self.answers != self.true)

    def patterns(self, members: tuple[int, ...]) -> AnswerPatterns:
        """Count the answers of some networks."""
        return AnswerPatterns.from_codes(
            [self.names[at] for at in members], self.classes, self.answers[list(members)].T
        )

    def family(self, at: int) -> str:
        """Name the family of a network; one of its own if it has no relatives."""
        return next((name for name in FAMILIES if self.names[at].startswith(name)), self.names[at])


@dataclass(frozen=True, eq=False)
class Judged:
    """One row for each pair and reference: what the reference says and what is true."""

    says: NDArray[np.int64]  # 1: the second is better, -1: the first, 0: cannot tell
    truth: NDArray[np.int64]  # the same by the paired interval on the true classes
    tolerated: Floats
    dependence: Floats
    kin: NDArray[np.bool_]  # whether the reference is of the family of one of the two, and not of the other's


def judged(networks: Networks) -> Judged:
    """Judge every pair by every other network, as the judge `unsupervised` does."""
    answers, n = networks.answers, len(networks.true)
    right = ~networks.wrong
    rows: list[tuple[float, ...]] = []
    for i, j in combinations(range(len(answers)), 2):
        apart = answers[i] != answers[j]
        first, other = answers[i][apart], answers[j][apart]
        owner = np.where(right[j][apart], 1, np.where(right[i][apart], -1, 0))
        known = _side(int((owner == -1).sum()), int((owner == 1).sum()), n)
        for k in range(len(answers)):
            if k in (i, j):
                continue
            sides = (answers[k][apart] == other).astype(int) - (answers[k][apart] == first)
            b, c = int((sides == -1).sum()), int((sides == 1).sum())
            ends = paired_difference(b, c, int(apart.sum()))
            low, high = float(ends.low), float(ends.high)
            leans = [float(sides[owner == who].mean()) if (owner == who).any() else 0.0 for who in (1, -1, 0)]
            dependence = max(abs(leans[0] + leans[1]) / 2, abs(leans[2]))
            families = [networks.family(at) for at in (i, j, k)]
            kin = (families[2] in families[:2]) and families[0] != families[1]
            rows.append((_side(b, c, n), known, max(low, -high, 0.0), dependence, float(kin)))
    table = np.array(rows)
    return Judged(table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2], table[:, 3], table[:, 4].astype(bool))


def _side(b: int, c: int, n: int) -> int:
    ends = paired_difference(b, c, n)
    return int(ends.low > 0) - int(ends.high < 0)


def comparison_figures(networks: Networks) -> dict[str, float]:
    """Sum up how often a reference orders two networks wrongly."""
    result = judged(networks)
    clear = result.truth != 0
    decides = result.says != 0
    wrong = clear & decides & (result.says != result.truth)
    figures = {
        "pairs with a reference": float(len(result.says)),
        "clear pairs": float(clear.mean()),
        "clear, decided": float(decides[clear].mean()),
        "clear, decided wrongly": float(wrong[clear].mean()),
        "wrong among decided": float(wrong.sum() / (clear & decides).sum()),
        "unclear, decided": float(decides[~clear].mean()),
        "dependence, median": float(np.median(result.dependence)),
        "dependence above the tolerated, decided": float((result.dependence >= result.tolerated)[decides].mean()),
        "wrong, dependence below the tolerated": float((wrong & (result.dependence < result.tolerated)).sum()),
        "wrong, reference of the family of one": float(wrong[clear & decides & result.kin].mean()),
        "wrong, reference of no such family": float(wrong[clear & decides & ~result.kin].mean()),
    }
    for most in (0.1, 0.2, 0.4):
        chosen = clear & decides & (result.tolerated > most)
        figures[f"wrong, tolerates more than {most:g}"] = float(wrong[chosen].mean()) if chosen.any() else float("nan")
    return figures


def all_errors(networks: Networks) -> tuple[Floats, Floats]:
    """Estimate the error rate of every network from the agreement of all, beside the true one."""
    every = networks.patterns(tuple(range(len(networks.names))))
    share = 1 / (len(networks.classes) - 1)
    return errors_of(abilities(contrasts(every.agreement, share), every.pairs), share), networks.wrong.mean(axis=1)


def error_figures(networks: Networks, seed: int = 0) -> dict[str, float]:
    """Compare error rates without labels with the true ones: all triples, random fours, and all networks."""
    rng = stream(seed, "no labels")
    wrong = networks.wrong.astype(float)
    true = wrong.mean(axis=1)
    share = 1 / (len(networks.classes) - 1)
    size = len(networks.names)
    agree = np.array([[float((a == b).mean()) for b in networks.answers] for a in networks.answers])
    triples = np.array(list(combinations(range(size), 3)))
    seen = np.stack(
        [agree[triples[:, 0], triples[:, 1]], agree[triples[:, 0], triples[:, 2]], agree[triples[:, 1], triples[:, 2]]],
        axis=1,
    )
    found = errors_of(abilities(contrasts(seen, share), ((0, 1), (0, 2), (1, 2))), share)
    ratio = found / true[triples]
    together = wrong @ wrong.T / wrong.shape[1] - np.outer(true, true)
    pairs = np.triu_indices(size, 1)
    covers, bounded, contradicted = [], [], []
    for at in rng.choice(len(triples), size=TRIPLES, replace=False):
        members = tuple(triples[at].tolist())
        deltas = [together[i, j] for i, j in combinations(members, 2)]
        result = agreement_errors(networks.patterns(members), dependence=min(0.25, max(deltas)), draws=DRAWS)
        rows = rng.choice(wrong.shape[1], size=LABELLED, replace=False)
        ends = wilson(wrong[list(members)][:, rows].sum(axis=1), np.full(3, LABELLED))
        apart = []
        for k, (item, low, high, truth) in enumerate(
            zip(result.estimates, result.low, result.high, true[list(members)], strict=True)
        ):
            assert item.interval is not None
            apart.append(item.interval.high < ends.low[k] or item.interval.low > ends.high[k])
            covers.append(item.interval.low <= truth <= item.interval.high)
            bounded.append(low <= truth <= high)
        contradicted.append(any(apart))
    rejected = []
    for _ in range(FOURS):
        members = tuple(sorted(rng.choice(size, size=4, replace=False).tolist()))
        rejected.append(agreement_fit(networks.patterns(members)).pvalue <= 0.05)
    every = networks.patterns(tuple(range(size)))
    all_found, _ = all_errors(networks)
    coincide = [
        float(
            ((networks.answers[i] == networks.answers[j]) & networks.wrong[i] & networks.wrong[j]).sum()
            / (networks.wrong[i] & networks.wrong[j]).sum()
        )
        for i, j in zip(*pairs, strict=True)
    ]
    order = np.corrcoef(np.argsort(np.argsort(all_found)), np.argsort(np.argsort(true)))[0, 1]
    return {
        "true error, lowest": float(true.min()),
        "true error, highest": float(true.max()),
        "three: estimate over truth, median": float(np.median(ratio)),
        "three: estimates below the truth": float((found < true[triples]).mean()),
        "three: intervals that cover": float(np.mean(covers)),
        "three: bounds with the true dependence that cover": float(np.mean(bounded)),
        "three: 500 labels contradict": float(np.mean(contradicted)),
        "four: fit rejected": float(np.mean(rejected)),
        "thirty: estimate over truth, median": float(np.median(all_found / true)),
        "thirty: rank correlation with the truth": float(order),
        "thirty: fit, p": float(agreement_fit(every).pvalue),
        "dependence of a pair, lowest": float(together[pairs].min()),
        "dependence of a pair, median": float(np.median(together[pairs])),
        "dependence of a pair, highest": float(together[pairs].max()),
        "coincidence, median": float(np.median(coincide)),
    }
