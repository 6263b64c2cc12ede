"""How much the result owes to which hundred was chosen: other first states, and hundreds drawn at random."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from justesse.core.seeds import stream
from justesse.noise.ranking import Ranking
from studies.thesis_judges.groups import candidates
from studies.thesis_judges.hardness import OWN
from studies.thesis_judges.images import Images
from studies.thesis_judges.judging import Bench, Judged
from studies.thesis_judges.settings import Settings
from studies.thesis_judges.suffering import MEASURES
from studies.thesis_judges.training import Trained
from studies.thesis_judges.variety import most_varied

VARIED, RANDOM = "by both criteria, another first state", "drawn at random"


@dataclass(frozen=True, eq=False)
class Choice:
    """What judges made of one hundred: their rates by accuracy, and prudent_v1's type II rate by the classes' mean."""

    kind: str
    judged: dict[str, Judged]
    mean_type_two: dict[str, float]


def choices(settings: Settings, images: Images, ranked: Ranking, field: Trained, bench: Bench) -> Iterator[Choice]:
    """Judge other hundreds on the labels of a bench."""
    found, first = candidates(settings, images, ranked, field, settings.variety_rate)
    for number in range(settings.choices):
        start = stream(settings.seed, "another first", str(number))
        varied = first[most_varied(found.values[first], settings.chosen, start)]
        drawn = start.permutation(len(field.names))[: settings.chosen]
        for kind, chosen in ((VARIED, varied), (RANDOM, drawn)):
            own = bench.of(field.answers[chosen])
            judged = {one.judge: one for one in own.judged(hard=[OWN])}
            means: dict[str, float] = {
                measure: float(
                    np.nanmean([own.type_two("prudent_v1", measure, at) for at in range(len(images.classes))])
                )
                for measure in MEASURES
            }
            yield Choice(kind, judged, means)
