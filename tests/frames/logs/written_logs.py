"""Small logs of every format, written from the fields that each format documents: a question is (id, target, answer).

Every writer takes the same questions, so that all readers can be held to the same table.
"""

import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

CHOICES = ("red", "green", "blue", "white")


@dataclass(frozen=True)
class Question:
    id: int
    target: str | list[str] | None
    answer: str
    epoch: int = 1

    @property
    def targets(self) -> list[str]:
        return self.target if isinstance(self.target, list) else [self.target] if self.target is not None else []

    @property
    def right(self) -> bool:
        return self.answer in self.targets


QUESTIONS = tuple(
    Question(at, target, answer)
    for at, (target, answer) in enumerate(
        [
            ("A", "A"),
            ("B", "B"),
            ("C", "A"),
            ("D", "D"),
            ("A", "F"),
            ("B", "none"),
            ("C", ""),
            ("D", "I cannot say."),
            ("A", "A"),
        ]
    )
)


def lines(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def lm_eval(
    folder: Path,
    questions: Sequence[Question] = QUESTIONS,
    *,
    task: str = "colours",
    model: str = "org/model",
    filters: Sequence[str] = ("none",),
    shots: int = 0,
    version: float = 1.0,
    salt: str = "",
    results: bool = True,
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    time = "2026-01-21T03-44-18.458309"
    if results:
        (folder / f"results_{time}.json").write_text(json.dumps({
            "results": {task: {"alias": task, "exact_match,none": 0.5}}, "group_subtasks": {task: []},
            "configs": {task: {"task": task, "num_fewshot": shots, "output_type": "generate_until"}},
            "versions": {task: version}, "n-shot": {task: shots},
            "higher_is_better": {task: {"exact_match": True, "perplexity": False}},
            "n-samples": {task: {"original": len(questions), "effective": len(questions)}},
            "config": {"model": "hf", "random_seed": 0}, "lm_eval_version": "0.4.9", "model_name": model,
        }))  # fmt: skip
    records = [
        {
            "doc_id": question.id, "doc": {"question": f"What colour is {question.id}?"}, "target": question.target,
            "arguments": {"gen_args_0": {"arg_0": f"{salt}What colour is {question.id}?", "arg_1": {"until": ["\n"]}}},
            "resps": [[question.answer]], "filtered_resps": [question.answer], "filter": filter,
            "metrics": ["exact_match", "perplexity"], "doc_hash": f"doc{question.id}", "prompt_hash": f"{salt}{question.id}",
            "target_hash": str(question.target), "exact_match": float(question.right), "perplexity": 3.5,
        }
        for question in questions
        for filter in filters
    ]  # fmt: skip
    return lines(folder / f"samples_{task}_{time}.jsonl", records)


def lm_eval_choices(folder: Path, *, metrics: Sequence[str] = ("acc", "acc_norm")) -> Path:
    """Multiple choice by log-likelihood: the longer choice wins only once likelihoods are divided by lengths."""
    folder.mkdir(parents=True, exist_ok=True)
    records = []
    for at, (target, likelihoods) in enumerate([(1, (-4.0, -6.0)), (0, (-1.0, -9.0)), (1, (-5.0, -4.0))]):
        options = [" no", " certainly"]
        by_length = [value / len(option.strip()) for value, option in zip(likelihoods, options, strict=True)]
        records.append({
            "doc_id": at, "doc": {}, "target": str(target),
            "arguments": {f"gen_args_{k}": {"arg_0": f"question {at}", "arg_1": option} for k, option in enumerate(options)},
            "resps": [[[str(value), "False"]] for value in likelihoods],
            "filtered_resps": [[str(value), "False"] for value in likelihoods], "filter": "none", "metrics": list(metrics),
            "doc_hash": f"h{at}", "prompt_hash": f"p{at}",
            "acc": float(likelihoods.index(max(likelihoods)) == target),
            "acc_norm": float(by_length.index(max(by_length)) == target),
        })  # fmt: skip
    return lines(folder / "samples_choices_2026-01-21T03-44-18.458309.jsonl", records)


def inspect_log(
    questions: Sequence[Question] = QUESTIONS,
    *,
    status: str = "success",
    model: str = "org/model",
    task: str = "colours",
    scored: bool = True,
    total: int | None = None,
    choices: Sequence[str] = CHOICES,
) -> dict[str, Any]:
    return {
        "version": 2, "status": status,
        "eval": {
            "eval_id": "e", "run_id": "r", "created": "2026-01-01T00:00:00+00:00", "task": task, "task_id": "t",
            "task_version": 0, "task_args": {}, "dataset": {"name": task, "samples": len(questions)}, "model": model,
            "config": {"epochs": 1}, "scorers": [{"name": "choice", "options": {}}],
        },
        "plan": {"name": "plan", "steps": [{"solver": "multiple_choice", "params": {}}], "config": {"temperature": 0.0}},
        "results": {"total_samples": len(questions) if total is None else total, "scores": []},
        "stats": {},
        "samples": [
            {
                "id": question.id, "epoch": question.epoch, "input": f"What colour is {question.id}?",
                "choices": list(choices), "target": question.target if question.target is not None else "",
                "messages": [
                    {"role": "user", "content": f"What colour is {question.id}?"},
                    {"role": "assistant", "source": "generate", "content": question.answer},
                ],
                "output": {"model": model, "choices": [{"message": {"role": "assistant", "content": question.answer}}]},
                "scores": {"choice": {"value": "C" if question.right else "I", "answer": question.answer}} if scored else {},
                "metadata": {},
            }
            for question in questions
        ],
    }  # fmt: skip


def inspect_json(path: Path, questions: Sequence[Question] = QUESTIONS, **options: Any) -> Path:
    path.write_text(json.dumps(inspect_log(questions, **options)), encoding="utf-8")
    return path


def inspect_members(log: dict[str, Any]) -> dict[str, bytes]:
    header = {key: value for key, value in log.items() if key != "samples"}
    start = {key: log[key] for key in ("version", "eval", "plan")}
    members = {"_journal/start.json": start}
    members |= {f"samples/{sample['id']}_epoch_{sample['epoch']}.json": sample for sample in log["samples"]}
    members |= {"header.json": header}
    return {name: json.dumps(value).encode() for name, value in members.items()}


def inspect_eval(path: Path, questions: Sequence[Question] = QUESTIONS, *, zstd: bool = False, **options: Any) -> Path:
    members = inspect_members(inspect_log(questions, **options))
    if zstd:
        return zstd_archive(path, members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return path


def zstd_archive(path: Path, members: dict[str, bytes], *, sizes: dict[str, int] | None = None) -> Path:
    """Write a ZIP archive with method 93, which `zipfile` of Python 3.11 cannot; `sizes` are announced instead of the true ones."""
    body, directory = b"", b""
    for name, raw in members.items():
        packed = pa.compress(raw, codec="zstd", asbytes=True)
        size = (sizes or {}).get(name, len(raw))
        common = struct.pack("<5H3L2H", 63, 0, 93, 0, 0x21, zlib.crc32(raw), len(packed), size, len(name), 0)
        directory += (
            b"PK\x01\x02" + struct.pack("<H", 63) + common + struct.pack("<3H2L", 0, 0, 0, 0, len(body)) + name.encode()
        )
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0)
    path.write_bytes(body + directory + end)
    return path


def helm(folder: Path, questions: Sequence[Question] = QUESTIONS, *, model: str = "org/model", shots: int = 5) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    adapter = {"method": "multiple_choice_joint", "max_train_instances": shots, "model": model, "temperature": 0.0}
    letters = "ABCD"
    states, stats = [], []
    for question in questions:
        instance = {
            "input": {"text": f"What colour is {question.id}?"},
            "references": [
                {"output": {"text": text}, "tags": ["correct"] if letter in question.targets else []}
                for letter, text in zip(letters, CHOICES, strict=True)
            ],
            "split": "test", "id": f"id{question.id}",
        }  # fmt: skip
        states.append({
            "instance": instance, "train_trial_index": 0, "output_mapping": dict(zip(letters, CHOICES, strict=True)),
            "request": {"prompt": f"What colour is {question.id}?"},
            "result": {"success": True, "completions": [{"text": f" {question.answer}"}]},
        })  # fmt: skip
        stats.append({
            "instance_id": f"id{question.id}", "train_trial_index": 0,
            "stats": [
                {"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value}
                for name, value in (("num_references", 4), ("finish_reason_stop", 0), ("exact_match", float(question.right)))
            ],
        })  # fmt: skip
    files = {
        "run_spec.json": {"name": f"colours:method=multiple_choice_joint,model={model}", "scenario_spec": {}, "adapter_spec": adapter},
        "scenario.json": {"name": "colours"}, "scenario_state.json": {"adapter_spec": adapter, "request_states": states},
        "per_instance_stats.json": stats, "stats.json": [],
    }  # fmt: skip
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    return folder


def every_eval_ever(folder: Path, questions: Sequence[Question] = QUESTIONS, *, model: str = "org/model") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "abc.json").write_text(json.dumps({
        "schema_version": "0.3.0", "evaluation_id": "e", "model_info": {"id": model, "name": model},
        "evaluation_results": [{"evaluation_name": "colours", "metric_config": {"lower_is_better": False}}],
        "detailed_evaluation_results": {"format": "jsonl", "file_path": "abc_samples.jsonl", "total_rows": len(questions)},
    }))  # fmt: skip
    records = [
        {
            "schema_version": "0.3.0", "evaluation_id": "e", "model_id": model, "evaluation_name": "colours",
            "sample_id": f"q{question.id}", "sample_hash": f"h{question.id}", "interaction_type": "single_turn",
            "input": {"raw": f"What colour is {question.id}?", "reference": question.targets},
            "output": {"raw": [question.answer]},
            "answer_attribution": [{"turn_idx": 0, "extracted_value": question.answer, "is_terminal": True}],
            "evaluation": {"score": float(question.right), "is_correct": question.right},
        }
        for question in questions
    ]  # fmt: skip
    return lines(folder / "abc_samples.jsonl", records)


def openai_evals(
    path: Path, questions: Sequence[Question] = QUESTIONS, *, model: str = "org/model", done: bool = True
) -> Path:
    records: list[dict[str, Any]] = [
        {"spec": {"completion_fns": [model], "eval_name": "colours.dev.v0", "run_id": "r", "run_config": {"seed": 1}}}
    ]
    for question in questions:
        common = {"run_id": "r", "sample_id": f"colours.dev.{question.id}", "created_by": "", "created_at": ""}
        prompt = [{"role": "user", "content": f"What colour is {question.id}?"}]
        records += [
            {**common, "event_id": 2 * question.id, "type": "sampling", "data": {"prompt": prompt, "sampled": [question.answer]}},
            {
                **common, "event_id": 2 * question.id + 1, "type": "match",
                "data": {"correct": question.right, "expected": question.target, "picked": None, "sampled": question.answer},
            },
        ]  # fmt: skip
    records += [{"final_report": {"accuracy": 0.5}}] if done else []
    return lines(path, records)


def promptfoo(path: Path, answers: dict[str, Sequence[Question]] | None = None) -> Path:
    answers = answers or {"org/model": QUESTIONS}
    results = [
        {
            "promptIdx": 0, "testIdx": question.id, "provider": {"id": model, "label": ""},
            "prompt": {"raw": f"What colour is {question.id}?", "label": "What colour is {{thing}}?"},
            "vars": {"thing": question.id}, "response": {"output": question.answer}, "success": question.right,
            "score": float(question.right), "namedScores": {}, "gradingResult": {"pass": question.right, "componentResults": []},
            "testCase": {"vars": {"thing": question.id}, "assert": [{"type": "equals", "value": question.target}]},
        }
        for model, questions in answers.items()
        for question in questions
    ]  # fmt: skip
    document = {
        "evalId": "eval-1", "results": {"version": 3, "timestamp": "", "prompts": [{"raw": "", "provider": ""}], "results": results},
        "config": {"description": "colours"},
    }  # fmt: skip
    path.write_text(json.dumps(document))
    return path


def lighteval(path: Path, questions: Sequence[Question] = QUESTIONS, *, old: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if old:
        rows = [
            {
                "example": f"What colour is {question.id}?", "instruction": "", "full_prompt": f"What colour is {question.id}?",
                "num_effective_few_shots": 0, "num_asked_few_shots": 0, "predictions": [question.answer], "gold": question.targets,
                "choices": [], "gold_index": [], "metrics": {"em": float(question.right)}, "specifics": "{}",
            }
            for question in questions
        ]  # fmt: skip
    else:
        rows = [
            {
                "doc": {
                    "query": f"What colour is {question.id}?", "choices": question.targets, "gold_index": list(range(len(question.targets))),
                    "id": str(question.id), "task_name": "lighteval|colours", "num_asked_few_shots": 0, "instruction": "",
                },
                "model_response": {"text": [question.answer], "input": f"What colour is {question.id}?", "logprobs": []},
                "metric": {"em": float(question.right), "f1": 0.3},
            }
            for question in questions
        ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def writers(folder: Path, questions: Sequence[Question]) -> dict[str, Callable[[], Path]]:
    return {
        "lm_eval": lambda: lm_eval(folder / "lm", questions),
        "inspect_json": lambda: inspect_json(folder / "log.json", questions),
        "inspect_eval": lambda: inspect_eval(folder / "log.eval", questions),
        "inspect_zstd": lambda: inspect_eval(folder / "zstd.eval", questions, zstd=True),
        "helm": lambda: helm(folder / "helm", questions),
        "every_eval_ever": lambda: every_eval_ever(folder / "eee", questions),
        "openai_evals": lambda: openai_evals(folder / "events.jsonl", questions),
        "promptfoo": lambda: promptfoo(folder / "promptfoo.json", {"org/model": questions}),
        "lighteval": lambda: lighteval(folder / "details" / "org" / "model" / "details_colours.parquet", questions),
        "lighteval_old": lambda: lighteval(
            folder / "details_lighteval|colours|0_2024-11-05T20-04-20.parquet", questions, old=True
        ),
    }


def all_names() -> list[str]:
    return list(writers(Path(), ()))


def write(name: str, folder: Path, questions: Sequence[Question]) -> Path:
    """Write the questions in one format."""
    return writers(folder, questions)[name]()


def all_formats(folder: Path, questions: Sequence[Question] = QUESTIONS) -> dict[str, Path]:
    """Write the same questions in every format."""
    return {name: write() for name, write in writers(folder, questions).items()}
