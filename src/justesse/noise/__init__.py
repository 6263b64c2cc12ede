"""Wrong labels: what they are, how they bias a measure, and what can be concluded anyway.

`models.py`, `inject.py` and `ranking.py` make wrong labels. `transition.py` and `profile.py` describe them, `bias.py`
computes their effect. Each way to allow for them has its file: `lam_stork`, `inversion`, `bounds`, `breakdown`,
`recheck`. `rung.py` names their assumptions, `label_noise_report.py` and `difference_noise_report.py` put them
together. `claim.py` is what must stay true. `missing_answers.py` and `missing_bounds.py` do the same for answers that
are missing.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "bias",
    "breakdown",
    "clustered_rates",
    "counted",
    "counted_rate",
    "difference_by_draws",
    "difference_noise_report",
    "difficulty",
    "drawn_sequence",
    "extreme_bias",
    "inject",
    "inversion",
    "label_errors",
    "label_noise_report",
    "lam_stork",
    "leaderboard",
    "order_bounds",
    "plain",
    "plausible_noise",
    "powered_accuracy",
    "possible",
    "profile",
    "rate_range",
    "recheck",
    "recheck_difference",
    "survives",
    "value_band",
    ByClass="models",
    Claim="claim",
    LabelKnowledge="label_knowledge",
    Ranking="ranking",
    SampleDesign="sample_design",
    Transition="transition",
    Uniform="models",
    accuracy_bias="bias",
    bounds_from_counted="counted_bounds",
    bounds_from_rate="bounds",
    bounds_from_transition="bounds",
    corrected="correct",
    difference_from_counted="paired_bounds",
    difference_from_rate="paired_bounds",
    difference_from_transition="paired_bounds",
    f1_bias="bias",
    noise_by_class="models",
    order_breakdown="order_bounds",
    pair_flip="models",
    plausibility="difficulty",
    precision_bias="bias",
    recall_bias="bias",
    symmetric="models",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
