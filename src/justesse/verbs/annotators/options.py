"""The options of the parts of `annotators`."""

from dataclasses import dataclass
from typing import Literal

from justesse.core.choices import AnswerScale, AskingGoal, AskingRule, Repeated

Method = Literal["majority", "weighted", "one-coin", "dawid-skene", "mace", "glad", "hierarchical", "item-response"]


@dataclass(frozen=True)
class AnswerColumnOptions:
    """Columns of the answers.

    Parameters
    ----------
    item
        Column with the items. Default: the column named item, task or question.
    annotator
        Column with the annotators. Default: the column named annotator, worker or rater. Without one, every column but
        the items is an annotator.
    answer
        Column with the answers. Default: the column named answer, label or class.
    annotators
        In a table with a row for each item: the annotators' columns, such as ann,bob or 'rater*'. Default: all columns
        but the items and usual other names.
    time
        Column with the time or position of each answer. Default: answers have no order.
    classes
        All classes in order, such as low,mid,high. A name with a comma: 'a,"b,c"'. Default: those answered.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    ignore_case
        Treat answers that differ only in case or spaces as one class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    """

    item: str | None = None
    annotator: str | None = None
    answer: str | None = None
    annotators: str | None = None
    time: str | None = None
    classes: str | None = None
    as_text: bool = False
    ignore_case: bool = False
    repeated: Repeated = "last"


@dataclass(frozen=True)
class DetailOptions:
    """What is known of each answer.

    Parameters
    ----------
    confidence
        Column with the confidence that the annotator stated, from 0 to 1 or in percent. Default: the column named
        confidence or certainty, if there is one.
    duration
        Column with the time each answer took, a number in seconds or another unit; medians have the same unit.
        Default: the column named duration or seconds, if there is one.
    """

    confidence: str | None = None
    duration: str | None = None


@dataclass(frozen=True)
class GoldOptions:
    """What is known of the truth, and given to the model.

    Parameters
    ----------
    gold
        Column with the true class where it is known, or a file with items and true classes. The model takes them as
        certain. Default: none.
    """

    gold: str | None = None


@dataclass(frozen=True)
class CheckOptions:
    """What is known of the truth, and only checks the model.

    Parameters
    ----------
    check
        Column with the true class where it is known, or a file with items and true classes. The model does not see
        them: they check and calibrate its probabilities. Default: none.
    """

    check: str | None = None


@dataclass(frozen=True)
class FeatureOptions:
    """Features of the items, for item-response.

    Parameters
    ----------
    features
        Columns with numeric features of the items, such as length,score. Default: none.
    counts
        Columns with counts, such as those of words. Default: none.
    """

    features: str | None = None
    counts: str | None = None


@dataclass(frozen=True)
class ModelComparisonOptions:
    """How models are compared.

    Parameters
    ----------
    folds
        Number of parts that items are split into; each is predicted from the others. Default: 5.
    """

    folds: int = 5


@dataclass(frozen=True)
class ComparedClassifierOptions:
    """A classifier to compare with the annotators.

    Parameters
    ----------
    prediction
        Column with a classifier's answers, or a file with items and predictions. Default: only models are compared.
    check
        Column with the true class where it is known, or a file with items and true classes, to judge classifier and
        annotators by. Default: they are judged by the other annotators.
    """

    prediction: str | None = None
    check: str | None = None


@dataclass(frozen=True)
class ModelComparisonIntervalOptions:
    """Intervals of differences between models.

    Parameters
    ----------
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of resamples of items for intervals. Default: 500.
    seed
        Seed of the random draws. Default: 0.
    """

    level: float = 0.95
    draws: int = 500
    seed: int = 0


@dataclass(frozen=True)
class AgreementOptions:
    """Which agreement is measured.

    Parameters
    ----------
    scale
        Scale of the answers, for Krippendorff's alpha and Cohen's kappa: nominal, ordinal (linear weights; list words
        in order with --classes), interval or ratio (quadratic weights). Default: nominal.
    """

    scale: AnswerScale = "nominal"


@dataclass(frozen=True)
class AgreementIntervalOptions:
    """Intervals of agreement.

    Parameters
    ----------
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of refits to estimate alpha if every annotator were as accurate as the best one; 0 skips it. Default: 100.
    seed
        Seed of the random draws. Default: 0.
    """

    level: float = 0.95
    draws: int = 100
    seed: int = 0


@dataclass(frozen=True)
class TruthModelOptions:
    """How the truth is inferred.

    Parameters
    ----------
    method
        Model of the annotators: majority, weighted, one-coin, dawid-skene, mace, glad, hierarchical or item-response.
        Default: dawid-skene.
    prior
        Count added to each cell of an annotator's table, for dawid-skene. Default: 0.
    starts
        Number of starts of dawid-skene; the best is kept. Default: 1.
    folds
        Number of parts that items are split into to score the model by answers left out, such as 5. Default: 0, no score.
    """

    method: Method = "dawid-skene"
    prior: float = 0.0
    starts: int = 1
    folds: int = 0


@dataclass(frozen=True)
class TruthIntervalOptions:
    """Intervals of the annotators' accuracy.

    Parameters
    ----------
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of refits for intervals, 0 for none. Default: 200.
    seed
        Seed of the random draws. Default: 0.
    """

    level: float = 0.95
    draws: int = 200
    seed: int = 0


@dataclass(frozen=True)
class AskingOptions:
    """Which questions are chosen.

    Parameters
    ----------
    goal
        What answers should improve: accuracy (of the consensus), comparison (of two classifiers: incumbent and
        candidate), noise (the rate of wrong labels) or training (of a classifier: probabilities or features).
        Default: accuracy.
    rule
        How questions are chosen: gain (expected gain of the goal per price), lam-stork (information about the classes
        per price), uncertainty (least certain items), round-robin (items with fewest answers) or random.
        Default: gain.
    number
        Number of questions. Default: 10.
    budget
        What the questions may cost together. Default: no limit.
    seed
        Seed of the random draws, and of the order of checks. Default: 0.
    """

    goal: AskingGoal = "accuracy"
    rule: AskingRule = "gain"
    number: int = 10
    budget: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class GoalInputOptions:
    """What single goals need.

    Parameters
    ----------
    incumbent
        For comparison: column with the incumbent's predictions, or a file with items and predictions.
    candidate
        For comparison: column with the candidate's predictions, or a file with items and predictions.
    noise_of
        For noise: whose labels may be wrong: majority (the majority vote), the name of an annotator, a column with the
        recorded label of each item, or a file with items and labels. Default: majority.
    probabilities
        For training: file with items and a column for each class, the classifier's probabilities.
    features
        For training: columns with numeric features of the items, such as length,score. A logistic regression on them
        is the classifier.
    """

    incumbent: str | None = None
    candidate: str | None = None
    noise_of: str = "majority"
    probabilities: str | None = None
    features: str | None = None


@dataclass(frozen=True)
class StoppingOptions:
    """When to stop asking.

    Parameters
    ----------
    target
        Share of items whose class must be right, such as 0.98: says whether to stop. Default: none.
    check
        Column with the true class of items checked by an expert, or a file with items and true classes in the order
        of the checks. Draw them at random: the command lists which to check next. The model does not see them.
        Default: none.
    versions
        For how many states of the answers these checks are used, this one included. New answers change the classes that
        were checked: each use takes its share of the risk. Say the number before the first use. Default: 1.
    level
        Confidence level of the bounds, such as 0.9. Default: 0.95.
    """

    target: float | None = None
    check: str | None = None
    versions: int = 1
    level: float = 0.95
