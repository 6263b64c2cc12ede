"""Times of speech: cut to regions, cut out of them, joined where they meet."""

from collections.abc import Sequence

import numpy as np

from justesse.core.errors import InputError
from justesse.lifelong.speaker_segment import Region, SpeakerSegment


def inside(segments: Sequence[SpeakerSegment], regions: Sequence[Region]) -> list[SpeakerSegment]:
    """Cut segments down to these times.

    >>> inside([SpeakerSegment("Ann", 0, 5)], [(3, 9)])
    [SpeakerSegment(speaker='Ann', start=3, end=5)]
    """
    pieces = []
    for segment in segments:
        for start, end in united(regions):
            low, high = max(segment.start, start), min(segment.end, end)
            if low < high:
                pieces.append(SpeakerSegment(segment.speaker, low, high))
    return pieces


def outside(segments: Sequence[SpeakerSegment], regions: Sequence[Region]) -> list[SpeakerSegment]:
    """Cut these times out of segments."""
    whole = united(regions)
    starts, ends = [-np.inf, *(end for _, end in whole)], [*(start for start, _ in whole), np.inf]
    return inside(segments, [(low, high) for low, high in zip(starts, ends, strict=True) if low < high])


def joined(segments: Sequence[SpeakerSegment]) -> list[SpeakerSegment]:
    """Join segments of the same speaker that overlap or meet.

    >>> joined([SpeakerSegment("Ann", 0, 2), SpeakerSegment("Ann", 2, 3)])
    [SpeakerSegment(speaker='Ann', start=0, end=3)]
    """
    times: dict[str, list[Region]] = {}
    for segment in segments:
        times.setdefault(segment.speaker, []).append((segment.start, segment.end))
    return [SpeakerSegment(speaker, *region) for speaker, regions in times.items() for region in united(regions)]


def united(regions: Sequence[Region]) -> list[Region]:
    """Join times that overlap or meet, in order.

    >>> united([(5.0, 6.0), (1.0, 3.0), (2.0, 4.0)])
    [(1.0, 4.0), (5.0, 6.0)]
    """
    whole: list[Region] = []
    for start, end in sorted(regions):
        if not start < end:
            raise InputError(f"A time that the expert touched must start before it ends; got {start!r} to {end!r}.")
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return whole
