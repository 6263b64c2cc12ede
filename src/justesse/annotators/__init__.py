"""People who label: how far they agree, what is probably true, whom to ask; and models trained to label like people.

`agreement.py`, `distances.py` and `pairs.py` measure agreement. `models.py` lists the models of the truth, each in its
file. `refits.py`, `calibration.py` and `heldout.py` say how far to believe them. `dependence.py` and `drift.py` test
their assumptions. `assignment.py` chooses questions for the goals of `asking_goals.py`, `checked_share.py` says when to
stop, `human_machine.py` compares a classifier. `artificial.py` trains
artificial annotators, so that simulated labels are wrong where rows are hard.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "agreement",
    "bayesian",
    "best_care",
    "calibration",
    "checked_share",
    "confusions",
    "dawid_skene",
    "glad",
    "heldout",
    "mace",
    "one_coin",
    "refits",
    Annotations="support",
    ItemFeatures="item_features",
    alpha="distances",
    alpha_of_counts="alpha_counts",
    annotator_cards="cards",
    by_class="agreement",
    corrected="copying",
    dependent_pairs="dependence",
    drifts="drift",
    expected_gains="assignment",
    human_against_machine="human_machine",
    majority="vote",
    next_questions="assignment",
    pair_tables="pairs",
    pairwise="pairs",
    subset_agreement="subsets",
    weighted="vote",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
