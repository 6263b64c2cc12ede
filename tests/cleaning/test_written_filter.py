import numpy as np
import pytest

from justesse.cleaning import ALL, filter_named
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.row_filter import RowFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.errors import OptionError


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_every_option_is_declared_with_its_meaning_and_can_be_written(item):
    assert list(item.settings) == list(item.options)
    written = ", ".join(f"{name}={value}" for name, value in item.options.items())
    chosen = written_filter(f"{item.name}({written})")
    assert chosen.options == item.options
    assert chosen.item is item
    assert all(words and words[0].islower() and not words.endswith(".") for words in item.settings.values())


def test_options_reach_the_filter():
    x = np.array([[0.0], [0.1], [0.2], [0.15], [5.0], [5.1], [5.2]])
    rows = LabelEvidence(np.array([0, 0, 0, 1, 1, 1, 1]), ("a", "b"), features=x)
    for k in (1, 2, 4):
        chosen = written_filter(f"edited-neighbours(neighbours={k})")
        plain = filter_named("edited-neighbours")(rows, neighbours=k)
        assert (chosen(rows).flagged == plain.flagged).all()
    counts = [int(written_filter(f"edited-neighbours(neighbours={k})")(rows).flagged.sum()) for k in (1, 2)]
    assert counts == [3, 1]


def test_thresholds_flag_fewer_rows():
    p = np.array([[0.4, 0.6], [0.05, 0.95], [0.9, 0.1]])
    rows = LabelEvidence(np.array([0, 0, 0]), ("a", "b"), p)
    assert written_filter("classification")(rows).flagged.tolist() == [True, True, False]
    assert written_filter("classification(lead=0.5)")(rows).flagged.tolist() == [False, True, False]
    votes = LabelEvidence(np.array([0]), ("a", "b"), votes=np.array([[0, 1, 1]]))
    assert written_filter("majority-vote")(votes).flagged.tolist() == [True]
    assert written_filter("majority-vote(more_than=0.7)")(votes).flagged.tolist() == [False]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("nearest", "There is no filter 'nearest'"),
        ("entropy(", "cannot be read"),
        ("entropy(0.3)", "cannot be read"),
        ("entropy(at_most=open('x'))", "cannot be read"),
        ("entropy(at_most=0.3, at_most=0.4)", "cannot be read"),
        ("entropy(at_most=True)", "cannot be read"),
        ("entropy(below=0.3)", "no option below. Its options: at_most"),
        ("consensus-vote(k=1)", "Its options: none"),
        ("x" * 2000, "A filter is a name"),
    ],
)
def test_what_cannot_be_read(word, reason):
    with pytest.raises(OptionError, match=reason):
        written_filter(word)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("entropy(at_most=much)", "at_most of entropy must be a number, such as 0.3; got 'much'"),
        ("entropy(at_most=2)", "at_most must lie between 0 and 1"),
        ("confident-learning(prune=3)", "prune of confident-learning must be a word"),
        ("confident-learning(prune=half)", "prune must be one of"),
    ],
)
def test_options_of_the_wrong_kind_are_refused(word, reason):
    rows = LabelEvidence(np.array([0, 1]), ("a", "b"), np.array([[0.9, 0.1], [0.6, 0.4]]))
    with pytest.raises(OptionError, match=reason):
        written_filter(word)(rows)


@pytest.mark.parametrize("name", ["area-under-margin", "forgetting", "answers"])
def test_filters_that_need_a_file_cannot_be_trained(name):
    with pytest.raises(OptionError, match="needs what only a file can give"):
        RowFilter(written_filter(name), None, (), {})


def test_no_neighbours_are_refused():
    evidence = LabelEvidence(np.array([0, 1, 0]), ("a", "b"), features=np.array([[0.0], [1.0], [2.0]]))
    with pytest.raises(OptionError, match="neighbours must be 1 or more; got 0"):
        written_filter("edited-neighbours(neighbours=0)")(evidence)
