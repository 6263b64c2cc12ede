"""BLEU, against sacreBLEU's values and by hand."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import InputError
from justesse.lifelong.bleu import bleu_counts, corpus_bleu, mteval_tokens
from justesse.lifelong.word_error import word_errors

STORED = json.loads((Path(__file__).parents[1] / "oracles" / "lifelong_scores.json").read_text())
CASES = STORED["translation"]


def paired(references, read):
    return [[read(text) for text in texts] for texts in zip(*references, strict=True)]


@pytest.mark.parametrize("case", CASES)
def test_both_forms_equal_sacrebleus_values(case):
    one = case["references"][:1]
    for form, read in (("papineni", str.split), ("sacrebleu", mteval_tokens)):
        answers = [read(text) for text in case["answers"]]
        for known, name in ((one, form), (case["references"], f"{form}, two references")):
            assert corpus_bleu(paired(known, read), answers, form=form) == pytest.approx(case[name], abs=1e-12)


def test_an_order_without_a_match_is_zero_or_smoothed():
    case = STORED["smoothed"]
    known, answers = [[text.split() for text in texts] for texts in case["references"]], [case["answers"][0].split()]
    assert corpus_bleu(known, answers) == 0
    assert corpus_bleu(known, answers, form="sacrebleu") == pytest.approx(case["sacrebleu"], abs=1e-12)
    # 4 of 5 words, 2 of 4 pairs, no triple (1/2 of 3) and no quadruple (1/4 of 2)
    assert case["sacrebleu"] == pytest.approx((4 / 5 * 2 / 4 * 0.5 / 3 * 0.25 / 2) ** 0.25)


def test_nltk_counts_an_ngram_that_segments_below_four_words_do_not_have():
    """NLTK gives every segment at least one 4-gram, so that a perfect translation with short segments is below 1."""
    perfect = CASES[0]
    assert perfect["answers"] == perfect["references"][0]
    assert perfect["nltk"] < 0.999
    assert corpus_bleu(paired(perfect["references"], str.split), [text.split() for text in perfect["answers"]]) == 1


@pytest.mark.parametrize("text", STORED["tokens"])
def test_tokens_are_sacrebleus(text):
    assert " ".join(mteval_tokens(text)) == STORED["tokens"][text]


@pytest.mark.parametrize("case", CASES)
def test_word_errors_are_jiwers(case):
    pairs = [
        (right.split(), answer.split()) for right, answer in zip(case["references"][0], case["answers"], strict=True)
    ]
    assert sum(word_errors(*pair) for pair in pairs) / sum(len(right) for right, _ in pairs) == pytest.approx(
        case["wer"]
    )


def test_the_papers_example_of_clipped_counts():
    # Papineni et al. (2002), section 2.1: "the" occurs twice at most in a reference, so 2 of 7 match
    known = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
    counts = bleu_counts(known, ["the"] * 7)
    assert (counts[2], counts[6]) == (2, 7)


def test_the_brevity_penalty_takes_the_closest_or_the_shortest_reference():
    known = [["a"] * 12, ["a"] * 17, ["a"] * 8]
    assert bleu_counts(known, ["a"] * 11)[1] == 12
    assert bleu_counts(known, ["a"] * 10)[1] == 8  # both are two away: the shorter one
    assert bleu_counts(known, ["a"] * 11, length="shortest")[1] == 8
    short = [[list("abcdefgh"), list("abcde")]]
    assert corpus_bleu(short, [list("abcdef")], length="shortest") == 1
    assert corpus_bleu(short[:1], [list("abcd")], length="closest") == pytest.approx(math.exp(1 - 5 / 4))


WORDS = st.lists(st.sampled_from("abcd"), min_size=4, max_size=12)


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_a_perfect_translation_scores_one(segments):
    assert corpus_bleu([[words] for words in segments], segments) == pytest.approx(1)


def test_what_cannot_be_paired_is_refused():
    with pytest.raises(InputError, match="Pair them"):
        corpus_bleu([[["a"]]], [])
    with pytest.raises(InputError, match="at least one segment"):
        corpus_bleu([], [])
