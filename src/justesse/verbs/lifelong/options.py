"""The options of `lifelong`."""

from justesse.core.choices import BoundedLabels, ExpertRule, LeakedAnswer, LifelongConvention, Missing
from justesse.core.option_group import option_group
from justesse.verbs.options.intervals import LevelOptions
from justesse.verbs.options.pairs import GainOptions


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
class VersionItemOptions:
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
class VersionPairOptions(VersionItemOptions):
    """How the items of both systems are paired, and what is done with the others.

    Parameters
    ----------
    common
        Compare only items that both systems answered; the others are counted and left out.
    """

    common: bool = False


@option_group
class TrainingOptions:
    """What versions were trained on.

    Parameters
    ----------
    training
        Table of the items that each version was trained on, with the columns version and id. A test item among them is
        refused. Default: not checked.
    features
        Columns that are equal for the same item, separated by commas, if items have no id.
    tolerance
        Numbers among the features may differ by this share of the standard deviation of their column, such as 0.01.
        Default: 0, equal to six digits.
    text
        Column with a text that is nearly the same for the same item.
    near
        Similarity from which texts are nearly the same, from 0.5 to 1. Default: 0.8.
    leaked
        Test items that their version was trained on: refuse the data, drop the rows, or allow them. Default: refuse.
    """

    training: str | None = None
    features: list[str] | None = None
    tolerance: float = 0.0
    text: str | None = None
    near: float = 0.8
    leaked: LeakedAnswer = "refuse"


@option_group
class PairTrainingOptions(TrainingOptions):
    """What the versions of both systems were trained on.

    Parameters
    ----------
    candidate_training
        The same table of the candidate. Default: --training is that of both.
    """

    candidate_training: str | None = None


@option_group
class StreamOptions:
    """Where the answers of a stream and their times are.

    Parameters
    ----------
    time
        Column with the time of each item: dates or numbers. Default: the column named time, date, period or day;
        without one, the order of the rows.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    known
        Column with the time at which the label became known; empty with an empty label if it is not known yet.
    delay
        Number of further items answered before a label is known, such as 48. Default: 0, known before the next item.
    version
        Column with the version that answered, in a table with a row for each item and version. Each item counts once,
        as answered by the latest version trained before it; needs --trained and --id.
    trained
        Column with the time at which the version was trained.
    id
        Column with the id of the item, if there are versions. Default: id.
    period
        Length of a period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default: each
        time if there are 60 or fewer, else the shortest that gives 60 or fewer; about 20 equal periods for numbers.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    """

    time: str | None = None
    label: str | None = None
    prediction: str | None = None
    known: str | None = None
    delay: int | None = None
    version: str | None = None
    trained: str | None = None
    id: str | None = None
    period: str | None = None
    as_text: bool = False


@option_group
class AlarmOptions:
    """Where alarms and changes are, and how long was watched.

    Parameters
    ----------
    time
        Column with the times in both tables: dates or numbers. Default: the column named time, date, period or day.
    detector
        Column with the name of the detector that raised the alarm. Default: one detector.
    start
        First time that was watched, such as 2024-01-01. Default: the first time in both tables.
    end
        Last time that was watched. Default: the last time in both tables.
    """

    time: str | None = None
    detector: str | None = None
    start: str | None = None
    end: str | None = None


@option_group
class MemoryOptions:
    """How fast a stream is forgotten.

    Parameters
    ----------
    fading
        Weight of an item relative to the next one, above 0 and at most 1. Default: 0.999, which counts about the last
        2,000 items.
    window
        Number of items of a sliding window, instead of a fading factor.
    """

    fading: float | None = None
    window: int | None = None


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


@option_group
class PolicyNoiseOptions:
    """What is known about wrong labels.

    Parameters
    ----------
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %, or a CSV with the columns
        period and rate. Default: not known.
    true
        Column with the true classes, if they are known: shows the bias of each score.
    """

    noise_rate: str | None = None
    true: str | None = None


@option_group
class ScoreNoiseOptions(PolicyNoiseOptions):
    """What is known about wrong labels, a claim to test, and the id of an item.

    Parameters
    ----------
    claim
        Claim about the error or accuracy under the policy, such as error<=0.2: says how many wrong labels could make
        it false.
    on
        Column with the id of each test item: all versions share the label of an item. Default: the column named id,
        if there is one.
    """

    claim: str | None = None
    on: str | None = None


@option_group
class LabelGapOptions:
    """Missing predictions, and labels that are late or were only asked for some rows.

    Parameters
    ----------
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the data, drop the row, or bound the figures over all labels it could have.
        Default: refuse; drop with --missing drop; estimated with --probability.
    probability
        Column with the probability with which the label of each row was asked, above 0 and at most 1: figures are
        weighted by it. Default: not known.
    """

    missing: Missing | None = None
    missing_labels: BoundedLabels | None = None
    probability: str | None = None


@option_group
class SystemOptions:
    """Which system answered.

    Parameters
    ----------
    system
        Column with the name of the system, if all systems are in one table.
    """

    system: str | None = None


@option_group
class MapPolicyOptions:
    """The policies of a map.

    Parameters
    ----------
    policies
        Policies of the map, such as past, uniform, window:3 or a CSV with the columns period and weight. Default: from
        past to recent with half-lives of 4, 2 and 1 periods, windows and cycles that fit.
    convention
        Periods that count for a version: through-next takes those up to the first one after its training, paper those
        before its training. Default: through-next.
    """

    policies: list[str] | None = None
    convention: LifelongConvention = "through-next"


@option_group
class PolicyExpertOptions:
    """What the expert is asked and sees, and how often the expert may be wrong.

    Parameters
    ----------
    budget
        Number of questions at most. Default: 200, or all disputed rows if there are fewer.
    show
        Column with the text the expert sees. For several columns, repeat it: --show title --show text.
    true
        Column whose values answer instead of an expert: the audit runs to its end at once.
    suspicion
        Column of numbers, higher where the label is more likely wrong. A good column saves questions, a bad one costs
        some.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.02. Widens the interval. Default: 0.
    experts
        If experts disagree: unanimous (the worst of their answers counts) or majority (the most frequent answer; wrong
        more often). Default: unanimous.
    """

    budget: int | None = None
    show: list[str] | None = None
    true: str | None = None
    suspicion: str | None = None
    expert_error: float = 0.0
    experts: ExpertRule = "unanimous"


@option_group
class PolicyAuditOptions(LevelOptions, GainOptions):
    """What an audit decides.

    Parameters
    ----------
    level
        Confidence level that holds at all looks together, such as 0.9. Default: 0.95.
    """

    level: float = LevelOptions.level
