import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from justesse.core.errors import ClassError, MissingValueError, OptionError
from justesse.noise.difficulty import confusions, difficulty, legitimacy, plausibility
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, Uniform, pair_flip, symmetric
from justesse.noise.noisy import Noisy
from justesse.noise.ranking import Ranking

FIGURE_6_3 = np.array(
    [
        [1135, 3, 15, 10, 0, 0, 6, 4, 15, 12],
        [10, 1160, 1, 2, 0, 6, 0, 0, 10, 11],
        [48, 0, 1024, 22, 30, 22, 35, 12, 4, 3],
        [17, 3, 52, 936, 25, 92, 40, 20, 6, 9],
        [20, 0, 33, 28, 1063, 7, 18, 27, 4, 0],
        [5, 2, 31, 120, 32, 947, 16, 47, 0, 0],
        [9, 0, 33, 24, 7, 7, 1110, 6, 3, 1],
        [9, 0, 14, 27, 16, 21, 2, 1103, 2, 6],
        [24, 8, 7, 3, 1, 1, 0, 2, 1146, 8],
        [17, 20, 2, 3, 2, 2, 3, 3, 11, 1137],
    ]
)


def algorithm_2(answers, labels, rate, classes, by_error=False):
    """The thesis' algorithm 2 line by line, in exact fractions; also the ranking and the scores on the way."""
    n = len(answers)
    trust = []
    for column in zip(*answers, strict=True):
        said = [(a, y) for a, y in zip(column, labels, strict=True) if a >= 0]
        wrong = Fraction(sum(a != y for a, y in said), max(len(said), 1))
        trust.append((wrong if by_error else 1 - wrong) if said else Fraction(0))
    ranking, who_said = [], []
    for i in range(n):
        by_class = {}
        for annotator, answer in enumerate(answers[i]):
            if answer >= 0:
                by_class.setdefault(answer, []).append(annotator)
        who_said.append(by_class)
        mistaken = [a for c, group in by_class.items() if c != labels[i] for a in group]
        ranking.append((i, sum((trust[a] for a in mistaken), Fraction(0))))
    ranking.sort(key=lambda pair: -pair[1])
    noisy = list(labels)
    for i, _ in ranking[: math.floor(rate * n + 0.5)]:
        best, score = None, Fraction(0)
        for c in range(classes):
            if c == labels[i]:
                continue
            s = sum((trust[a] for a in who_said[i].get(c, [])), Fraction(0))
            if s > score:
                best, score = c, s
        if best is not None:
            noisy[i] = best
    return ranking, noisy


@st.composite
def answered(draw):
    n, annotators, classes = draw(st.integers(1, 12)), draw(st.integers(1, 6)), draw(st.integers(2, 4))
    code = st.integers(0, classes - 1)
    labels = draw(st.lists(code, min_size=n, max_size=n))
    row = st.lists(st.integers(-1, classes - 1), min_size=annotators, max_size=annotators)
    return draw(st.lists(row, min_size=n, max_size=n)), labels, classes


@given(answered(), st.floats(0, 0.999), st.booleans())
def test_a_ranking_does_what_algorithm_2_says(case, rate, by_error):
    answers, labels, classes = case
    expected, noisy = algorithm_2(answers, labels, rate, classes, by_error)
    kind = "error" if by_error else "accuracy"
    ranking = Ranking.from_answers(np.array(answers, np.int16), labels, legitimacy=kind, classes=range(classes))
    assert ranking.order.tolist() == [i for i, _ in expected]
    np.testing.assert_allclose(ranking.difficulty[ranking.order], [float(d) for _, d in expected], rtol=1e-12)
    found = ranking.noisy(labels, rate)
    assert found.label.tolist() == noisy
    assert found.true.tolist() == labels
    chosen = math.floor(rate * len(labels) + 0.5)
    assert found.wrong.sum() + found.spared.sum() == chosen
    assert found.realised == np.mean(np.array(noisy) != labels)


@given(answered(), st.floats(0, 0.999), st.floats(0, 0.999))
def test_the_noise_of_a_lower_rate_is_part_of_that_of_a_higher_one(case, one, other):
    answers, labels, _ = case
    ranking = Ranking.from_answers(answers, labels)
    low, high = ranking.noisy(labels, min(one, other)), ranking.noisy(labels, max(one, other))
    assert np.all(high.wrong[low.wrong])
    assert np.array_equal(high.label[low.wrong], low.label[low.wrong])


@given(answered())
def test_scores_add_up(case):
    answers, labels, _ = case
    rows = np.arange(len(labels))
    s, trust = plausibility(answers, labels), legitimacy(answers, labels)
    np.testing.assert_allclose(
        s.sum(1), [sum(t for a, t in zip(row, trust, strict=True) if a >= 0) for row in answers], atol=1e-12
    )
    np.testing.assert_allclose(difficulty(answers, labels), s.sum(1) - s[rows, labels], atol=1e-12)
    np.testing.assert_allclose(
        legitimacy(answers, labels, kind="error")[(np.array(answers) >= 0).any(0)],
        1 - trust[(np.array(answers) >= 0).any(0)],
        atol=1e-12,
    )


def test_equally_hard_instances_tie_although_decimals_would_not():
    # accuracies .1, .2 and .3 over ten instances: 0.1 + 0.2 > 0.3 in floating point
    labels = np.zeros(10, dtype=int)
    answers = np.ones((10, 3), dtype=int)
    answers[9, 0], answers[8:, 1], answers[[5, 6, 7], 2] = 0, 0, 0
    assert legitimacy(answers, labels).tolist() == [0.1, 0.2, 0.3]
    answers[0], answers[1] = [0, 0, 1], [1, 1, 0]
    answers[9, 0] = answers[8, 1] = answers[9, 1] = 1
    answers[7, 1] = answers[6, 2] = 0
    answers[5, 2] = 1
    trust = legitimacy(answers, labels)
    assert trust.tolist() == [0.1, 0.2, 0.3]
    assert trust[0] + trust[1] > trust[2]
    hard = difficulty(answers, labels)
    assert hard[0] == hard[1] == 0.3
    order = Ranking.from_answers(answers, labels).order.tolist()
    assert order.index(0) < order.index(1)


def test_8_the_most_wrong_annotator_weighs_least_unless_the_thesis_is_followed_to_the_letter():
    """Errata 8: instance 0 misleads the good annotators, instance 1 the poor one."""
    labels = np.zeros(8, dtype=int)
    answers = np.zeros((8, 2), dtype=int)
    answers[0, 0] = 1
    answers[1:7, 1] = 1
    assert Ranking.from_answers(answers, labels).order[0] == 0
    assert Ranking.from_answers(answers, labels, legitimacy="error").order[0] == 1
    assert Ranking.from_answers(answers, labels, legitimacy=[1.0, 3.0]).order[0] == 1


def test_chunks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    labels, answers = rng.integers(0, 5, 301), rng.integers(-1, 5, (301, 7)).astype(np.int8)
    whole, scores = Ranking.from_answers(answers, labels), plausibility(answers, labels)
    monkeypatch.setattr(sys.modules["justesse.noise.difficulty"], "CHUNK", 50)
    parts = Ranking.from_answers(answers, labels)
    for name in ("order", "difficulty", "wrong", "plausibility"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
    assert np.array_equal(plausibility(answers, labels), scores)


def test_without_a_small_common_denominator_nine_digits_are_kept(monkeypatch):
    rng = np.random.default_rng(0)
    labels, answers = rng.integers(0, 5, 300), rng.integers(-1, 5, (300, 9))
    exact = difficulty(answers, labels)
    monkeypatch.setattr(sys.modules["justesse.noise.difficulty"], "EXACT", 1)
    assert not np.array_equal(difficulty(answers, labels), exact)
    np.testing.assert_allclose(difficulty(answers, labels), exact, atol=1e-8)


def test_codes_beyond_the_type_of_the_answers_are_not_taken_for_others():
    # as 8-bit numbers 255 would be -1 and 259 would be 3
    assert difficulty(np.array([[-1], [3]], np.int8), [255, 259], legitimacy=[1.0]).tolist() == [0.0, 1.0]
    assert difficulty(np.array([[7], [3]], np.uint64), [255, 3], legitimacy=[1.0]).tolist() == [1.0, 0.0]


def test_an_instance_nobody_gets_wrong_is_left_right_and_said():
    noisy = Ranking.from_answers([[0, 0], [0, 1], [1, 1]], ["a", "a", "b"], classes=("a", "b")).noisy(
        ["a", "a", "b"], 0.9
    )
    assert noisy.label.tolist() == ["a", "b", "b"]
    assert noisy.spared.tolist() == [True, False, True]
    assert "2 left right" in repr(noisy)
    assert noisy.to_dict()["spared"] == 2
    assert noisy.part([1]).to_dict()["spared"] == 0


@given(st.integers(0, 10_000))
def test_votes_against_brute_force(seed):
    rng = np.random.default_rng(seed)
    votes = rng.integers(0, 4, (9, 3))
    labels = rng.integers(0, 3, 9) if seed % 2 else votes.argmax(1)
    ranking = Ranking.from_votes(votes, labels=labels if seed % 2 else None)
    for i, (row, own) in enumerate(zip(votes.tolist(), labels.tolist(), strict=True)):
        wrong = [c for c in range(3) if c != own]
        share = sum(row[c] for c in wrong) / max(sum(row), 1)
        best = max(wrong, key=lambda c: (row[c], -c))
        assert ranking.difficulty[i] == pytest.approx(share)
        assert ranking.wrong[i] == (best if row[best] else -1)
        assert ranking.plausibility[i] == pytest.approx(row[best] / max(sum(row), 1))
    assert ranking.order.tolist() == sorted(range(9), key=lambda i: -ranking.difficulty[i])


def test_one_vote_each_and_equal_trust_rank_as_votes_do():
    rng = np.random.default_rng(1)
    labels, answers = rng.integers(0, 4, 200), rng.integers(0, 4, (200, 11))
    votes = np.stack([(answers == c).sum(1) for c in range(4)], axis=1)
    by_votes, by_answers = (
        Ranking.from_votes(votes, labels=labels),
        Ranking.from_answers(answers, labels, legitimacy=np.ones(11)),
    )
    assert np.array_equal(by_votes.order, by_answers.order)
    assert np.array_equal(by_votes.wrong, by_answers.wrong)


def test_figure_6_3_of_the_thesis():
    """A 10 % version of train and test together has 10.325 % of wrong labels in the test part."""
    pairs = np.repeat(np.argwhere(FIGURE_6_3 >= 0), FIGURE_6_3.ravel(), axis=0)
    noisy = Noisy(pairs[:, 0], pairs[:, 1], tuple(range(10)), "figure 6.3", 0.10)
    assert noisy.realised == 0.10325
    assert np.array_equal(noisy.tally.dense("true", "label"), FIGURE_6_3)
    model = ByClass.from_counts(FIGURE_6_3, range(10))
    assert model.expected_rate(np.full(10, 0.1)) == pytest.approx(0.10325)


def test_the_rate_of_a_part():
    labels = np.array([0, 0, 1, 1])
    noisy = Ranking.from_votes([[9, 1], [5, 4], [0, 9], [1, 9]]).noisy(labels, 0.5)
    train, test = np.array([True, False, True, False]), [1, 3]
    assert (noisy.realised, noisy.part(train).realised, noisy.part(test).realised) == (0.5, 0.5, 0.5)
    assert noisy.part([1]).realised == 1.0
    with pytest.raises(OptionError, match="without rows is undefined"):
        noisy.part([])
    with pytest.raises(OptionError, match="without rows is undefined"):
        noisy.part(np.zeros(4, dtype=bool))


def test_columns_give_the_ranking_back():
    rng = np.random.default_rng(3)
    ranking = Ranking.from_answers(rng.integers(-1, 3, (40, 5)), rng.integers(0, 3, 40))
    columns = ranking.to_columns()
    same = Ranking.from_columns(columns, classes=ranking.classes, method=ranking.method)
    for name in ("order", "difficulty", "wrong", "plausibility", "classes", "method"):
        assert np.array_equal(getattr(ranking, name), getattr(same, name))
    for damage, reason in (
        ({"rank": np.zeros(40, int)}, "each position"),
        ({"wrong": np.full(40, 7)}, "positions among"),
    ):
        with pytest.raises(OptionError, match=reason):
            Ranking.from_columns({**columns, **damage}, classes=ranking.classes, method="")
    with pytest.raises(OptionError, match="No .difficulty. or .wrong. or .plausibility. column"):
        Ranking.from_columns({"rank": [0]}, classes=ranking.classes, method="")


@pytest.mark.parametrize(
    ("labels", "kind"),
    [(["cat", "dog", "car"], "U"), ([3, 5, 9], "i"), ([True, False, True], "b"), (["a", 1, True], "O")],
)
def test_labels_keep_their_kind_and_the_truth_is_kept(labels, kind):
    noisy = inject(labels * 200, Uniform(0.4))
    assert noisy.label.dtype.kind == kind
    assert noisy.true.tolist() == labels * 200
    assert {(type(name), name) for name in noisy.label.tolist()} == {(type(name), name) for name in labels}
    assert 0.3 < noisy.realised < 0.5


def test_uniform_noise_is_uniform():
    noisy = inject(np.repeat(np.arange(4), 50_000), Uniform(0.2))
    expected = 50_000 * symmetric(0.2, range(4)).matrix
    assert chisquare(noisy.tally.dense("true", "label"), expected, axis=1).pvalue.min() > 1e-4
    assert noisy.rate == 0.2 != noisy.realised


def test_noise_by_class_follows_its_matrix():
    matrix = np.array([[0.7, 0.3, 0, 0], [0, 1, 0, 0], [0.1, 0.2, 0.6, 0.1], [0.5, 0, 0.5, 0]])
    noisy = inject(np.repeat(list("abcd"), 50_000), ByClass(matrix, "abcd"))
    table = noisy.tally.dense("true", "label")
    assert np.all(table[matrix == 0] == 0)
    for counts, shares in zip(table, matrix, strict=True):
        seen = shares > 0
        assert seen.sum() == 1 or chisquare(counts[seen], 50_000 * shares[seen]).pvalue > 1e-4
    assert noisy.rate == pytest.approx(0.425)
    assert noisy.realised == pytest.approx(0.425, abs=0.005)


@given(st.integers(0, 99), st.floats(0, 0.5), st.floats(0, 0.5))
def test_one_seed_gives_nested_noise_and_another_seed_other_noise(seed, one, other):
    labels = np.arange(300) % 3
    for model in (Uniform(0.1), ByClass([[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0, 1]], range(3))):
        low, high = (inject(labels, model, rate=rate, seed=seed) for rate in sorted((one / 2, other / 2)))
        assert np.all(high.wrong[low.wrong])
        assert np.array_equal(high.label[low.wrong], low.label[low.wrong])
    assert not np.array_equal(
        inject(labels, Uniform(0.3), seed=seed).label, inject(labels, Uniform(0.3), seed=seed + 1).label
    )
    assert np.array_equal(inject(labels, Uniform(0.3), seed=seed).label, inject(labels, Uniform(0.3), seed=seed).label)


def test_a_rate_scales_the_confusions_of_a_matrix_to_these_labels():
    labels = ["a"] * 900 + ["b"] * 100
    model = ByClass([[0.9, 0.1], [0.3, 0.7]], "ab")
    assert inject(labels, model).rate == pytest.approx(0.12)
    assert inject(labels, model, rate=0.06).rate == pytest.approx(0.06)
    assert model.at(0.06, np.array([0.9, 0.1])).matrix == pytest.approx(np.array([[0.95, 0.05], [0.15, 0.85]]))
    assert inject(labels, model, rate=0).realised == 0
    with pytest.raises(OptionError, match="more than 100 % of the labels of class 'b' would be wrong"):
        inject(labels, model, rate=0.5)
    with pytest.raises(OptionError, match="has no wrong labels"):
        inject(labels, ByClass(np.eye(2), "ab"), rate=0.1)


def test_pairs():
    assert pair_flip(0.2, "abc").matrix.tolist() == [[0.8, 0.2, 0], [0, 0.8, 0.2], [0.2, 0, 0.8]]
    assert pair_flip(0.2, "ab").matrix.tolist() == symmetric(0.2, "ab").matrix.tolist()
    for pairs in ({"a": "z"}, {"a": "a"}):
        with pytest.raises(ClassError, match="two different classes"):
            pair_flip(0.2, "abc", pairs=pairs)


@pytest.mark.parametrize("rate", [-0.1, 1, 5, math.nan])
def test_a_rate_is_a_share(rate):
    for make in (
        lambda: Uniform(rate),
        lambda: symmetric(rate, "ab"),
        lambda: pair_flip(rate, "ab"),
        lambda: inject(["a", "b"], Uniform(0.1), rate=rate),
        lambda: Ranking.from_votes([[1, 2]]).noisy([1], rate),
    ):
        with pytest.raises(OptionError, match="noise rate"):
            make()


@pytest.mark.parametrize(
    ("matrix", "classes", "reason"),
    [
        ([[0.9, 0.2], [0, 1]], "ab", "Row 'a' of the matrix must sum to 1"),
        ([[1.1, -0.1], [0, 1]], "ab", "negative"),
        ([[math.nan, 1], [0, 1]], "ab", "negative or missing"),
        ([[1, 0], [0, 1]], "abc", "3 classes need a 3 × 3 matrix"),
        ([[1, 0], [0, 1]], "aa", "must differ"),
    ],
)
def test_a_matrix_that_is_none(matrix, classes, reason):
    with pytest.raises((OptionError, ClassError), match=reason):
        ByClass(matrix, classes)


def test_labels_and_classes_must_fit():
    with pytest.raises(ClassError, match="'c' is not among the classes"):
        inject(list("abc"), symmetric(0.1, "ab"))
    with pytest.raises(ClassError, match="at least two classes"):
        inject(["a", "a"], Uniform(0.1))
    with pytest.raises(ClassError, match="at least two classes"):
        symmetric(0.1, "a")
    assert set(inject(["a"] * 100, Uniform(0.5, classes=("a", "b"))).label.tolist()) == {"a", "b"}
    for labels in (["a", None], [1.0, math.nan], np.array([1.0, math.nan])):
        with pytest.raises(MissingValueError, match="missing"):
            inject(labels, Uniform(0.1))
    for labels in ([], [[1, 2], [3, 4]]):
        with pytest.raises(OptionError, match="one class per row"):
            inject(labels, Uniform(0.1))


def test_a_ranking_wants_its_own_labels_and_a_rate():
    ranking = Ranking.from_votes([[9, 1], [5, 4], [0, 9]])
    with pytest.raises(OptionError, match="needs the rate"):
        inject([0, 0, 1], ranking)
    assert inject([0, 0, 1], ranking, rate=0.4).label.tolist() == [0, 1, 1]
    assert inject([0, 0, 1], ranking, rate=0.4).seed is None
    with pytest.raises(OptionError, match="got 2 labels"):
        ranking.noisy([0, 0], 0.1)
    with pytest.raises(OptionError, match="got other labels"):
        ranking.noisy([0, 1, 1], 0.1)


@pytest.mark.parametrize(
    ("answers", "labels", "options", "reason"),
    [
        ([[0.5]], [0], {}, "matrix of instances"),
        ([0, 1], [0, 1], {}, "matrix of instances"),
        ([[-2]], [0], {}, "with -2"),
        ([[0], [1]], [0], {}, "2 rows of answers need 2 labels"),
        ([[0], [1]], [0, -1], {}, "need 2 labels"),
        ([[0], [5]], [0, 1], {"classes": (0, 1)}, "codes of the 2 classes"),
        ([[0], [1]], [0, 1], {"legitimacy": "votes"}, "'accuracy', 'error'"),
        ([[0], [1]], [0, 1], {"legitimacy": [0.5, 0.5]}, "each of 1 annotators"),
        ([[0], [1]], [0, 1], {"legitimacy": [-1.0]}, "of 0 or more"),
    ],
)
def test_answers_that_cannot_be_used(answers, labels, options, reason):
    with pytest.raises(OptionError, match=reason):
        Ranking.from_answers(answers, labels, **options)


@pytest.mark.parametrize(
    ("votes", "options", "reason"),
    [
        ([[1, -1]], {}, "table of counts"),
        ([1, 2], {}, "table of counts"),
        ([[1, 2]], {"classes": "abc"}, "2 columns of votes"),
        ([[1, 2]], {"labels": [0, 1]}, "1 rows of votes"),
    ],
)
def test_votes_that_cannot_be_used(votes, options, reason):
    with pytest.raises(OptionError, match=reason):
        Ranking.from_votes(votes, **options)


def test_many_answers_as_algorithm_2_ranks_them():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 2_000)
    wrong = rng.random((2_000, 30)) < rng.beta(1, 4, 2_000)[:, None]
    answers = np.where(wrong, (labels[:, None] + rng.integers(1, 10, wrong.shape)) % 10, labels[:, None])
    hard, plausible, _ = confusions(answers, labels, "accuracy", 10)
    expected, noisy = algorithm_2(answers.tolist(), labels.tolist(), 0.2, 10)
    ranking = Ranking.from_answers(answers.astype(np.int16), labels)
    assert ranking.order.tolist() == [i for i, _ in expected]
    assert ranking.noisy(labels, 0.2).label.tolist() == noisy
    assert np.array_equal(ranking.difficulty, hard)
    assert np.array_equal(ranking.wrong, plausible)


def test_people_s_votes_on_cifar10(data):
    """CIFAR-10H: the images people disagree on get the label they were most often taken for."""
    import pyarrow.parquet as pq

    _, *classes = (table := pq.read_table(data / "cifar10" / "human_votes.parquet")).column_names
    votes = table.select(classes).to_pandas().to_numpy()
    ranking = Ranking.from_votes(votes, classes=classes)
    noisy = ranking.noisy(np.array(classes)[votes.argmax(1)], 0.05)
    assert noisy.realised == 0.05
    cats = noisy.label[noisy.wrong & (noisy.true == "cat")].tolist()
    assert max(set(cats), key=cats.count) == "dog"
    assert ranking.difficulty[noisy.wrong].min() >= ranking.difficulty[~noisy.wrong].max()
