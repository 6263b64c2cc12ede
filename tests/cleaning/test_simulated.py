import numpy as np
import pytest

from justesse.cleaning.simulated import Nett
from justesse.core.case import Case
from justesse.core.errors import InputError, OptionError
from justesse.core.tally import Tally
from justesse.judges import classical, cleaned, paired, reference

TABLE_6_3 = [(s, e, c) for s, e in ((0.75, 0.25), (0.6, 0.1), (0.9, 0.4), (0.6, 0.4), (0.9, 0.6), (0.4, 0.1)) for c in (None, 0.25, 0.5, 0.75)]  # fmt: skip
K, N = 4, 40_000


def rows(seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, K, N)
    label = np.where(rng.random(N) < 0.3, rng.integers(0, K, N), true)
    return label, true


def as_tally(label, true) -> Tally:
    coded = [(column.astype(np.int32), range(K)) for column in (true, label)]
    return Tally.from_codes(("true", "label"), coded, np.ones(len(label), dtype=np.int64))


@pytest.mark.parametrize("chances", TABLE_6_3, ids=str)
def test_rows_and_tally_move_as_often_as_said(chances):
    """Every row of table 6.3: shares of what happens to wrong and to right labels, within 5 standard errors."""
    s, e, c = chances
    label, true = rows()
    wrong = label != true
    after = Nett(*chances).clean_rows(label, true, classes=K, seed=1)
    joint = Nett(*chances).clean(as_tally(label, true), seed=1)
    left = joint.dense("true", "label")
    for was_wrong, found in ((True, s), (False, e)):
        part, n = after[wrong == was_wrong], int((wrong == was_wrong).sum())
        error = 5 * np.sqrt(0.25 / n)
        truth = true[wrong == was_wrong]
        if c is None:
            assert (part == -1).mean() == pytest.approx(found, abs=error)
        else:
            stays = 0.0 if was_wrong else 1 - found
            assert (part == truth).mean() == pytest.approx(stays + found * c, abs=error)
    n_wrong, n_right = int(wrong.sum()), int((~wrong).sum())
    if c is None:
        assert left.sum() == pytest.approx(n_wrong * (1 - s) + n_right * (1 - e), abs=5 * np.sqrt(N / 4))
    else:
        assert left.sum() == N
        assert np.trace(left) == pytest.approx(n_wrong * s * c + n_right * (1 - e + e * c), abs=5 * np.sqrt(N / 4))
        assert left.sum(axis=1).tolist() == np.bincount(true, minlength=K).tolist()
        assert (after == true).mean() == pytest.approx(np.trace(left) / N, abs=0.02)


def test_a_correction_that_fails_is_any_other_class_alike():
    true = np.repeat(np.arange(K), 5000)
    after = Nett(1, 1, 0).clean_rows(true, true, classes=K)
    assert not (after == true).any()
    counts = np.array([np.bincount(after[true == k], minlength=K) for k in range(K)])
    assert np.all(np.abs(counts[~np.eye(K, dtype=bool)] - 5000 / 3) < 5 * np.sqrt(5000 * 2 / 9))
    table = Nett(1, 1, 0).clean(as_tally(true, true)).dense("true", "label")
    assert np.all(np.diagonal(table) == 0)
    assert np.all(np.abs(table[~np.eye(K, dtype=bool)] - 5000 / 3) < 5 * np.sqrt(5000 * 2 / 9))


def test_the_same_seed_the_same_rows():
    label, true = rows()
    one, other, third = (Nett(0.6, 0.1, 0.5).clean_rows(label, true, classes=K, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, other)
    assert (one != third).any()


@pytest.mark.parametrize("chances", [(1.2, 0), (0.5, -0.1), (0.5, 0.5, 2), (float("nan"), 0)])
def test_chances_are_chances(chances):
    with pytest.raises(OptionError, match="is a probability from 0 to 1"):
        Nett(*chances)


def test_what_cannot_be_cleaned():
    with pytest.raises(InputError, match="as many"):
        Nett(1, 0).clean_rows([0, 1], [0], classes=2)
    with pytest.raises(InputError, match="below the number of classes"):
        Nett(1, 0).clean_rows([0, 2], [0, 1], classes=2)
    with pytest.raises(OptionError, match="or the true classes"):
        Nett(1, 0).clean(Tally.of(("label",), [("a", 1)]))
    with pytest.raises(OptionError, match="only one"):
        Nett(1, 0, 1).clean(Tally.of(("true", "label"), [("a", "a", 1)]))


def case() -> Case:
    cells = [("a", "a", "a", "a", 600), ("a", "b", "a", "b", 60), ("b", "b", "b", "b", 300), ("b", "b", "b", "a", 25), ("b", "a", "b", "a", 15)]  # fmt: skip
    return Case(Tally.of(("true", "label", "incumbent", "candidate"), cells))


def test_a_perfect_step_is_the_reference_and_none_is_the_judge_itself():
    for measure in ("accuracy", "recall:b", "precision:a"):
        for then, form, plain in (("classical", "overlap", classical), ("paired", "paired", paired)):
            how = {"measure": measure, "then": then}
            perfect = cleaned(case(), cleaner=Nett(1, 0, 1), **how)
            assert perfect.difference == reference(case(), measure=measure, form=form).difference
            none = cleaned(case(), cleaner=Nett(0, 0), **how)
            assert none.difference == plain(case(), measure=measure).difference
    assert (perfect.judge, perfect.assumptions[0]) == (
        "cleaned",
        "the labels are right after NETT(s = 1, e = 0, c = 1) (0 of 1,000 rows removed)",
    )
    assert classical(case()).decision == "replace"
    assert cleaned(case(), cleaner=Nett(1, 0)).decision == "keep"


def test_what_the_judge_refuses():
    with pytest.raises(InputError, match=r"NETT\(s = 1, e = 1\) removed all 1,000 rows"):
        cleaned(case(), cleaner=Nett(1, 1))
    with pytest.raises(OptionError, match="then must be one of classical, paired; got 'sharp'"):
        cleaned(case(), then="sharp")
    with pytest.raises(OptionError, match=r"--flagged COL.*or the true classes.*--true"):
        cleaned(Case(case().tally.marginal("label", "incumbent", "candidate")))


def test_rows_with_unsigned_codes_are_removed_too():
    labels, true = np.array([0, 1, 1], dtype=np.uint8), np.array([0, 0, 1], dtype=np.uint8)
    assert Nett(1, 0).clean_rows(labels, true, classes=2).tolist() == [0, -1, 1]
