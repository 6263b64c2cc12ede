"""promptfoo: one JSON file of results, each of a test case with a prompt and a provider; or the results as lines."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justesse.frames.logs.documents import Opening, not_of_format, read_document, records
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "promptfoo"
WITH_TARGET = (
    "equals",
    "contains",
    "icontains",
    "starts-with",
    "contains-any",
    "icontains-any",
    "factuality",
)


def recognises(opening: Opening) -> bool:
    """Say whether a file has results of promptfoo."""
    if _is_result(opening.record):
        return True
    text = opening.text
    return '"results"' in text and '"prompts"' in text and any(
        key in text for key in ('"evalId"', '"testCase"', '"gradingResult"', '"testPassCount"')
    )  # fmt: skip


def read(path: Path) -> list[LogRun]:
    """Read the results of each provider and prompt as a run of its own."""
    if _is_result(Opening(path).record):
        results: Sequence[Mapping[str, Any]] = _lines(path)
        task = path.stem
    else:
        document = read_document(path)
        inside = document.get("results") or {}
        results = inside.get("results") or [] if isinstance(inside, Mapping) else inside
        task = str((document.get("config") or {}).get("description") or path.stem)
    prompts = dict.fromkeys(_prompt_name(result) for result in results)
    runs: dict[str, list[Sample]] = {}
    for result in results:
        provider = result.get("provider") or {}
        named = provider.get("label") or provider.get("id") if isinstance(provider, Mapping) else provider
        model = str(named or "") + (f" with prompt {_prompt_name(result)}" if len(prompts) > 1 else "")
        runs.setdefault(model, []).append(_sample(result))
    return [LogRun(str(path), NAME, task, model, samples) for model, samples in runs.items()]


def _lines(path: Path) -> list[Mapping[str, Any]]:
    """Read results as lines; each must be one."""
    results: list[Mapping[str, Any]] = []
    for line, record in records(path):
        if not _is_result(record):
            raise not_of_format(path, line, f"a result of {NAME}")
        results.append(record)
    return results


def _is_result(record: Mapping[str, Any]) -> bool:
    return "success" in record and "score" in record and bool({"testCase", "testIdx", "gradingResult"} & record.keys())


def _prompt_name(result: Mapping[str, Any]) -> str:
    prompt = result.get("prompt") or {}
    label = prompt.get("label") or prompt.get("raw") or "" if isinstance(prompt, Mapping) else prompt
    text = " ".join(str(label).split())
    return text if len(text) <= 40 else f"{text[:39]}…"


def _sample(result: Mapping[str, Any]) -> Sample:
    case = result.get("testCase") or {}
    asked = result.get("vars") or case.get("vars") or {}
    output = (result.get("response") or {}).get("output")
    grading = result.get("gradingResult") or {}
    named = result.get("namedScores") or {}
    marks = {"pass": MetricMark(as_score(result.get("success"))), "score": MetricMark(as_score(result.get("score")))}
    marks |= {str(name): MetricMark(as_score(value)) for name, value in named.items()}
    prompt = result.get("prompt") or {}
    raw = prompt.get("raw") if isinstance(prompt, Mapping) else prompt
    at = result.get("testIdx")
    own_id = case.get("metadata", {}).get("id") if isinstance(case.get("metadata"), Mapping) else None
    return Sample(
        as_text(own_id if own_id is not None else at if at is not None else content_hash(asked)),
        marks,
        _targets(case.get("assert") or [entry.get("assertion") for entry in grading.get("componentResults") or ()]),
        None if output is None else output if isinstance(output, str) else as_text(output),
        content=content_hash(asked),
        prompt=None if raw is None else content_hash(raw),
        failed=bool(result.get("error")) and output is None,
    )


def _targets(assertions: Sequence[Any]) -> tuple[str, ...]:
    """Take what the output is compared with as the target, if a single assertion does that."""
    compared = [entry for entry in assertions if isinstance(entry, Mapping) and entry.get("type") in WITH_TARGET]
    return as_texts(compared[0].get("value")) if len(compared) == 1 == len(assertions) else ()
