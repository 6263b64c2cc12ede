"""The models of annotators, by name: what the command line, the schema and the documentation offer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from justesse.annotators.bayesian import bayesian
from justesse.annotators.consensus import Consensus
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.glad import glad
from justesse.annotators.mace import mace
from justesse.annotators.one_coin import one_coin
from justesse.annotators.vote import majority, weighted
from justesse.core.errors import OptionError


@dataclass(frozen=True)
class Model:
    """A way from answers to probable classes: its name, what it is in a sentence, and the function that fits it."""

    name: str
    says: str
    fit: Callable[..., Consensus]
    draws: bool = False  # random draws, with a seed
    predicts: bool = False  # gives a probability to the answers of a new item


ALL: tuple[Model, ...] = (
    Model("majority", "The class with most answers.", majority),
    Model("weighted", "Votes weigh as much as their annotator agrees with the others.", weighted),
    Model("one-coin", "Each annotator is right with one chance, whatever the class.", one_coin, predicts=True),
    Model("dawid-skene", "Each annotator has a table of answers given the class.", dawid_skene, predicts=True),
    Model("mace", "An annotator knows the class or answers by habit: finds spammers.", mace, predicts=True),
    Model("glad", "Ability of the annotator times easiness of the item.", glad),
    Model("hierarchical", "Dawid-Skene with annotators of one population: for few answers each.", bayesian, draws=True),
    Model("item-response", "The same with features of the items.", bayesian, draws=True),
)
NAMES = tuple(model.name for model in ALL)


def model_named(name: str) -> Model:
    """Find a model by its name.

    >>> model_named("mace").says
    'An annotator knows the class or answers by habit: finds spammers.'
    """
    for model in ALL:
        if model.name == name:
            return model
    raise OptionError(f"Unknown method {name!r}. Methods: {', '.join(NAMES)}.")


def fitted(name: str, annotations: Any, **options: Any) -> Consensus:
    """Fit a model by its name."""
    return model_named(name).fit(annotations, **options)
