"""Which test images prudent_v2 doubts: four rankings, of which only the thesis' own knows where the noise was put."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.noise.hardness import at_random, by_disagreement, by_margin, hardest
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking
from studies.thesis_judges.images import Images
from studies.thesis_judges.settings import Settings

Array = NDArray[Any]
OWN, RANDOM, POOL, MODEL = "own ranking", "random ranking", "pool's disagreement", "a model's margin"


def hard_rows(settings: Settings, images: Images, ranked: Ranking, noisy: Noisy, answers: Array) -> dict[str, Array]:
    """Mark the share pc of the test images that each ranking finds hardest.

    The model whose margin is asked is a linear discriminant that learnt from the same noisy labels.
    """
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    model = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1)
    model.fit(images.x[images.train], noisy.label[images.train])
    hardness = {
        OWN: -np.argsort(ranked.order)[images.test],  # its place among all images
        RANDOM: at_random(len(images.test), seed=settings.seed),
        POOL: by_disagreement(answers),
        MODEL: by_margin(np.clip(model.predict_proba(images.x[images.test]), 0, 1)),
    }
    return {name: hardest(values, settings.pc) for name, values in hardness.items()}
