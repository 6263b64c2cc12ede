"""Rows of a comparison that come in clusters: which column names them, and what cannot be combined with them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from justesse import judges
from justesse.core.levels import CLUSTERS
from justesse.core.tally import Tally
from justesse.verbs.clusters import check_cluster_options

if TYPE_CHECKING:
    from justesse.verbs.log_input import LogInput

QUESTION = "question"
WITHOUT_CLUSTERS = ("noise_rate", "transition", "audited")


def pair_cluster(asked: Any, data: Any, logs: "LogInput", settings: Mapping[str, Any]) -> Any:
    """Return the column of clusters: the one asked for, or the question if logs have several samples of a question.

    Options and judges that take rows as independent are refused. With logs, they leave the samples independent, and a
    warning says so.

    Parameters
    ----------
    asked
        Column or array that was named.
    data
        What is compared; a tally may have clusters of its own.
    logs
        Evaluation logs among the data.
    settings
        All options.
    """
    judge = judges.judge_named(settings["judge"])
    apart = {name: settings[name] for name in WITHOUT_CLUSTERS}
    if asked is None and logs.paired and logs.repeated and judge.respects_clusters:
        return QUESTION if all(value is None for value in apart.values()) else None
    if asked is not None or (isinstance(data, Tally) and CLUSTERS in data.axes):
        judge.check_clusters()
        check_cluster_options(apart)
    return asked
