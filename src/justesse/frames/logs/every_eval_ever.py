"""Every Eval Ever 0.3: a record of totals (`.json`), and its samples (`_samples.jsonl`)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from justesse.frames.logs.documents import Opening, not_of_format, read_document, records
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "Every Eval Ever"


def recognises(opening: Opening) -> bool:
    """Say whether a file has samples of this format, or a record of totals."""
    return is_samples(opening.record) or is_record(opening)


def is_samples(record: Mapping[str, Any]) -> bool:
    return (
        "schema_version" in record and "sample_id" in record and ("evaluation" in record or "evaluation_id" in record)
    )


def is_record(opening: Opening) -> bool:
    """Say whether a file holds totals, not samples."""
    return all(key in opening.text for key in ('"schema_version"', '"evaluation_id"', '"model_info"'))


def read(path: Path) -> list[LogRun]:
    """Read the samples, and what the record beside them says about model and metric."""
    if is_samples(Opening(path).record):
        return _read_samples(path)
    record = read_document(path)
    details = record.get("detailed_evaluation_results") or {}
    named = Path(str(details.get("file_path") or "")).name
    places = [path.with_name(f"{path.stem}_samples.jsonl"), *([path.with_name(named)] if named else [])]
    for place in places:
        if place.is_file() and is_samples(Opening(place).record):
            return _read_samples(place)
    model = (record.get("model_info") or {}).get("id") or ""
    names = [str(entry.get("evaluation_name")) for entry in record.get("evaluation_results") or ()]
    total = details.get("total_rows")
    expected = total if isinstance(total, int) else None
    return [LogRun(str(path), NAME, name, str(model), [], expected=expected) for name in names[:1]]


def _read_samples(path: Path) -> list[LogRun]:
    record = _record_beside(path)
    parts: dict[tuple[str, str], dict[tuple[str, str], list[Mapping[str, Any]]]] = {}
    for number, line in records(path):
        if not is_samples(line):
            raise not_of_format(path, number, f"a sample of {NAME}")
        run = (str(line.get("evaluation_name") or path.stem), str(line.get("model_id") or ""))
        own_id = as_text(line.get("sample_id"))
        hashed = str(line.get("sample_hash") or "")
        parts.setdefault(run, {}).setdefault((own_id, hashed), []).append(line)
    runs = []
    for (task, model), questions in parts.items():
        samples = [_sample(line, epoch) for lines in questions.values() for epoch, line in _numbered(lines)]
        results = [
            entry for entry in record.get("evaluation_results") or () if str(entry.get("evaluation_name")) == task
        ]
        config = [entry.get("metric_config") or {} for entry in results]
        lower = frozenset({"score"}) if any(entry.get("lower_is_better") for entry in config) else frozenset[str]()
        runs.append(
            LogRun(
                str(path),
                NAME,
                task,
                model,
                samples,
                settings={
                    name: as_text(value)
                    for entry in results[:1]
                    for name, value in (entry.get("generation_config") or {}).items()
                    if value is not None
                },
                lower_is_better=lower,
            )
        )
    return runs


def _numbered(lines: list[Mapping[str, Any]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number the answers to a question as repetitions; a line that repeats another word for word has its number."""
    numbers: dict[str, int] = {}
    for line in lines:
        yield numbers.setdefault(json.dumps(line, sort_keys=True), len(numbers) + 1), line


def _sample(line: Mapping[str, Any], epoch: int) -> Sample:
    asked, replied = line.get("input") or {}, line.get("output") or {}
    judged = line.get("evaluation") or {}
    final = [entry for entry in line.get("answer_attribution") or () if entry.get("is_terminal")]
    answers = [entry.get("extracted_value") for entry in final or line.get("answer_attribution") or ()]
    answer = None if not answers or answers[-1] is None else as_text(answers[-1])
    raw = replied.get("raw")
    response = raw[-1] if isinstance(raw, list) and raw else raw
    marks = {}
    if judged.get("is_correct") is not None:
        marks["is_correct"] = MetricMark(as_score(judged["is_correct"]), answer)
    if judged.get("score") is not None:
        marks["score"] = MetricMark(as_score(judged["score"]), answer)
    return Sample(
        as_text(line.get("sample_id")),
        marks,
        as_texts(asked.get("reference")),
        None if response is None else str(response),
        epoch=epoch,
        content=str(line.get("sample_hash") or content_hash(asked.get("raw"), asked.get("choices"))),
        prompt=None if asked.get("formatted") is None else content_hash(asked["formatted"]),
        choices=as_texts(asked.get("choices")),
        failed=bool(line.get("error")),
    )


def _record_beside(path: Path) -> dict[str, Any]:
    stem = path.name.split(".jsonl")[0].removesuffix("_samples")
    place = path.with_name(f"{stem}.json")
    return dict(read_document(place)) if place.is_file() and is_record(Opening(place)) else {}
