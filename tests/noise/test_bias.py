"""The thesis' formulas of bias against the difference they stand for, on random joint tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from justesse import Tally
from justesse.core.errors import InputError
from justesse.intervals import clopper_pearson, wilson
from justesse.measures import (
    accuracy,
    averaged,
    balanced_accuracy,
    cost,
    error,
    f1,
    fbeta,
    kappa,
    mcc,
    precision,
    recall,
)
from justesse.noise.bias import accuracy_bias, bias, f1_bias, precision_bias, recall_bias
from justesse.noise.correct import MOVES, NARROWS, OUTSIDE, corrected
from justesse.noise.profile import MEANING, Profile, profile

AXES = ["true", "label", "prediction"]


def tally_of(joint: np.ndarray) -> Tally:
    """Make a tally of a dense true × label × prediction array."""
    return Tally.of(
        AXES, [(*map(int, at), int(joint[tuple(at)])) for at in np.argwhere(joint)], classes=range(len(joint))
    )


joints = st.integers(2, 4).flatmap(
    lambda k: arrays(np.int64, (k, k, k), elements=st.integers(0, 30)).filter(lambda joint: joint.sum() > 0)
)


@given(joints)
def test_formulas_equal_differences(joint):
    tally = tally_of(joint)
    found = {(one.name, one.class_name): one for one in bias(tally, [accuracy, error, precision, recall, f1])}
    n, k = joint.sum(), len(joint)
    seen, real = joint.sum(axis=0), joint.sum(axis=1)  # label × prediction, true × prediction
    for at in range(k):
        for name, pairs in {
            "precision": [(table[at, at], table[:, at].sum()) for table in (seen, real)],
            "recall": [(table[at, at], table[at].sum()) for table in (seen, real)],
            "f1": [(2 * table[at, at], table[at].sum() + table[:, at].sum()) for table in (seen, real)],
        }.items():
            one = found[name, at]
            assert one.method == "formula"
            if all(below for _, below in pairs):
                assert one.bias == pytest.approx(pairs[0][0] / pairs[0][1] - pairs[1][0] / pairs[1][1], abs=1e-12)
                assert one.bias == pytest.approx(one.apparent - one.true, abs=1e-12)
            else:
                assert np.isnan(one.bias)
                assert one.undefined
    expected = (np.trace(seen) - np.trace(real)) / n
    assert found["accuracy", None].bias == pytest.approx(expected, abs=1e-12)
    assert found["error", None].bias == pytest.approx(-expected, abs=1e-12)


@given(joints)
def test_two_classes_and_independence(joint):
    joint = joint[:2, :2, :2]
    if not joint.sum():
        return
    counts = Profile.of(tally_of(joint))
    n = counts.n
    if counts.wrong:
        repeated = counts.repeated.sum() / counts.wrong
        found = bias(tally_of(joint), [accuracy])[0].bias
        assert found == pytest.approx(counts.wrong / n * (2 * repeated - 1), abs=1e-12)


def test_two_classes_when_being_right_has_nothing_to_do_with_the_label_being_wrong():
    q, noise = 0.8, 0.1
    joint = np.zeros((2, 2, 2))
    for c in range(2):
        for a in range(2):
            for p in range(2):
                joint[c, a, p] = 0.5 * (1 - noise if a == c else noise) * (q if p == c else 1 - q)
    found = bias(tally_of(np.round(joint * 1000).astype(int)), [accuracy])[0]
    assert found.bias == pytest.approx(noise * (1 - 2 * q), abs=1e-12)


def test_golden_biases_of_the_thesis():
    assert float(accuracy_bias(wrong=0.2, repeated=0, recovered=0.25)) == pytest.approx(-0.05)
    assert float(accuracy_bias(wrong=0.2, repeated=0.5, recovered=0.125)) == pytest.approx(0.075)


def test_the_example_of_6_4_2_row_by_row():
    # 1000 rows, 200 labels wrong: the classifier is right on 50 of those, elsewhere right on 750 of 800
    first = [("a", "a", "a", 750), ("a", "a", "b", 50), ("a", "b", "a", 50), ("a", "b", "c", 150)]
    found = bias(Tally.of(AXES, first), [accuracy])[0]
    assert (found.true, found.apparent) == (pytest.approx(0.8), pytest.approx(0.75))
    assert found.bias == pytest.approx(-0.05)
    second = [*first, ("a", "b", "b", 200), ("a", "a", "a", 800)]
    assert bias(Tally.of(AXES, second), [accuracy])[0].bias == pytest.approx(0.075)


def uniform_noise() -> Tally:
    """Give four balanced classes, η = .2 uniform, recall .604, labels independent of predictions given the class."""
    label = np.full((4, 4), 1) + 11 * np.eye(4, dtype=int)  # out of 15
    answer = np.full((4, 4), 132) + (604 - 132) * np.eye(4, dtype=int)  # out of 1000
    return tally_of(np.einsum("ca,cp->cap", label, answer))


def test_uniform_noise_biases_recall_and_precision_though_the_thesis_says_not():
    # thesis (6.18)-(6.23): the step needs N ⟂ P given A, which does not hold
    found = {(one.name, one.class_name): one for one in bias(uniform_noise())}
    for k in range(4):
        assert found["recall", k].true == pytest.approx(0.604)
        assert found["recall", k].apparent == pytest.approx(0.5096)
        assert found["precision", k].bias == pytest.approx(-0.0944)
    by_hand = recall_bias(label=0.25, true=0.25, both=0.2, learnt=0.604, repeated=0.132, recovered=0.604)
    assert float(by_hand) == pytest.approx(-0.0944)


@given(joints)
def test_other_measures_go_by_the_difference(joint):
    tally = tally_of(joint)
    k = len(joint)
    measures = [mcc, kappa, balanced_accuracy, averaged(f1, "macro"), fbeta(2), cost(np.arange(k * k).reshape(k, k))]
    truth = Tally.from_dense(joint.sum(axis=1))
    labels = Tally.from_dense(joint.sum(axis=0))
    for measure in measures:
        found = bias(tally, [measure])
        assert {one.method for one in found} == {"direct"}
        expected = np.atleast_1d(measure(labels) - measure(truth))
        np.testing.assert_allclose([one.bias for one in found], expected, atol=1e-12)


def test_a_class_that_is_never_predicted_has_a_bias_of_f_but_none_of_precision():
    joint = np.zeros((2, 2, 2), int)
    joint[0, 0, 0], joint[1, 1, 0], joint[1, 0, 0] = 5, 2, 1
    found = {(one.name, one.class_name): one for one in bias(tally_of(joint))}
    assert found["f1", 1].bias == 0
    assert np.isnan(found["precision", 1].bias)
    assert "never predicted" in found["precision", 1].undefined
    assert np.isnan(f1_bias(label=0, true=0, predicted=0, of_precision=np.nan, of_recall=np.nan))


def test_precision_formula_alone():
    found = precision_bias(
        wrong_label=[0.1, 0.0], wrong_true=[0.0, 0.2], predicted=[0.5, 0.0], repeated=1, recovered=0.5
    )
    assert found[0] == pytest.approx(0.2)
    assert np.isnan(found[1])


@given(joints)
def test_profile_by_hand(joint):
    k = len(joint)
    found = {(one.name, one.class_name): one for one in profile(tally_of(joint))}
    true, label, answer = np.indices((k, k, k))
    wrong = true != label
    events = {
        ("F_c", None): (~wrong, answer == true),
        ("F_n", None): (wrong, answer == label),
        ("F_r", None): (wrong, answer == true),
        **{("F_c", c): (~wrong & (true == c), answer == c) for c in range(k)},
        **{("F_n", c): (wrong & (label == c), answer == c) for c in range(k)},
        **{("F_r", c): (wrong & (true == c), answer == c) for c in range(k)},
    }
    assert set(found) == set(events)
    for key, (given_event, event) in events.items():
        n, some = joint[given_event].sum(), joint[given_event & event].sum()
        one = found[key]
        assert one.n == n
        if n:
            assert one.value == pytest.approx(some / n)
            ends = (clopper_pearson if n < 20 else wilson)(some, n)
            assert (one.interval.low, one.interval.high) == (
                pytest.approx(float(ends.low)),
                pytest.approx(float(ends.high)),
            )
        else:
            assert np.isnan(one.value)
            assert one.undefined
    assert [one.name for one in profile(tally_of(joint))][:3] == list(MEANING)


def test_profile_needs_the_truth():
    with pytest.raises(InputError, match="no axis 'true'"):
        profile(Tally.from_dense([[5, 1], [0, 4]]))


def test_the_corrected_interval_is_wilson_s_moved():
    found = corrected(875, 1000, 0.075, level=0.9)
    ends = wilson(875, 1000, level=0.9)
    interval = found.estimate.interval
    assert found.estimate.value == pytest.approx(0.8)
    assert interval.unclipped_low == pytest.approx(float(ends.low) - 0.075)
    assert interval.unclipped_high == pytest.approx(float(ends.high) - 0.075)
    honest = wilson(800, 1000, level=0.9)
    assert interval.half_width < float(honest.high - honest.low) / 2  # what the warning says
    assert found.warnings == (MOVES, NARROWS)
    wider = corrected(750, 1000, -0.05)
    assert wider.warnings == (MOVES,)
    plain = wilson(800, 1000)
    assert wider.estimate.interval.half_width > float(plain.high - plain.low) / 2


def test_corrected_one_sided_and_out_of_range():
    greater = corrected(980, 1000, -0.05, alternative="greater")
    assert greater.warnings[-1] == OUTSIDE
    assert greater.estimate.interval.unclipped_high == 1.0
    assert greater.estimate.interval.unclipped_low == pytest.approx(float(wilson(980, 1000, level=0.9).low) + 0.05)
    less = corrected(30, 1000, 0.02, alternative="less").estimate.interval
    assert (less.unclipped_low, less.high) == (0.0, pytest.approx(float(wilson(30, 1000, level=0.9).high) - 0.02))
    assert corrected(3, 10, 0.1).to_dict()["bias"] == 0.1


@pytest.mark.parametrize("call", [lambda: corrected(0, 0, 0.1), lambda: corrected(1, 2, 1.5)])
def test_nonsense_corrections_are_refused(call):
    with pytest.raises(InputError):
        call()
