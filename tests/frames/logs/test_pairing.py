"""Logs side by side: paired by id and content, and every difference between the runs is stated."""

from dataclasses import replace

import pytest

from frames.logs import written_logs as written
from justesse.core.errors import InputError
from justesse.frames.logs.log_table import open_log
from justesse.frames.logs.pairing import line_up


def lined_up(*paths, **options):
    return line_up([open_log(path) for path in paths], **options)


def test_equal_runs_have_nothing_to_say(tmp_path):
    tables, notes = lined_up(written.lm_eval(tmp_path / "a"), written.lm_eval(tmp_path / "b"))
    assert notes == []
    assert tables[0].columns["id"] == tables[1].columns["id"]


def test_differences_of_settings_are_stated(tmp_path):
    first = written.lm_eval(tmp_path / "a")
    second = written.lm_eval(tmp_path / "b", shots=5, version=2.0, filters=("strict",), salt="examples ")
    text = "\n".join(lined_up(first, second)[1])
    assert "Different task versions in" in text
    assert "'1.0' and '2.0'" in text
    assert "Different numbers of examples in the prompts of" in text
    assert "Different filters in" in text
    assert "differ in 9 of 9 samples" in text


def test_an_id_for_another_question_is_refused(tmp_path):
    questions = [replace(question, id=question.id) for question in written.QUESTIONS]
    first = written.lm_eval(tmp_path / "a", questions)
    second = written.lm_eval(tmp_path / "b", questions)
    second.write_text(second.read_text().replace('"doc_hash": "doc3"', '"doc_hash": "changed"'))
    with pytest.raises(InputError, match="Id '3' is another question .* 1 id of 9"):
        lined_up(first, second)


def test_shuffled_ids_are_paired_by_content(tmp_path):
    first = written.lm_eval(tmp_path / "a")
    second = written.lm_eval(tmp_path / "b")
    lines = second.read_text().splitlines()
    moved = [line.replace(f'"doc_id": {at}', f'"doc_id": {100 + at}') for at, line in enumerate(lines)][::-1]
    second.write_text("\n".join(moved) + "\n")
    tables, notes = lined_up(first, second)
    assert "paired by the content" in notes[0]
    assert tables[0].columns["id"] == tables[1].columns["id"][::-1]


def test_other_tasks_have_no_question_in_common(tmp_path):
    first = written.helm(tmp_path / "a")
    second = written.every_eval_ever(tmp_path / "b")
    with pytest.raises(InputError, match="no question in common"):
        lined_up(first, second)


def test_epochs_that_differ_are_refused_unless_common(tmp_path):
    once = written.inspect_json(tmp_path / "a.json")
    twice = written.inspect_json(
        tmp_path / "b.json", [replace(question, epoch=epoch) for question in written.QUESTIONS for epoch in (1, 2)]
    )
    with pytest.raises(InputError, match="Different numbers of epochs: 1 in .* 2 in"):
        lined_up(once, twice)
    tables, _ = lined_up(once, twice, common=True)
    assert set(tables[0].columns["id"]) <= set(tables[1].columns["id"])
    assert tables[1].facts.epochs == 2
    assert tables[1].facts.questions == 9


def test_different_wrong_answers_to_a_text_question_are_told_apart(tmp_path):
    def texts(answers):
        return [written.Question(at, f"answer number {at}", answer) for at, answer in enumerate(answers)]

    first = written.lm_eval(tmp_path / "a", texts(["answer number 0", "x", "x", "y"]))
    second = written.lm_eval(tmp_path / "b", texts(["x", "x", "y", "answer number 3"]))
    tables, _ = lined_up(first, second)
    assert tables[0].columns["prediction"] == ["right", "wrong", "wrong", "wrong"]
    assert tables[1].columns["prediction"] == ["wrong", "wrong", "wrong 2", "right"]
    assert tables[0].classes == ("right", "wrong", "wrong 2")


def test_without_targets_all_wrong_answers_are_alike(tmp_path):
    def plain(answers):
        return [written.Question(at, None, answer) for at, answer in enumerate(answers)]

    paths = [written.openai_evals(tmp_path / f"{name}.jsonl", plain("xyz")) for name in "ab"]
    paths[1].write_text(paths[1].read_text().replace('"sampled": "x"', '"sampled": "w"'))
    tables, _ = lined_up(*paths)
    assert not tables[0].facts.targets
    assert tables[0].classes == ("right", "wrong")


def text_questions(*answers, target="Rome"):
    return [written.Question(at, f"{target} {at}", answer) for at, answer in enumerate(answers)]


def test_an_answer_that_is_right_in_one_log_only_is_stated(tmp_path):
    asked = text_questions("Rome 0", "Rome 1", "Oslo", "")
    first = written.lm_eval(tmp_path / "a", asked)
    second = written.lm_eval(tmp_path / "b", [replace(asked[0], answer="ROME  0"), *asked[1:]])
    (note,) = lined_up(first, second)[1]
    assert "same answer is right in one log and wrong in another for 1 question: 'rome 0' is right in" in note
    assert note.index(str(first)) < note.index(str(second))


def test_other_right_answers_are_stated(tmp_path):
    first = written.lm_eval(tmp_path / "a", text_questions("Rome 0", "Rome 1", "Oslo"))
    second = written.lm_eval(tmp_path / "b", text_questions("Rome 0", "Bern 1", "Oslo", target="Bern"))
    (note,) = lined_up(first, second)[1]
    assert "differ in 3 samples of 3, such as 'Rome 0' and 'Bern 0'. Each log's own score decides." in note


def test_right_answers_in_another_order_are_the_same(tmp_path):
    names = [written.Question(at, ["New York", f"NYC {at}"], "x") for at in range(3)]
    other = [replace(question, target=[*reversed(question.target)]) for question in names]
    assert lined_up(written.lm_eval(tmp_path / "a", names), written.lm_eval(tmp_path / "b", other))[1] == []
