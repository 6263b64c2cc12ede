"""Who is compared: a varied hundred of all that were trained, or of those trained at the test's own noise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.noise.ranking import Ranking
from studies.thesis_judges.images import Images
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.training import Trained
from studies.thesis_judges.variety import Indicators, elected, most_varied

SEVERAL, SAME = "trained on several versions", "trained on the test's version"


@dataclass(frozen=True, eq=False)
class Group:
    """The chosen, how many passed the first criterion, and what the chosen do with wrong labels."""

    chosen: Trained
    elected: int
    indicators: Indicators


def candidates(
    settings: Settings, images: Images, ranked: Ranking, pool: Trained, rate: float
) -> tuple[Indicators, NDArray[np.int64]]:
    """Apply the first criterion, by the indicators on the test labels with this share wrong: who is left."""
    label = ranked.noisy(images.true, rate).label[images.test]
    found = Indicators.of(images.true[images.test], label, pool.answers, images.classes)
    return found, np.array(elected(found.values, pool.model, proximity=settings.proximity))


def chosen_group(settings: Settings, images: Images, ranked: Ranking, pool: Trained, rate: float) -> Group:
    """Reduce a pool by both criteria."""
    found, first = candidates(settings, images, ranked, pool, rate)
    start = stream(settings.seed, "first of the chosen")
    at = np.sort(first[most_varied(found.values[first], settings.chosen, start)])
    return Group(pool.part(at), len(first), Indicators(found.names, found.values[at]))


def groups(settings: Settings, images: Images, ranked: Ranking, field: Trained) -> dict[tuple[str, float], Group]:
    """Choose once for all test versions, as the thesis does, and once for each of them."""
    once = chosen_group(settings, images, ranked, field, settings.variety_rate)
    made = {(SEVERAL, rate): once for rate in settings.test_rates}
    for rate in settings.test_rates:
        own = np.flatnonzero(field.rate == rate)
        made[SAME, rate] = chosen_group(settings, images, ranked, field.part(own), rate)
    return made
