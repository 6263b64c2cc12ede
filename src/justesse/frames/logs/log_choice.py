"""What to read of a log."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LogChoice:
    """What to read of a log; `None` is the default of each.

    Parameters
    ----------
    metric
        Name of the metric, or scorer, that says what is right. Default: the first that scores with 0 and 1 only.
    filter
        How answers were extracted, or the version of the questions. Default: the first in the log.
    task
        Name of the task. Default: all tasks.
    model
        Name of the model, if a log has several.
    right_from
        Smallest score that counts as right. Default: 1, and other scores than 0 and 1 are refused.
    graded
        Whether scores between 0 and 1 are read, too, with the answers that got them.
    """

    metric: str | None = None
    filter: str | None = None
    task: str | None = None
    model: str | None = None
    right_from: float | None = None
    graded: bool = False

    @property
    def asked(self) -> dict[str, str | float]:
        """The options in use, as the verbs name them."""
        named = {
            "metric": self.metric, "log_filter": self.filter, "task": self.task, "log_model": self.model,
            "right_from": self.right_from,
        }  # fmt: skip
        return {name: value for name, value in named.items() if value is not None}
