"""The options of `lifelong score` for other scores than error rates."""

from justesse.core.option_group import option_group


@option_group
class OtherScoreOptions:
    """Scores other than error rates.

    Parameters
    ----------
    score
        Column with given scores, in a table with a row for each version and time instead of labels and predictions.
    higher_is_better
        A higher given score is better, as for accuracy. Default: lower is better, as for error rates.
    touched
        Column that says whether an expert touched the item, yes or no: scores are penalised for the help. Predictions
        are those after adaptation, each period starting from the version itself.
    before
        Column with the predictions before any help: adds the gain by generalisation.
    """

    score: str | None = None
    higher_is_better: bool = False
    touched: str | None = None
    before: str | None = None


@option_group
class TransferOptions:
    """References for forgetting and transfer.

    Parameters
    ----------
    untrained
        Table with the answers of the system before any training to the same items, with the same columns: adds the
        forward transfer of GEM. Default: not known.
    joint
        Table with the answers of a model trained on all data up to each period at once, with the same columns and
        versions, or one version for all periods: adds intransigence. Default: not known.
    """

    untrained: str | None = None
    joint: str | None = None
