"""How the answers of an incumbent and a candidate are found, and what counts as better."""

from justesse.core.option_group import option_group


@option_group
class JoiningOptions:
    """How the rows of several files are joined.

    Parameters
    ----------
    on
        Column with an id that all files share. Default: rows in order, if all labels agree.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    incumbent
        Column of the incumbent's answers, if all answers are in one file.
    """

    on: str | None = None
    common: bool = False
    incumbent: str | None = None


@option_group
class OneCandidateOptions(JoiningOptions):
    """How the answers of an incumbent and one candidate are found.

    Parameters
    ----------
    candidate
        Column of the candidate's answers, if all answers are in one file.
    """

    candidate: str | None = None


@option_group
class GainOptions:
    """What counts as better.

    Parameters
    ----------
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    """

    margin: float = 0.0
