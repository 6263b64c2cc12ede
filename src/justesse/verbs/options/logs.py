"""What to read of an evaluation log of a language model."""

from justesse.core.option_group import option_group


@option_group
class LogOptions:
    """Choices among what an evaluation log holds.

    Parameters
    ----------
    metric
        For evaluation logs: metric or scorer that says what is right, such as exact_match. Default: the first that
        scores with 0 and 1 only.
    log_filter
        For evaluation logs: how answers were extracted, such as strict-match; of HELM the split, such as valid. Default:
        the first in the log, of HELM test.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.
    """

    metric: str | None = None
    log_filter: str | None = None
    task: str | None = None
    log_model: str | None = None
    right_from: float | None = None
