"""The judge `cleaned` on all ordered pairs, after every filter that looks at answers and after simulated steps."""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from justesse.cleaning import ALL
from justesse.cleaning.pool_filter import PoolAction, PoolFilter
from justesse.cleaning.simulated import Nett
from justesse.cleaning.written_filter import written_filter
from justesse.core.arrays import Array
from justesse.frames.pairwise import count_all_pairs, count_pairs
from justesse.judges import judge_named
from justesse.judges.evidence import Rule

SIMULATED = (Nett(0.6, 0.1), Nett(0.6, 0.1, 0.75))


def pool_filters() -> Iterator[PoolFilter]:
    """Give every filter that needs no more than the answers of the classifiers, removing rows and correcting labels."""
    for item in ALL:
        if not {"history", "answers"} & set(item.needs):
            for action in get_args(PoolAction):
                yield PoolFilter(written_filter(item.name), action)


def cleaned_decisions(
    labels: Array, true: Array, answers: Array, rule: Rule, *, classes: int, seed: int = 0
) -> Iterator[tuple[str, Array]]:
    """Let `cleaned` decide, by overlap of intervals, after each real filter and after each simulated step."""
    pairs = count_all_pairs(labels, answers, true=true)

    def decided(cleaned: Array) -> Array:
        left = cleaned >= 0
        after = replace(pairs, cleaned=count_pairs(cleaned[left], answers[:, left]))
        return judge_named("cleaned").decide_many(after, rule)

    for own in pool_filters():
        yield f"cleaned, {own.words}", decided(own.clean_rows(labels, answers, classes=classes, seed=seed))
    for step in SIMULATED:
        yield f"cleaned, simulated {step.words}", decided(step.clean_rows(labels, true, classes=classes, seed=seed))
