"""All ordered pairs at once: the same verdicts as the paired judge, one pair after another."""

import numpy as np
import pytest

from justesse.core.case import Case, Disagreement
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.frames.pairwise import count_pairs
from justesse.judges import paired
from justesse.judges.pairs import judge_pairs

RNG = np.random.default_rng(0)


def drawn(rows: int, many: int, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    label = RNG.integers(classes, size=rows)
    skills = np.linspace(0.5, 0.95, many)[:, None]
    return label, np.where(RNG.random((many, rows)) < skills, label, RNG.integers(classes, size=(many, rows)))


def case(label, one, other) -> Case:
    cells = np.unique(np.column_stack([label, one, other]), axis=0, return_counts=True)
    return Case(
        Tally.of(("label", "incumbent", "candidate"), [(*map(int, c), int(n)) for c, n in zip(*cells, strict=True)])
    )


def number(rate: float | None) -> float:
    return np.nan if rate is None else rate


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("margin", [0.0, 0.05])
@pytest.mark.parametrize(("rows", "level"), [(30, 0.95), (400, 0.99), (1, 0.9)])
def test_the_same_as_one_after_another(rows, level, margin, alternative):
    label, answers = drawn(rows, 5)
    found = judge_pairs(count_pairs(label, answers), level=level, margin=margin, alternative=alternative)
    seen = set()
    for i, one in enumerate(answers):
        for j, other in enumerate(answers):
            single = paired(case(label, one, other), level=level, margin=margin, alternative=alternative)
            where = (i, j)
            interval = single.difference.interval
            assert found.decision[where] == single.decision
            assert found.difference[where] == pytest.approx(single.difference.value)
            assert found.low[where] == pytest.approx(interval.unclipped_low, abs=1e-9)
            assert found.high[where] == pytest.approx(interval.unclipped_high, abs=1e-9)
            assert found.sign[where] == pytest.approx(number(single.breakdown.sign), nan_ok=True)
            assert found.verdict[where] == pytest.approx(number(single.breakdown.verdict), nan_ok=True)
            seen.add(single.decision)
    if rows == 400 and alternative == "two-sided" and not margin:
        assert seen == {"replace", "keep", "cannot_tell"}


def test_nobody_replaces_himself_and_no_two_replace_each_other():
    label, answers = drawn(2000, 12)
    found = judge_pairs(count_pairs(label, answers))
    replaces = found.decision == "replace"
    assert not np.diagonal(replaces).any()
    assert not (replaces & replaces.T).any()
    np.testing.assert_array_equal(replaces, (found.decision == "keep").T)
    np.testing.assert_allclose(found.low, -found.high.T, atol=1e-9)


def test_breakdown_rates_are_the_smallest_that_overturn():
    label, answers = drawn(300, 6)
    table = count_pairs(label, answers)
    found = judge_pairs(table)
    for where in np.ndindex(6, 6):
        pair = Disagreement(*(int(part[where]) for part in vars(table).values()))
        replaces = found.decision[where] == "replace"
        towards = "incumbent" if replaces else "candidate"
        most = (pair.only_candidate if replaces else pair.only_incumbent) + pair.both_wrong_differently

        def after(rows, pair=pair, towards=towards):
            changed = pair.relabelled(rows, towards=towards)
            square = Disagreement(*(np.array([[int(part)]]) for part in vars(changed).values()))
            return judge_pairs(square).decision[0, 0] == "replace"

        turned = [rows for rows in range(int(most) + 1) if after(rows) != replaces]
        wanted = turned[0] / len(label) if turned else np.nan
        assert found.verdict[where] == pytest.approx(wanted, nan_ok=True)


def test_one_classifier():
    label, answers = drawn(50, 1)
    found = judge_pairs(count_pairs(label, answers))
    assert found.decision.tolist() == [["cannot_tell"]]
    assert found.difference.tolist() == [[0.0]]
    assert np.isnan(found.sign).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [({"level": 95}, "level"), ({"margin": -1}, "margin"), ({"margin": np.nan}, "margin"), ({"alternative": "up"}, "alternative")],
)  # fmt: skip
def test_options_out_of_range(options, message):
    label, answers = drawn(10, 2)
    with pytest.raises(OptionError, match=message):
        judge_pairs(count_pairs(label, answers), **options)
