"""inspect_ai: `.eval` archives, with a member for each sample, and `.json` logs."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.logs.archive import Archive
from justesse.frames.logs.documents import Opening, parsed, read_document
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "inspect_ai"
HEADERS = ("header.json", "_journal/start.json")


def recognises(opening: Opening) -> bool:
    """Say whether a file is a log of inspect_ai, by its members or its first keys."""
    if opening.start.startswith(b"PK\x03\x04"):
        # the first member of such an archive is its journal or a sample
        return any(name in opening.start for name in (b"_journal/start.json", b"header.json", b"samples/"))
    text = opening.text
    return '"eval"' in text and '"status"' in text and '"task"' in text and ('"run_id"' in text or '"eval_id"' in text)


def read(path: Path) -> list[LogRun]:
    """Read the log of one task."""
    if Opening(path).start.startswith(b"PK\x03\x04"):
        archive = Archive(path)
        header: dict[str, Any] = {}
        for name in reversed(HEADERS):  # a run that was stopped has a journal and no header
            if name in archive.names:
                header |= parsed(archive.read(name), path, name)
        names = [name for name in archive.names if name.startswith("samples/") and name.endswith(".json")]
        if twice := sorted(archive.rewritten.intersection(names)):
            raise FileError(
                f"{path} has {twice[0]} twice, with different contents. Keep one of them, and write it again."
            )
        samples = [_sample(parsed(archive.read(name), path, name), header) for name in names]
    else:
        header = read_document(path)
        samples = [_sample(sample, header) for sample in header.get("samples") or ()]
    return [_run(path, header, samples)]


def _run(path: Path, header: Mapping[str, Any], samples: list[Sample]) -> LogRun:
    facts = header.get("eval") or {}
    plan, config = header.get("plan") or {}, facts.get("config") or {}
    generate = {**(plan.get("config") or {}), **(facts.get("model_generate_config") or {})}
    settings = {
        "solver": ", ".join(_step(step) for step in plan.get("steps") or ()),
        "task arguments": facts.get("task_args") or None,
        **{name: generate.get(name) for name in ("temperature", "top_p", "max_tokens", "seed", "reasoning_effort")},
    }
    results = header.get("results") or {}
    total = results.get("total_samples")
    if total is None and isinstance((facts.get("dataset") or {}).get("sample_ids"), list):
        total = len(facts["dataset"]["sample_ids"]) * int(config.get("epochs") or 1)
    shots = (facts.get("task_args") or {}).get("fewshot", (facts.get("task_args") or {}).get("num_fewshot"))
    return LogRun(
        str(path),
        NAME,
        str(facts.get("task") or path.stem),
        str(facts.get("model") or ""),
        samples,
        version=None if facts.get("task_version") is None else as_text(facts["task_version"]),
        shots=None if shots is None else as_text(shots),
        settings={name: as_text(value) for name, value in settings.items() if value not in (None, "")},
        status=str(header.get("status") or "started"),
        expected=total if isinstance(total, int) else None,
        scored_by=_grader(facts.get("scorers") or ()),
    )


def _step(step: Mapping[str, Any]) -> str:
    params = ", ".join(f"{name}={as_text(value)}" for name, value in (step.get("params") or {}).items())
    return f"{step.get('solver')}({params})"


def _grader(scorers: Iterable[Mapping[str, Any]]) -> str | None:
    """Find the model that scores, among the options of the scorers."""
    for scorer in scorers:
        for name, value in (scorer.get("options") or {}).items():
            if "model" in name and value:
                return str(value.get("model") if isinstance(value, Mapping) else value)
    return None


def _sample(sample: Mapping[str, Any], header: Mapping[str, Any]) -> Sample:
    scores = sample.get("scores")
    if scores is None and sample.get("score"):
        scores = {"score": sample["score"]}  # logs of early versions
    marks: dict[str, MetricMark] = {}
    for name, score in (scores or {}).items():
        value, answer = score.get("value"), score.get("answer")
        text = None if answer is None else as_text(answer)
        several = value.items() if isinstance(value, Mapping) else [(None, value)]
        for part, single in several:
            marks[name if part is None else f"{name}/{part}"] = MetricMark(as_score(single), text)
    choices = as_texts(sample.get("choices"))
    targets = as_texts(sample.get("target"))
    if choices and len(targets) > 1 and "choice" in marks:
        targets = (", ".join(targets),)  # this scorer wants all of them, not any
    return Sample(
        as_text(sample.get("id")),
        marks,
        targets,
        _completion(sample.get("output") or {}),
        epoch=int(sample.get("epoch") or 1),
        content=content_hash(sample.get("input"), choices),
        prompt=content_hash(*_shown(sample)) if sample.get("messages") else None,
        choices=tuple(chr(ord("A") + at) for at in range(len(choices))) if len(choices) <= 26 else (),
        failed=bool(sample.get("error")),
    )


def _completion(output: Mapping[str, Any]) -> str:
    if output.get("completion"):
        return str(output["completion"])
    for choice in output.get("choices") or ():
        return _content((choice.get("message") or {}).get("content"))
    return ""


def _shown(sample: Mapping[str, Any]) -> list[str]:
    """List the messages before the model's first own one; examples written as its messages count."""
    shown = []
    for entry in sample["messages"]:
        if entry.get("role") == "assistant" and entry.get("source") == "generate":
            break
        shown.append(f"{entry.get('role')}: {_content(entry.get('content'))}")
    return shown


def _content(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return "" if content is None else str(content)
