"""The fixed choices of options, in a file that loads in no time, so that `--help` knows them."""

from typing import Literal

Alternative = Literal["two-sided", "greater", "less"]
PlainMethod = Literal["wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"]
ProportionMethod = Literal[PlainMethod, "delta"]
Resampling = Literal["smoothed", "percentile", "bca", "none"]
PairedResampling = Literal["percentile", "bca", "none"]
Missing = Literal["refuse", "wrong", "drop"]
MissingLabels = Literal["refuse", "drop"]
BoundedLabels = Literal["refuse", "drop", "bound"]  # of `lifelong score` and `lifelong compare`
MissingLabelMethod = Literal["bounds", "inverse-probability"]  # what they do with rows without a label
Others = Literal["wrong", "class", "missing"]
Repeated = Literal["last", "first", "all", "refuse"]  # answers of one annotator to one item
AnswersMethod = Literal["hierarchical", "dawid-skene", "majority"]  # of `evaluate --answers`
AnswerScale = Literal["nominal", "ordinal", "interval", "ratio"]
AskingGoal = Literal["accuracy", "comparison", "noise", "training"]
AskingRule = Literal["gain", "lam-stork", "uncertainty", "round-robin", "random"]
StopDecision = Literal["stop", "go on", "cannot"]
OnlineMethod = Literal["betting", "asymptotic"]  # of `ab`
OpenOutcomes = Literal["refuse", "random", "worst-case"]
TransitionOf = Literal["sample", "these"]
Judgeable = Literal["accuracy", "recall", "precision"]  # of tournaments
Procedure = Literal[
    "stratified-kfold",
    "kfold",
    "grouped",
    "by-time",
    "holdout",
    "repeated-holdout",
    "leave-one-out",
    "5x2",
    "bootstrap",
]
LeakedAnswer = Literal["refuse", "drop", "allow"]  # what to do with test items that a version was trained on
LifelongConvention = Literal["through-next", "paper"]  # which periods count for a version
PenaltyScore = Literal["error", "wer", "der", "bleu", "sacrebleu"]  # of `lifelong penalise`
AdaptationMode = Literal["on-line", "off-line"]  # when a system that keeps learning adapts
Learning = Literal["active", "interactive", "unsupervised"]  # who begins an exchange with the expert
Gate = Literal["better", "not-worse", "none"]
CleaningMethod = Literal[
    "confident-learning",
    "classification",
    "majority-vote",
    "consensus-vote",
    "partition",
    "edited-neighbours",
    "neighbourhood-graph",
    "entropy",
    "complexity",
    "area-under-margin",
    "forgetting",
    "answers",
]
Prune = Literal["by-noise-rate", "by-class", "both", "off-diagonal"]  # of confident learning
CleaningArm = Literal["remove", "weight", "correct", "drop-label"]  # what training does with flagged rows
CleaningAction = Literal["flag", "remove", "weight", "drop-label", "correct"]
ExpertRule = Literal["unanimous", "model", "majority"]  # whose answer counts if experts disagree
Unparseable = Literal["half", "drop"]  # verdicts of a language model that cannot be read
JudgedAbout = Literal["population", "rows"]  # what corrected figures of `llm-judge` are about
ExportForm = Literal["dsse", "in-toto", "model-card"]  # of `dossier export`
