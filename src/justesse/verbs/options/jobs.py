"""How many models are trained at once."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JobOptions:
    """How many processor cores to use.

    Parameters
    ----------
    jobs
        Number of models to train in parallel, such as 4; -1 uses all cores. Default: one at a time.
    """

    jobs: int | None = None
