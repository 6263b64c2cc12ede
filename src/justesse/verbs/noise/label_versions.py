"""The labels a tournament is held on: columns of the data, or the true classes made wrong at several rates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import coded, named
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.frames.entrant_codes import Entrants
from justesse.frames.table import TypedTable
from justesse.noise.inject import inject
from justesse.noise.models import check_rate, noise_by_class
from justesse.noise.noisy import Noisy
from justesse.report.writing import message, written
from justesse.verbs.noise.feature_noise import HardRows, Labelled, Sources, feature_ranking
from justesse.verbs.noise.options import TrainingNoise

NO_SOURCE = (
    "noise by features needs the difficulty of the rows: votes=…, answers=… or a file ranking=… (--votes FILE, …)"
)


@dataclass(frozen=True, eq=False)
class LabelVersion:
    """Labels as codes, what they are called, and which share of them is wrong.

    `answers` are the classifiers' as these labels judge them. `difficulty` has a number for each row, the higher the
    harder, if a ranking placed the wrong labels.
    """

    name: str
    labels: Array
    answers: Array
    realised: float
    asked: float | None = None
    method: str = "as given"
    difficulty: Array | None = None

    @property
    def title(self) -> str:
        """Name it with the share of wrong labels, and with the share asked for."""
        template = "{name}, {wrong:share} wrong" if self.asked is None else "{wrong:share} wrong ({name} asked)"
        return str(message(template, name=self.name, wrong=self.realised))


def given_versions(entrants: Entrants) -> list[LabelVersion]:
    """Take each column of labels as a version."""
    wrong = {name: float(np.mean(labels != entrants.true)) for name, labels in entrants.labels.items()}
    wrong |= entrants.judged.wrong
    return [
        LabelVersion(name, labels, entrants.judged_by(name), wrong[name]) for name, labels in entrants.labels.items()
    ]


def made_versions(
    entrants: Entrants, rates: Sequence[float], *, noise: TrainingNoise | None, sources: Sources
) -> tuple[list[LabelVersion], list[str]]:
    """Make a version of the true classes for each rate; give them, and what to say about them.

    Noise follows a ranking if `sources` has one or says how to make it, and is uniform otherwise. With one seed the
    wrong labels of a lower rate are part of those of a higher one.
    """
    sourced = any(source is not None for source in (sources.votes, sources.answers, sources.ranking))
    kind = noise or ("features" if sourced else "uniform")
    if kind not in get_args(TrainingNoise):
        raise OptionError(f"noise must be one of {', '.join(get_args(TrainingNoise))}; got {noise!r}.")
    if (kind == "features") != sourced:
        raise OptionError(
            NO_SOURCE
            if not sourced
            else f"votes, answers and ranking are for noise by features, not {kind}. Leave them out."
        )
    if entrants.judged:
        raise OptionError(
            "noise_rates makes true classes wrong, so each must be one class, but some accept several "
            "(any_of). Give a column of labels instead (--label COL)."
        )
    checked_rates = [check_rate(rate) for rate in dict.fromkeys(rates)]
    if len(entrants.classes) < 2:
        raise ClassError(
            f"All rows are of class {entrants.classes[0]!r}, so no label can be wrong. Name all the classes."
        )
    labels = named(entrants.true, entrants.classes)
    ranked = _ranked(entrants, labels, sources) if kind == "features" else None
    made = []
    for rate in checked_rates:
        if ranked is not None:
            noisy = inject(labels, ranked.ranking, rate=rate)
        else:
            noisy = inject(labels, noise_by_class(kind, rate, entrants.classes), seed=sources.seed)
        made.append(_version(noisy, entrants, rate, ranked))
    return made, list(ranked.warnings) if ranked else []


def _version(noisy: Noisy, entrants: Entrants, rate: float, ranked: HardRows | None) -> LabelVersion:
    codes = coded(noisy.label, entrants.classes)[0].astype(entrants.true.dtype)
    method = ranked.ranking.method if ranked else noisy.model.partition(":")[0]
    difficulty = ranked.ranking.difficulty if ranked else None
    return LabelVersion(written("level", rate), codes, entrants.answers, noisy.realised, rate, method, difficulty)


def _ranked(entrants: Entrants, labels: Array, sources: Sources) -> HardRows:
    import pyarrow as pa

    if entrants.dropped or len(entrants.source) > 1:
        raise InputError(
            "Ranking rows by difficulty needs one file without gaps. Combine the files, and leave out rows "
            "that lack a value first."
        )
    rows = entrants.source[0]
    columns = {entrants.true_column: pa.array(labels), **({sources.on: pa.nulls(len(labels))} if sources.on else {})}
    table = TypedTable(rows, columns, columns)
    return feature_ranking(Labelled(table, entrants.true_column, labels, entrants.classes), sources)
