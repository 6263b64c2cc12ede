"""Logs that are cut off, damaged, mixed up or hostile: a sentence that says where and what to do, never a traceback."""

import json
import os
import pickle
import zipfile
from dataclasses import replace

import pytest

from frames.logs import written_logs as written
from justesse.core.errors import FileError, InputError, OptionError
from justesse.frames.logs import archive
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.log_table import log_table, open_log
from justesse.verbs.log_words import log_cautions


def opened(path, **options):
    return log_table(open_log(path, LogChoice(**options)))


def test_a_line_that_is_cut_off_is_named(tmp_path):
    path = written.lm_eval(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FileError, match="line 9 is cut off or not a JSON object"):
        opened(path)


def test_a_line_that_is_cut_off_after_the_first_ones_is_named(tmp_path):
    questions = [written.Question(at, "A", "A") for at in range(200)]
    path = written.lm_eval(tmp_path, questions)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FileError, match="line 200 is cut off"):
        opened(path)


@pytest.mark.parametrize("name", ["inspect_json", "promptfoo", "openai_evals", "every_eval_ever"])
def test_a_log_that_is_cut_off_is_refused(tmp_path, name):
    path = written.all_formats(tmp_path)[name]
    path.write_bytes(path.read_bytes()[:-25])
    with pytest.raises(FileError, match="cut off"):
        opened(path)


@pytest.mark.parametrize("zstd", [False, True])
def test_an_archive_that_is_cut_off_is_refused(tmp_path, zstd):
    path = written.inspect_eval(tmp_path / "a.eval", zstd=zstd)
    path.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(FileError, match="damaged or incomplete ZIP archive"):
        opened(path)


def test_a_damaged_member_is_named(tmp_path):
    members = written.inspect_members(written.inspect_log())
    path = written.zstd_archive(tmp_path / "a.eval", members)
    raw = bytearray(path.read_bytes())
    at = raw.index(b"samples/0_epoch_1.json") + 60
    raw[at : at + 8] = bytes(8)
    path.write_bytes(raw)
    with pytest.raises(FileError, match="samples/0_epoch_1.json is damaged"):
        opened(path)


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "FREE", 1 << 20)
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, raw in written.inspect_members(written.inspect_log()).items():
            packed.writestr(name, raw)
        packed.writestr("samples/9_epoch_1.json", bytes(20 << 20))
    with pytest.raises(FileError, match="more than 200 times its size"):
        opened(path)


def test_a_member_that_is_longer_than_it_says_is_refused(tmp_path):
    members = written.inspect_members(written.inspect_log())
    path = written.zstd_archive(tmp_path / "a.eval", members, sizes={"samples/0_epoch_1.json": 10})
    with pytest.raises(FileError, match="its length or checksum is wrong"):
        opened(path)


def test_a_large_member_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 100)
    with pytest.raises(FileError, match="Samples of at most"):
        opened(written.inspect_eval(tmp_path / "a.eval"))


def test_other_compression_and_encryption_are_refused(tmp_path):
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("_journal/start.json", b"{}")
    with pytest.raises(FileError, match="method 14"):
        opened(path)


def test_text_that_is_not_utf8_is_refused(tmp_path):
    path = written.lm_eval(tmp_path / "lm")
    path.write_bytes(path.read_bytes().replace(b"I cannot say.", b"I cann\xf4t say.", 1))
    with pytest.raises(FileError, match="line 8.* not UTF-8"):
        opened(path)
    other = written.inspect_json(tmp_path / "a.json")
    other.write_bytes(other.read_bytes().replace(b"I cannot say.", b"I cann\xf4t say.", 1))
    with pytest.raises(FileError, match="not UTF-8"):
        opened(other)


def test_an_id_of_two_questions_is_refused(tmp_path):
    path = written.lm_eval(tmp_path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    other = [{**record, "doc_hash": f"other {record['doc_hash']}"} for record in records]
    written.lines(path, records + other)
    with pytest.raises(InputError, match="Id '0' .* two different questions. Two tasks may be mixed"):
        opened(path)


def test_samples_that_repeat_count_once(tmp_path):
    path = written.lm_eval(tmp_path)
    path.write_text(path.read_text() * 2)
    result = opened(path)
    assert result.facts.n == 9
    assert result.facts.duplicates == 9


def test_a_sample_with_two_answers_is_refused(tmp_path):
    with pytest.raises(InputError, match="sample '0' .epoch 1. twice, with different answers"):
        opened(written.lm_eval(tmp_path, [written.Question(0, "A", "A"), written.Question(0, "A", "B")]))


@pytest.mark.parametrize("name", ["every_eval_ever"])
def test_lines_of_this_format_that_repeat_count_once(tmp_path, name):
    path = written.every_eval_ever(tmp_path)
    path.write_text(path.read_text() * 2)
    assert opened(path).facts.duplicates == 9
    other = written.every_eval_ever(tmp_path / "other", [written.Question(0, "A", "A"), written.Question(0, "A", "B")])
    assert opened(other).columns["epoch"] == [1, 2]


def test_a_log_without_samples_is_refused(tmp_path):
    with pytest.raises(InputError, match="no samples, only totals. The run ended with status 'cancelled'"):
        opened(written.inspect_json(tmp_path / "a.json", [], status="cancelled", total=3))
    written.lm_eval(tmp_path / "lm").unlink()
    with pytest.raises(InputError, match="no samples"):
        opened(next((tmp_path / "lm").glob("results_*")))


def test_a_run_that_was_stopped_has_its_samples(tmp_path):
    members = written.inspect_members(written.inspect_log())
    del members["header.json"]
    facts = opened(written.zstd_archive(tmp_path / "a.eval", members)).facts
    assert facts.tasks[0].status == "started"
    assert facts.n == 9
    unfinished = opened(written.openai_evals(tmp_path / "e.jsonl", done=False)).facts
    assert unfinished.tasks[0].status == "stopped before its final report"


def test_samples_that_failed_have_no_answer(tmp_path):
    log = written.inspect_log()
    log["samples"][0] |= {"scores": {}, "error": {"message": "no services started"}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    result = opened(path)
    assert result.columns["prediction"][0] is None
    assert result.columns["right"][0] is None
    assert result.facts.replies["failed"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "bleu"}, "Metric 'bleu' not found in .* The log has 'exact_match', 'perplexity'"),
        ({"metric": "perplexity"}, "better if lower"),
        ({"filter": "strict-match"}, "Filter 'strict-match' not found"),
        ({"task": "shapes"}, "Task 'shapes' not found in .* The log has 'colours'"),
        ({"model": "other"}, "Model 'other' not found"),
    ],
)
def test_what_a_log_has_not_is_refused_with_what_it_has(tmp_path, options, message):
    with pytest.raises(OptionError, match=message):
        opened(written.lm_eval(tmp_path), **options)


def test_partial_credit_needs_a_threshold(tmp_path):
    path = written.lm_eval(tmp_path)
    records = [
        json.loads(line) | {"metrics": ["f1"], "f1": 0.25 * (at % 5)}
        for at, line in enumerate(path.read_text().splitlines())
    ]
    written.lines(path, records)
    with pytest.raises(InputError, match="No metric .* scores with 0 and 1 only: 'f1'"):
        opened(path)
    with pytest.raises(OptionError, match="scores other than 0 and 1, such as 0.25"):
        opened(path, metric="f1")
    with pytest.raises(OptionError, match="above every score of .*, of which the highest is 1"):
        log_table(open_log(path, LogChoice(right_from=1.5)), right_from=1.5)
    result = log_table(open_log(path, LogChoice(right_from=0.5)), right_from=0.5)
    assert result.columns["right"] == [at % 5 >= 2 for at in range(9)]


def test_several_models_in_a_folder_are_refused(tmp_path):
    written.lm_eval(tmp_path / "a", model="one")
    written.lm_eval(tmp_path / "b", model="two")
    with pytest.raises(InputError, match="logs of 2 models: 'one', 'two'"):
        opened(tmp_path)


def test_a_task_twice_is_refused(tmp_path):
    written.lm_eval(tmp_path / "a")
    written.lm_eval(tmp_path / "b")
    with pytest.raises(InputError, match="task 'colours' of the same model twice"):
        opened(tmp_path)


def test_a_log_with_odd_fields_is_a_sentence(tmp_path):
    log = written.inspect_log()
    log["samples"] = [["not", "a", "sample"]]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    with pytest.raises(FileError, match="looks like a log of inspect_ai, but a field is not as that format has it"):
        opened(path)


class Trap:
    def __reduce__(self):
        return os.system, ("touch trapped",)


def test_nothing_is_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "details.parquet"
    written.lighteval(path, [written.Question(0, "A", repr(pickle.dumps(Trap())))], old=True)
    opened(path)
    members = {**written.inspect_members(written.inspect_log()), "samples/9_epoch_1.pkl": pickle.dumps(Trap())}
    opened(written.zstd_archive(tmp_path / "a.eval", members))
    assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("name", ["lm_eval", "openai_evals", "every_eval_ever"])
@pytest.mark.parametrize("last", [True, False])
def test_a_line_of_something_else_is_named(tmp_path, name, last):
    path = written.all_formats(tmp_path)[name]
    lines = path.read_text().splitlines()
    at = len(lines) if last else 2
    lines.insert(at, '{"foo": 1}')
    path.write_text("\n\n".join(lines) + "\n")  # empty lines count, too
    with pytest.raises(FileError, match=f"line {2 * at + 1} is not an? (sample|event) of"):
        opened(path)


def test_a_line_that_is_no_result_of_promptfoo_is_named(tmp_path):
    document = json.loads(written.all_formats(tmp_path)["promptfoo"].read_text())
    results = document["results"]["results"]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in results))
    assert len(opened(path).columns["id"]) == len(results)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [*results, {"foo": 1}]))
    with pytest.raises(FileError, match=f"line {len(results) + 1} is not a result of promptfoo"):
        opened(path)


def test_a_log_that_names_no_model_says_so(tmp_path):
    path = written.lm_eval(tmp_path / "plain").rename(tmp_path / "samples_colours.jsonl")
    with pytest.raises(OptionError, match=r"Model 'x' not found in .*\. The log names none\. Leave out log_model=…"):
        opened(path, model="x")


@pytest.mark.parametrize("name", sorted(set(written.all_names()) - {"lighteval", "lighteval_old"}))
def test_half_a_character_is_read(tmp_path, name):
    """Programs that cut texts at a length write the first half of an emoji as an escape."""
    asked = [replace(question, answer="no \ud83d") if question.id == 4 else question for question in written.QUESTIONS]
    result = log_table(open_log(written.write(name, tmp_path, asked)))
    assert result.columns["right"] == [question.right for question in written.QUESTIONS]
    assert result.columns["prediction"][4] == "no \ufffd"


@pytest.mark.parametrize("name", ["lm_eval", "inspect_json", "helm", "openai_evals", "promptfoo"])
def test_a_sample_twice_with_different_answers_is_refused(tmp_path, name):
    asked = [*written.QUESTIONS, written.Question(0, "A", "B")]
    with pytest.raises(InputError, match="twice, with different answers or scores"):
        open_log(written.write(name, tmp_path, asked))


@pytest.mark.parametrize("name", ["helm", "openai_evals"])
def test_a_sample_twice_counts_once(tmp_path, name):
    facts = log_table(open_log(written.write(name, tmp_path, [*written.QUESTIONS, written.QUESTIONS[0]]))).facts
    assert (facts.n, facts.duplicates) == (9, 1)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_with_a_sample_twice_is_refused(tmp_path):
    path = written.inspect_eval(tmp_path / "log.eval")
    (other,) = written.inspect_log([written.Question(0, "A", "B")])["samples"]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/0_epoch_1.json", json.dumps(other))
    with pytest.raises(FileError, match=r"has samples/0_epoch_1\.json twice, with different contents"):
        open_log(path)


def test_a_run_that_failed_in_every_sample_has_no_answers(tmp_path):
    path = written.inspect_json(tmp_path / "log.json", written.QUESTIONS, scored=False)
    log = json.loads(path.read_text())
    for sample in log["samples"]:
        sample["error"] = {"message": "no connection"}
    path.write_text(json.dumps(log))
    with pytest.raises(InputError, match="has an answer: the run failed in 9 samples"):
        open_log(path)


def test_an_answer_scored_both_ways_in_one_log_is_counted(tmp_path):
    asked = [written.Question(at, f"text {at}", f"text {at}", epoch) for at in range(12) for epoch in (1, 2)]
    log = written.inspect_log(asked, choices=())
    log["samples"][0]["scores"]["choice"]["value"] = "I"
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    facts = log_table(open_log(path)).facts
    assert (facts.rescored, facts.contradictions) == (1, 1)
    (caution,) = [line for line in log_cautions(facts, clustered=True) if "in one sample and wrong in another" in line]
    assert caution.startswith("1 question of")
