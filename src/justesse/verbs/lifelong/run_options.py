"""The options of `lifelong run`."""

from collections.abc import Sequence
from pathlib import Path

from justesse.core.choices import AdaptationMode, Learning, PenaltyScore
from justesse.core.option_group import option_group


@option_group
class RunStreamOptions:
    """Where items, times and labels are, and what is kept for tests.

    Parameters
    ----------
    on
        Column with the id of each item. Default: id if there is such a column, otherwise the number of the row.
    time
        Column with the time of each item: dates or numbers. Default: the column named time, date, period or day.
    label
        Column with the labels, or with the right texts for wer and bleu. The system never sees it. Default: the column
        named label, y, y_true or target.
    features
        Columns that the system sees, separated by commas. Default: all others.
    period
        Length of a period: day, week, month, quarter or year for dates, a number such as 30 for numbers. Default: each
        time if there are 60 or fewer, else the shortest that gives 60 or fewer.
    initial
        Number of first periods that the system gets with their labels before the run. Default: 1.
    test_share
        Share of each later period that is kept for tests, such as 0.2. The system never learns from it. Default: 0.25.
    """

    on: str | None = None
    time: str | None = None
    label: str | None = None
    features: Sequence[str] | None = None
    period: str | None = None
    initial: int = 1
    test_share: float = 0.25


@option_group
class RunScoreOptions:
    """What the answers are, and how they are scored.

    Parameters
    ----------
    score
        error (classes), wer (word error rate of texts), der (diarization error rate of recordings), bleu (Papineni et
        al.) or sacrebleu (translations). Default: error.
    reference
        For der: RTTM file with who speaks when, such as right.rttm. Its recordings are the ids of the stream.
    collar
        For der: time not scored on either side of each start and end in the reference, such as 0.25. Default: 0.
    skip_overlap
        For der: leave out times when several speakers of the reference talk.
    stretch
        For der: length of the stretch of time that a question or a correction is about, such as 30. Default: the whole
        recording.
    """

    score: PenaltyScore = "error"
    reference: str | None = None
    collar: float = 0.0
    skip_overlap: bool = False
    stretch: float | None = None


@option_group
class AdaptationOptions:
    """When the system adapts, and who begins an exchange with the expert.

    Parameters
    ----------
    mode
        on-line: the system adapts while it handles a period, and asks only about its items. off-line: it answers first,
        then adapts to all items so far. Default: on-line.
    learning
        active: the system asks. interactive: the expert corrects the first wrong item, again and again. unsupervised:
        neither. Default: active.
    name
        Name of the system in results. Default: its command, or the name of its class.
    timeout
        Seconds in which a command must reply to a message. Default: 60.
    restarts
        Also let each version meet the test items of each period with the expert's help, each time from its own state:
        penalised scores of all pairs.
    restart_budget
        Most that such a restart may cost. Default: the budget divided by the number of periods.
    """

    mode: AdaptationMode = "on-line"
    learning: Learning = "active"
    name: str | None = None
    timeout: float = 60.0
    restarts: bool = False
    restart_budget: float | None = None


@option_group
class RunExpertOptions:
    """Who answers, and at what price.

    Parameters
    ----------
    expert
        perfect, noisy:0.1 (share of wrong answers), refusing:0.2 (share without an answer), delayed:1 (periods),
        tiring:50 (answers until one in four is wrong) or costly:5 (price up to so many times); several as
        noisy+costly:3. Or a file that people answer, such as ask.recheck. Default: perfect.
    budget
        Most that all questions, corrections and rounds may cost, such as 500. Default: no limit.
    cost
        Cost of a question or a correction. Default: 1.
    round_cost
        Fixed cost of an off-line round. Default: 0.
    answer_seconds
        Seconds that the expert takes for an answer, for response times. Default: 0.
    """

    expert: str = "perfect"
    budget: float | None = None
    cost: float = 1.0
    round_cost: float = 0.0
    answer_seconds: float = 0.0


@option_group
class RunFileOptions:
    """Where the run and its tables are kept.

    Parameters
    ----------
    checkpoint
        Keep every step in this file, such as my.run. The same command goes on from it if it was stopped.
    to
        Write the answers of every version to every test item, or its scores in every period for other scores than
        error, such as answers.csv: what justesse lifelong score reads.
    curve_to
        Write the score on all test items against the cost, such as curve.csv.
    penalised_to
        With restarts: write the penalised score of every version in every period, such as penalised.csv.
    """

    checkpoint: Path | None = None
    to: Path | None = None
    curve_to: Path | None = None
    penalised_to: Path | None = None
