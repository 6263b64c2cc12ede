"""The options of `recheck`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RecheckQuestionOptions:
    """Which rows to show.

    Parameters
    ----------
    n
        Number of rows to show: those that nobody has answered yet, then those on which people disagree. Default: 10.
    """

    n: int = 10


@dataclass(frozen=True)
class RecheckAnswerOptions:
    """Answers without a class, and changes.

    Parameters
    ----------
    cannot_say
        The true class cannot be determined. The row counts as not answered.
    withdraw
        Withdraw your own answer. The file keeps it.
    correct
        Correct your own answer. The file keeps the old one.
    """

    cannot_say: bool = False
    withdraw: bool = False
    correct: bool = False
