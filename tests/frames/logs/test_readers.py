"""Every reader gives the same table for the same questions, by content and not by name."""

import copy
import json
import shutil

import pytest

from frames.logs import written_logs as written
from justesse.core.errors import InputError
from justesse.frames.logs import formats
from justesse.frames.logs.formats import log_files, recognised
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.logs.log_table import log_table, open_log
from justesse.verbs.log_input import models_of

NAMES = [
    "lm_eval", "inspect_json", "inspect_eval", "inspect_zstd", "helm", "every_eval_ever", "openai_evals", "promptfoo",
    "lighteval", "lighteval_old",
]  # fmt: skip
PREDICTIONS = ["A", "B", "A", "D", "F", "none", "(empty)", "(refused)", "A"]


@pytest.fixture
def logs(tmp_path):
    return written.all_formats(tmp_path)


def table(path, **options):
    return log_table(open_log(path, LogChoice(**options)))


@pytest.mark.parametrize("name", NAMES)
def test_every_format_gives_the_same_table(logs, name):
    result = table(logs[name])
    assert result.facts.by_class
    assert result.facts.targets
    assert result.columns["label"] == [question.target for question in written.QUESTIONS]
    assert result.columns["prediction"] == PREDICTIONS
    assert result.columns["right"] == [question.right for question in written.QUESTIONS]
    assert dict(result.facts.replies) == {"answered": 5, "empty": 1, "refused": 1, "unparseable": 2}
    assert len(set(result.columns["id"])) == len(written.QUESTIONS)
    assert None not in result.columns["content"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "lighteval_old"])
def test_every_format_names_its_model(logs, name):
    assert table(logs[name]).facts.model == "org/model"


def test_every_format_is_written_here(logs):
    assert {
        recognised(path if path.is_file() else path / "stats.json" and path / "scenario_state.json").name
        for path in logs.values()
    } == {format.name for format in formats.ALL}


@pytest.mark.parametrize("name", ["lm_eval", "inspect_json", "inspect_zstd", "openai_evals", "promptfoo", "lighteval"])
def test_names_of_files_do_not_matter(logs, name, tmp_path):
    other = tmp_path / "other" / "x.dat"
    other.parent.mkdir()
    shutil.copy(logs[name], other)
    assert table(other).columns["prediction"] == PREDICTIONS


def test_tables_are_not_logs(write):
    assert recognised(write("a.jsonl", '{"id": 1, "label": "a", "prediction": "b", "target": "c"}\n')) is None
    assert recognised(write("b.json", '[{"label": 1, "prediction": 2}]')) is None
    assert recognised(write("c.csv", "doc_id,target,filtered_resps\n1,2,3\n")) is None
    assert recognised(write("d.eval", b"PK\x03\x04" + bytes(100))) is None


def test_a_results_file_leads_to_its_samples(tmp_path):
    path = written.lm_eval(tmp_path)
    results = next(tmp_path.glob("results_*.json"))
    assert table(results).columns == table(path).columns == table(tmp_path).columns
    assert table(results).facts.tasks[0].shots == "0"
    assert table(results).facts.tasks[0].version == "1.0"


def test_a_record_of_totals_leads_to_its_samples(tmp_path):
    path = written.every_eval_ever(tmp_path)
    assert table(tmp_path / "abc.json").columns == table(path).columns == table(tmp_path).columns


@pytest.mark.parametrize("name", ["scenario_state.json", "per_instance_stats.json", "run_spec.json"])
def test_any_file_of_a_helm_run_leads_to_it(tmp_path, name):
    folder = written.helm(tmp_path / "run")
    assert table(folder / name).columns["prediction"] == PREDICTIONS


def test_bookkeeping_of_helm_is_no_metric(tmp_path):
    assert table(written.helm(tmp_path / "run")).facts.tasks[0].metrics == ("exact_match",)


def test_splits_and_perturbed_copies_of_helm_are_read_apart(tmp_path):
    folder = written.helm(tmp_path / "run")
    state = json.loads((folder / "scenario_state.json").read_text())
    stats = json.loads((folder / "per_instance_stats.json").read_text())
    for request, entry in zip(state["request_states"][:2], stats[:2], strict=True):
        request["instance"]["split"] = "valid"
        for stat in entry["stats"]:
            stat["name"]["split"] = "valid"
    copies = [
        (copy.deepcopy(request), copy.deepcopy(entry))
        for request, entry in zip(state["request_states"], stats, strict=True)
    ]
    for request, entry in copies:
        request["instance"]["perturbation"] = entry["perturbation"] = {"name": "dialect"}
        entry["stats"][2] |= {"mean": 0.0, "sum": 0.0}
    state["request_states"] += [request for request, _ in copies]
    (folder / "scenario_state.json").write_text(json.dumps(state))
    (folder / "per_instance_stats.json").write_text(json.dumps(stats + [entry for _, entry in copies]))
    parts = {name: table(folder, filter=name) for name in (None, "test", "valid", "test, dialect", "valid, dialect")}
    right = {name: (sum(part.columns["right"]), part.facts.n) for name, part in parts.items()}
    assert right == {None: (2, 7), "test": (2, 7), "valid": (2, 2), "test, dialect": (0, 7), "valid, dialect": (0, 2)}
    assert parts[None].facts.tasks[0].filters == ("test", "valid", "valid, dialect", "test, dialect")


def test_likelihoods_are_read_as_answers_of_each_metric(tmp_path):
    path = written.lm_eval_choices(tmp_path)
    assert table(path).columns["prediction"] == ["0", "0", "1"]
    assert table(path, metric="acc_norm").columns["prediction"] == ["1", "0", "1"]
    assert table(path).columns["label"] == ["1", "0", "1"]


def test_a_target_may_be_the_text_of_a_choice(tmp_path):
    path = written.lm_eval_choices(tmp_path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        record["target"] = ["no", "certainly"][int(record["target"])]
    written.lines(path, records)
    assert table(path).columns["prediction"] == ["no", "no", "certainly"]


def test_gzipped_logs_are_read(tmp_path):
    import gzip

    path = written.lm_eval(tmp_path)
    packed = tmp_path / "packed" / "samples.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert table(packed).columns["prediction"] == PREDICTIONS


def test_keys_that_differ_only_in_case_are_kept_apart(tmp_path):
    path = written.lm_eval(tmp_path)
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        record["metrics"] = ["EXACT_MATCH", "exact_match"]
        record["EXACT_MATCH"] = 0.0
    written.lines(path, records)
    assert table(path, metric="exact_match").columns["right"].count(True) == 4
    assert table(path, metric="EXACT_MATCH").columns["right"].count(True) == 0


def test_a_folder_of_folders_is_one_model_with_several_tasks(tmp_path):
    written.lm_eval(tmp_path / "a", task="colours")
    written.lm_eval(tmp_path / "b", task="shapes")
    result = table(tmp_path)
    assert [task.name for task in result.facts.tasks] == ["colours", "shapes"]
    assert result.columns["id"][0] == "colours/0"
    assert len(set(result.columns["id"])) == 18
    assert table(tmp_path, task="shapes").columns["id"][0] == "0"


def test_a_log_may_have_several_models(tmp_path):
    path = written.promptfoo(tmp_path / "p.json", {"one": written.QUESTIONS, "two": written.QUESTIONS[::-1]})
    assert models_of(path) == ["one", "two"]
    assert table(path, model="two").columns["prediction"] == PREDICTIONS[::-1]


def test_results_of_promptfoo_may_be_lines(tmp_path):
    document = json.loads(written.promptfoo(tmp_path / "p.json").read_text())
    path = written.lines(tmp_path / "p.jsonl", document["results"]["results"])
    assert table(path).columns["prediction"] == PREDICTIONS


@pytest.mark.parametrize("number", ["new", "none"])
@pytest.mark.parametrize("own_id", [False, True])
def test_a_repeated_test_of_promptfoo_is_one_question(tmp_path, number, own_id):
    """`--repeat 3` writes each test three times, with a new number each time; old versions wrote no numbers."""
    document = json.loads(written.promptfoo(tmp_path / "p.json").read_text())
    results = [
        copy.deepcopy(result) | {"testIdx": 3 * at + repeat}
        for at, result in enumerate(document["results"]["results"])
        for repeat in range(3)
    ]
    results[1] |= {"success": False, "score": 0.0, "response": {"output": "B"}}
    for result in results:
        result["testCase"]["metadata"] = {"id": f"q{result['vars']['thing']}"} if own_id else {}
        if number == "none":
            del result["testIdx"]
    path = written.lines(tmp_path / "p.jsonl", results[::-1] if number == "new" else results)
    facts, columns = table(path).facts, table(path).columns
    assert (facts.n, facts.questions, facts.epochs, facts.duplicates) == (27, 9, 3, 0)
    first = "q0" if own_id else "0" if number == "new" else columns["question"][0]
    assert columns["prediction"][columns["id"].index(f"{first}#2")] == "B"


def test_prompts_of_promptfoo_that_begin_alike_are_kept_apart(tmp_path):
    (result, *_) = json.loads(written.promptfoo(tmp_path / "p.json").read_text())["results"]["results"]
    start = "You are a helpful assistant. Answer the question in one word. "
    results = [
        result | {"prompt": {"label": start + end}, "success": end == "Think first."} for end in ("", "Think first.")
    ]
    path = written.lines(tmp_path / "p.jsonl", results)
    one, two = models_of(path)
    assert two == f"{one} (2)"
    assert [table(path, model=name).columns["right"] for name in (one, two)] == [[False], [True]]


def judged(path, metrics):
    """Write a log of OpenAI evals whose answers a model judged: its own text comes after that of the model."""
    events = [
        {"run_id": "r", "event_id": 0, "sample_id": str(at), "type": kind, "data": data}
        for at, values in enumerate(metrics)
        for kind, data in (
            ("sampling", {"prompt": f"question {at}", "sampled": ["Paris"]}),
            ("sampling", {"prompt": f"judge {at}", "sampled": ["None of it is right."]}),
            ("metrics", values),
        )
    ]
    spec = {"spec": {"run_id": "r", "eval_name": "facts", "completion_fns": ["org/model", "org/judge"]}}
    return written.lines(path, [spec, *events, {"final_report": {}}])


@pytest.mark.parametrize(
    ("metrics", "options", "right"),
    [
        ([{"choice": letter, "score": score} for letter, score in zip("ABC", (1, 0, 0), strict=True)], {}, [True, False, False]),
        ([{"choice": "N", "score": 1.0}, {"choice": "Y", "score": 0.0}], {}, [True, False]),
        ([{"choice": str(score), "score": score / 5} for score in (1, 4, 5)], {"right_from": 0.9}, [False, False, True]),
        ([{"choice": str(score)} for score in (1, 4, 5)], {"right_from": 4}, [False, True, True]),
        ([{"choice": "Yes"}, {"choice": "No"}, {"choice": "__invalid__"}], {}, [True, False, None]),
    ],
)  # fmt: skip
def test_a_judge_of_openai_evals_gives_scores_and_no_answers(tmp_path, metrics, options, right):
    path = judged(tmp_path / "e.jsonl", metrics)
    result = log_table(open_log(path, LogChoice(**options)), **options)
    assert result.columns["right"] == right
    assert "unparseable" not in result.columns["reply"]
    assert result.facts.tasks[0].scored_by == "org/judge"
    assert open_log(path, LogChoice(**options)).runs[0].samples[0].response == "Paris"


@pytest.mark.parametrize("letters", ["ABC", "YN"])
def test_letters_of_a_judge_are_no_scores(tmp_path, letters):
    path = judged(tmp_path / "e.jsonl", [{"choice": letter} for letter in letters])
    with pytest.raises(InputError, match="No metric of .* has a number for any sample: 'choice'"):
        open_log(path)


def test_several_right_answers_are_a_set(tmp_path):
    questions = [written.Question(at, ["A", "B"], answer) for at, answer in enumerate("ABCA")]
    result = table(written.lm_eval(tmp_path, questions))
    assert result.any_of == "|"
    assert result.columns["label"] == ["A|B"] * 4
    assert result.columns["right"] == [True, True, False, True]


def test_the_score_decides_what_is_right(tmp_path):
    """`No.` is accepted by the scorer, so it is the class No; a target scored as wrong stays wrong."""
    log = written.inspect_log([written.Question(at, "No", "No.") for at in range(3)], choices=())
    log["samples"][0]["scores"]["choice"]["value"] = "C"
    log["samples"][1]["scores"]["choice"] = {"value": "I", "answer": "No"}
    path = written.zstd_archive(written.Path(tmp_path) / "a.eval", written.inspect_members(log))
    result = table(path)
    assert result.columns["prediction"] == ["No", "(scored as wrong)", "No."]
    assert result.facts.contradictions == 1


def test_unscored_answers_are_compared_with_the_target(tmp_path):
    result = table(written.inspect_json(tmp_path / "a.json", scored=False))
    assert result.facts.tasks[0].made_here
    assert result.columns["right"] == [question.right for question in written.QUESTIONS]


def test_a_scorer_with_several_values_gives_several_metrics(tmp_path):
    log = written.inspect_log()
    for sample in log["samples"]:
        sample["scores"] = {"rubric": {"value": {"clear": 1, "true": 0}, "answer": "x"}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    assert table(path).facts.tasks[0].metrics == ("rubric/clear", "rubric/true")
    assert table(path, metric="rubric/true").columns["right"].count(True) == 0


def test_all_files_of_a_folder_are_looked_at(tmp_path):
    written.lm_eval(tmp_path / "run")
    (tmp_path / "run" / "notes.txt").write_text("nothing")
    assert [path.name[:8] for path in log_files(str(tmp_path))] == ["samples_"]
