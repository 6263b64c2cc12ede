"""How many models are trained at once."""

from justesse.core.option_group import option_group


@option_group
class JobOptions:
    """How many processor cores to use.

    Parameters
    ----------
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    """

    jobs: int | None = None
