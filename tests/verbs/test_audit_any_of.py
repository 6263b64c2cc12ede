"""Audits of labels that accept several classes: every row on which answers differ is asked about, and gains are exact."""

import numpy as np
import pytest

import justesse
from justesse.verbs.audit.audit import read_audit

CLASSES = ("a", "b", "c", "d")
START = {"incumbent": "old", "candidate": "new", "on": "id"}


def random_rows(seed, names=CLASSES):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 60))

    def cell():
        return [names[k] for k in rng.permutation(len(names))[: rng.integers(1, 4)]]

    labels, truth = ([cell() for _ in range(n)] for _ in range(2))
    old, new = ([names[k] for k in rng.integers(len(names), size=n)] for _ in range(2))
    return labels, truth, old, new


def written(sets):
    return ["|".join(map(str, one)) for one in sets]


def gains(accepted, old, new):
    return [(b in one) - (a in one) for one, a, b in zip(accepted, old, new, strict=True)]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("names", [CLASSES, (0, 1, 2, 3)])
def test_each_row_counts_as_its_sets_say(seed, names, tmp_path):
    labels, truth, old, new = random_rows(seed, names)
    rows = {"id": list(range(len(old))), "label": written(labels), "true": written(truth), "old": old, "new": new}
    options = {"true": "true", "any_of": "|", "futility": False, "classes": list(names), "level": 0.999999}
    found = justesse.audit_start(rows, **START, to=tmp_path / "my.audit", **options)
    audit = read_audit(tmp_path / "my.audit")  # read back whole
    apart = [at for at in range(len(old)) if old[at] != new[at]]
    assert sorted(int(one.id) for one in audit.disputes) == apart
    expected, true_gains = gains(labels, old, new), gains(truth, old, new)
    ids = [int(one.id) for one in audit.disputes]
    assert audit.plan.guess.tolist() == [expected[at] for at in ids]
    assert audit.plan.values(audit.plan.label).sum() == sum(expected)
    for row, answer in audit.answers.items():
        assert audit.plan.gain(row, answer) == true_gains[ids[row]]
    if found.audit.state.answered == len(apart):
        assert found.audit.state.test_set.difference.value == pytest.approx(sum(true_gains) / len(old))


def test_a_label_of_several_classes_is_shown_whole_and_its_classes_are_known(tmp_path, run, write):
    rows = "".join(f"{k},x|y,{'a' if k % 2 else 'x'},{'x' if k % 2 else 'y'}\n" for k in range(40))
    path = write("rows.csv", f"id,label,old,new\n{rows}")
    place = tmp_path / "my.audit"
    options = ["--incumbent", "old", "--candidate", "new", "--on", "id", "--to", place, "--any-of", "|"]
    assert run("audit", "start", path, *options).code == 0
    audit = read_audit(place)
    assert len(audit.disputes) == 40
    assert {one.label for one in audit.disputes} == {"x|y"}
    assert set(audit.classes) == {"a", "x", "y"}
    assert sorted(audit.plan.guess.tolist()) == [0] * 20 + [1] * 20  # a tie where the label accepts both
    due = justesse.audit_next(place, 3).questions
    for one in due:
        justesse.audit_answer(place, one.id, "x|y", by="Ann")
    answered = read_audit(place)
    for one in due:
        row = answered.by_id[one.id].row
        assert answered.plan.gain(row, answered.answers[row]) == (1 if int(one.id) % 2 else 0)


def test_labels_are_single_classes_unless_asked(tmp_path):
    """Names that hold a bar stay classes; an unlisted class of a set is one an expert may choose."""
    rows = {"id": [*range(20)], "label": ["a|b"] * 20, "old": ["a|b", "c"] * 10, "new": ["c", "a|b"] * 10}
    justesse.audit_start(rows, **START, to=tmp_path / "names")
    assert set(read_audit(tmp_path / "names").classes) == {"a|b", "c"}
    rows = {"id": [*range(20)], "label": ["a|z"] * 20, "old": ["a", "c"] * 10, "new": ["c", "a"] * 10}
    justesse.audit_start(rows, **START, to=tmp_path / "sets", any_of="|")
    assert set(read_audit(tmp_path / "sets").classes) == {"a", "c", "z"}


def test_sets_that_are_not_declared_are_pointed_out(tmp_path):
    rows = {"id": [*range(20)], "label": ["a|b", "b"] * 10, "old": ["a", "b"] * 10, "new": ["b", "a"] * 10}
    told = justesse.audit_start(rows, **START, to=tmp_path / "plain").warnings
    assert any("count each as right (any_of='|', --any-of '|')" in warning for warning in told)
    assert not any(
        "any_of" in one for one in justesse.audit_start(rows, **START, to=tmp_path / "sets", any_of="|").warnings
    )
