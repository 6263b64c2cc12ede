import numpy as np
import pytest

from justesse.core.errors import OptionError
from justesse.noise.hardness import at_random, by_disagreement, by_margin, hardest
from justesse.noise.ranking import Ranking


def test_the_thesis_ranking_marks_the_rows_it_mislabels():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 3, 200)
    answers = np.where(rng.random((200, 9)) < 0.7, label[:, None], rng.integers(0, 3, (200, 9)))
    ranking = Ranking.from_answers(answers, label)
    noisy = ranking.noisy(label, 0.1)
    marked = hardest(ranking.difficulty, 0.1)
    assert marked.sum() == 20
    assert np.all(marked[noisy.label != label])


def test_disagreement_by_hand_and_by_brute_force():
    rng = np.random.default_rng(1)
    answers = rng.integers(0, 5, (7, 50))
    wanted = [1 - np.unique(column, return_counts=True)[1].max() / 7 for column in answers.T]
    np.testing.assert_allclose(by_disagreement(answers), wanted)


def test_margin_and_random():
    np.testing.assert_allclose(by_margin([[0.2, 0.5, 0.3], [0, 1, 0]]), [0.8, 0.0])
    np.testing.assert_array_equal(at_random(50, seed=2), at_random(50, seed=2))
    assert (at_random(50, seed=2) != at_random(50, seed=3)).any()


@pytest.mark.parametrize("pc", [0, 0.05, 0.1, 0.5, 1])
def test_the_hardest_rows_are_marked(pc):
    hardness = np.random.default_rng(3).integers(0, 9, 200)
    marked = hardest(hardness, pc)
    assert marked.sum() == round(200 * pc)
    assert not marked.any() or marked.all() or hardness[marked].min() >= hardness[~marked].max()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hardest([0.1, np.nan], 0.1), "One finite number per row"),
        (lambda: hardest([0.1, 0.2], 10), "between 0 and 1; got 10"),
        (lambda: by_disagreement([0, 1]), "classifiers × rows"),
        (lambda: by_disagreement([["a"]]), "Codes of answers"),
        (lambda: by_margin([[0.5], [0.5]]), "rows × classes"),
        (lambda: by_margin([[0.5, 3]]), "from 0 to 1"),
    ],
)
def test_what_cannot_be_ranked(call, message):
    with pytest.raises(OptionError, match=message):
        call()
