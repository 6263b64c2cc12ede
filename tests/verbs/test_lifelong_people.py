"""People who type the right texts, or who speaks when: the run is that of a perfect expert."""

import pytest

import justesse
from justesse.core.errors import InputError
from justesse.lifelong.written_speech import read_speech, write_speech
from learners.speakers_and_words import Dictionary, Voices, recordings, sentences


def answered_by_people(system, stream, typed, **options):
    """Run until nobody is asked any more; `typed` gives what a person types about a question."""
    for _ in range(40):
        result = justesse.lifelong_run(system(), stream, expert="ask.recheck", checkpoint="my.run", **options)
        if result.record.pending is None:
            return result
        path = result.record.pending.path
        for question in justesse.recheck_next(path, n=100).questions():
            justesse.recheck_answer(path, question["id"], typed(question), by="Ann")
    raise AssertionError("the run asks for ever")


def scores(result):
    return [(row["adapt"], row["penalised"], row["gain"]) for row in result.to_dict()["periods"]]


@pytest.mark.parametrize("learning", ["active", "interactive"])
def test_typed_texts_are_those_of_a_perfect_expert(tmp_path, monkeypatch, learning):
    monkeypatch.chdir(tmp_path)
    stream = sentences(periods=3, each=12)
    truth = dict(zip(stream["id"], stream["label"], strict=True))

    def typed(question):
        return "=" if question["suggested"] == truth[question["id"]] else truth[question["id"]]

    options = {"score": "wer", "learning": learning, "budget": 12}
    result = answered_by_people(Dictionary, stream, typed, **options)
    assert scores(result) == scores(justesse.lifelong_run(Dictionary(), stream, **options))
    assert result.record.ledger.spent > 0


def test_typed_speech_is_that_of_a_perfect_expert(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stream, path = recordings(tmp_path, periods=3)
    options = {"score": "der", "reference": path, "stretch": 4.0, "budget": 8}
    perfect = justesse.lifelong_run(Voices(), stream, **options)
    result = answered_by_people(
        Voices, stream, lambda question: write_speech(perfect.task.truths[question["id"]]), **options
    )
    assert scores(result) == scores(perfect)


def test_what_people_are_told_and_what_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stream = sentences(periods=2, each=8)
    justesse.lifelong_run(Dictionary(), stream, score="bleu", expert="ask.recheck", checkpoint="my.run")
    listed = justesse.recheck_next("ask.recheck")
    shown = " ".join(str(listed).split())
    assert "A run asks for the right text of 3 items." in shown
    assert "Type the right text, = if the system's answer is right" in shown
    first, second, third = listed.questions()
    assert justesse.recheck_answer("ask.recheck", first["id"], "=", by="Ann").wrong == 0
    assert justesse.recheck_answer("ask.recheck", second["id"], "something else", by="Ann").wrong == 1
    assert justesse.recheck_answer("ask.recheck", third["id"], "?", by="Ann").cannot_say == 1
    stream, path = recordings(tmp_path, periods=2)
    options = {"score": "der", "reference": path, "expert": "talk.recheck", "checkpoint": "talk.run"}
    justesse.lifelong_run(Voices(), stream, **options)
    question = justesse.recheck_next("talk.recheck").questions()[0]
    assert read_speech(question["suggested"])
    with pytest.raises(InputError, match="Cannot read 'Ann 5-3' as a speaker and times"):
        justesse.recheck_answer("talk.recheck", question["id"], "Ann 5-3", by="Ann")
    done = justesse.recheck_answer("talk.recheck", question["id"], "Ann 0-3;Ben 3 - 4.50", by="Ann")
    assert done.to_dict()["answers"][0]["true"] == "Ann 0-3; Ben 3-4.5"
