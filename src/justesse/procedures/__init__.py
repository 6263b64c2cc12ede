"""Evaluate a learning method: split the rows, train and test models, summarise the scores.

`holdout.py`, `folds.py` and `bootstrap.py` split; `run.py` trains and tests; `score.py` gives the interval that fits
the split. `nested.py` evaluates model selection, `learning_curve.py` shows whether more rows help, `baselines.py` are
answers that ignore the input. `conditions.py`, `disjoint.py`, `enough.py` and `representative.py` check a test set.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "annotator_bias",
    "baselines",
    "best_of_several",
    "bias_variance",
    "class_scores",
    "cleaned_training",
    "iterations",
    "learners",
    "learning_curve",
    "luck_of_choice",
    "model_measures",
    "model_pairs",
    "named_models",
    "named_procedure",
    "nested",
    "noisy_training",
    "numeric_baselines",
    "realism",
    "resist",
    "responses",
    "run",
    "same_shares",
    "score",
    "shared_limit",
    "splits",
    "three_sets",
    "validation_curve",
    "written_model",
    Bootstrap="bootstrap",
    Folds="folds",
    Holdout="holdout",
    LeaveOneOut="folds",
    balanced_rows="imbalance",
    bootstrap_errors="bootstrap_error",
    choose_and_refit="refit",
    corrected_choice="luck_of_choice",
    five_by_two="folds",
    learner="learners",
    naive_models="naive",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
