"""A short, seeded look at the intervals of the ladder: right where they claim to be, and seen to fail where they do not."""

import numpy as np
import pytest
from studies.validity.ladder import CLASSES, NOISES, RATE, RIGHT_FOR, SIZES, Known, intervals, joint

REPETITIONS = 40


def ladder_coverage(repetitions, seed=0):
    """Count how often each interval contains the true value; no interval does not cover."""
    rows = []
    for n, checked in SIZES:
        for noise in NOISES:
            known, rng, seen = Known.of(noise), np.random.default_rng([seed, n]), {}
            for at in range(repetitions):
                for name, estimate, truth in intervals(known, n, checked, rng, at):
                    ends = estimate.interval
                    seen.setdefault(name, []).append(ends is not None and ends.low <= truth <= ends.high)
            rows += [
                {
                    "interval": name,
                    "noise": noise,
                    "n": n,
                    "holds": noise in RIGHT_FOR.get(name[:3], NOISES),
                    "covered": float(np.mean(hits)),
                }
                for name, hits in seen.items()
            ]
    return rows


@pytest.fixture(scope="module")
def found():
    return ladder_coverage(repetitions=REPETITIONS)


def covered(found, start, **wanted):
    return [
        one["covered"]
        for one in found
        if one["interval"].startswith(start) and all(one[name] == value for name, value in wanted.items())
    ]


def test_every_interval_covers_where_its_assumptions_hold(found):
    held = [one for one in found if one["holds"]]
    assert len(held) > 100
    assert np.mean([one["covered"] for one in held]) > 0.94
    for one in held:
        assert one["covered"] >= 0.8, one  # binomial luck of forty repetitions, four standard errors below 0.95


@pytest.mark.parametrize("start", ["(f)", "profile", "noise rate", "bias known"])
def test_those_that_assume_nothing_of_the_noise_hold_under_any(found, start):
    for noise in NOISES:
        assert np.mean(covered(found, start, noise=noise)) > 0.9


def test_those_whose_assumption_fails_are_seen_to_fail(found):
    many = SIZES[-1][0]
    assert max(covered(found, "(a)", n=many)) == 0
    assert covered(found, "(b)", n=many, noise="feature") == [0]
    assert covered(found, "(b)", n=many, noise="class") == [0]
    assert covered(found, "(c) table inverted, known: accuracy", n=many, noise="feature") == [0]


def test_more_rows_do_not_mend_a_wrong_assumption(found):
    few, many = (covered(found, "(b)", n=n, noise="feature")[0] for n, _ in SIZES)
    assert many < few < 0.9


@pytest.mark.parametrize("noise", NOISES)
def test_the_laws_are_what_they_are_called(noise):
    law, known = joint(noise), Known.of(noise)
    assert law.sum() == pytest.approx(1)
    assert known.rate == pytest.approx(RATE)
    law = law.sum(axis=2)
    assert law.sum(axis=(1, 2)) == pytest.approx([0.5, 0.3, 0.2])
    # whether label and prediction are independent once the class is known
    given = law / law.sum(axis=(1, 2), keepdims=True)
    apart = given - given.sum(axis=2, keepdims=True) * given.sum(axis=1, keepdims=True)
    assert (np.abs(apart).max() < 1e-12) == (noise != "feature")
    assert np.ptp(np.diagonal(known.transition.matrix)) == pytest.approx(0, abs=1e-9) or noise == "class"
    assert known.transition.classes == CLASSES


def test_the_seed_decides():
    assert ladder_coverage(repetitions=1, seed=3) == ladder_coverage(repetitions=1, seed=3)
