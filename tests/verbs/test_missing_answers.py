"""Rows without an answer: as wrong, left out or refused, and what that does to a verdict."""

import numpy as np
import pytest

from justesse import (
    audit_answer,
    audit_next,
    audit_start,
    compare,
    evaluate,
    noise_bias,
    noise_bounds,
    noise_profile,
    tournament,
)
from justesse.core.errors import MissingValueError, OptionError


def pair(n: int = 1000, seed: int = 0) -> tuple[list[str], list[str], list[str | None]]:
    """Make a candidate that is no better but leaves most of what it would get wrong unanswered."""
    rng = np.random.default_rng(seed)
    label = rng.choice(["a", "b"], n).tolist()
    flip = {"a": "b", "b": "a"}
    hard = rng.random(n) < 0.3
    chance = np.where(hard, 0.5, 0.95)
    one = [x if rng.random() < p else flip[x] for x, p in zip(label, chance, strict=True)]
    two: list[str | None] = [x if rng.random() < p else flip[x] for x, p in zip(label, chance, strict=True)]
    for at in np.flatnonzero(hard):
        if two[at] != label[at] and rng.random() < 0.8:
            two[at] = None
    return label, one, two


def test_a_candidate_that_leaves_hard_rows_unanswered_does_not_win_silently():
    label, one, two = pair()
    dropped = compare(y_true=label, incumbent=one, candidate=two, missing="drop")
    wrong = compare(y_true=label, incumbent=one, candidate=two, missing="wrong")
    assert dropped.verdict.decision == "replace"
    assert wrong.verdict.decision == "cannot_tell"
    caution = next(text for text in dropped.verdict.warnings if "Missing answers decide this verdict" in text)
    assert '"replace" if their rows are left out' in caution
    assert '"cannot tell" if they count as wrong' in caution
    assert any("Missing answers decide" in text for text in wrong.verdict.warnings)
    assert "Missing answers decide" in repr(dropped)
    assert "Missing answers decide" in dropped._repr_html_()
    for found in (dropped, wrong):
        assert found.to_dict()["missing"]["verdicts"] == {"wrong": "cannot_tell", "drop": "replace"}


def test_it_says_whose_answers_are_missing_and_how_the_other_does_there():
    label, one, two = pair()
    found = compare(y_true=label, incumbent=one, candidate=two, missing="wrong")
    gone = [at for at, answer in enumerate(two) if answer is None]
    right = sum(one[at] == label[at] for at in gone)
    said = found.to_dict()["missing"]
    assert said["answers"] == {"incumbent": 0, "candidate": len(gone)}
    other = said["other_on_missing"]["candidate"]
    assert (other["n"], other["right"], other["accuracy"]) == (len(gone), right, right / len(gone))
    assert any(f"The candidate leaves {len(gone):,} of 1,000 rows unanswered" in text for text in found.warnings)


def test_bounds_are_the_extremes_of_what_missing_answers_could_be():
    label, one, two = pair()
    incumbent: list[str | None] = [None if at % 50 == 0 else answer for at, answer in enumerate(one)]
    found = compare(y_true=label, incumbent=incumbent, candidate=two, missing="drop")

    def accuracy(answers, missing):
        return np.mean([missing if a is None else a == b for a, b in zip(answers, label, strict=True)])

    low = accuracy(two, False) - accuracy(incumbent, True)
    high = accuracy(two, True) - accuracy(incumbent, False)
    assert found.to_dict()["missing"]["bounds"] == pytest.approx([low, high])


def test_a_class_whose_rows_all_lack_an_answer_can_still_be_asked_about():
    label, one = ["a"] * 20 + ["b"] * 20 + ["c"] * 4, ["a"] * 18 + ["b"] * 26
    two = ["a"] * 20 + ["b"] * 20 + [None] * 4
    found = compare(y_true=label, incumbent=one, candidate=two, measure="recall:c", missing="wrong")
    assert found.verdict.difference.value == 0
    said = found.to_dict()["missing"]
    assert said["bounds"] == [0, 1]
    assert set(said["verdicts"]) == {"wrong"}  # without these rows there is no class 'c'


def test_accuracy_with_missing_predictions():
    label, _, answer = pair()
    n, gone = len(label), sum(one is None for one in answer)
    right = sum(a == b for a, b in zip(label, answer, strict=True))
    wrong = evaluate(y_true=label, y_pred=answer, missing="wrong")
    dropped = evaluate(y_true=label, y_pred=answer, missing="drop")
    assert wrong["accuracy"].value == right / n
    assert wrong["accuracy"].n == n
    assert dropped["accuracy"].value == right / (n - gone)
    for found in (wrong, dropped):
        said = found.to_dict()["missing"]
        assert said["answers"] == {"prediction": gone}
        ends = (said["accuracy_if_wrong"], said["accuracy_if_right"], said["accuracy_without"])
        assert ends == pytest.approx((right / n, (right + gone) / n, right / (n - gone)))
    assert wrong.to_dict()["classes"] == ["a", "b"]
    recall = sum(a == b == "a" for a, b in zip(label, answer, strict=True)) / label.count("a")
    assert wrong["recall", "a"].value == pytest.approx(recall)
    assert ["a", None, sum(a == "a" and b is None for a, b in zip(label, answer, strict=True))] in wrong.to_dict()[
        "counts"
    ]


def test_what_missing_predictions_could_do_is_about_the_true_classes_where_they_are_known():
    label = ["a", "b"] * 10
    true = ["b" if at < 4 else name for at, name in enumerate(label)]
    answer = [None if at % 5 == 0 else name for at, name in enumerate(label)]
    data = {"label": label, "true": true, "prediction": answer}
    dropped, wrong = (evaluate(data, missing=policy).warnings for policy in ("drop", "wrong"))
    # 16 answers, 15 of them true: the third row is labelled 'a' and truly 'b'
    ends = "the accuracy against the true classes is 0.7500; if every one is right, 0.9500"
    assert any(ends in text for text in dropped)
    assert any("the accuracy against the true classes is 0.9500; without these rows, 0.9375" in text for text in wrong)
    rows = {"label": label, "true": true, "old": label, "new": answer}
    found = compare(rows, incumbent="old", candidate="new", missing="wrong")
    assert any("By the labels, the incumbent is right on 100.0 % of them" in text for text in found.warnings)
    assert any("the difference of accuracy against the labels on all 20 rows" in text for text in found.warnings)


def test_precision_ignores_missing_answers_and_the_result_says_so():
    found = evaluate(y_true=["a", "a", "b", "b"], y_pred=["a", None, "b", None], missing="wrong")
    assert found["precision", "a"].value == found["precision", "b"].value == 1
    assert found["recall", "a"].value == 0.5
    assert any("no prediction of any class, so precision ignores it" in text for text in found.warnings)


def test_refusing_offers_wrong_first_and_labels_apart():
    with pytest.raises(MissingValueError) as answers:
        evaluate(y_true=["a", "b", "b"], y_pred=["a", None, "b"])
    text = str(answers.value)
    assert text.index("--missing wrong") < text.index("--missing drop")
    assert "--missing-labels" not in text
    with pytest.raises(MissingValueError, match="A row without a label cannot be evaluated.*--missing-labels drop"):
        evaluate(y_true=["a", None, "b"], y_pred=["a", "b", "b"], missing="wrong")
    found = evaluate(y_true=["a", None, "b", "b"], y_pred=["a", "b", None, "b"], missing="wrong", missing_labels="drop")
    assert (found.tally.n, found.to_dict()["dropped"], found.to_dict()["missing"]["labels"]) == (3, 1, 1)
    assert evaluate(y_true=["a", None, "b"], y_pred=["a", "b", None], drop_missing=True).tally.n == 1


def test_figures_about_wrong_labels_have_no_row_for_missing_or_stray_answers():
    label, _, answer = pair(200)
    true = ["b" if at % 9 == 0 else name for at, name in enumerate(label)]
    data = {"label": label, "true": true, "prediction": ["x", *answer[1:]]}
    parts = {
        "bias": noise_bias(data, missing="wrong"), "profile": noise_profile(data, missing="wrong"),
        "bounds": noise_bounds(data, missing="wrong", noise_rate=0.05),
    }  # fmt: skip
    for name, found in parts.items():
        keys = [(one["name"], one["class"], one.get("average")) for one in found.rows]
        assert len(set(keys)) == len(keys), name
        assert {key[1] for key in keys} == {None, "a", "b"}, name


def test_options_that_contradict_each_other():
    with pytest.raises(OptionError, match="drop_missing means missing='drop'"):
        evaluate(y_true=["a", "b"], y_pred=["a", None], drop_missing=True, missing="wrong")
    with pytest.raises(OptionError, match="missing must be one of refuse, wrong, drop"):
        evaluate(y_true=["a", "b"], y_pred=["a", None], missing="ignore")


def test_left_out_rows_leave_their_classes_out():
    # the only label 'c' is in a row that is left out: 'c' is then an answer that no label has
    found = evaluate(y_true=["a", "a", "b", "b", "c"], y_pred=["a", "c", "b", "b", None], missing="drop")
    assert found.to_dict()["classes"] == ["a", "b"]
    assert found.to_dict()["others"]["answers"] == [["prediction", "c", 1]]


def test_a_tournament_keeps_classifiers_with_stray_and_missing_answers():
    label, one, two = pair(600)
    stray = ["?!" if at % 60 == 0 else answer for at, answer in enumerate(one)]
    data = {"true": label, "label": label, "one": one, "stray": stray, "silent": two}
    with pytest.raises(MissingValueError, match="--missing wrong"):
        tournament(data, judges=["paired"])
    found = tournament(data, judges=["paired"], missing="wrong")
    assert found.names == ("one", "stray", "silent")
    said = found.to_dict()
    assert said["others"] == {"policy": "wrong", "n": 10, "answers": [["stray", "?!", 10]]}
    assert said["missing"]["answers"]["silent"] == two.count(None)
    assert said["classes"] == ["a", "b"]
    values = dict(zip(found.names, found.rounds[0].values.tolist(), strict=True))
    for name in ("one", "stray", "silent"):
        assert values[name] == pytest.approx(np.mean([a == b for a, b in zip(label, data[name], strict=True)]))
    assert any("10 predictions of 'stray' are no class" in text for text in found.warnings)
    assert any("Missing predictions of 'silent' count as wrong" in text for text in found.warnings)


def test_an_audit_asks_about_missing_answers_as_wrong_ones(tmp_path):
    label, one, two = pair(400)
    data = {"id": list(range(400)), "label": label, "old": one, "new": two, "is": label}
    columns = {"incumbent": "old", "candidate": "new", "on": "id"}
    with pytest.raises(MissingValueError, match="--missing wrong"):
        audit_start(data, **columns, to=tmp_path / "a.audit")
    started = audit_start(data, **columns, to=tmp_path / "b.audit", missing="wrong")
    assert started.to_dict()["classes"] == ["a", "b"]
    disputed = [at for at in range(400) if one[at] != two[at]]
    asked = audit_next(tmp_path / "b.audit", n=len(disputed))
    assert [None] * two.count(None) == [x for question in asked.questions for x in question.answers if x is None][
        : two.count(None)
    ]
    with pytest.raises(OptionError, match="Give the class"):
        audit_answer(tmp_path / "b.audit", disputed[0], None, by="Ann")
    # with the labels as the truth, the audit finds the difference that counts missing answers as wrong
    ended = audit_start(data, **columns, to=tmp_path / "c.audit", missing="wrong", true="is", budget=400)
    right = [np.mean([a == b for a, b in zip(label, side, strict=True)]) for side in (one, two)]
    assert ended.to_dict()["test_set"]["difference"] == pytest.approx(right[1] - right[0], abs=0.05)


def test_where_no_row_is_answered_by_both_that_is_what_is_written():
    result = compare(
        y_true=["a", "b", "a"], incumbent=["a", "a", None], candidate=[None, None, "a"], missing="wrong", draws=100
    )
    assert "The incumbent is right on 50.0 % of them (1 of 2); no row is answered by both." in " ".join(result.warnings)
    assert "nan %" not in " ".join(result.warnings)
