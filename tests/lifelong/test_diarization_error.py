"""Diarization error rates: pyannote.metrics' values, by hand, and every mapping of speakers tried."""

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import InputError, OptionError
from justesse.lifelong.diarization_error import diarization_errors
from justesse.lifelong.penalised_diarization import DiarizationScoring, penalised_diarization
from justesse.lifelong.speaker_segment import SpeakerSegment

STORED = json.loads((Path(__file__).parents[1] / "oracles" / "lifelong_scores.json").read_text())["diarization"]


def segments(rows):
    return [SpeakerSegment(str(speaker), start, end) for speaker, start, end in rows]


@pytest.mark.parametrize("case", STORED)
def test_all_parts_equal_those_of_pyannote(case):
    errors = diarization_errors(
        segments(case["reference"]), segments(case["hypothesis"]), collar=case["collar"], overlap=case["overlap"]
    )
    for part in ("missed", "false_alarm", "confusion", "total"):
        assert getattr(errors, part) == pytest.approx(case[part], abs=1e-9)


def test_by_hand():
    # Ann 0-10, Ben 8-20 (both from 8 to 10); the system hears 1 from 0 to 9, 2 from 9 to 15, 3 from 15 to 22
    right = segments([("Ann", 0, 10), ("Ben", 8, 20)])
    heard = segments([("1", 0, 9), ("2", 9, 15), ("3", 15, 22)])
    errors = diarization_errors(right, heard)
    # 1 is Ann (9 s), 2 is Ben (6 s); missed: one of two from 8 to 10; 3 is nobody: 15-20; nobody talks from 20 to 22
    assert errors.mapping == {"1": "Ann", "2": "Ben"}
    assert (errors.missed, errors.confusion, errors.false_alarm, errors.total) == (2, 5, 2, 22)
    assert errors.rate == pytest.approx(9 / 22)
    # without overlap: 8-10 is out; with a collar of 1 s: 0-1, 7-11 and 19-21 are out
    assert diarization_errors(right, heard, overlap=False).missed == 0
    assert diarization_errors(right, heard, overlap=False).total == 18
    close = diarization_errors(right, heard, collar=1)
    assert (close.missed, close.confusion, close.false_alarm, close.total) == (0, 4, 1, 14)


TIMES = st.integers(0, 12)
SEGMENT = st.tuples(st.sampled_from("ABC"), TIMES, st.integers(1, 5)).map(lambda s: (s[0], s[1], s[1] + s[2]))
DRAWN = st.lists(SEGMENT, min_size=1, max_size=5)


def second_by_second(reference, hypothesis, mapping):
    """The definition: errors of each second, under one mapping of speakers."""
    wrong = total = 0
    for second in range(20):
        talk = {speaker for speaker, start, end in reference if start <= second < end}
        heard = {mapping.get(speaker, f"?{speaker}") for speaker, start, end in hypothesis if start <= second < end}
        wrong += max(len(talk), len(heard)) - len(talk & heard)
        total += len(talk)
    return wrong, total


@given(DRAWN, DRAWN)
def test_the_mapping_is_the_best_of_all(reference, hypothesis):
    errors = diarization_errors(segments(reference), segments(hypothesis))
    names = ["A", "B", "C", "?1", "?2", "?3"]
    tried = [
        second_by_second(reference, hypothesis, dict(zip("ABC", chosen, strict=True)))
        for chosen in itertools.permutations(names, 3)
    ]
    assert errors.rate == pytest.approx(min(wrong / total for wrong, total in tried))
    assert errors.total == tried[0][1]


@given(DRAWN)
def test_the_reference_under_other_names_has_no_errors(reference):
    renamed = [({"A": "x", "B": "y", "C": "z"}[speaker], start, end) for speaker, start, end in reference]
    assert diarization_errors(segments(reference), segments(renamed)).rate == 0
    assert diarization_errors(segments(reference), []).rate == 1


REGIONS = st.lists(st.tuples(TIMES, st.integers(1, 6)).map(lambda r: (r[0], r[0] + r[1])), max_size=3)


@given(DRAWN, DRAWN, DRAWN, DRAWN, REGIONS)
def test_the_penalty_is_the_share_of_speech_touched(reference, base, adapted, answers, touched):
    right, before, after = ({"a": segments(part)} for part in (reference, base, adapted))
    counts = penalised_diarization(right, after, {"a": touched}, base=before, answers={"a": segments(answers)})
    score = counts.score()
    inside = total = 0
    for second in range(20):
        talk = len({speaker for speaker, start, end in reference if start <= second < end})
        total += talk
        inside += talk * any(start <= second < end for start, end in touched)
    assert score.penalty == pytest.approx(inside / total)
    assert score.adapt == pytest.approx(diarization_errors(right["a"], after["a"]).rate)
    assert score.base == pytest.approx(diarization_errors(right["a"], before["a"]).rate)
    # an expert who answers as the reference corrects all that is touched
    perfect = penalised_diarization(right, after, {"a": touched}, base=before, answers=right).score()
    assert perfect.realised_cor == pytest.approx(perfect.cor)
    assert score.realised_cor >= score.cor - 1e-12
    if not touched:
        assert score.value == pytest.approx(score.adapt)


def test_a_penalised_rate_by_hand():
    right = {"a": segments([("Ann", 0, 10), ("Ben", 10, 20)]), "b": segments([("Cem", 0, 20)])}
    before = {"a": segments([("1", 0, 20)]), "b": segments([("1", 5, 20)])}
    after = {"a": segments([("1", 0, 10), ("2", 10, 18)]), "b": segments([("1", 0, 20)])}
    counts = penalised_diarization(right, after, {"a": [(10, 13), (12, 14)]}, base=before)
    score = counts.score()
    # base: 10 s confused in a, 5 s missed in b; corrected 10-14: 6 s confused; wholly wrong: 4 s missed more
    assert score.base == pytest.approx(15 / 40)
    assert score.cor == pytest.approx(11 / 40)
    assert score.false == pytest.approx(15 / 40)
    assert score.value == pytest.approx(2 / 40 + 4 / 40)
    assert score.gain == pytest.approx(9 / 40)
    # with a collar of 2 s nothing of 10-12 and 12-14 but 12-14 is scored
    narrow = penalised_diarization(
        right, after, {"a": [(10, 14)]}, base=before, scoring=DiarizationScoring(collar=2)
    ).score()
    assert narrow.penalty == pytest.approx(2 / (6 + 6 + 16))


def test_an_answer_that_cannot_be_applied_leaves_no_penalty():
    right = {"a": segments([("Ann", 0, 10)])}
    score = penalised_diarization(right, right, {}, unusable=["a"]).score()
    assert score.adapt == 0
    assert score.value != score.value
    assert "cannot be applied" in score.undefined


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InputError, match="start before it ends"):
        SpeakerSegment("A", 2, 1)
    with pytest.raises(OptionError, match="collar"):
        diarization_errors(segments([("A", 0, 1)]), [], collar=-1)
    right = {"a": segments([("A", 0, 1)])}
    with pytest.raises(InputError, match="'b' of adapted has no reference"):
        penalised_diarization(right, {"b": right["a"]}, {})
    with pytest.raises(InputError, match="speech in the reference"):
        penalised_diarization(right, right, {}, scoring=DiarizationScoring(collar=5))
    with pytest.raises(InputError, match="touched must start before it ends"):
        penalised_diarization(right, right, {"a": [(1, 1)]})
    assert diarization_errors([], []).total == 0
