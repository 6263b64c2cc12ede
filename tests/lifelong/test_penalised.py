"""Penalised scores: the paper's formula, by hand and as properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import InputError, OptionError
from justesse.lifelong.bleu import corpus_bleu
from justesse.lifelong.penalised import penalised_hypotheses, penalised_score
from justesse.lifelong.penalised_items import penalised_items
from justesse.lifelong.scorers import ALL, BLEU, ERROR, SACREBLEU, WORD_ERROR
from justesse.lifelong.word_error import word_errors

ANSWERS = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)


@given(ANSWERS, st.data())
def test_the_penalty_is_the_share_of_items_touched(reference, data):
    n = len(reference)
    draw = st.lists(st.sampled_from("abc"), min_size=n, max_size=n)
    base, adapted, answers = data.draw(draw), data.draw(draw), data.draw(draw)
    touched = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    score = penalised_items(ERROR, reference, adapted, touched, base=base, answers=answers).score()
    assert score.penalty == pytest.approx(np.mean(touched))
    assert score.adapt == pytest.approx(np.mean([a != r for a, r in zip(adapted, reference, strict=True)]))
    assert score.gain == pytest.approx(score.base - score.value)
    # the realised score: untouched items as before, touched ones as the expert answered
    shown = [answers[i] if touched[i] else base[i] for i in range(n)]
    assert score.realised_cor == pytest.approx(np.mean([a != r for a, r in zip(shown, reference, strict=True)]))
    # S_cor and S_false by brute force, item by item
    corrected = [reference[i] if touched[i] else base[i] for i in range(n)]
    spoilt = ["wrong" if touched[i] else base[i] for i in range(n)]
    assert score.cor == pytest.approx(np.mean([a != r for a, r in zip(corrected, reference, strict=True)]))
    assert score.false == pytest.approx(np.mean([a != r for a, r in zip(spoilt, reference, strict=True)]))


@pytest.mark.parametrize("scorer", ALL)
@given(st.lists(st.text("abc ", min_size=1, max_size=20).filter(str.strip), min_size=1, max_size=6), st.data())
def test_without_help_the_penalised_score_is_the_score(scorer, texts, data):
    n = len(texts)
    adapted = data.draw(st.lists(st.text("abc ", max_size=20), min_size=n, max_size=n))
    reference, own = ([scorer.read(text) for text in part] for part in (texts, adapted))
    score = penalised_items(scorer, reference, own, [False] * n).score()
    assert score.value == pytest.approx(score.adapt)


@given(ANSWERS, st.data())
def test_rounds_count_the_items_touched_in_any_of_them(reference, data):
    n = len(reference)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    first, second = data.draw(flags), data.draw(flags)
    union = [one or two for one, two in zip(first, second, strict=True)]
    both = penalised_items(ERROR, reference, reference, [first, second]).score()
    assert both == penalised_items(ERROR, reference, reference, union).score()


def test_the_command_lines_example():
    score = penalised_score(0.2, 0.3, 0.1, base=0.5)
    assert (score.value, score.gain, score.penalty) == pytest.approx((0.4, 0.1, 0.2))


def test_with_a_score_that_rises_only_the_gain_turns():
    score = penalised_score(0.8, 0.5, 0.9, base=0.3, higher_is_better=True)
    assert (score.value, score.gain) == pytest.approx((0.4, 0.1))


def test_parts_that_contradict_each_other_are_refused():
    with pytest.raises(OptionError, match="cannot be better"):
        penalised_score(0.2, 0.1, 0.3)
    with pytest.raises(OptionError, match="cannot be better"):
        penalised_score(0.2, 0.9, 0.3, higher_is_better=True)
    with pytest.raises(OptionError, match="usual size"):
        penalised_score(float("nan"), 0.1, 0.3)
    with pytest.raises(InputError, match="at least one item"):
        penalised_items(ERROR, [], [], [])
    with pytest.raises(InputError, match="2 items, touched has 1"):
        penalised_items(ERROR, "ab", "ab", [True])
    with pytest.raises(InputError, match="word error rate needs at least one word in the reference"):
        penalised_items(WORD_ERROR, [[]], [["a"]], [True])


WORDS = st.lists(st.sampled_from("xyz"), max_size=6)


def slow_distance(left, right):
    """The definition, by recursion."""
    if not left or not right:
        return len(left) + len(right)
    same = slow_distance(left[1:], right[1:]) + (left[0] != right[0])
    return min(same, slow_distance(left[1:], right) + 1, slow_distance(left, right[1:]) + 1)


@given(WORDS, WORDS)
def test_word_errors_are_the_edit_distance(left, right):
    assert word_errors(left, right) == slow_distance(left, right)


@given(st.lists(WORDS, min_size=1, max_size=4).filter(lambda parts: any(parts)), st.data())
def test_the_penalty_of_sequences_is_the_share_of_words_touched(reference, data):
    n = len(reference)
    adapted, answers = (data.draw(st.lists(WORDS, min_size=n, max_size=n)) for _ in range(2))
    touched = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    score = penalised_items(WORD_ERROR, reference, adapted, touched, answers=answers).score()
    words = sum(map(len, reference))
    assert score.penalty == pytest.approx(
        sum(len(part) for part, asked in zip(reference, touched, strict=True) if asked) / words
    )
    assert score.adapt == pytest.approx(sum(map(slow_distance, reference, adapted)) / words)
    shown = [answers[i] if touched[i] else adapted[i] for i in range(n)]
    assert score.realised_cor == pytest.approx(sum(map(slow_distance, reference, shown)) / words)
    assert score.realised_cor >= score.cor


@pytest.mark.parametrize("scorer", [BLEU, SACREBLEU])
@given(st.lists(st.lists(st.sampled_from("xyz"), min_size=4, max_size=8), min_size=1, max_size=4), st.data())
def test_bleu_of_the_four_hypotheses_is_that_of_the_corpus(scorer, reference, data):
    n = len(reference)
    base, adapted = (data.draw(st.lists(WORDS, min_size=n, max_size=n)) for _ in range(2))
    touched = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    score = penalised_items(scorer, reference, adapted, touched, base=base).score()
    form = "papineni" if scorer is BLEU else "sacrebleu"

    def bleu(answers):
        return corpus_bleu([[words] for words in reference], answers, form=form)

    corrected = [reference[i] if touched[i] else base[i] for i in range(n)]
    spoilt = [["wrong"] * len(reference[i]) if touched[i] else base[i] for i in range(n)]
    by_hand = bleu(adapted) + bleu(spoilt) - bleu(corrected)
    assert score.value == pytest.approx(by_hand)
    assert score.gain == pytest.approx(by_hand - bleu(base))  # equation 1 stays, only the gain turns
    assert score.penalty <= 1e-12


def test_an_answer_that_cannot_be_applied_leaves_no_penalty():
    counts = penalised_items(ERROR, "ab", "ab", [True, False], base="bb", answers=[None, None])
    score = counts.score()
    assert (score.adapt, score.base) == (0, 0.5)
    assert math.isnan(score.value)
    assert math.isnan(score.gain)
    assert "item 1 cannot be applied" in score.undefined
    assert counts.interval() == counts.gain_interval() == score.undefined
    # an item that nobody touched needs no answer
    assert penalised_items(ERROR, "ab", "ab", [True, False], answers=["a", None]).score().value == 0.5


def test_a_scorer_of_ones_own_and_four_hypotheses():
    score = penalised_hypotheses(
        lambda numbers: float(np.mean(np.abs(np.array(numbers) - 1))),
        adapted=[1, 2],
        corrected=[1, 3],
        spoilt=[2, 3],
        base=[3, 3],
        answered=[1.5, 3],
    )
    assert (score.adapt, score.false, score.cor, score.base, score.realised_cor) == (0.5, 1.5, 1, 2, 1.25)
    assert (score.value, score.gain) == (1, 1)


def test_intervals_contain_the_value_and_shrink_with_the_items():
    rng = np.random.default_rng(1)
    widths = []
    for n in (40, 640):
        wrong, touched = rng.random(n) < 0.2, rng.random(n) < 0.1
        counts = penalised_items(ERROR, ["a"] * n, np.where(wrong, "b", "a").tolist(), touched, base=["b"] * n)
        score, interval, gain = counts.score(), counts.interval(), counts.gain_interval()
        assert interval.low < score.value < interval.high
        assert gain.low < score.gain < gain.high
        widths.append(interval.high - interval.low)
    assert 3 < widths[0] / widths[1] < 5  # √16
    # no error and no help still leaves doubt
    interval = penalised_items(ERROR, "a" * 20, "a" * 20, [False] * 20).interval()
    assert interval.low == 0
    assert 0 < interval.high < 0.5


@pytest.mark.parametrize("scorer", [WORD_ERROR, BLEU, SACREBLEU])
def test_intervals_of_segments(scorer):
    rng = np.random.default_rng(2)
    reference = [list("abcdefgh"[: 4 + at % 5]) for at in range(60)]
    adapted = [[word if rng.random() < 0.8 else "?" for word in words] for words in reference]
    base = [[word if rng.random() < 0.7 else "?" for word in words] for words in reference]
    counts = penalised_items(scorer, reference, adapted, rng.random(60) < 0.2, base=base)
    score, interval, gain = counts.score(), counts.interval(), counts.gain_interval()
    assert interval.low < score.value < interval.high
    assert gain.low < score.gain < gain.high
    assert interval == counts.interval()  # the same seed
    assert counts.interval(level=0.5).half_width < interval.half_width


def test_one_item_or_equal_items_have_no_interval():
    assert "one item" in penalised_items(ERROR, "a", "a", [True]).interval()
    assert "fewer than 4 items" in penalised_items(WORD_ERROR, [["a"], []], [["a"], []], [True, False]).interval()
    assert "alike" in penalised_items(WORD_ERROR, [["a"]] * 5, [["a"]] * 5, [False] * 5).interval()
    assert "alike" in penalised_items(BLEU, [list("abcd")] * 5, [list("abcd")] * 5, [False] * 5).interval()
    assert "unknown" in penalised_items(ERROR, "ab", "ab", [True, False]).gain_interval()


def test_texts_are_read_as_the_scorer_reads_them():
    reference, adapted = ["the cat sat", "dogs bark"], ["the cat sits", "dogs"]
    texts = penalised_items(WORD_ERROR, reference, adapted, [True, False]).score()
    words = penalised_items(
        WORD_ERROR, *([line.split() for line in part] for part in (reference, adapted)), [1, 0]
    ).score()
    assert texts == words
    assert (texts.adapt, texts.penalty) == (pytest.approx(2 / 5), pytest.approx(3 / 5))
