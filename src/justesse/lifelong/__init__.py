"""Systems that keep learning: how good each version is over time, what it forgot, and what help cost.

`score_matrix.py` holds the scores of every version in every test period, `periods.py` makes the periods and
`chronology.py` checks their order. `policy.py` says how much each period matters; `policy_score.py`,
`policy_difference.py`, `policy_flip.py` and `policy_breakdown.py` score versions, compare systems, and say what would
turn their ranking. `transfer.py` computes forgetting under every published definition, `penalised.py` charges for an
expert's help.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "chronology",
    "policy_breakdown",
    "policy_difference",
    PairedBlocks="policy_difference",
    Policy="policy",
    ScoreMatrix="score_matrix",
    TimeBlocks="score_matrix",
    flips="policy_flip",
    penalised_errors="penalised",
    penalised_score="penalised",
    penalised_word_errors="penalised",
    policy_scores="policy_score",
    smallest_change="policy_flip",
    transfer_figures="transfer",
    word_errors="penalised",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
