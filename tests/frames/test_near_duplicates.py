"""Nearly equal texts: a comparison of all pairs as oracle."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.frames import near_duplicates as module
from justesse.frames.near_duplicates import near_duplicates
from justesse.frames.sides import side

LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))


def sentences(rng, n, words=15):
    vocabulary = ["".join(rng.choice(LETTERS, rng.integers(2, 9))) for _ in range(2000)]
    return [" ".join(rng.choice(vocabulary, words)) for _ in range(n)]


def pieces(text):
    data = text.encode()
    return {data[at : at + 5] for at in range(len(data) - 4)}


def similarity(one, other):
    a, b = pieces(one), pieces(other)
    return len(a & b) / max(len(a | b), 1)


def test_every_pair_reported_is_as_alike_as_said_and_few_are_missed():
    rng = np.random.default_rng(0)
    train, test = sentences(rng, 400), sentences(rng, 300)
    for at in range(200):  # one or two words of fifteen replaced
        words = train[at].split()
        for place in rng.choice(15, 1 + at % 2, replace=False):
            words[place] = "".join(rng.choice(LETTERS, 6))
        test[at] = " ".join(words)
    found = near_duplicates(side({"x": test}, "test"), side({"x": train}, "train"), "x", near=0.7)
    wanted = {at for at in range(200) if similarity(test[at], train[at]) >= 0.7}
    assert len(wanted) > 80
    assert len(wanted & set(found.rows.tolist())) >= 0.98 * len(wanted)
    for row, partner, alike in zip(found.rows, found.partners, found.similarity, strict=True):
        assert alike == pytest.approx(similarity(test[row], train[partner]))
        assert alike >= 0.7


@settings(max_examples=15)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=6))
def test_a_text_is_nearly_itself_whatever_it_holds(texts):
    rows = side({"x": [*texts, "some words that are long enough"]}, "test")
    found = near_duplicates(rows, rows, "x", near=1.0)
    assert len(texts) in found.rows.tolist()
    assert (found.similarity == 1).all()


def test_case_and_punctuation_are_forgotten_and_short_texts_left():
    test = side({"x": ["Call me back, PLEASE!", "ok", None, ""]}, "test")
    train = side({"x": ["call me back please", "ok", None, ""]}, "train")
    found = near_duplicates(test, train, "x")
    assert found.rows.tolist() == [0]
    assert found.similarity.tolist() == [1.0]


def test_a_thousand_copies_of_a_form_letter_hide_nothing():
    letter = "Dear customer, thank you for your message, we will answer as soon as we can."
    train = side({"x": [letter] * 1000 + ["the one that counts: a parcel never arrived at all"]}, "train")
    test = side({"x": [letter, "the one that counts: a parcel never arrived at all!"]}, "test")
    assert near_duplicates(test, train, "x").rows.tolist() == [0, 1]


def test_pieces_never_cross_from_one_text_to_the_next(monkeypatch):
    rng = np.random.default_rng(1)
    texts = sentences(rng, 60, words=4)
    whole = near_duplicates(side({"x": texts}, "test"), side({"x": texts[::-1]}, "train"), "x")
    monkeypatch.setattr(module, "CHUNK", 7)
    parts = near_duplicates(side({"x": texts}, "test"), side({"x": texts[::-1]}, "train"), "x")
    assert whole.partners.tolist() == parts.partners.tolist() == list(range(60))[::-1]


def test_no_pair_without_likeness():
    rng = np.random.default_rng(2)
    found = near_duplicates(
        side({"x": sentences(rng, 500)}, "test"), side({"x": sentences(rng, 500)}, "train"), "x", near=0.5
    )
    assert not len(found.rows)


def test_a_threshold_that_is_none():
    rows = side({"x": ["a"]}, "test")
    with pytest.raises(OptionError, match="between 0.5 and 1"):
        near_duplicates(rows, rows, "x", near=80)
