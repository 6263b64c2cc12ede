"""Penalised scores: the paper's formula, by hand and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import InputError, OptionError
from justesse.lifelong.penalised import penalised_errors, penalised_score, penalised_word_errors, word_errors

ANSWERS = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)


@given(ANSWERS, st.data())
def test_the_penalty_is_the_share_of_items_touched(reference, data):
    n = len(reference)
    draw = st.lists(st.sampled_from("abc"), min_size=n, max_size=n)
    base, adapted, answers = data.draw(draw), data.draw(draw), data.draw(draw)
    touched = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    score = penalised_errors(reference, adapted, touched, base=base, answers=answers)
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


@given(ANSWERS, st.data())
def test_without_help_the_penalised_score_is_the_score(reference, data):
    n = len(reference)
    adapted = data.draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))
    score = penalised_errors(reference, adapted, [False] * n)
    assert score.value == pytest.approx(score.adapt)


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
        penalised_errors([], [], [])
    with pytest.raises(InputError, match="2 items, touched has 1"):
        penalised_errors("ab", "ab", [True])


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
    adapted = data.draw(st.lists(WORDS, min_size=n, max_size=n))
    touched = data.draw(st.lists(st.booleans(), min_size=n, max_size=n))
    score = penalised_word_errors(reference, adapted, touched)
    words = sum(map(len, reference))
    assert score.penalty == pytest.approx(
        sum(len(part) for part, asked in zip(reference, touched, strict=True) if asked) / words
    )
    assert score.adapt == pytest.approx(sum(map(slow_distance, reference, adapted)) / words)
