"""The options of `clean` that no other verb has."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.choices import CleaningAction, Prune
from justesse.verbs.options.columns import LabelOptions


@dataclass(frozen=True)
class CleaningColumnOptions(LabelOptions):
    """What is known of the rows.

    Parameters
    ----------
    proba
        Start of the names of the columns with probabilities, one for each class, such as p_ for p_cat and p_dog. They
        must come from a model that was not trained on these rows. Default: models are trained here (--model).
    id
        Column that identifies a row, for lists and answers. Default: the number of the row, from 1.
    true
        Column with the true classes, if they are known: they measure the filter. Default: none.
    features
        Columns to learn from, such as length,width. Default: all, except identifiers and columns that look like
        predictions, probabilities or the label under another name.
    history
        Start of the names of the columns with the margin of the label in each epoch of training, such as margin_: score
        of the label less the highest other score.
    answers
        File of annotators' answers, with item, annotator and answer. The id of the rows (--id) is the item.
    """

    proba: str | None = None
    id: str | None = None
    true: str | None = None
    features: list[str] | None = None
    history: str | None = None
    answers: str | None = None


@dataclass(frozen=True)
class FilterOptions:
    """How wrong labels are found.

    Parameters
    ----------
    method
        Filter that finds wrong labels. With probabilities: confident-learning, classification, entropy. With several
        models: majority-vote, consensus-vote. With features: partition, edited-neighbours, neighbourhood-graph,
        complexity. With --history: area-under-margin, forgetting. With --answers: answers. Its options stand in
        brackets: "edited-neighbours(neighbours=5)". Default: confident-learning.
    prune
        Rows that confident learning flags: by-noise-rate, by-class, both or off-diagonal. Default: by-noise-rate.
    model
        Models to train, if there are no probabilities: tree, forest, logistic, neighbours, bayes, boosting or network,
        or a scikit-learn estimator such as "sklearn.svm.SVC(C=10)". Several as tree,bayes. Default: logistic for
        probabilities; tree,neighbours,logistic,bayes for votes.
    k
        Number of folds; each row is judged by models trained on the other folds. Default: 5.
    """

    method: str = "confident-learning"
    prune: Prune | None = None
    model: list[str] | None = None
    k: int = 5


@dataclass(frozen=True)
class AdjudicationOptions:
    """Rows that people re-check.

    Parameters
    ----------
    recheck
        Number of rows to draw for people to re-check, such as 200, for --recheck-to. Default: all flagged rows, and as
        many others. With --audited, the new list has the answered one, too, and so many more rows.
    recheck_share
        Share of these rows that are drawn from rows that were not flagged: they show what the filter missed. Default:
        0.5.
    audited
        The list of --recheck-to with the true classes filled in or answered, or a random sample of rows with their id
        and a column true. They give the precision and recall of the filter.
    """

    recheck: int | None = None
    recheck_share: float = 0.5
    audited: str | None = None


@dataclass(frozen=True)
class AlterationOptions:
    """What is done with flagged rows.

    Parameters
    ----------
    action
        What is done with flagged rows in the table of --cleaned-to: flag (add a column), remove, weight (by the
        probability that the label is right), drop-label, or correct (take the suggested class). Default: flag.
    """

    action: CleaningAction = "flag"


@dataclass(frozen=True)
class CleaningFileOptions:
    """Files that are written.

    Parameters
    ----------
    to
        Write the flagged rows, most suspicious first, such as flagged.csv: id or row, label, suggested class,
        probability that the label is wrong, reason.
    recheck_to
        Write a list of rows for people to re-check: ask.csv, with an empty column true, or ask.recheck, which several
        people answer with justesse recheck.
    cleaned_to
        Write the table after --action, such as cleaned.csv. The file that is read never changes.
    """

    to: Path | None = None
    recheck_to: Path | None = None
    cleaned_to: Path | None = None
