"""The options of the parts of `noise` that no other verb has."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from justesse.verbs.options.columns import ClassOptions, ClassReadingOptions, LabelOptions, PredictionOptions

InjectedNoise = Literal["uniform", "symmetric", "pair-flip", "transition", "features", "one-model"]
NoiseSource = Literal["clean"]
TrainingNoise = Literal["uniform", "pair-flip", "features"]


@dataclass(frozen=True)
class PredictedColumnOptions(ClassReadingOptions, PredictionOptions):
    """Columns of labels and predictions, and their classes."""


@dataclass(frozen=True)
class TrueColumnOptions(PredictedColumnOptions):
    """Columns of labels, predictions and true classes.

    Parameters
    ----------
    true
        Column with the true classes. Default: the column named true, truth or actual.
    """

    true: str | None = None


@dataclass(frozen=True)
class ClusterOptions:
    """Rows that are not independent.

    Parameters
    ----------
    cluster
        Column with the item, if items were labelled several times. Widens the intervals. Default: rows are independent.
    """

    cluster: str | None = None


@dataclass(frozen=True)
class ModelRateOptions:
    """The share of wrong labels by a model, instead of people.

    Parameters
    ----------
    source
        Where the share comes from, if not from true classes: clean estimates it by confident learning from
        probabilities (--proba). With --true or --audited, too, its bias. Default: the true classes.
    proba
        Start of the names of the columns with probabilities, one for each class, such as p_ for p_cat and p_dog. They
        must come from a model that was not trained on these rows.
    """

    source: NoiseSource | None = None
    proba: str | None = None


@dataclass(frozen=True)
class CostOptions:
    """A further measure, the cost.

    Parameters
    ----------
    cost
        CSV table of the cost of each prediction (columns) for each true class (rows): adds the mean cost.
    """

    cost: Path | None = None


@dataclass(frozen=True)
class ClaimOptions:
    """Claims to test against wrong labels.

    Parameters
    ----------
    claim
        Claim such as "accuracy>=0.9", "error<5%", "recall:spam>0.8" or "macro-f1>=0.7". May be repeated. Default:
        accuracy is above the share of the most frequent label.
    """

    claim: list[str] | None = None


@dataclass(frozen=True)
class RankingOptions:
    """How the difficulty of rows is determined.

    Parameters
    ----------
    annotators
        Number of artificial annotators to train for --noise features. Default: 100.
    ranking
        Parquet file for the difficulty of the rows: used if it exists, written if not.
    """

    annotators: int | None = None
    ranking: Path | None = None


@dataclass(frozen=True)
class InjectedColumnOptions(ClassOptions, LabelOptions):
    """Columns of labels and of true classes.

    Parameters
    ----------
    true
        Name of the new column with the true classes. Default: true.
    """

    true: str = "true"


@dataclass(frozen=True)
class InjectedNoiseOptions:
    """Which labels become wrong, and how many.

    Parameters
    ----------
    noise
        Which labels become wrong. uniform (or symmetric): every wrong class is equally likely. pair-flip: each class
        becomes the next one of --classes. transition: by the table --transition. features: the hardest rows get their
        most plausible wrong class. one-model: the labels are the predictions of the model whose error is nearest to the
        rate.
    noise_rate
        Share of labels to make wrong, such as 5%. Default for transition: the rate of the table.
    noise_rates
        Several shares, such as 1%,5%: one version each. Wrong labels of a lower rate are part of those of a higher one,
        except for one-model.
    transition
        CSV table of the shares of each label (columns) for each true class (rows).
    """

    noise: InjectedNoise
    noise_rate: float | None = None
    noise_rates: list[str] | None = None
    transition: Path | None = None


@dataclass(frozen=True)
class HardRowOptions(RankingOptions):
    """Which rows are hard, for noise by features.

    Parameters
    ----------
    answers
        File with a column of answers for each annotator, people or models.
    votes
        File with a column of votes for each class.
    on
        Column with the id of the answers or votes. Default: rows are in the same order.
    features
        Columns to train models on, such as length,width. Default: all columns of numbers.
    annotators
        Number of artificial annotators to train. Default: 100; 24 models for one-model.
    checkpoint
        Directory for finished models, so that a run that was stopped continues.
    """

    answers: str | None = None
    votes: str | None = None
    on: str | None = None
    features: list[str] | None = None
    checkpoint: Path | None = None


@dataclass(frozen=True)
class InjectedFileOptions:
    """Where the noisy labels go.

    Parameters
    ----------
    to
        File to write the table with noisy labels to, .csv or .parquet.
    """

    to: Path | None = None


@dataclass(frozen=True)
class LearnedColumnOptions(ClassOptions, LabelOptions):
    """Columns of labels, and columns to learn from.

    Parameters
    ----------
    features
        Columns to learn from, such as length,width. Default: all columns of numbers and of names.
    """

    features: list[str] | None = None


@dataclass(frozen=True)
class TrainingNoiseOptions:
    """Which training labels become wrong, and how many.

    Parameters
    ----------
    noise
        Which labels become wrong. uniform: every wrong class is equally likely. pair-flip: each class becomes the next
        one of --classes. features: the hardest rows get their most plausible wrong class. Default: uniform.
    noise_rates
        Shares of wrong training labels, such as 0,10%,30%. Default: 0,0.05,0.1,0.2,0.4.
    realism
        Also measure how often learners repeat the noise on unseen rows, compared with other noise of the same rate.
    """

    noise: TrainingNoise = "uniform"
    noise_rates: list[str] | None = None
    realism: bool = False


@dataclass(frozen=True)
class LearnerOptions:
    """Learners, and how they are tested.

    Parameters
    ----------
    model
        Learners: tree, forest, logistic, neighbours, bayes, boosting or network; made for wrong labels: bagging (of
        trees), bounded (loss), forward and backward (loss corrected by a transition table). Several as tree,bayes.
        Default: tree,neighbours,logistic,bayes.
    test_share
        Share of rows to test on, such as 0.3. Default: 0.2.
    repeats
        Number of random splits, such as 10. Default: 5.
    """

    model: list[str] | None = None
    test_share: float = 0.2
    repeats: int = 5


@dataclass(frozen=True)
class TrainingCleaningOptions:
    """Cleaning of the training labels, compared with none.

    Parameters
    ----------
    filter
        Clean the training labels by these filters too, such as confident-learning,"edited-neighbours(neighbours=5)".
        Filters are those of justesse clean; oracle knows the true classes. Default: none.
    arm
        What training does with flagged rows: remove, weight, correct or drop-label (and self-train). Several as
        remove,correct. Default: all four.
    filter_model
        Models that the filters train, such as forest. Default: logistic for probabilities; tree,neighbours,logistic,bayes
        for votes; tree,bayes for partition.
    k
        Number of folds of the filters; each row is judged by models trained on the other folds. Default: 5.
    """

    filter: list[str] | None = None
    arm: list[str] | None = None
    filter_model: list[str] | None = None
    k: int = 5
