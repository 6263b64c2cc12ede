"""Every filter: golden values, peers, properties, bad input."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from cleaning.oracles.data import drawn_probabilities, drawn_rows
from justesse.cleaning import ALL, filter_named
from justesse.cleaning.confident_joint import confident_joint, whole_rows
from justesse.cleaning.cross_fitted import cross_fitted
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.neighbourhood_graph import graph_edges
from justesse.core.annotations import Annotations
from justesse.core.errors import ClassError, InputError, OptionError

REFERENCE = json.loads((Path(__file__).parent / "oracles" / "reference.json").read_text())
PRUNE = ("by-noise-rate", "by-class", "both", "off-diagonal")


def whole_evidence(n=240, classes=3, noise=0.1, seed=0):
    """Return evidence of every kind about rows with wrong labels, and the true classes."""
    rng = np.random.default_rng(seed)
    true = np.arange(n) % classes
    labels = np.where(rng.random(n) < noise, (true + 1) % classes, true)
    features = rng.normal(0, 0.5, (n, 2)) + np.column_stack([np.cos(2 * true), np.sin(2 * true)]) * 2
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0, max_depth=4)}
    names = tuple("abcdefgh"[:classes])
    fitted = cross_fitted(models, features, labels, names, folds=5)
    own = fitted.probabilities[np.arange(n), labels]
    others = fitted.probabilities.copy()
    others[np.arange(n), labels] = -1
    margins = (own - others.max(axis=1))[:, None] + rng.normal(0, 0.1, (n, 6))
    answers = [
        (row, who, names[true[row] if rng.random() < 0.8 else rng.integers(classes)])
        for row in range(n)
        for who in range(5)
    ]
    votes = np.column_stack([fitted.votes, fitted.probabilities.argmax(axis=1)])
    return (
        LabelEvidence(
            labels,
            names,
            fitted.probabilities,
            votes,
            features,
            models,
            margins,
            Annotations.of(answers, classes=names),
        ),
        true,
    )


EVIDENCE, TRUE = whole_evidence()


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_a_filter_keeps_its_promises(item):
    found, again = item(EVIDENCE), item(EVIDENCE)
    assert np.array_equal(found.flagged, again.flagged)
    assert np.array_equal(found.score, again.score)
    assert found.flagged.dtype == bool
    wrong = EVIDENCE.labels != TRUE
    assert found.flagged[wrong].mean() > 0.7
    assert found.flagged[~wrong].mean() < 0.15
    rows = np.flatnonzero(found.flagged)
    assert not np.any(found.suggested[rows] == EVIDENCE.labels[rows])
    assert all(found.reason(int(row)).endswith(".") for row in range(EVIDENCE.n))
    for words in (item.summary, item.errs_when, item.reference):
        assert len(words) > 10


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_a_filter_refuses_what_it_cannot_use(item):
    with pytest.raises(OptionError, match=f"The filter {item.name} needs"):
        item(LabelEvidence(EVIDENCE.labels, EVIDENCE.classes))
    with pytest.raises(OptionError, match="has no option colour"):
        item(EVIDENCE, colour=1)


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_the_order_of_the_rows_does_not_matter(item):
    if item.name in ("partition", "complexity"):
        pytest.skip("rows are drawn at random")
    order = np.random.default_rng(1).permutation(EVIDENCE.n)
    place = np.argsort(order)
    notes = EVIDENCE.answers
    answers = Annotations.of(
        [
            (int(place[item]), notes.annotators[who], notes.classes[answer])
            for item, who, answer in zip(notes.item, notes.annotator, notes.answer, strict=True)
        ],
        classes=notes.classes,
    )
    mixed = replace(
        EVIDENCE,
        labels=EVIDENCE.labels[order],
        probabilities=EVIDENCE.probabilities[order],
        votes=EVIDENCE.votes[order],
        features=EVIDENCE.features[order],
        history=EVIDENCE.history[order],
        answers=answers,
    )
    assert np.array_equal(item(mixed).flagged, item(EVIDENCE).flagged[order])


@pytest.mark.parametrize("prune", PRUNE)
def test_confident_learning_flags_what_cleanlab_flags_on_cifar10(prune, data):
    import pyarrow.parquet as pq

    shares, rows = (pq.read_table(data / "cifar10" / f"{name}.parquet") for name in ("probabilities", "predictions"))
    classes = [name for name in shares.column_names if name != "id"]
    labels = np.array([classes.index(name) for name in rows["label"].to_pylist()])
    matrix = np.column_stack([shares[name].to_numpy() for name in classes])
    found = filter_named("confident-learning")(LabelEvidence(labels, tuple(classes), matrix), prune=prune)
    assert np.flatnonzero(found.flagged).tolist() == REFERENCE["cifar10"][prune]
    assert found.facts["joint"] == REFERENCE["cifar10"]["joint"]


@pytest.mark.parametrize("prune", PRUNE)
@pytest.mark.parametrize("seed", range(4))
def test_confident_learning_flags_what_cleanlab_flags(seed, prune):
    labels, shares = drawn_probabilities(seed)
    found = filter_named("confident-learning")(
        LabelEvidence(labels, tuple(range(shares.shape[1])), shares), prune=prune
    )
    theirs = REFERENCE["drawn"][str(seed)]
    # equal remainders are rounded by chance there, so that single cells of the joint may differ by one row
    apart = np.abs(np.array(theirs["joint"]) - found.facts["joint"])
    assert apart.max() <= 1
    assert len(set(np.flatnonzero(found.flagged)) ^ set(theirs[prune])) <= apart.sum()
    if not apart.any():
        assert np.flatnonzero(found.flagged).tolist() == theirs[prune]


def test_the_joint_of_a_table_worked_out_by_hand():
    # thresholds 0.6 and 0.75: rows 3 and 4 are sure to be of class 1, row 5 of neither
    shares = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.25, 0.75], [0.55, 0.45]])
    joint = confident_joint(np.array([0, 0, 0, 1, 0]), shares)
    np.testing.assert_allclose(joint.thresholds, [0.5875, 0.75])
    assert joint.counted.tolist() == [[2, 1], [0, 1]]
    assert joint.counts.tolist() == [[3, 1], [0, 1]]  # 4 rows in the ratio 2 to 1
    assert joint.guess.tolist() == [0, 0, 1, 1, -1]


@given(st.lists(st.lists(st.floats(0, 50), min_size=3, max_size=3), min_size=1, max_size=5))
def test_rounding_keeps_totals_and_moves_no_cell_by_more_than_one(table):
    values = np.array(table)
    totals = np.rint(values.sum(axis=1))
    scaled = values * (totals / np.maximum(values.sum(axis=1), 1e-12))[:, None]
    rounded = whole_rows(scaled, totals)
    assert rounded.sum(axis=1).tolist() == np.where(values.sum(axis=1) > 0, totals, 0).tolist()
    assert np.all(np.abs(rounded - scaled) < 1 + 1e-6)


@pytest.mark.parametrize("vote", ["mode", "all"])
def test_edited_neighbours_removes_what_imbalanced_learn_removes(vote):
    features, labels = drawn_rows()
    found = filter_named("edited-neighbours")(LabelEvidence(labels, ("a", "b", "c"), features=features), vote=vote)
    assert np.flatnonzero(found.flagged).tolist() == REFERENCE["neighbours"][vote]


def slow_edges(points, graph):
    squares = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    edges = []
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            others = [k for k in range(len(points)) if k not in (i, j)]
            if graph == "gabriel":
                apart = any(squares[i, k] + squares[k, j] < squares[i, j] for k in others)
            else:
                apart = any(max(squares[i, k], squares[k, j]) < squares[i, j] for k in others)
            if not apart:
                edges.append([i, j])
    return edges


@pytest.mark.parametrize("graph", ["gabriel", "relative"])
def test_the_graph_is_that_of_comparing_every_triple(graph):
    points = np.random.default_rng(2).normal(size=(60, 3))
    assert graph_edges(points, graph=graph).tolist() == slow_edges(points, graph)


@pytest.mark.parametrize("graph", ["gabriel", "relative"])
def test_the_graph_of_many_rows_leaves_out_long_edges_only(graph):
    points = np.random.default_rng(3).normal(size=(260, 2))
    few, whole = graph_edges(points, graph=graph, neighbours=8), graph_edges(points, graph=graph, neighbours=259)
    missed = set(map(tuple, whole)) - set(map(tuple, few))
    assert set(map(tuple, few)) <= set(map(tuple, whole))
    assert len(missed) < 0.1 * len(whole)


def test_relative_neighbours_are_gabriel_neighbours():
    points = np.random.default_rng(4).normal(size=(80, 4))
    gabriel, relative = (
        {tuple(edge) for edge in graph_edges(points, graph=graph)} for graph in ("gabriel", "relative")
    )
    assert relative < gabriel


def test_consensus_flags_part_of_what_the_majority_flags():
    majority, consensus = (filter_named(name)(EVIDENCE).flagged for name in ("majority-vote", "consensus-vote"))
    assert not np.any(consensus & ~majority)
    assert consensus.sum() < majority.sum()


def test_forgetting_counts_events():
    margins = np.array([[1.0, -1, 1, -1, 1, -1], [1, 1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, 1]])
    found = filter_named("forgetting")(LabelEvidence([0, 1, 0], ("a", "b"), history=margins))
    assert found.flagged.tolist() == [True, False, False]
    assert "forgotten 3 times in 6 epochs" in found.reason(0)


def test_each_filter_is_exact_about_its_threshold():
    margins = np.array([[0.5, -0.5], [0.5, -0.6]])
    assert filter_named("area-under-margin")(LabelEvidence([0, 1], ("a", "b"), history=margins)).flagged.tolist() == [
        False,
        True,
    ]
    half = LabelEvidence([0, 0], ("a", "b"), votes=[[0, 1], [1, 1]])
    assert filter_named("majority-vote")(half).flagged.tolist() == [False, True]


def test_a_class_that_is_never_predicted_and_one_without_rows():
    shares = np.array([[0.6, 0.3, 0.1]] * 6 + [[0.2, 0.7, 0.1]] * 6)
    labels = np.array([0] * 5 + [1] * 7)
    for prune in PRUNE:
        found = filter_named("confident-learning")(LabelEvidence(labels, ("a", "b", "c"), shares), prune=prune)
        assert set(np.flatnonzero(found.flagged)) <= {5}
    assert found.facts["thresholds"][2] is None


BAD = [
    (lambda: LabelEvidence([0, 0], ("a",)), ClassError, "one class"),
    (lambda: LabelEvidence([], ("a", "b")), InputError, "one label"),
    (lambda: LabelEvidence([0, 2], ("a", "b")), ClassError, "below the number of classes"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), [[0.5, 0.5]]), InputError, "a row for each"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), [[0.5, 0.5], [0.5, 0.6]]), InputError, "row 2 adds up to 1.1"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), [[0.5, 0.5], [1.5, -0.5]]), InputError, "row 2"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), [[0.5, 0.5], [np.nan, 0.5]]), InputError, "row 2"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), [[1.0], [1.0]]), InputError, "a column for each of 2"),
    (lambda: LabelEvidence([0, 1], ("a", "b"), history=[[np.nan], [1.0]]), InputError, "finite"),
    (lambda: filter_named("edited-neighbours")(LabelEvidence([0, 1], ("a", "b"), features=[[0.0], [1.0]])), InputError, "at most 1 neighbours"),
    (lambda: filter_named("edited-neighbours")(EVIDENCE, vote="none"), OptionError, "vote must be"),
    (lambda: filter_named("confident-learning")(EVIDENCE, prune="hard"), OptionError, "prune must be one of by-noise-rate"),
    (lambda: filter_named("entropy")(EVIDENCE, at_most=2), OptionError, "at_most"),
    (lambda: filter_named("partition")(EVIDENCE, parts=1), OptionError, "parts must be 2"),
    (lambda: filter_named("partition")(EVIDENCE, parts=200), InputError, "too few for 200 parts"),
    (lambda: filter_named("partition")(EVIDENCE, agreement="none"), OptionError, "agreement must be"),
    (lambda: filter_named("complexity")(EVIDENCE, trees=0), OptionError, "trees must be"),
    (lambda: filter_named("forgetting")(EVIDENCE, events=0), OptionError, "events must be"),
    (lambda: filter_named("neighbourhood-graph")(EVIDENCE, graph="full"), OptionError, "graph must be"),
    (lambda: filter_named("sorting"), OptionError, "There is no filter 'sorting'. Filters: confident-learning"),
    (lambda: cross_fitted({"tree": GaussianNB()}, np.zeros((3, 1)), np.array([0, 1, 0]), ("a", "b")), InputError, "3 rows cannot be cut into 5 folds"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "words"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused_in_a_sentence(call, kind, words):
    with pytest.raises(kind, match=words) as error:
        call()
    assert str(error.value).endswith(".")
