"""Penalised diarization error rates: the expert corrects who speaks in parts of a recording."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.lifelong.diarization_error import diarization_errors
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.speaker_segment import Region, SpeakerSegment
from justesse.lifelong.spoken_times import inside, outside

Recordings = Mapping[str, Sequence[SpeakerSegment]]


@dataclass(frozen=True)
class DiarizationScoring:
    """How recordings are scored: the collar on either side of reference boundaries, and whether overlaps count."""

    collar: float = 0.0
    overlap: bool = True

    def counts(self, reference: Recordings, hypothesis: Recordings) -> FloatArray:
        """Count missed speech, false alarms, confusions and all speech, a row for each recording."""
        rows = []
        for name, segments in reference.items():
            errors = diarization_errors(
                segments, hypothesis.get(name, ()), collar=self.collar, overlap=self.overlap
            )  # fmt: skip
            rows.append((errors.missed, errors.false_alarm, errors.confusion, errors.total))
        return np.array(rows, dtype=float)


ALL_SPEECH = DiarizationScoring()


def diarization_rate(sums: FloatArray) -> FloatArray:
    """Compute the diarization error rate of several recordings together."""
    return np.asarray(sums[..., :-1].sum(axis=-1) / sums[..., -1])


def penalised_diarization(
    reference: Recordings,
    adapted: Recordings,
    touched: Mapping[str, Sequence[Region]],
    *,
    base: Recordings | None = None,
    answers: Recordings | None = None,
    unusable: Iterable[str] = (),
    scoring: DiarizationScoring = ALL_SPEECH,
) -> HypothesisCounts:
    """Count the hypotheses of a penalised diarization error rate.

    Parameters
    ----------
    reference
        Recording → who really speaks when.
    adapted
        Recording → what the system itself answers after it adapted.
    touched
        Recording → times that the expert corrected, or was asked about, in any round.
    base
        What the system answered before any help. Default: `adapted`, for the times not touched.
    answers
        What the expert answered, with the reference's names of speakers; if the expert errs, the score with these
        answers is shown too.
    unusable
        Recordings with an answer that cannot be applied to the hypothesis, such as "the same speaker or not?"
    scoring
        Collar and overlap.

    Returns
    -------
    HypothesisCounts
        `score()` has the penalised score. The penalty is exactly the share of the reference's speech in the times
        touched.

    Notes
    -----
    Names of speakers are arbitrary, so the reference is pasted in under the mapping that is best for the times not
    touched. The wholly wrong hypothesis has no speech in the times touched: the best mapping could make any other
    wrong speaker right, and added speech could make it arbitrarily bad.

    >>> right = {"a": [SpeakerSegment("Ann", 0, 10), SpeakerSegment("Ben", 10, 20)]}
    >>> first = {"a": [SpeakerSegment("1", 0, 20)]}
    >>> score = penalised_diarization(right, right, {"a": [(10, 12)]}, base=first).score()
    >>> round(score.base, 3), round(score.cor, 3), round(score.false, 3), round(score.value, 3)
    (0.5, 0.4, 0.5, 0.1)
    """
    first = adapted if base is None else base
    for part, recordings in (("adapted", adapted), ("touched", touched), ("base", first), ("answer", answers or {})):
        unknown = next((name for name in recordings if name not in reference), None)
        if unknown is not None:
            raise InputError(f"Recording {unknown!r} of {part} has no reference. Add it, or leave the recording out.")
    own = scoring.counts(reference, adapted)
    if not own[:, -1].sum() > 0:
        raise InputError("A diarization error rate needs speech in the reference that is scored.")
    lost = next(iter(unusable), None)
    reason = None
    if lost is not None:
        reason = f"the expert's answer about recording {lost!r} cannot be applied to the hypothesis"
    kept = {name: outside(first.get(name, ()), touched.get(name, ())) for name in reference}
    renamed = {name: _renamed(kept[name], reference[name], touched.get(name, ()), scoring) for name in reference}

    def pasted(source: Recordings) -> Recordings:
        return {
            name: [*renamed[name], *inside(source.get(name, ()), touched.get(name, ()))] for name in reference
        }  # fmt: skip

    return HypothesisCounts(
        diarization_rate,
        "ratio",
        own,
        None if reason else scoring.counts(reference, pasted(reference)),
        None if reason else scoring.counts(reference, kept),
        None if base is None else scoring.counts(reference, first),
        None if reason or answers is None else scoring.counts(reference, pasted(answers)),
        undefined=reason,
    )


def _renamed(
    kept: Sequence[SpeakerSegment],
    reference: Sequence[SpeakerSegment],
    touched: Sequence[Region],
    scoring: DiarizationScoring,
) -> list[SpeakerSegment]:
    """Give the speakers of a hypothesis the reference's names where the times not touched are mapped best."""
    mapping = diarization_errors(
        reference, kept, collar=scoring.collar, overlap=scoring.overlap, skipped=touched
    ).mapping  # fmt: skip
    names = {segment.speaker for segment in reference}
    renamed = []
    for segment in kept:
        speaker = mapping.get(segment.speaker, segment.speaker)
        while segment.speaker not in mapping and speaker in names:
            speaker += "'"  # a name of its own, not the reference's by chance
        renamed.append(replace(segment, speaker=speaker))
    return renamed
