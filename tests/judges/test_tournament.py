"""All pairs at once: the same answers as the judges give one pair after another, and rates counted by hand."""

from itertools import permutations

import numpy as np
import pytest

from justesse.cleaning.simulated import Nett
from justesse.core.all_pairs import AllPairs
from justesse.core.case import Case
from justesse.core.errors import InputError, OptionError
from justesse.core.tally import Tally
from justesse.frames.pairwise import count_all_pairs, count_around, count_pairs
from justesse.judges import cleaned, judge_named
from justesse.judges.evidence import Rule
from justesse.judges.tournament import rates

CLASSES = 3
MEASURES = [("accuracy", None), ("recall", 0), ("recall", 2), ("precision", 1)]
RULES = [Rule(level=0.9), Rule(0.02, 0.8, "greater"), Rule(alternative="less")]


def drawn(seed: int, rows: int = 400, many: int = 4):
    """Labels of which one in fifty is wrong, answers of better and worse classifiers, and a mask of hard rows."""
    rng = np.random.default_rng(seed)
    true = rng.choice(CLASSES, size=rows, p=[0.5, 0.3, 0.2])
    label = np.where(rng.random(rows) < 0.03, rng.integers(0, CLASSES, rows), true)
    skills = np.linspace(0.2, 0.98, many)[:, None]
    answers = np.where(rng.random((many, rows)) < skills, true, rng.integers(0, CLASSES, (many, rows)))
    return true, label, answers, rng.random(rows) < 0.15


def case(true, label, one, other, hard=None) -> Case:
    axes, columns = ["true", "label", "incumbent", "candidate"], [true, label, one, other]
    coded = [(np.asarray(column, dtype=np.int32), range(CLASSES)) for column in columns]
    if hard is not None:
        axes, coded = [*axes, "hard"], [*coded, (hard.astype(np.int32), (False, True))]
    return Case(Tally.from_codes(axes, coded, np.ones(len(label), dtype=np.int64)))


def one_by_one(name, measure, rule: Rule, data, **options):
    true, label, answers, hard = data
    found = np.zeros((len(answers), len(answers)), dtype=bool)
    asked = measure[0] if measure[1] is None else f"{measure[0]}:{measure[1]}"
    how = {
        "measure": asked,
        "margin": rule.margin,
        "level": rule.level,
        "alternative": rule.alternative,
        "draws": 100,
        **options,
    }
    for i, j in permutations(range(len(answers)), 2):
        found[i, j] = judge_named(name).decide(case(true, label, answers[i], answers[j], hard), **how).replaces
    return found


def pairs_of(data, measure) -> AllPairs:
    true, label, answers, hard = data
    return count_all_pairs(label, answers, measure=measure[0], at=measure[1], true=true, hard=hard)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("classical", {}),
        ("classical", {"correlation": 0.4, "ratio": 0.8}),
        ("paired", {}),
        ("reference", {}),
        ("reference", {"form": "paired"}),
        ("prudent_v1", {}),
        ("prudent_v1", {"rate": 0.03, "correlation": "observed", "ratio": "observed"}),
        ("prudent_v2", {}),
        ("prudent_v2", {"correlation": 0.4}),
        ("sharp", {}),
        ("sharp", {"rate": 0.02}),
        ("sharp", {"rate": 0.03, "variance": "observed"}),
    ],
    ids=str,
)  # fmt: skip
def test_all_pairs_at_once_as_one_by_one(name, options, measure):
    data = drawn(len(name) + len(options))
    for rule in RULES:
        found = judge_named(name).decide_many(pairs_of(data, measure), rule, **options)
        assert found.dtype == bool
        np.testing.assert_array_equal(found, one_by_one(name, measure, rule, data, **options), err_msg=str(rule))
        assert found.any() == (rule.alternative != "less")


class Mended:
    """A cleaner that was run on the rows before."""

    words = "a step run before"

    def __init__(self, left):
        self.left = left

    def clean(self, tally, *, seed=0):
        return self.left


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("then", ["classical", "paired"])
@pytest.mark.parametrize("corrects", [None, 0.7])
def test_cleaned_as_one_by_one(measure, then, corrects):
    true, label, answers, _ = drawn(9)
    mended = Nett(0.7, 0.2, corrects).clean_rows(label, true, classes=CLASSES, seed=3)
    pairs = count_all_pairs(label, answers, measure=measure[0], at=measure[1], cleaned=mended)
    asked = measure[0] if measure[1] is None else f"{measure[0]}:{measure[1]}"
    found = judge_named("cleaned").decide_many(pairs, Rule(level=0.9), then=then)
    for i, j in permutations(range(len(answers)), 2):
        kept = mended >= 0
        left = case(true[kept], mended[kept], answers[i][kept], answers[j][kept]).tally
        options = {"measure": asked, "level": 0.9, "draws": 100, "then": then}
        single = cleaned(case(true, label, answers[i], answers[j]), cleaner=Mended(left), **options)
        assert found[i, j] == single.replaces
    assert found.any()


def test_a_class_that_nobody_says_is_never_a_reason_to_replace():
    label, answers = np.array([0, 0, 1, 1] * 20), np.array([[0, 0, 0, 0] * 20, [0, 0, 1, 1] * 20, [0, 0, 2, 2] * 20])
    for measure in ("recall", "precision"):
        for name in ("classical", "paired"):
            found = judge_named(name).decide_many(count_all_pairs(label, answers, measure=measure, at=2), Rule())
            assert not found.any()
    assert judge_named("classical").decide_many(count_all_pairs(label, answers, measure="recall", at=1), Rule())[0].tolist() == [False, True, False]  # fmt: skip


def test_rates_by_hand():
    replaces = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0]])
    reference = np.array([[0, 1, 1], [0, 0, 0], [0, 1, 0]])
    difference = np.array([[0, 0.2, 0.1], [-0.2, 0, -0.1], [-0.1, 0.1, 0]])
    found = rates(replaces, reference, difference)
    shown = {name: (share["count"], share["n"]) for name, share in found.to_dict().items()}
    assert shown == {"type_one": (2, 3), "type_two": (2, 3), "agreement": (2, 6), "worse_accepted": (2, 3)}
    assert found.type_one.value == pytest.approx(2 / 3)


def test_rates_that_are_undefined_say_so():
    one = rates([[False]], [[False]], [[0.0]])
    assert all(np.isnan(share.value) and share.undefined for share in vars(one).values())
    never = rates(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))
    assert never.type_two.undefined == "the reference replaces in no pair"
    assert never.to_dict()["worse_accepted"]["value"] is None
    assert never.agreement.value == 1


def test_tables_of_pairs_are_square_and_alike():
    with pytest.raises(OptionError, match="square tables"):
        rates(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(OptionError, match="square tables"):
        rates(np.zeros((2, 2)), np.zeros((3, 3)), np.zeros((2, 2)))


def test_a_field_is_counted_part_by_part():
    true, label, answers, hard = data = drawn(3)
    cleaned = np.where(hard, -1, true)
    pairs = count_all_pairs(label, answers, true=true, hard=hard, cleaned=cleaned)
    for part, (by, rows) in {"labels": (label, label >= 0), "true": (true, label >= 0), "hard": (label, hard), "cleaned": (true, ~hard)}.items():  # fmt: skip
        wanted = count_pairs(by[rows], answers[:, rows])
        for name, value in vars(getattr(pairs, part)).items():
            np.testing.assert_array_equal(value, getattr(wanted, name))
    assert pairs.joint.sum() == len(label)
    assert np.trace(pairs.joint) == (true == label).sum()
    np.testing.assert_allclose(pairs.true_difference[0], (answers == true).mean(axis=1) - (answers[0] == true).mean())
    of_class = pairs_of(data, ("precision", 2))
    said = [(label[one == 2] == 2).mean() for one in answers]
    np.testing.assert_allclose(of_class.difference, np.subtract.outer(said, said).T)


@pytest.mark.parametrize("low", [0, -3])
def test_around_a_class_as_row_by_row(low):
    _, label, answers, _ = drawn(5)
    label, answers = label + low, answers + low
    at = 1 + low
    found = count_around(label, answers, at)
    for i, j in permutations(range(len(answers)), 2):
        one, other = answers[i], answers[j]
        for part, rows in ((found.labelled, label == at), (found.others, label != at)):
            wanted = {
                "both_right": (one == at) & (other == at),
                "only_incumbent": (one == at) & (other != at),
                "only_candidate": (one != at) & (other == at),
                "both_wrong_alike": (one != at) & (one == other),
                "both_wrong_differently": (one != at) & (other != at) & (one != other),
            }
            for name, where in wanted.items():
                assert getattr(part, name)[i, j] == (where & rows).sum(), name


def test_what_a_judge_needs_is_said_if_it_is_missing():
    _, label, answers, _ = drawn(0)
    with pytest.raises(OptionError, match="needs the true classes. Give them to count_all_pairs"):
        judge_named("reference").decide_many(count_all_pairs(label, answers), Rule())
    with pytest.raises(OptionError, match="form of the reference"):
        judge_named("reference").decide_many(count_all_pairs(label, answers, true=label), Rule(), form="sharp")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"measure": "f1"}, OptionError, "A tournament compares"),
        ({"measure": "recall"}, OptionError, "need a class"),
        ({"at": 1}, OptionError, "need a class"),
        ({"true": [0, 1]}, InputError, ".true. needs one value for each of the 400 rows"),
        ({"hard": [True]}, InputError, ".hard. needs one value"),
        ({"true": np.full(400, -1)}, InputError, "negative code"),
    ],
)
def test_pairs_that_cannot_be_counted(options, error, message):
    _, label, answers, _ = drawn(0)
    with pytest.raises(error, match=message):
        count_all_pairs(label, answers, **options)
