"""Both prudent judges: the thesis' example, pc = 0, every measure, and what is missing said in words."""

import numpy as np
import pytest

from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals import wilson
from justesse.judges import classical, paired, prudent_v1, prudent_v2, reference
from justesse.noise.bias import bias
from justesse.noise.transition import Transition

AXES = ("label", "incumbent", "candidate")
MEASURES = ["accuracy", "error", *(f"{name}:{k}" for name in ("recall", "precision") for k in range(3))]


def drawn(seed: int, rows: int = 600) -> Case:
    """Two classifiers, some labels wrong, a row in six marked hard."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 3, rows)
    label = np.where(rng.random(rows) < 0.08, rng.integers(0, 3, rows), true)
    one, other = (np.where(rng.random(rows) < skill, true, rng.integers(0, 3, rows)) for skill in (0.7, 0.9))
    hard = rng.random(rows) < 1 / 6
    coded = [(column.astype(np.int32), range(3)) for column in (true, label, one, other)]
    coded.append((hard.astype(np.int32), (False, True)))
    return Case(Tally.from_codes(("true", *AXES, "hard"), coded, np.ones(rows, dtype=np.int64)))


def thesis() -> Case:
    """The example of thesis 6.5.4: 720 and 780 right of 1000."""
    return Case(Tally.of(AXES, [(1, 1, 1, 700), (1, 1, 0, 20), (1, 0, 1, 80), (0, 1, 1, 200)], classes=[0, 1]))


def test_the_example_of_the_thesis():
    """Its intervals are 90 % ones: a correlation of 0 and a level that makes each so."""
    level = 1 - 2 * (1 - 0.9899908)  # z = 1.645·√2
    found = prudent_v1(thesis(), rate=0.05, level=level)
    one, other = found.incumbent.interval, found.candidate.interval
    assert one.unclipped_high == pytest.approx(0.793, abs=6e-4)
    assert other.unclipped_low == pytest.approx(0.708, abs=6e-4)
    assert found.decision == "cannot_tell"
    assert classical(thesis(), level=level).decision == "replace"
    assert found.difference.interval.low == pytest.approx(0.708 - 0.793, abs=1e-3)
    assert found.difference.value == pytest.approx(0.06)


@pytest.mark.parametrize("measure", MEASURES)
def test_v1_moves_the_classical_ends_by_the_extreme_biases(measure):
    for seed in range(3):
        case = drawn(seed)
        plain, moved = classical(case, measure=measure), prudent_v1(case, measure=measure)
        joint = case.tally.dense("true", "label").astype(float)
        n = joint.sum()
        k = int(measure[-1]) if measure[-1].isdigit() else None
        if k is None:
            wanted = 2 * (1 - np.trace(joint) / n)
        elif measure.startswith("precision"):
            missed, alarm = joint[k].sum() - joint[k, k], joint[:, k].sum() - joint[k, k]
            wanted = missed / case.incumbent.sums("prediction")[k] + alarm / case.candidate.sums("prediction")[k]
        else:
            wanted = 2 * max(1 - joint[k, k] / joint[k].sum(), 1 - joint[k, k] / joint[:, k].sum())
        assert moved.difference.interval.unclipped_low == pytest.approx(
            plain.difference.interval.unclipped_low - wanted
        )
        assert moved.replaces == (plain.difference.interval.unclipped_low - wanted > 0)
        assert moved.difference.value == plain.difference.value


@pytest.mark.parametrize("measure", MEASURES)
def test_v1_with_no_wrong_label_is_classical(measure):
    for seed in range(3):
        case = drawn(seed)
        mine, theirs = prudent_v1(case, measure=measure, rate=0.0), classical(case, measure=measure)
        assert mine.decision == theirs.decision
        assert mine.difference.interval.low == pytest.approx(theirs.difference.interval.low)
        assert mine.difference.interval.high == pytest.approx(theirs.difference.interval.high)


def test_v1_with_the_observed_correlation_is_nearly_paired():
    case = Case(Tally.of(AXES, [(1, 1, 1, 740), (1, 1, 0, 20), (1, 0, 1, 40), (0, 1, 1, 200)], classes=[0, 1]))
    found = prudent_v1(case, rate=0.0, correlation="observed", ratio="observed")
    assert found.decision == paired(case).decision == "replace"
    assert found.difference.interval.low == pytest.approx(paired(case).difference.interval.low, abs=1e-3)
    with pytest.raises(OptionError, match="or 'observed' for both"):
        prudent_v1(case, rate=0.0, correlation="observed")


def test_v1_two_that_never_disagree():
    case = Case(Tally.of(AXES, [(1, 1, 1, 50), (0, 1, 1, 10)]))
    assert prudent_v1(case, rate=0.0, correlation="observed", ratio="observed").decision == "cannot_tell"


def test_v1_knows_by_rate_table_or_truth():
    case = drawn(1)
    plain = Case(case.tally.marginal(*AXES))
    from_table = prudent_v1(plain, transition=Transition.from_tally(case.tally), measure="recall:1")
    assert from_table.difference.interval.low == pytest.approx(prudent_v1(case, measure="recall:1").difference.interval.low)  # fmt: skip
    rate = 1 - np.trace(case.tally.dense("true", "label")) / case.n
    for measure in MEASURES:
        told, known = prudent_v1(plain, rate=rate, measure=measure), prudent_v1(case, measure=measure)
        assert told.difference.interval.unclipped_low <= known.difference.interval.unclipped_low + 1e-12
    with pytest.raises(OptionError, match=r"The judge prudent_v1 needs one of these: .*--transition.*--true"):
        prudent_v1(plain)
    with pytest.raises(OptionError, match="noise rate"):
        prudent_v1(plain, rate=5)
    with pytest.raises(OptionError, match="prudent_v1 compares accuracy, .* not macro F1"):
        prudent_v1(plain, rate=0.1, measure="macro-f1")


@pytest.mark.parametrize("measure", MEASURES)
def test_v2_at_pc_0_is_classical_exactly(measure):
    for seed in range(3):
        case = drawn(seed)
        for options in ({}, {"margin": 0.02}, {"alternative": "greater"}, {"level": 0.8}, {"correlation": 0.3}):
            mine, theirs = (judge(case, measure=measure, **options, **own) for judge, own in ((prudent_v2, {"pc": 0}), (classical, {})))  # fmt: skip
            assert mine.decision == theirs.decision
            ends = [(one.unclipped_low, one.unclipped_high) for one in (mine.difference.interval, theirs.difference.interval)]  # fmt: skip
            assert ends[0] == pytest.approx(ends[1], abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_v2_takes_off_the_exact_bias_against_the_labels_that_favour_the_incumbent(measure):
    """Row by row: the labels are changed as the thesis says, and the bias is that of noise.bias."""
    case = drawn(7)
    tally = case.tally.marginal(*AXES, "hard")
    label, one, other, hard = tally.codes.T
    changed = np.where((hard == 1) & (one != other), one, label)
    found = prudent_v2(case, measure=measure)
    plain = classical(case, measure=measure)
    name, _, k = measure.partition(":")
    biases = []
    for said in (one, other):
        coded = [(codes, range(3)) for codes in (changed, label, said)]
        rows = Tally.from_codes(("true", "label", "prediction"), coded, tally.counts)
        wanted = int(k) if k else None
        biases.append(next(b.bias for b in bias(rows) if b.name == name.replace("error", "accuracy") and b.class_name == wanted))  # fmt: skip
    moved = found.difference.interval.unclipped_low
    assert moved == pytest.approx(plain.difference.interval.unclipped_low - biases[1] + biases[0], abs=1e-12)
    assert biases[0] <= 0
    assert found.difference.interval.high >= plain.difference.interval.high - 1e-12


def test_v2_ranked_rows():
    """The axis may say what share of the rows is harder; pc then chooses."""
    cells = [(1, 1, 1, 0.0, 700), (1, 1, 0, 0.7, 20), (1, 0, 1, 0.05, 30), (1, 0, 1, 0.5, 50), (1, 0, 0, 0.9, 200)]
    case = Case(Tally.of((*AXES, "hard"), cells))
    lows = [prudent_v2(case, pc=pc).difference.interval.low for pc in (0, 0.05, 0.1, 0.5, 0.6, 1)]
    assert lows[0] == lows[1] > lows[2] == lows[3] > lows[4] == lows[5]
    assert any("730 of 1,000 rows are hard (pc = 0.1)" in told for told in prudent_v2(case, pc=0.1).assumptions)


@pytest.mark.parametrize(
    ("axis", "options", "message"),
    [
        (None, {}, r"needs to know which rows are hard.*--hard COL"),
        (["yes", "no"], {}, r"`hard` must be true or false, or the share .* got 'no', 'yes'"),
        ([0, 7], {}, r"got 0, 7"),
        ([0, 1], {"pc": 10}, "pc, the share of rows that count as hard, must lie between 0 and 1; got 10"),
    ],
)
def test_v2_what_is_missing_is_said(axis, options, message):
    axes, cells = AXES, [(1, 1, 1), (1, 0, 1)]
    if axis:
        axes, cells = (*AXES, "hard"), [(*cell, mark) for cell, mark in zip(cells, axis, strict=True)]
    case = Case(Tally.of(axes, [(*cell, 10) for cell in cells]))
    with pytest.raises(OptionError, match=message):
        prudent_v2(case, **options)


@pytest.mark.parametrize("measure", MEASURES)
def test_reference_is_the_judge_on_the_true_classes(measure):
    case = drawn(4)
    truth = Case(case.tally.marginal("true", "incumbent", "candidate").renamed(true="label"))
    for form, judge in (("overlap", classical), ("paired", paired)):
        found, wanted = reference(case, measure=measure, form=form), judge(truth, measure=measure)
        assert found.difference == wanted.difference
        assert (found.judge, found.assumptions[0]) == ("reference", "the true classes are right")
    with pytest.raises(
        OptionError, match=r"needs the true classes in a column of their own. Name it with true=… \(--true COL\)"
    ):
        reference(Case(case.tally.marginal(*AXES)))


def test_ends_beyond_the_range_are_compared_but_not_shown():
    case = Case(Tally.of(AXES, [(1, 1, 1, 96), (1, 0, 1, 4)], classes=[0, 1]))
    found = prudent_v1(case, rate=0.3)
    assert found.incumbent.interval.unclipped_high > 1 == found.incumbent.interval.high
    own = float(wilson(96, 100, level=found.incumbent.interval.level).high)
    assert found.incumbent.interval.unclipped_high == pytest.approx(own + 0.3)


@pytest.mark.parametrize(("judge", "hard"), [(prudent_v1, 0), (prudent_v2, 1)])
def test_a_class_that_no_row_is_truly_of_decides_nothing(judge, hard):
    """Either known from the true classes, or because every row of the class is given to an incumbent that denies it."""
    cells = [("a", "a", "a", "a", 0, 90), ("a", "b", "a", "b", hard, 10)]
    case = Case(Tally.of(("true", *AXES, "hard"), cells))
    found = judge(case, measure="recall:b")
    assert found.decision == "cannot_tell"
    assert found.difference.interval is None
    assert "no row would truly be of the class" in found.reason
    assert found.to_dict()["interval"] is None
