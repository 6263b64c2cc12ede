"""How often annotators are right beside the confidence they state: intervals that allow for doubt about the truth."""

from dataclasses import replace

import numpy as np
import pytest

from justesse.annotators.bayesian import bayesian
from justesse.annotators.cards import annotator_cards
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.refits import refits
from justesse.annotators.stated_confidence import stated_confidence
from justesse.core.annotations import Annotations


def notes(rng, n=80, right=(0.8, 0.8, 0.7), stated=1.0):
    truth = rng.integers(2, size=n)
    answers = np.where(rng.random((n, len(right))) < right, truth[:, None], 1 - truth[:, None])
    item, who = (each.ravel() for each in np.indices(answers.shape))
    drawn = Annotations.sorted(range(n), range(len(right)), (0, 1), item, who, answers.ravel())
    sure = np.where(rng.random(len(drawn.answer)) < stated, rng.random(len(drawn.answer)), np.nan)
    return replace(drawn, details={"confidence": sure})


def test_with_a_confidence_for_every_answer_it_is_the_accuracy_of_the_card():
    fit = dawid_skene(notes(np.random.default_rng(1)))
    again = refits(fit, draws=60, seed=0)
    for own, card in zip(stated_confidence(fit, again), annotator_cards(fit, again), strict=True):
        assert own.right.value == pytest.approx(card.accuracy.value)
        assert own.right.interval.low == pytest.approx(card.accuracy.interval.low)
        assert own.right.interval.high == pytest.approx(card.accuracy.interval.high)
        assert own.right.interval.method == card.accuracy.interval.method == "bootstrap of items"


def test_fewer_confidences_widen_it():
    rng = np.random.default_rng(2)
    every = notes(rng)
    few = replace(every, details={"confidence": np.where(np.arange(len(every.answer)) % 4, np.nan, 0.5)})
    wide, narrow = (
        stated_confidence(fit, refits(fit, draws=60, seed=0))[2].right.interval
        for fit in (dawid_skene(few), dawid_skene(every))
    )
    assert wide.half_width > 1.5 * narrow.half_width


def test_posterior_draws_serve_as_refits():
    fit = bayesian(notes(np.random.default_rng(3)), seed=0)
    own = stated_confidence(fit)[0].right
    assert own.interval.method == "posterior"
    assert own.interval.low < own.value < own.interval.high


def test_without_refits_the_consensus_counts_as_the_truth():
    fit = dawid_skene(notes(np.random.default_rng(4)))
    plain, resampled = (stated_confidence(fit, again)[0].right.interval for again in (None, refits(fit, draws=60)))
    assert plain.method == "wilson"
    assert resampled.half_width > 1.2 * plain.half_width
