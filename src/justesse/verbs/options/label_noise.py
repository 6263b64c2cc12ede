"""What is known about wrong labels."""

from pathlib import Path

from justesse.core.choices import TransitionOf
from justesse.core.option_group import option_group


@option_group
class NoiseRateOptions:
    """How many labels are wrong, or which ones.

    Parameters
    ----------
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %. Default: not known.
    transition
        CSV table of true classes (rows) by labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the transition table come from: a random sample, or exactly these rows. Default: sample.
    """

    noise_rate: str | None = None
    transition: Path | None = None
    transition_of: TransitionOf | None = None


@option_group
class AuditedOptions:
    """Rows that were re-checked.

    Parameters
    ----------
    audited
        File of re-checked rows with the id (--on) and a column true, drawn at random. For evaluate and compare also rows
        that plan labels listed; a column probability says how likely each was drawn.
    """

    audited: str | None = None


@option_group
class LabelNoiseOptions(AuditedOptions, NoiseRateOptions):
    """What is known about wrong labels.

    Parameters
    ----------
    plausible_noise
        Share of wrong labels to expect, such as 0.02: a warning says if fewer could change the result. Default: 1%, or the
        upper end of --noise-rate.
    """

    plausible_noise: float | None = None


@option_group
class RecheckedOptions(AuditedOptions):
    """Rows that were re-checked, and the id that finds them.

    Parameters
    ----------
    on
        Column with the id that finds the re-checked rows of --audited.
    """

    on: str | None = None


@option_group
class RecheckedNoiseOptions(RecheckedOptions, LabelNoiseOptions):
    """What is known about wrong labels, and the id of re-checked rows or answered items.

    Parameters
    ----------
    on
        Column with the id that finds the re-checked rows of --audited, or the items of --answers. Default for --answers:
        the column named id, item, task or question.
    """

    on: str | None = None
