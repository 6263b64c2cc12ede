"""Do many things side by side, and take them in order."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any, TypeVar

Result = TypeVar("Result")
Progress = Callable[[int, int], None]


def side_by_side(
    task: Callable[..., Result],
    jobs: Iterable[tuple[Any, ...]],
    *,
    total: int,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Call a function once for each tuple of arguments, `n_jobs` at a time, and give the results in the order of jobs.

    Where they run is joblib's to say: `with joblib.parallel_config("dask"): …` sends them to a cluster. Jobs are asked
    for as they are needed, and `progress` hears how many of the total are done after each was taken.

    >>> list(side_by_side(pow, [(2, 3), (3, 2)], total=2, progress=lambda done, total: print(done, "of", total)))
    1 of 2
    2 of 2
    [8, 9]
    """
    import joblib

    calls = (joblib.delayed(task)(*job) for job in jobs)
    with closing(joblib.Parallel(n_jobs=n_jobs, return_as="generator")(calls)) as found:
        for done, result in enumerate(found, start=1):
            yield result
            if progress:
                progress(done, total)
