"""Word error rates, BLEU and diarization at their edges, against JiWER, sacreBLEU, NLTK, pyannote.metrics, simpleder."""

import json
from pathlib import Path

import pytest

from justesse.lifelong.bleu import corpus_bleu, mteval_tokens
from justesse.lifelong.penalised_diarization import DiarizationScoring, diarization_rate
from justesse.lifelong.speaker_segment import SpeakerSegment
from justesse.lifelong.word_error import word_errors

STORED = json.loads((Path(__file__).parents[1] / "oracles" / "lifelong_edges.json").read_text(encoding="utf-8"))


def named(part):
    return [pytest.param(case, id=case["name"]) for case in STORED[part]]


@pytest.mark.parametrize("case", named("words"))
def test_word_errors_are_jiwers(case):
    pairs = [(right.split(), answer.split()) for right, answer in zip(case["right"], case["answers"], strict=True)]
    errors = sum(word_errors(*pair) for pair in pairs)
    assert errors == case["errors"]
    assert errors / sum(len(right) for right, _ in pairs) == pytest.approx(case["wer"], abs=1e-12)


def bleu(case, form, read):
    references = [[read(text) for text in texts] for texts in zip(*case["references"], strict=True)]
    return corpus_bleu(references, [read(answer) for answer in case["answers"]], form=form)


@pytest.mark.parametrize("case", named("translations"))
def test_both_forms_of_bleu_are_sacrebleus(case):
    shorter_than_four = all(len(answer.split()) < 4 for answer in case["answers"])
    for form, read in (("papineni", str.split), ("sacrebleu", mteval_tokens)):
        assert bleu(case, form, read) == pytest.approx(case[form], abs=1e-12)
    if shorter_than_four:
        assert case["sacrebleu"] == case["papineni"] == 0


@pytest.mark.parametrize("case", named("translations"))
def test_bleu_is_nltks_where_every_answer_has_four_words(case):
    """NLTK counts one n-gram for a segment too short to have one (docs/errata.md), so short answers are left out."""
    if any(len(answer.split()) < 4 for answer in case["answers"]):
        return
    # without smoothing NLTK takes the smallest float for no match, not 0: about 1e-77
    assert bleu(case, "papineni", str.split) == pytest.approx(case["nltk"]["plain"], abs=1e-12)
    assert bleu(case, "sacrebleu", str.split) == pytest.approx(case["nltk"]["smoothed"], abs=1e-12)


def recordings(case, part):
    return {
        str(number): [SpeakerSegment(*segment) for segment in recording[part]]
        for number, recording in enumerate(case["recordings"])
    }


@pytest.mark.parametrize("case", named("speech"))
def test_diarization_of_several_recordings_is_that_of_two_packages(case):
    for pyannote, simpleder in zip(case["pyannote"], case["simpleder"], strict=True):
        scoring = DiarizationScoring(collar=pyannote["collar"], overlap=pyannote["overlap"])
        sums = scoring.counts(recordings(case, 0), recordings(case, 1)).sum(axis=0)
        expected = [pyannote[name] for name in ("missed", "false_alarm", "confusion", "total")]
        assert sums == pytest.approx(expected, abs=1e-9)
        if pyannote["rate"] is not None:  # some speech is scored
            assert diarization_rate(sums) == pytest.approx(pyannote["rate"], abs=1e-9)
            assert diarization_rate(sums) == pytest.approx(simpleder, abs=1e-9)
