"""promptfoo: one JSON file of results, each of a test case with a prompt and a provider; or the results as lines.

A test that is repeated (`--repeat`) has a new number each time. It is one question with several samples.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from justesse.frames.logs.documents import Opening, not_of_format, read_document, records
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "promptfoo"
LONGEST_PROMPT = 40  # characters of a prompt in the name of a model
OF_ONE_RUN = ("sessionId", "_conversation")  # variables that promptfoo sets itself
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
    prompts = _prompt_names(results)
    runs: dict[str, list[Sample]] = {}
    numbers = _numbers(results)
    seen: Counter[tuple[str, str]] = Counter()
    for result in results:
        provider = result.get("provider") or {}
        named = provider.get("label") or provider.get("id") if isinstance(provider, Mapping) else provider
        model = str(named or "") + (f" with prompt {prompts[_prompt(result)]}" if len(prompts) > 1 else "")
        seen[model, test := _test(result)] += 1
        at = result.get("testIdx")
        epoch = seen[model, test] if at is None else numbers[test].index(at) + 1
        runs.setdefault(model, []).append(_sample(result, numbers[test], epoch))
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


def _prompt(result: Mapping[str, Any]) -> str:
    prompt = result.get("prompt") or {}
    label = prompt.get("label") or prompt.get("raw") or "" if isinstance(prompt, Mapping) else prompt
    return " ".join(str(label).split())


def _prompt_names(results: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Shorten the prompts to names; prompts that begin alike have a number."""
    names: dict[str, str] = {}
    short: Counter[str] = Counter()
    for prompt in dict.fromkeys(map(_prompt, results)):
        name = prompt if len(prompt) <= LONGEST_PROMPT else f"{prompt[: LONGEST_PROMPT - 1]}…"
        short[name] += 1
        names[prompt] = name if short[name] == 1 else f"{name} ({short[name]})"
    return names


def _asked(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables of the test, without those that differ from run to run."""
    variables = result.get("vars") or (result.get("testCase") or {}).get("vars") or {}
    return {name: value for name, value in variables.items() if name not in OF_ONE_RUN}


def _test(result: Mapping[str, Any]) -> str:
    """Return a fingerprint of the test, equal in its repeats: variables, assertions, and what it is called."""
    case = result.get("testCase") or {}
    return content_hash(_asked(result), [case.get(name) for name in ("assert", "description", "metadata")])


def _numbers(results: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """List the numbers that each test has: one, or one for each repeat."""
    numbers: dict[str, list[Any]] = {}
    for result in results:
        numbers.setdefault(_test(result), []).append(result.get("testIdx"))
    return {test: sorted({at for at in own if at is not None}) for test, own in numbers.items()}


def _sample(result: Mapping[str, Any], numbers: Sequence[Any], epoch: int) -> Sample:
    case = result.get("testCase") or {}
    asked = _asked(result)
    output = (result.get("response") or {}).get("output")
    grading = result.get("gradingResult") or {}
    named = result.get("namedScores") or {}
    marks = {"pass": MetricMark(as_score(result.get("success"))), "score": MetricMark(as_score(result.get("score")))}
    marks |= {str(name): MetricMark(as_score(value)) for name, value in named.items()}
    prompt = result.get("prompt") or {}
    raw = prompt.get("raw") if isinstance(prompt, Mapping) else prompt
    own_id = case.get("metadata", {}).get("id") if isinstance(case.get("metadata"), Mapping) else None
    return Sample(
        as_text(own_id if own_id is not None else numbers[0] if numbers else content_hash(asked)),
        marks,
        _targets(case.get("assert") or [entry.get("assertion") for entry in grading.get("componentResults") or ()]),
        None if output is None else output if isinstance(output, str) else as_text(output),
        epoch=epoch,
        content=content_hash(asked),
        prompt=None if raw is None else content_hash(raw),
        failed=bool(result.get("error")) and output is None,
    )


def _targets(assertions: Sequence[Any]) -> tuple[str, ...]:
    """Take what the output is compared with as the target, if a single assertion does that."""
    compared = [entry for entry in assertions if isinstance(entry, Mapping) and entry.get("type") in WITH_TARGET]
    return as_texts(compared[0].get("value")) if len(compared) == 1 == len(assertions) else ()
