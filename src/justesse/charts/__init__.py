"""Charts, one per file: plain data, then a Vega-Lite chart (`vega_lite.py`). `paint.py` holds their common style."""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    annotator_chart="annotator_accuracy",
    annotator_drift_chart="annotator_drift",
    asking_chart="asking",
    calibration_chart="calibration",
    carried_reliability_chart="carried_reliability",
    certainty_chart="certainty",
    class_rate_chart="class_rates",
    cleaning_gain_chart="cleaning_gains",
    confidence_histogram_chart="confidence_histograms",
    confidence_sequence_chart="confidence_sequence",
    confusion_chart="confusion",
    cost_chart="cost",
    cost_curve_chart="cost_curve",
    critical_difference_chart="critical_difference",
    decision_matrix_chart="decision_matrix",
    dependence_chart="dependence",
    difference_band_chart="difference_band",
    difference_chart="difference",
    difference_over_events_chart="difference_over_events",
    disagreement_chart="disagreement",
    error_difference_chart="error_differences",
    error_over_time_chart="error_over_time",
    fold_boxes_chart="fold_boxes",
    fold_pairs_chart="fold_pairs",
    interval_chart="intervals",
    judge_agreement_chart="judge_agreement",
    judged_figure_chart="judged_figures",
    leaderboard_chart="leaderboard",
    learning_curve_chart="learning_curve",
    noise_band_chart="noise_band",
    overlay_chart="overlay",
    pair_agreement_chart="pair_agreement",
    penalty_chart="penalty",
    period_error_chart="period_errors",
    period_penalty_chart="period_penalty",
    policy_chart="policy",
    policy_leaning_chart="policy_leaning",
    policy_map_chart="policy_map",
    policy_preset_chart="policy_presets",
    precision_recall_chart="precision_recall",
    predicted_chart="predicted_against_true",
    ranked_probability_chart="ranked_probabilities",
    rates_by_noise_chart="rates_by_noise",
    residual_chart="residuals",
    reliability_chart="reliability",
    resistance_chart="resistance",
    roc_chart="roc",
    score_matrix_chart="score_matrix",
    shares_chart="shares",
    shifted_estimate_chart="shifted_estimates",
    slice_chart="slices",
    spending_chart="spending",
    train_test_gap_chart="train_test_gap",
    unlabelled_error_chart="unlabelled_errors",
    verdict_chart="verdicts",
    version_score_chart="version_scores",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
