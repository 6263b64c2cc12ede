"""Call a function many times in parallel, and give the results in order."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any, TypeVar

from justesse.core.errors import OptionError
from justesse.core.orphans import ended_with

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
MOST_JOBS = 1000


def check_jobs(jobs: int | None) -> int | None:
    """Return the number of models to train in parallel if it is one.

    >>> check_jobs(-1)
    -1
    """
    if jobs is not None and not (1 <= jobs <= MOST_JOBS or -MOST_JOBS <= jobs <= -1):
        raise OptionError(
            f"jobs (--jobs) is the number of models to train in parallel, from 1 to {MOST_JOBS:,}, or -1 for one per "
            f"core; got {jobs!r}"
        )
    return jobs


def parallel_map(
    task: Callable[..., Result],
    jobs: Iterable[tuple[Any, ...]],
    *,
    total: int,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Call a function once for each tuple of arguments, `n_jobs` at a time, and give the results in the order of jobs.

    Where they run is joblib's to say: `with joblib.parallel_config("dask"): …` sends them to a cluster. Jobs are asked
    for as they are needed, and `progress` hears how many of the total are done after each was taken. Worker processes
    end when this one does, even if it is killed.

    >>> list(parallel_map(pow, [(2, 3), (3, 2)], total=2, progress=lambda done, total: print(done, "of", total)))
    1 of 2
    2 of 2
    [8, 9]
    """
    import joblib

    parent = os.getpid()
    calls = (joblib.delayed(ended_with)(parent, task, *job) for job in jobs)
    with closing(joblib.Parallel(n_jobs=check_jobs(n_jobs), return_as="generator")(calls)) as outcome:
        for done, result in enumerate(outcome, start=1):
            yield result
            if progress:
                progress(done, total)
