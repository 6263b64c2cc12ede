"""Filters that find wrong labels, one per file (`ALL`), and `simulated.py`, a filter of known quality."""

from justesse.cleaning.area_under_margin import AREA_UNDER_MARGIN
from justesse.cleaning.classification import CLASSIFICATION
from justesse.cleaning.complexity import COMPLEXITY
from justesse.cleaning.confident_learning import CONFIDENT_LEARNING
from justesse.cleaning.consensus_vote import CONSENSUS_VOTE
from justesse.cleaning.edited_neighbours import EDITED_NEIGHBOURS
from justesse.cleaning.entropy import ENTROPY
from justesse.cleaning.filter import Filter
from justesse.cleaning.forgetting import FORGETTING
from justesse.cleaning.majority_vote import MAJORITY_VOTE
from justesse.cleaning.neighbourhood_graph import NEIGHBOURHOOD_GRAPH
from justesse.cleaning.partition import PARTITION
from justesse.cleaning.several_answers import SEVERAL_ANSWERS
from justesse.core.errors import OptionError

ALL: tuple[Filter, ...] = (
    CONFIDENT_LEARNING,
    CLASSIFICATION,
    MAJORITY_VOTE,
    CONSENSUS_VOTE,
    PARTITION,
    EDITED_NEIGHBOURS,
    NEIGHBOURHOOD_GRAPH,
    ENTROPY,
    COMPLEXITY,
    AREA_UNDER_MARGIN,
    FORGETTING,
    SEVERAL_ANSWERS,
)


def filter_named(name: str) -> Filter:
    """Give the filter of a name.

    >>> filter_named("confident-learning").title
    'Confident learning'
    """
    for item in ALL:
        if item.name == name:
            return item
    raise OptionError(f"There is no filter {name!r}. Filters: {', '.join(item.name for item in ALL)}.")
