"""The options of `recheck`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RecheckQuestionOptions:
    """Which rows to show.

    Parameters
    ----------
    n
        Number of rows to show: those that nobody has answered yet, then those on which people disagree. Default: 10.
    reveal
        Show the label, the class that the filter suggests, and why the row is on the list. People should answer without
        knowing. In a list of a run, what the system answered is always shown.
    """

    n: int = 10
    reveal: bool = False


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
