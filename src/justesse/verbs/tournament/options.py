"""The options of `tournament` that no other verb has."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.choices import Alternative
from justesse.judges import ALL
from justesse.verbs.noise.options import TrainingNoise
from justesse.verbs.options.columns import ClassReadingOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.options.pairs import GainOptions

# keywords of the function whose option has another name
OPTION_NAMES = {"models": "model", "judges": "judge", "rate": "noise_rate"}
CLEANING = ((0.6, 0.1), (0.6, 0.1, 0.75))


@dataclass(frozen=True)
class ClassifierColumnOptions:
    """Columns of labels, true classes and classifiers.

    Parameters
    ----------
    label
        Column with the labels; several versions as label,label2. Default: the column named label, y, y_true or target.
    true
        Column with the true classes. Default: the column named true, truth or actual.
    models
        Columns of the classifiers, such as a,b,c. A name with a comma: 'a,"b,c"'. Default: every other column that
        holds classes.
    on
        Column with an id that all files share. Default: rows in order, if all labels agree.
    prediction
        Column with the predictions, in files of one classifier each. Default: the column named prediction, pred, y_pred,
        yhat, predicted or y_hat.
    difficulty
        Column with the difficulty of each row, a larger number where it is harder. --hard-by can use it.
    cluster
        Column that says which rows belong together, such as passage: rows of one cluster may be alike. Default: all
        rows are independent; question for logs with several samples of a question.
    task_column
        Column with the task of each row, for scores by task and their mean. Default: no tasks; the tasks of logs.
    """

    label: list[str] | None = None
    true: str | None = None
    models: list[str] | None = None
    on: str | None = None
    prediction: str | None = None
    difficulty: str | None = None
    cluster: str | None = None
    task_column: str | None = None


@dataclass(frozen=True)
class TournamentColumnOptions(ClassReadingOptions, ClassifierColumnOptions):
    """Columns of labels, true classes and classifiers, and how classes are read."""


@dataclass(frozen=True)
class TournamentJudgeOptions:
    """Which judges take part, what they judge by, and their settings.

    Parameters
    ----------
    judges
        Judges: all, none (the leaderboard alone), or some of NAMES. Default: all; none for logs, with --cluster, or
        without true classes.
    measure
        Measures to judge by, such as accuracy, recall:cat or precision:cat,recall:dog. recall alone is that of every
        class. A class with a comma: 'recall:"a,b"'. Default: accuracy.
    rate
        Share of wrong labels that judges may assume, such as 0.05; the leaderboard bounds accuracies and ranks for it.
        Default: the true share for judges, no bounds.
    pc
        For prudent_v2: share of the rows to doubt, the hardest, such as 0.2. Default: 0.1.
    hard_by
        For prudent_v2: how rows are ranked: disagreement (of the classifiers), random or difficulty; several as
        disagreement,random. Default: all that are possible.
    cleaning
        For cleaned: s:e or s:e:c, such as 0.75:0.25:0.5: the chances to detect a wrong label, to suspect a right one, and
        to correct what was detected (without c, the row is removed). Several are separated by commas. Default:
        CLEANING.
    filter
        For cleaned: filters of justesse clean that look at the answers of these classifiers, such as majority-vote or
        "edited-neighbours(neighbours=5)". Each takes part twice: flagged rows removed, and corrected. Default: none.
    budget
        For audited: number of answers to ask for at most, per pair. Default: 200.
    expert_error
        For audited: share of answers that may be wrong, such as 0.02. Default: 0.
    """

    judges: list[str] | None = None
    measure: list[str] | None = None
    rate: float | None = None
    pc: float | None = None
    hard_by: list[str] | None = None
    cleaning: list[str] | None = None
    filter: list[str] | None = None
    budget: int | None = None
    expert_error: float | None = None


# the registry says which judges there are
TournamentJudgeOptions.__doc__ = (
    str(TournamentJudgeOptions.__doc__)
    .replace("NAMES", ", ".join(judge.name for judge in ALL if judge.in_tournaments))
    .replace("CLEANING", ",".join(":".join(f"{chance:g}" for chance in step) for step in CLEANING))
)


@dataclass(frozen=True)
class LabelVersionOptions:
    """Labels that are made wrong on purpose.

    Parameters
    ----------
    noise_rates
        Shares of the true classes to make wrong, such as 1%,5%, instead of reading labels. Default: labels are read.
    noise
        Which labels become wrong. uniform: every wrong class is equally likely. pair-flip: each class becomes the next.
        features: the hardest rows. Default: uniform; features with --votes, --answers or --ranking.
    votes
        File with a column of votes for each class: rows with the most votes against the true class become wrong first.
    answers
        File with a column of answers for each annotator: rows they most often got wrong become wrong first.
    ranking
        Parquet file with the difficulty of the rows, from noise inject.
    task_rates
        File with the columns task and rate: the share of wrong labels to assume in each task. Default: none.
    """

    noise_rates: list[str] | None = None
    noise: TrainingNoise | None = None
    votes: str | None = None
    answers: str | None = None
    ranking: Path | None = None
    task_rates: str | None = None


@dataclass(frozen=True)
class VerdictOptions(SeedOptions, GainOptions, ConfidenceOptions):
    """When a candidate counts as better.

    Parameters
    ----------
    alternative
        Question that judges answer. greater: is the candidate better? less: is it worse? Default: two-sided.
    """

    alternative: Alternative | None = None
