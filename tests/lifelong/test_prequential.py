"""Prequential errors, baselines and kappas against river, brute force, and what must always hold."""

import json
import runpy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.core.errors import OptionError
from justesse.lifelong.late_labels import known_after, known_at, majority_answers, no_change_answers
from justesse.lifelong.prequential import effective_items, prequential_error
from justesse.lifelong.prequential_figures import design_effect, prequential_figures
from justesse.lifelong.stream_kappa import count_stream, stream_kappas

ORACLES = Path(__file__).parents[1] / "oracles"
RIVER = json.loads((ORACLES / "river_stream.json").read_text())
LABELS, ANSWERS = np.array(runpy.run_path(str(ORACLES / "river_stream.py"))["draw"]()).T
WRONG = (LABELS != ANSWERS).astype(float)
streams = st.lists(st.integers(0, 3), min_size=1, max_size=40)


def test_errors_are_those_of_river():
    assert prequential_error(WRONG).tolist() == pytest.approx(RIVER["errors"])
    assert prequential_error(WRONG, window=50).tolist() == pytest.approx(RIVER["windowed"])


def test_kappa_is_that_of_river():
    counts = count_stream(LABELS, ANSWERS, 3, np.arange(400) // 20, {})
    assert stream_kappas(counts)["kappa"].value == pytest.approx(RIVER["kappa"])


def test_river_counts_true_negatives_wrongly():
    """Above two classes it gives the right answers of other classes, and leaves out confusions among them."""
    right = int(((LABELS != 0) & (ANSWERS != 0)).sum())
    assert RIVER["true_negatives_of_0"] == int(((LABELS == ANSWERS) & (LABELS != 0)).sum()) < right


@pytest.mark.parametrize("delay", [0, 1, 7])
def test_baselines_are_those_of_river(delay):
    known = known_after(len(LABELS), delay)
    assert no_change_answers(LABELS, known).tolist() == RIVER["baselines"][f"no_change {delay}"]
    ours, theirs = majority_answers(LABELS, known), np.array(RIVER["baselines"][f"majority {delay}"])
    for at in np.flatnonzero(ours != theirs):  # river takes the class seen first, we the one that led first
        counts = Counter(LABELS[: max(0, at - delay)].tolist())
        assert counts[ours[at]] == counts[theirs[at]] == max(counts.values())


@given(streams, st.floats(0.01, 1.0))
def test_fading_is_the_weighted_mean(labels, fading):
    errors = np.array(labels) % 2
    values = prequential_error(errors, fading=fading)
    for at in range(len(errors)):
        weights = fading ** np.arange(at, -1, -1.0)
        assert values[at] == pytest.approx(float(weights @ errors[: at + 1] / weights.sum()))
        assert effective_items(at + 1, fading=fading) == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


def test_fading_over_many_stretches_stays_exact():
    rng = np.random.default_rng(0)
    errors = (rng.random(5000) < 0.3).astype(float)
    values, total, weight = prequential_error(errors, fading=0.9), 0.0, 0.0
    for at, error in enumerate(errors.tolist()):
        total, weight = 0.9 * total + error, 0.9 * weight + 1
        assert values[at] == pytest.approx(total / weight, rel=1e-12)


def test_items_without_an_answer_count_as_nothing():
    assert prequential_error([np.nan, 1, np.nan, 0]).tolist() == pytest.approx([np.nan, 1, 1, 0.5], nan_ok=True)


@given(streams, st.data())
def test_baselines_by_brute_force(labels, data):
    times = np.sort(
        np.array(data.draw(st.lists(st.integers(0, 20), min_size=len(labels), max_size=len(labels))), float)
    )
    late = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(labels), max_size=len(labels))), float)
    known = known_at(times, times + late)
    codes = np.array(labels)
    last, often = no_change_answers(codes, known), majority_answers(codes, known)
    for at in range(len(codes)):
        heard = [k for k in range(at) if times[k] + late[k] < times[at]]
        assert last[at] == (codes[max(heard)] if heard else -1)
        counts = Counter(codes[heard].tolist())
        assert (often[at] == -1) if not heard else counts[int(often[at])] == max(counts.values())


def test_kappa_temporal_by_hand():
    """Four of ten wrong, no change wrong in five of the nine it answers; the first item, wrong, is left out."""
    labels = np.array([0, 0, 1, 1, 0, 1, 1, 1, 0, 1])
    answers = np.array([1, 0, 0, 1, 1, 1, 1, 0, 0, 1])
    before = no_change_answers(labels, known_after(10))
    counts = count_stream(labels, answers, 2, np.arange(10) // 2, {"kappa_temporal": before})
    kappa = stream_kappas(counts)["kappa_temporal"]
    assert (kappa.value, kappa.n) == (pytest.approx(1 - 3 / 5), 9)


def test_the_jackknife_by_brute_force():
    rng = np.random.default_rng(3)
    labels, answers, block = rng.integers(0, 3, 200), rng.integers(0, 3, 200), np.arange(200) // 20
    before = {"kappa_temporal": no_change_answers(labels, known_after(200))}

    def value(kept, name):
        counts = count_stream(
            labels[kept], answers[kept], 3, np.zeros(kept.sum(), int), {k: v[kept] for k, v in before.items()}
        )
        return stream_kappas(counts)[name].value

    found = stream_kappas(count_stream(labels, answers, 3, block, before), level=0.9)
    for name in ("kappa", "kappa_temporal"):
        without = np.array([value(block != at, name) for at in range(10)])
        error = np.sqrt(9 / 10 * ((without - without.mean()) ** 2).sum())
        half = 1.8331129326536335 * error  # Student's t, 9 degrees of freedom, 95 %
        assert found[name].value == pytest.approx(value(block >= 0, name))
        assert found[name].interval.half_width == pytest.approx(half)


def test_perfect_and_constant_streams_have_reasons():
    ones = np.ones(30, dtype=int)
    figures = prequential_figures(ones, ones, known_after(30), ones * 0, np.arange(30) // 3, ["all"])
    assert figures.error.value == 0
    assert np.isnan(figures.kappas["kappa_temporal"].value)
    assert "makes no error" in figures.kappas["kappa_temporal"].undefined
    assert "same class" in figures.kappas["kappa"].undefined


def test_no_label_in_time_leaves_no_baseline():
    labels = np.array([0, 1] * 10)
    figures = prequential_figures(labels, labels, known_after(20, 50), labels * 0, np.arange(20) // 4, ["all"])
    assert np.isnan(figures.baselines["no_change"].value)
    assert "known in time" in figures.kappas["kappa_temporal"].undefined


def test_alike_items_widen_intervals():
    rng = np.random.default_rng(1)
    block = np.repeat(np.arange(30), 20)
    alike = (rng.random(30) < 0.3)[block].astype(int)
    apart = rng.permutation(alike)
    zeros = np.zeros(600, dtype=int)
    widths = [
        prequential_figures(zeros, answers, known_after(600), zeros, block, ["all"]).error.interval.half_width
        for answers in (alike, apart)
    ]
    assert widths[0] > 3 * widths[1]
    totals = np.bincount(block, alike).astype(float)
    assert design_effect(totals, np.full(30, 20.0), np.zeros(30, int)) > 10


@pytest.mark.parametrize("options", [{"fading": 0.0}, {"fading": 1.5}, {"window": 0}, {"fading": 0.9, "window": 5}])
def test_impossible_memories_are_refused(options):
    with pytest.raises(OptionError):
        prequential_error([1, 0], **options)


def test_negative_delays_are_refused():
    with pytest.raises(OptionError, match="0 or more"):
        known_after(3, -1)
