"""The options of `lifelong`."""

from justesse.core.choices import LifelongConvention
from justesse.core.option_group import option_group


@option_group
class VersionOptions:
    """Where versions, times, labels and predictions are.

    Parameters
    ----------
    version
        Column with the version of the system that answered. Default: the column named version or model.
    time
        Column with the time of each test item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    trained
        Column with the time at which the version was trained. Default: version 1 just before the first test period,
        version 2 just before the second, and so on.
    period
        Length of a test period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default:
        all items between two trainings if the times of training are known. Otherwise each time if there are 60 or
        fewer, else the shortest that gives 60 or fewer.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    """

    version: str | None = None
    time: str | None = None
    label: str | None = None
    prediction: str | None = None
    trained: str | None = None
    period: str | None = None
    as_text: bool = False


@option_group
class VersionPairOptions:
    """How the items of both systems are paired.

    Parameters
    ----------
    on
        Column with the id of each test item, which pairs the answers of both. Default: id.
    at
        Version to compare, such as v8. Default: the last one of each system.
    """

    on: str = "id"
    at: str | None = None


@option_group
class PolicyOptions:
    """How much each period matters.

    Parameters
    ----------
    policy
        recent, uniform, past, cyclic:12 (periods of a cycle), window:3 (the last periods), or a CSV with the columns
        period and weight. Default: uniform.
    half_life
        For recent and past: time after which a weight has halved, in days for dates. Default: one period.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    """

    policy: str = "uniform"
    half_life: float | None = None
    convention: LifelongConvention = "through-next"
