"""OpenAI evals: a file of events; the first line is the specification, the last one the final report."""

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from justesse.frames.logs.documents import Opening, not_of_format, records
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "OpenAI evals"
CHOICE = "choice"  # what a model that judges chose
LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
UNNAMED = "unnamed in the log"
INVALID = "__invalid__"  # what it wrote could not be read


def recognises(opening: Opening) -> bool:
    """Say whether a file has events of this format."""
    record = opening.record
    spec = record.get("spec")
    return (isinstance(spec, Mapping) and "run_id" in spec) or {"run_id", "event_id", "type", "data"} <= record.keys()


def read(path: Path) -> list[LogRun]:
    """Read the events, and gather them by sample."""
    spec: Mapping[str, Any] = {}
    reported = False
    events: dict[str, list[Mapping[str, Any]]] = {}
    for line, record in records(path):
        if not ("spec" in record or "final_report" in record or {"type", "data"} <= record.keys()):
            raise not_of_format(path, line, f"an event of {NAME}")
        spec = record.get("spec") or spec
        reported |= "final_report" in record
        if record.get("sample_id") is not None:
            events.setdefault(as_text(record["sample_id"]), []).append(record)
    words = _words([event for own in events.values() for event in own])
    samples = [_sample(name, part, words) for name, own in events.items() for part in _matched_once(own)]
    functions = spec.get("completion_fns") or [spec.get("model_name") or ""]
    config = spec.get("run_config") or {}
    settings = {name: config.get(name) for name in ("seed", "max_samples")}
    return [
        LogRun(
            str(path),
            NAME,
            str(spec.get("eval_name") or path.stem),
            str(functions[0]),
            samples,
            settings={name: as_text(value) for name, value in settings.items() if value is not None},
            status="success" if reported else "stopped before its final report",
            scored_by=(str(functions[-1]) if len(functions) > 1 else UNNAMED)
            if any(map(_is_choice, itertools.chain.from_iterable(events.values())))
            else None,
        )
    ]


def _is_choice(event: Mapping[str, Any]) -> bool:
    return event.get("type") == "metrics" and CHOICE in (event.get("data") or {})


def _words(events: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """List metrics that are words of a judge, such as A to E, and no scores: what they are worth is not in the log."""
    texts = (
        (str(name), value)
        for event in events
        if event.get("type") == "metrics"
        for name, value in (event.get("data") or {}).items()
        if isinstance(value, str) and value != INVALID
    )
    return frozenset(name for name, text in texts if text.strip() in LETTERS or as_score(text) is None)


def _matched_once(events: list[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Take a sample that was matched several times as so many samples, so that they are compared."""
    matches = [event for event in events if event.get("type") == "match"]
    if len(matches) < 2:
        return [events]
    others = [event for event in events if event.get("type") != "match"]
    return [[*others, match] for match in matches]


def _sample(name: str, events: list[Mapping[str, Any]], words: frozenset[str]) -> Sample:
    marks: dict[str, MetricMark] = {}
    targets: tuple[str, ...] = ()
    prompt = response = None
    failed = False
    judged = any(map(_is_choice, events))
    for event in events:
        kind, data = event.get("type"), event.get("data") or {}
        if kind == "sampling":
            prompt = data.get("prompt") if prompt is None else prompt
            sampled = data.get("sampled")
            if judged and response is not None:  # what the judge wrote
                continue
            response = sampled[0] if isinstance(sampled, list) and sampled else sampled
        elif kind == "match":
            picked = data.get("picked")
            seen = data.get("sampled") if picked in (None, []) else picked
            answer = None if seen is None else (as_texts(seen) or ("",))[0]
            marks["correct"] = MetricMark(as_score(data.get("correct")), answer)
            targets = as_texts(data.get("expected")) or targets
            response = data.get("sampled") if response is None else response
        elif kind == "metrics":
            numbers_first = sorted(data.items(), key=lambda item: isinstance(item[1], str))
            scores = {str(key): None if key in words else as_score(value) for key, value in numbers_first}
            marks |= {key: MetricMark(score) for key, score in scores.items() if score is not None or key in words}
        failed |= kind == "error"
    text = None if response is None else response if isinstance(response, str) else (as_texts(response) or ("",))[0]
    asked = None if prompt is None else content_hash(prompt)
    return Sample(name, marks, targets, text, content=asked, prompt=asked, failed=failed and not marks)
