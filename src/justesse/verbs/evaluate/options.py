"""The options of `evaluate` that no other verb has."""

from pathlib import Path

from justesse.core.option_group import option_group


@option_group
class MeasureOptions:
    """Further measures, and what they must reach.

    Parameters
    ----------
    beta
        Adds the F measure that counts recall beta times as much as precision, such as 2. Default: 1.
    cost
        CSV table of the cost of each prediction (columns) for each label (rows): adds the mean cost.
    class_weight
        CSV with columns class and weight: adds the class-weighted error.
    resubstitution
        File of predictions on the rows the classifier was trained on: shows how much it over-fits.
    claim
        Claim to test against wrong labels, such as "accuracy>=0.9" or "recall:spam>0.8": shows how many would make
        it false. Exit code 1 if it is false already.
    require
        Value that the confidence bound must reach, such as "accuracy>=0.9" or "error<=5%". May be repeated. Exit code 1
        if one is not met.
    """

    beta: float = 1.0
    cost: Path | None = None
    class_weight: Path | None = None
    resubstitution: str | None = None
    claim: str | None = None
    require: list[str] | None = None


@option_group
class SampleOptions:
    """Several samples of one question.

    Parameters
    ----------
    pass_at
        Numbers of samples, such as 1,5: adds pass@1 and pass@5, the chance that at least one of so many samples of a
        question is right. Needs --cluster, except for logs: they know the question.
    majority_at
        Numbers of samples, such as 5: adds the chance that more than half of so many samples of a question are right (a tie
        counts half).
    """

    pass_at: list[str] | None = None
    majority_at: list[str] | None = None


@option_group
class ScoreOptions:
    """Scores and probabilities.

    Parameters
    ----------
    score
        Column with a score or probability of the class --positive.
    proba
        Prefix of the columns of probabilities, one per class: p_ for p_cat and p_dog.
    threshold
        Smallest score that predicts the positive class, if there is no column of predictions. Default: 0.5 for
        probabilities.
    wanted_recall
        Recall to keep, such as 0.95: shows the threshold for it.
    wanted_specificity
        Specificity to keep, such as 0.99: shows the threshold for it.
    score_bins
        Number of bins to count scores in, instead of reading them all. Default: 10,000 for files over 4 GB, otherwise
        none.
    """

    score: str | None = None
    proba: str | None = None
    threshold: float | None = None
    wanted_recall: float | None = None
    wanted_specificity: float | None = None
    score_bins: int | None = None
