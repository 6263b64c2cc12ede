"""Make choix_strengths.json: Bradley-Terry strengths of choix 0.4.1 for comparisons without ties.

`pip install choix==0.4.1`, then `python tests/oracles/choix_strengths.py`.
"""

import json
from pathlib import Path

import numpy as np


def main() -> None:
    import choix

    rng = np.random.default_rng(7)
    true = np.array([1.0, 0.3, 0.0, -0.4, -0.9])
    wins = []
    for _ in range(400):
        one, other = rng.choice(5, size=2, replace=False).tolist()
        first = rng.random() < 1 / (1 + np.exp(true[other] - true[one]))
        wins.append([one, other] if first else [other, one])
    strengths = choix.opt_pairwise(5, wins, alpha=0.0, method="Newton-CG", tol=1e-12)
    strengths -= strengths.mean()
    text = json.dumps({"package": "choix 0.4.1", "wins": wins, "strengths": strengths.tolist()})
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
