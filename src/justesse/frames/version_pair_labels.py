"""Items that two systems answered, with and without a label, and the probability with which each label was asked."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import FloatArray
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.recording import remembering
from justesse.frames.count_axes import count_axes
from justesse.frames.joined import LABEL, THEIRS
from justesse.frames.placed_versions import VersionColumns, place_of
from justesse.frames.version_labels import AskedLabels, EveryChance, probabilities
from justesse.frames.version_pairs import TIME, MomentPairs, joined_versions, moment_pairs

ASKED, THEIR_ASKED = "probability", "the candidate's probability"


@dataclass(frozen=True)
class PairGaps:
    """Items without a label at each moment of the pairs, those with different answers, and how labels were asked.

    Parameters
    ----------
    written
        Moments as they are written.
    unlabelled, differing
        Items without a label, and those of them to which the systems answered differently.
    asked
        Labelled items with their probabilities: what each counts is the second system's being right minus the first's.
    certain
        Items without a label although it was asked with probability 1, at each moment.
    """

    written: tuple[str, ...]
    unlabelled: FloatArray
    differing: FloatArray
    asked: AskedLabels | None = None
    certain: FloatArray | None = None


@remembering
def count_pair_labels(
    incumbent: Any,
    candidate: Any,
    columns: VersionColumns,
    versions: tuple[str, str],
    *,
    on: str,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy,
    common: bool = False,
    as_text: bool = False,
    probability: str | None = None,
) -> tuple[MomentPairs, PairGaps]:
    """Count the items that both systems answered, by whether they have a label.

    Parameters
    ----------
    incumbent, candidate
        Path, data frame or dict with a row for each item and version, with the same columns in both.
    columns
        Columns of version and time.
    versions
        Version of the incumbent, and of the candidate.
    on
        Column with the id of the item.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    policy
        What to do with missing predictions.
    common
        Whether to leave out items that only one system answered.
    as_text
        Whether to compare classes as text.
    probability
        Column with the probability with which the label of an item was asked, the same in both tables.

    >>> rows = {"id": [1, 2], "v": ["a", "a"], "t": [1, 1], "label": ["x", None], "prediction": ["x", "x"]}
    >>> other = {**rows, "prediction": ["y", "y"]}
    >>> options = {"on": "id", "policy": AnswerPolicy()}
    >>> pairs, gaps = count_pair_labels(rows, other, VersionColumns("v", "t"), ("a", "a"), **options)
    >>> pairs.sizes.tolist(), gaps.unlabelled.tolist(), gaps.differing.tolist()
    ([1.0], [1.0], [1.0])
    """
    kept = AnswerPolicy(policy.missing, "drop", "class")
    joined = joined_versions(
        incumbent, candidate, columns, versions, on=on, label=label, prediction=prediction, common=common
    )
    pairs = moment_pairs(joined, columns, policy=kept, as_text=as_text)
    whole = joined_versions(
        incumbent, candidate, columns, versions, on=on, label=label, prediction=prediction, common=common
    )
    whole.parts = {name: part for name, part in whole.parts.items() if name not in (LABEL, THEIRS)}
    tally, _ = count_axes(
        [whole], {"incumbent": "incumbent", "candidate": "candidate", CLUSTERS: TIME}, policy=kept, as_text=as_text,
        texts=(TIME,),
    )  # fmt: skip
    written = tuple(str(name) for name in tally.levels[tally.axis(CLUSTERS)])
    moment = tally.codes[:, tally.axis(CLUSTERS)]
    differ = tally.codes[:, tally.axis("incumbent")] != tally.codes[:, tally.axis("candidate")]
    rows, apart = (
        np.bincount(moment, tally.counts * part, minlength=len(written)).astype(float)
        for part in (np.ones(len(moment)), differ)
    )
    place = [written.index(name) for name in pairs.written]
    np.add.at(rows, place, -pairs.sizes)
    np.add.at(apart, place, -(pairs.only_first + pairs.only_second + pairs.neither_differ))
    asked, certain = None, None
    if probability is not None:
        joined = joined_versions(
            incumbent, candidate, columns, versions, on=on, label=label, prediction=prediction, common=common,
            more={ASKED: ("incumbent", probability), THEIR_ASKED: ("candidate", probability)},
        )  # fmt: skip
        joined.check_alike(probability, ASKED, THEIR_ASKED)
        axes = {"label": LABEL, "incumbent": "incumbent", "candidate": "candidate", CLUSTERS: TIME, RANKS: ASKED}
        labelled, _ = count_axes([joined], axes, policy=kept, as_text=as_text, texts=(TIME, ASKED))
        truth, first, second = (labelled.codes[:, labelled.axis(axis)] for axis in ("label", "incumbent", "candidate"))
        asked = AskedLabels(
            np.zeros(len(truth), dtype=np.int64),
            place_of(labelled, CLUSTERS, written),
            (second == truth).astype(float) - (first == truth),
            probabilities(labelled, probability, joined.name),
            labelled.counts,
        )
        joined.parts = {name: part for name, part in joined.parts.items() if name not in (LABEL, THEIRS)}
        axes = {"incumbent": "incumbent", "candidate": "candidate", CLUSTERS: TIME, RANKS: ASKED}
        every, _ = count_axes([joined], axes, policy=kept, texts=(TIME, ASKED))
        chances = EveryChance.of(every, place_of(every, CLUSTERS, written), probability, joined.name)
        certain = _sure(chances, len(written)) - _sure(asked, len(written))
        asked = chances.added_to(asked, np.zeros(len(chances.moment), dtype=np.int64))
    return pairs, PairGaps(written, rows, apart, asked, certain)


def _sure(items: AskedLabels | EveryChance, moments: int) -> FloatArray:
    """Count the items that were asked with probability 1, at each moment."""
    sure = np.bincount(items.moment, items.many * (items.probability == 1), minlength=moments)
    return np.asarray(sure, dtype=float)
