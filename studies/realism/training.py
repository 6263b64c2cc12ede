"""Learners trained on every kind of labels; what each answered is kept, so a run that was stopped goes on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn
from numpy.typing import NDArray

from justesse.noise.noisy import Noisy
from justesse.procedures.noisy_training import noisy_training
from studies.realism.kinds import Key, Kinds
from studies.realism.settings import Settings

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Trained:
    """What one learner answered on the test rows of one repetition, by the labels it was trained on."""

    learner: str
    repeat: int
    test: Array
    versions: Mapping[Key, Noisy]
    answers: Mapping[Key, Array]


def learners(names: list[str]) -> dict[str, Any]:
    """Give learners that differ in kind, small enough to be trained hundreds of times."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    made = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=60)),
        "neighbours": KNeighborsClassifier(15),
        "network": MLPClassifier((256,), alpha=1.0, max_iter=12),
    }
    return {name: made[name] for name in names}


def trained(x: Array, kinds: Kinds, settings: Settings, folder: Path) -> Iterator[Trained]:
    """Train every learner on every version of the labels, one split a repetition; finished parts are read back."""
    same = joblib.hash((x, kinds.people.true, settings.test_share, sklearn.__version__))
    for repeat in range(settings.repeats):
        versions, seed = kinds.versions(repeat, settings.seed), settings.seed + repeat
        for name, learner in learners(settings.learners).items():
            found = {}
            for key, noisy in versions.items():
                facts = joblib.hash((same, seed, repr(learner), noisy.label))
                place = folder / "trained" / f"{repeat}-{name}-{facts[:16]}.npz"
                if not place.exists():
                    _train(place, x, noisy, {name: learner}, settings.test_share, seed)
                with np.load(place) as kept:
                    test, found[key] = kept["test"], kept["answers"]
            print(f"trained: {name}, repetition {repeat + 1} of {settings.repeats}", flush=True)
            yield Trained(name, repeat, test, versions, found)


def _train(place: Path, x: Array, noisy: Noisy, learner: Mapping[str, Any], test_share: float, seed: int) -> None:
    """Train one learner on one version; the seed alone decides the split and the learner's own chance."""
    options: dict[str, Any] = {"test_share": test_share, "repeats": 1, "seed": seed, "n_jobs": 1}
    (run,) = noisy_training(x, noisy.true, lambda own_seed: {"": noisy}, learner, **options)
    place.parent.mkdir(parents=True, exist_ok=True)
    unfinished = place.with_suffix(".part.npz")
    np.savez_compressed(unfinished, test=run.test, answers=run.prediction.astype(np.int16))
    unfinished.replace(place)
