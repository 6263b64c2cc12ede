"""Audits of other measures than accuracy, from files: what is asked, said and kept, and what is refused."""

import csv
import json

import numpy as np
import pytest

import justesse
from justesse.core.errors import CostError, InputError, OptionError
from justesse.verbs.audit.audit import read_audit

NAMES = np.array(["ham", "spam", "news"])
COSTS = "label,ham,spam,news\nham,0,5,1\nspam,2,0,2\nnews,1,4,0\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measures")
    rng = np.random.default_rng(1)
    true = rng.choice(3, 600, p=[0.6, 0.25, 0.15])
    label, old, new = (np.where(rng.random(600) < share, rng.integers(3, size=600), true) for share in (0.06, 0.3, 0.1))
    with open(folder / "both.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "label", "old", "new", "true"])
        table.writerows(zip(range(600), *(NAMES[each] for each in (label, old, new, true)), strict=True))
    (folder / "costs.csv").write_text(COSTS)
    return folder


def started(folder, name, **options):
    place = folder / name
    place.unlink(missing_ok=True)
    return justesse.audit_start(
        folder / "both.csv", incumbent="old", candidate="new", on="id", to=place, true="true", **options
    )


def rows(folder):
    with open(folder / "both.csv", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("measure", ["f1:spam", "precision:spam", "recall:spam", "macro-f1", "macro_precision", "cost"])
def test_the_measure_is_in_the_file_the_json_and_the_words(folder, measure):
    cost = folder / "costs.csv" if measure == "cost" else None
    status = started(folder, "one.audit", measure=measure, cost=cost)
    result = json.loads(json.dumps(status.to_dict()))
    assert result["measure"] == measure
    assert result["verdict"] == "replace"
    assert (result["counts_within"] is None) == ("f1" not in measure and "recall" not in measure)
    again = justesse.audit_status(folder / "one.audit")
    assert again.to_dict()["looks"] == result["looks"]
    assert again.audit.plan.measure in again.headline
    facts = dict(again.document().facts)
    assert str(facts["measure"]) == again.audit.plan.measure
    assert any("disputed rows are those" in str(words).lower() for words in again.document().how)


def test_agreeing_rows_are_asked_about_where_they_count(folder):
    audit = started(folder, "two.audit", measure="precision:spam").audit
    expected = {row["id"] for row in rows(folder) if "spam" in (row["old"], row["new"])}
    assert {row.id for row in audit.disputes} == expected
    assert any(row.incumbent == row.candidate for row in audit.disputes)
    recall = started(folder, "three.audit", measure="recall:spam").audit
    assert all((row.incumbent == "spam") != (row.candidate == "spam") for row in recall.disputes)


def test_a_question_about_an_agreeing_row_reads_well(folder):
    place = folder / "four.audit"
    justesse.audit_start(
        folder / "both.csv", incumbent="old", candidate="new", on="id", to=place, measure="precision:spam"
    )
    words = [question.words for question in justesse.audit_next(place, 100).questions]
    assert any(text.endswith(": spam, or another class?") for text in words)


def test_costs_are_written_as_they_are(folder):
    status = started(folder, "five.audit", cost=folder / "costs.csv", margin=2)
    assert status.to_dict()["costs"] == [[0, 1, 5], [1, 0, 4], [2, 2, 0]]  # in the order of the classes
    assert "points" not in status.headline
    assert "Difference in cost per row" in status.headline
    assert status.decision in ("keep", "equivalent")


def test_experts_who_disagree_leave_a_range(folder):
    place = folder / "six.audit"
    justesse.audit_start(
        folder / "both.csv", incumbent="old", candidate="new", on="id", to=place, cost=folder / "costs.csv"
    )
    question = justesse.audit_next(place, 1).questions[0]
    for name, answer in (("Ann", "ham"), ("Bob", "spam")):
        justesse.audit_answer(place, question.id, answer, by=name)
    audit = read_audit(place)
    row = audit.by_id[question.id].row
    ends = sorted(audit.plan.gain(row, frozenset({audit.codes[(str, name)]})) for name in ("ham", "spam"))
    assert (audit.answers[row].low, audit.answers[row].high) == pytest.approx(tuple(ends))


def test_the_file_survives_a_changed_measure(folder):
    """A file whose measure was altered by hand is damaged, not misread."""
    started(folder, "seven.audit", measure="f1:spam")
    audit = read_audit(folder / "seven.audit")
    assert audit.broken is None
    assert audit.about["measure"] == "f1:spam"
    accuracy = started(folder, "eight.audit").audit
    assert (accuracy.about["measure"], accuracy.plan.measure) == ("accuracy", "accuracy")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measure": "mcc"}, "An audit compares accuracy, error, cost"),
        ({"measure": "f1:eggs"}, "Class 'eggs' not found"),
        ({"measure": "f1"}, "f1 is about one class. Write f1:CLASS, or macro-f1 for the mean of all. Classes: "),
        ({"measure": "macro-recall", "margin": 5}, "The margin is a difference of the measure"),
        ({"measure": "cost"}, "needs a cost table"),
        ({"measure": "f1:spam", "cost": "costs"}, "A cost table is for the measure cost"),
        ({"measure": "f1:spam", "experts": "model"}, "The rule model knows who of the two is right"),
        ({"measure": "f1:spam", "any_of": "/"}, "can be audited for accuracy only"),
        ({"measure": "f1:spam", "counts_within": -0.5}, "counts_within is a share of 0 or more"),
        ({"counts_within": 0.2}, "matters for recall and F1 only, not for accuracy"),
        ({"measure": "precision:spam", "counts_within": 0.2}, "matters for recall and F1 only, not for precision"),
        ({"measure": "cost", "cost": "costs", "counts_within": 0.2}, "matters for recall and F1 only, not for cost"),
        ({"measure": "f1:spam", "margin": 2}, "The margin is a difference"),
    ],
)
def test_refusals_write_nothing(folder, options, words):
    if options.get("cost"):
        options = {**options, "cost": folder / "costs.csv"}
    with pytest.raises(OptionError, match=words):
        started(folder, "refused.audit", **options)
    assert not (folder / "refused.audit").exists()


@pytest.mark.parametrize(
    ("within", "words"),
    [(None, "about 3 rows more or fewer"), (0.5, "about 4 rows more or fewer"), (0.0, "no row more or fewer")],
)
def test_a_tiny_class_warns(tmp_path, within, words):
    table = {
        "id": range(200),
        "label": ["rare"] * 8 + ["usual"] * 192,
        "old": ["rare"] * 4 + ["usual"] * 196,
        "new": ["rare"] * 12 + ["usual"] * 188,
    }
    options = {"incumbent": "old", "candidate": "new", "on": "id", "counts_within": within}
    status = justesse.audit_start(table, to=tmp_path / "rare.audit", measure="f1:rare", **options)
    caution = next(line for line in status.warnings if "labels, and the audit allows for" in line)
    assert caution.startswith("A class has only 8 labels")
    assert words in caution
    usual = justesse.audit_start(table, to=tmp_path / "usual.audit", measure="f1:usual", **options)
    assert not any("the audit allows for" in line for line in usual.warnings)


@pytest.mark.parametrize("as_table", [True, False])
def test_costs_too_large_to_add_up_are_refused_before_anything_is_written(folder, as_table):
    huge = folder / "huge.csv"
    huge.write_text(COSTS.replace("5", "1e308"))
    cost = huge if as_table else [[0, 1, 1e308], [1, 0, 1], [1, 1, 0]]
    with pytest.raises(CostError, match=r"at most 1e\+100"):
        started(folder, "huge.audit", cost=cost)
    assert not (folder / "huge.audit").exists()


def test_costs_that_are_all_zero_do_not_say_that_the_answers_are_the_same(folder):
    status = started(folder, "zero.audit", cost=np.zeros((3, 3)))
    assert status.title == "Both cost the same everywhere: keep the incumbent."
    assert "cost the same for every row" in status.headline
    assert "same answer" not in str(status)


@pytest.mark.parametrize("measure", ["f3", "macro-f2", "accuracy:spam", "mcc", "weighted-f1"])
def test_other_measures_are_refused_with_those_that_an_audit_compares(folder, measure):
    with pytest.raises(OptionError, match="An audit compares accuracy, error, cost, precision:CLASS") as refused:
        started(folder, "my.audit", measure=measure)
    assert "kappa" not in str(refused.value)
    assert "auc" not in str(refused.value)


def rare_class(place, labelled):
    """Write a class of 30 rows of which so many are labelled; the candidate predicts it rarely, and is worse by F1."""
    true = np.repeat([0, 1], [970, 30])
    label, old, new = true.copy(), np.zeros(1000, dtype=int), np.zeros(1000, dtype=int)
    label[970 + labelled :] = 0
    old[[*range(10), *range(975, 995)]] = 1  # 20 of its 30 are right
    new[[0, *range(970, 983)]] = 1  # 13 of its 14
    with open(place, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "label", "old", "new", "true"])
        table.writerows(zip(range(1000), *(NAMES[each] for each in (label, old, new, true)), strict=True))


@pytest.mark.parametrize(("measure", "within"), [("f1:spam", 0.1), ("macro-f1", 0.1), ("f1:spam", 0.0)])
def test_answers_that_contradict_the_class_sizes_leave_no_verdict(tmp_path, measure, within):
    rare_class(tmp_path / "both.csv", labelled=8)
    status = started(tmp_path, "rare.audit", measure=measure, counts_within=within, futility=False)
    assert status.decision == "cannot_tell"
    assert status.audit.state.stop == "class sizes"
    assert not status.replaces
    result = status.to_dict()
    assert (result["verdict"], result["stop"]) == ("cannot_tell", "class sizes")
    assert (result["test_set"]["interval"]["low"], result["test_set"]["interval"]["high"]) == (-1, 1)
    assert result["looks"]["test_set"][-1][2:] == [-1, 1]
    assert status.warnings[0].startswith("By the answers, class 'spam' has ")
    assert "extend" not in status.headline
    with pytest.raises(InputError, match="contradict the class sizes that rare.audit assumed"):
        justesse.audit_extend(tmp_path / "rare.audit", futility=True)
    wide = started(tmp_path, "wide.audit", measure=measure, counts_within=3.0, budget=500, futility=False)
    truth = measured(tmp_path, measure)
    interval = wide.audit.state.test_set.difference.interval
    assert truth < 0
    assert interval.low <= truth <= interval.high
    assert wide.decision == "cannot_tell"


def measured(folder, measure):
    """Return the difference by the true classes, by scikit-learn."""
    from sklearn.metrics import f1_score

    table = rows(folder)
    true, old, new = ([row[name] for row in table] for name in ("true", "old", "new"))
    classes = ["spam"] if ":" in measure else ["ham", "spam"]
    return np.subtract(*(f1_score(true, each, labels=classes, average="macro") for each in (new, old)))


def test_the_sign_of_a_recall_is_left_if_class_sizes_are_contradicted(tmp_path):
    rare_class(tmp_path / "both.csv", labelled=8)
    status = started(tmp_path, "rare.audit", measure="recall:spam", futility=False)
    assert status.decision == "keep"
    interval = status.audit.state.test_set.difference.interval
    assert (interval.low, interval.high) == (-1, 0)
    assert "Only the sign of the difference is sure." in status.warnings[0]
    by_far = started(tmp_path, "far.audit", measure="recall:spam", margin=0.1, futility=False)
    assert by_far.decision == "cannot_tell"


def test_class_sizes_that_the_answers_confirm_change_nothing(tmp_path):
    rare_class(tmp_path / "both.csv", labelled=28)
    status = started(tmp_path, "fine.audit", measure="f1:spam", futility=False)
    assert status.audit.contradicted_size is None
    assert not any("By the answers" in text for text in status.warnings)
