"""Systems that keep learning: how good each version is over time, what it forgot, and what help cost.

`score_matrix.py` holds the scores of every version in every test period, `periods.py` makes the periods and
`chronology.py` checks their order. `policy.py` says how much each period matters; `policy_score.py`,
`policy_difference.py`, `policy_map.py`, `policy_flip.py` and `policy_breakdown.py` score versions, compare systems, and
say what would turn their ranking. `label_moves.py` finds the worst wrong labels; `policy_noise.py`, `policy_bias.py`,
`item_patterns.py`, `transfer_noise.py` and `forgetting_noise.py` say what they do to each figure. `transfer.py`
computes forgetting under every published definition. `penalised.py` charges for an expert's help: of items
(`penalised_items.py`) by the scores in `scorers.py`, such as `word_error.py` and `bleu.py`, and of recordings
(`penalised_diarization.py`, `speaker_segment.py`, `spoken_times.py`) by `diarization_error.py`.
`late_labels.py`, `prequential.py`, `prequential_figures.py` and `stream_kappa.py` follow a stream.
`run.py` runs a system (`system.py`, `command_system.py`) over a stream (`stream.py`) with an expert (`experts/`), whose
answers are classes, sentences or recordings (`tasks/`):
`episode.py` is one period of it, `ledger.py` what it cost, `session.py` and `journal.py` what is kept to go on after a
crash, `supervision.py` the cost until all is right, and `run_scores.py` its scores.
`cost_curve.py` and `seed_curves.py` hold scores against cost.
`drift_alarms.py` scores alarms against changes.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "chronology",
    "penalised_diarization",
    "penalised_items",
    "policy_bias",
    "policy_breakdown",
    "policy_difference",
    "transfer_noise",
    RunCurve="cost_curve",
    DiarizationScoring="penalised_diarization",
    ItemPatterns="item_patterns",
    ItemScorer="scorers",
    LabelMoves="label_moves",
    Item="item",
    Ledger="ledger",
    PairedBlocks="policy_difference",
    Policy="policy",
    ScoreMatrix="score_matrix",
    SeedCurves="seed_curves",
    SpeakerSegment="diarization_error",
    TimeBlocks="score_matrix",
    alarm_figures="drift_alarms",
    corpus_bleu="bleu",
    cost_range="seed_curves",
    diarization_errors="diarization_error",
    difference_moves="policy_noise",
    flips="policy_flip",
    forgetting_range="forgetting_noise",
    majority_answers="late_labels",
    match_alarms="drift_alarms",
    mteval_tokens="bleu",
    mapped_differences="policy_map",
    no_change_answers="late_labels",
    minimal_supervision_cost="supervision",
    penalised_hypotheses="penalised",
    penalised_score="penalised",
    policy_scores="policy_score",
    prequential_error="prequential",
    prequential_figures="prequential_figures",
    score_moves="policy_noise",
    simulated_expert="experts",
    smallest_change="policy_flip",
    transfer_figures="transfer",
    word_errors="word_error",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
