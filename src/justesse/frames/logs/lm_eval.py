"""lm-evaluation-harness: `samples_TASK_TIME.jsonl`, with the results file beside it.

Each line has doc_id, doc_hash, prompt_hash, filter, target, filtered_resps, the list `metrics`, and a key for each
metric. The texts of questions and prompts, most of such a file, are never loaded: the engine reads only these keys.
"""

import glob
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from justesse.core.errors import JustesseError
from justesse.frames.engine import check_not_stopped, connection, literal, quoted
from justesse.frames.header import not_utf8
from justesse.frames.logs.documents import Opening, not_of_format, opened_bytes, read_document, records
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts

NAME = "lm-evaluation-harness"
TIME = re.compile(r"_(\d{4}-\d\d-\d\dT[\d.:-]+)$")
OWN_KEYS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash"}
OWN_KEYS |= {"prompt_hash", "target_hash", "task", "schema_version"}
READ = ("doc_id", "doc_hash", "prompt_hash", "filter", "target", "filtered_resps")
UNNAMED = "unnamed task"  # samples do not say what their task is; the names of files usually do
LINES = 50  # looked at to find the names of the metrics
LARGEST_LINE = 1 << 26
# what the model was asked to go on with: the choices, whose lengths acc_norm divides by
CONTINUATIONS = (
    "CASE json_type(arguments) WHEN 'OBJECT' THEN json_extract_string(arguments, '$.*.arg_1') "
    "ELSE json_extract_string(arguments, '$[*][1]') END"
)


def recognises(opening: Opening) -> bool:
    """Say whether a file is samples of this harness, or its results."""
    return is_samples(opening.record) or is_results(opening)


def is_samples(record: Mapping[str, Any]) -> bool:
    """Say whether a line is a sample of this harness.

    >>> is_samples({"doc_id": 0, "target": "A", "filtered_resps": ["A"]}), is_samples({"id": 0, "target": "A"})
    (True, False)
    """
    return "doc_id" in record and "target" in record and bool({"filtered_resps", "resps"} & record.keys())


def is_results(opening: Opening) -> bool:
    """Say whether a file holds the totals of a run, not its samples."""
    text = opening.text
    return '"results"' in text and any(key in text for key in ('"group_subtasks"', '"n-shot"', '"lm_eval_version"'))


def read(path: Path) -> list[LogRun]:
    """Read the samples of a file, or those beside a results file."""
    opening = Opening(path)
    if is_samples(opening.record):
        return [_read_samples(path)]
    time = TIME.search(path.stem)
    beside = sorted(path.parent.glob("samples_*.jsonl*"))
    own = [file for file in beside if time and TIME.sub("", _stem(file)) != _stem(file) and time[1] in _stem(file)]
    return [_read_samples(file) for file in own or beside if is_samples(Opening(file).record)]


def _read_samples(path: Path) -> LogRun:
    metrics: dict[str, None] = {}
    keys: dict[str, None] = {}
    for _, record in islice(records(path), LINES):
        listed = record.get("metrics")
        named = listed if isinstance(listed, list) else [key for key in record if key not in OWN_KEYS]
        metrics |= {str(name): None for name in named if name in record}
        keys |= dict.fromkeys(record)
    facts = _results_beside(path)
    task = _task(path, facts)
    config = facts.get("configs", {}).get(task, {})
    own = facts.get("config", {})
    shots = facts.get("n-shot", {}).get(task, config.get("num_fewshot"))
    settings = {
        "generation": config.get("generation_kwargs"),
        "output type": config.get("output_type"),
        "chat template": facts.get("chat_template_sha"),
        "system instruction": facts.get("system_instruction_sha"),
        "seed": own.get("random_seed"),
    }
    better = facts.get("higher_is_better", {}).get(task, {})
    size = facts.get("n-samples", {}).get(task, {}).get("effective")
    return LogRun(
        str(path),
        NAME,
        task,
        _model(path, facts),
        _samples(path, list(metrics), keys),
        version=_text(facts.get("versions", {}).get(task)),
        shots=_text(shots),
        settings={name: as_text(value) for name, value in settings.items() if value is not None},
        expected=size if isinstance(size, int) else None,
        lower_is_better=frozenset(name for name, higher in better.items() if higher is False),
    )


def _samples(path: Path, metrics: Sequence[str], keys: Mapping[str, Any]) -> list[Sample]:
    """Read the keys needed with the engine, in the order of the file."""
    columns = [name for name in READ if name in keys]
    if "filtered_resps" not in columns:
        columns.append("resps")
    lengths = "acc_norm" in metrics and "arguments" in keys
    read_keys = [*columns, *metrics, *(["arguments"] if lengths else [])]
    if len({name.lower() for name in read_keys}) < len(read_keys):
        return _slowly(path, metrics)
    types = ", ".join(f"{literal(name)}: 'JSON'" for name in read_keys)
    with open(path, "rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
    source = (
        f"read_json({literal(glob.escape(str(path)))}, format = 'newline_delimited', columns = {{{types}}}, "
        f"maximum_object_size = {LARGEST_LINE}, compression = '{'gzip' if zipped else 'none'}', "
        "hive_partitioning = false)"
    )
    asked = [f"{quoted(name)}::VARCHAR" for name in (*columns, *metrics)] + [CONTINUATIONS] * lengths
    try:
        named = ", ".join(f"{part} AS c{at}" for at, part in enumerate(asked))
        fetched = connection().sql(f"SELECT {named} FROM {source}").to_arrow_table()
    except JustesseError:
        raise
    except Exception as error:
        check_not_stopped(error)
        _check_text(path, error)
        return _slowly(path, metrics)
    parts = [column.to_pylist() for column in fetched.columns]
    texts = dict(zip((*columns, *metrics), parts, strict=False))
    size = fetched.num_rows
    rows = {name: texts.get(name, [None] * size) for name in (*READ, "resps", *metrics)}
    replies = rows["filtered_resps"] if "filtered_resps" in columns else rows["resps"]
    choices = parts[-1] if lengths else [None] * size
    if any(None in column for column in (rows["doc_id"], rows["target"], replies)):
        _check_every_line(path)
    decode = cache(_decoded)  # targets, filters and scores repeat
    return [
        _sample(
            decode(rows["doc_id"][at]),
            decode(rows["target"][at]),
            _decoded(replies[at]),
            {name: decode(rows[name][at]) for name in metrics},
            filter=decode(rows["filter"][at]),
            content=_decoded(rows["doc_hash"][at]),
            prompt=_decoded(rows["prompt_hash"][at]),
            choices=choices[at],
        )
        for at in range(size)
    ]


def _slowly(path: Path, metrics: Sequence[str]) -> list[Sample]:
    """Read a file line by line: the engine refuses halves of characters, and takes keys that differ in case as one."""
    _check_every_line(path)
    return [
        _sample(
            record.get("doc_id"),
            record.get("target"),
            record.get("filtered_resps", record.get("resps")),
            {name: record.get(name) for name in metrics},
            filter=record.get("filter"),
            content=record.get("doc_hash"),
            prompt=record.get("prompt_hash"),
            choices=_continuations(record.get("arguments")) if "acc_norm" in metrics else None,
        )
        for _, record in records(path)
    ]


def _continuations(arguments: Any) -> list[str] | None:
    """Read what CONTINUATIONS reads.

    >>> _continuations({"gen_args_0": {"arg_0": "2 + 2?", "arg_1": " 4"}}), _continuations([["2 + 2?", " 4"]])
    ([' 4'], [' 4'])
    """
    if isinstance(arguments, Mapping):
        parts = [entry.get("arg_1") for entry in arguments.values() if isinstance(entry, Mapping)]
    elif isinstance(arguments, list):
        parts = [entry[1] if isinstance(entry, list) and len(entry) > 1 else None for entry in arguments]
    else:
        return None
    return None if None in parts else [as_text(part) if not isinstance(part, str) else part for part in parts]


def _check_every_line(path: Path) -> None:
    """Refuse a line that is no sample: it would be left out without a word."""
    for line, record in records(path):
        if not is_samples(record):
            raise not_of_format(path, line, f"a sample of {NAME}")


def _sample(
    doc_id: Any, target: Any, replies: Any, scores: Mapping[str, Any], *,
    filter: Any, content: Any, prompt: Any, choices: Sequence[str] | None,
) -> Sample:  # fmt: skip
    likelihoods = _likelihoods(replies)
    targets, allowed = as_texts(target), tuple[str, ...]()
    marks: dict[str, MetricMark] = {}
    response = None if likelihoods else _first_text(replies)
    if len(likelihoods) > 1:
        names = [str(at) for at in range(len(likelihoods))]
        own = [text.strip() for text in choices or ()]
        if len(own) == len(names) and not set(targets) <= set(names) and set(targets) <= set(own):
            names = own  # the target is the text of a choice, not its number
        allowed = tuple(names)
        for name, value in scores.items():
            weights = [1.0] * len(names)
            if name == "acc_norm" and len(own) == len(names):
                weights = [1 / max(1, len(text)) for text in own]
            best = max(range(len(names)), key=lambda at: likelihoods[at] * weights[at])
            marks[name] = MetricMark(as_score(value), names[best])
    else:
        marks = {name: MetricMark(as_score(value)) for name, value in scores.items()}
    return Sample(
        as_text(doc_id),
        marks,
        targets,
        response,
        filter="" if filter is None else as_text(filter),
        content=content,
        prompt=prompt,
        choices=allowed,
    )


def _likelihoods(replies: Any) -> list[float]:
    """Read the log-likelihoods of the choices; none if the replies are texts.

    >>> _likelihoods([["-1.5", "False"], [-0.5, True]]), _likelihoods(["A"]), _likelihoods([["A"]])
    ([-1.5, -0.5], [], [])
    """
    if not isinstance(replies, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in replies):
        return []
    try:
        return [float(first) for first, _ in replies] if all(str(b) in ("True", "False") for _, b in replies) else []
    except (TypeError, ValueError):
        return []


def _first_text(replies: Any) -> str:
    while isinstance(replies, list):
        replies = replies[0] if replies else ""
    return "" if replies is None else replies if isinstance(replies, str) else as_text(replies)


def _decoded(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _text(value: Any) -> str | None:
    return None if value is None else as_text(value)


def _stem(path: Path) -> str:
    return path.name.split(".jsonl")[0].split(".json")[0]


@cache
def _results_at(path: Path, _size: int, _time: int) -> dict[str, Any]:
    return dict(read_document(path)) if is_results(Opening(path)) else {}


def _results_beside(path: Path) -> dict[str, Any]:
    """Find the results of the same run: those with the same time in their name, or the only ones."""
    beside = sorted(path.parent.glob("results_*.json")) + sorted(path.parent.glob("results.json"))
    time = TIME.search(_stem(path))
    same = [file for file in beside if time and time[1] in file.name]
    for file in same or (beside if len(beside) == 1 else []):
        state = file.stat()
        return _results_at(file, state.st_size, state.st_mtime_ns)
    return {}


def _task(path: Path, facts: Mapping[str, Any]) -> str:
    name = TIME.sub("", _stem(path))
    known = list(facts.get("configs", {}))
    if name.startswith("samples_"):
        return name.removeprefix("samples_")
    return known[0] if len(known) == 1 else UNNAMED


def _model(path: Path, facts: Mapping[str, Any]) -> str:
    if name := facts.get("model_name") or facts.get("config", {}).get("model"):
        return str(name)
    folder = path.resolve().parent.name
    return folder.replace("__", "/") if "__" in folder else ""


def _check_text(path: Path, error: Exception) -> None:
    """Refuse a file that the engine cannot read because it is not UTF-8 or not JSON, and name the line."""
    text = str(error).lower()
    if ("utf" in text or "unicode" in text) and (line := _line_not_utf8(path)):
        raise not_utf8(path, line) from error
    _check_every_line(path)


def _line_not_utf8(path: Path) -> int | None:
    with opened_bytes(path) as stream:
        for at, line in enumerate(stream, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return at
    return None
