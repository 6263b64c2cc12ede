"""HELM: a folder for each run, with run_spec.json, scenario_state.json and per_instance_stats.json."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.logs.documents import Opening, read_document
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, content_hash

NAME = "HELM"
STATE, STATS, SPEC = "scenario_state.json", "per_instance_stats.json", "run_spec.json"
PARTS = (STATE, STATS, SPEC, "scenario.json", "stats.json")
ORDER = {"test": 0, "": 1, "valid": 2, "train": 3}  # which part of the questions is read first; perturbed ones are last
USUAL = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
NO_MEASURES = (
    "num_",
    "finish_reason",
    "training_",
    "inference_",
    "batch_size",
    "prompt_truncated",
    "max_prob",
    "logprob",
)
SETTINGS = ("method", "instructions", "temperature", "max_tokens", "stop_sequences", "model_deployment", "num_outputs")


def recognises(opening: Opening) -> bool:
    """Say whether a file is part of a HELM run: the state of its requests, statistics or the specification."""
    text = opening.text or opening.start.decode("utf-8", "replace")
    return (
        ('"adapter_spec"' in text and ('"request_states"' in text or '"scenario_spec"' in text or '"method"' in text))
        or ('"instance_id"' in text and '"train_trial_index"' in text and '"stats"' in text)
    )  # fmt: skip


def read(path: Path) -> list[LogRun]:
    """Read the run that a file belongs to."""
    folder = path.parent
    if not (folder / STATE).exists():
        raise FileError(
            f"{folder} has no {STATE}, so the answers of this HELM run are missing. Copy the whole folder of the run."
        )
    state = read_document(folder / STATE)
    spec = read_document(folder / SPEC) if (folder / SPEC).exists() else {}
    adapter = spec.get("adapter_spec") or state.get("adapter_spec") or {}
    stats = read_document(folder / STATS) if (folder / STATS).exists() else []
    scores = {_key(entry): _scores(entry.get("stats") or ()) for entry in stats}
    samples: list[Sample] = []
    separate: set[tuple[str, ...]] = set()
    for request in state.get("request_states") or ():
        if request.get("request_mode") == "calibration":
            continue
        instance = request.get("instance") or {}
        key = (
            as_text(instance.get("id")),
            as_text(request.get("train_trial_index") or 0),
            _part(instance.get("split"), instance.get("perturbation")),
        )
        if request.get("reference_index") is not None:  # a request for each choice, one sample in all
            if key in separate:
                continue
            separate.add(key)
        samples.append(_sample(request, instance, key, scores.get(key, {})))
    samples.sort(key=lambda sample: ORDER.get(sample.filter, len(ORDER)))
    scenario = str(spec.get("name") or folder.name)
    model = str(adapter.get("model") or "")
    return [
        LogRun(
            str(folder),
            NAME,
            _task(scenario),
            model,
            samples,
            shots=None if adapter.get("max_train_instances") is None else as_text(adapter["max_train_instances"]),
            settings={name: as_text(adapter[name]) for name in SETTINGS if adapter.get(name) not in (None, "")},
        )
    ]


def _key(entry: Mapping[str, Any]) -> tuple[str, ...]:
    names = (stat.get("name") or {} for stat in entry.get("stats") or ())
    return (
        as_text(entry.get("instance_id")),
        as_text(entry.get("train_trial_index") or 0),
        _part(next((name["split"] for name in names if name.get("split")), None), entry.get("perturbation")),
    )


def _part(split: str | None, perturbation: Mapping[str, Any] | None) -> str:
    """Name the split of a question, and how it was perturbed: parts of a run that HELM itself keeps apart.

    >>> _part("test", None), _part("test", {"name": "dialect"})
    ('test', 'test, dialect')
    """
    names = [split, str(perturbation.get("name") or "perturbed") if perturbation else None]
    return ", ".join(name for name in names if name)


def _task(name: str) -> str:
    """Leave the model out of the name of a run.

    >>> _task("mmlu:subject=philosophy,method=multiple_choice_joint,model=openai_gpt2")
    'mmlu:subject=philosophy,method=multiple_choice_joint'
    """
    head, _, rest = name.partition(":")
    kept = [part for part in rest.split(",") if part and not part.startswith(("model=", "model_deployment="))]
    return f"{head}:{','.join(kept)}" if kept else head


def _scores(stats: Any) -> dict[str, float | None]:
    """Read the mean of each statistic of an instance; matches first, in HELM's order of strictness."""
    scores = {}
    for stat in stats:
        name = (stat.get("name") or {}).get("name")
        if name and stat.get("count") and not str(name).startswith(NO_MEASURES):
            scores[str(name)] = as_score(stat.get("mean", stat["sum"] / stat["count"]))
    first = [name for name in USUAL if name in scores]
    return {name: scores[name] for name in dict.fromkeys([*first, *scores])}


def _sample(
    request: Mapping[str, Any], instance: Mapping[str, Any], key: tuple[str, ...], scores: Mapping[str, float | None]
) -> Sample:
    references = instance.get("references") or []
    texts = [str((reference.get("output") or {}).get("text", "")).strip() for reference in references]
    right = [
        text for text, reference in zip(texts, references, strict=True) if "correct" in (reference.get("tags") or ())
    ]
    result = request.get("result") or {}
    completions = result.get("completions") or []
    response = str(completions[0].get("text") or "") if completions else ""
    mapping = {str(letter): str(text).strip() for letter, text in (request.get("output_mapping") or {}).items()}
    separate = request.get("reference_index") is not None  # each choice is a request of its own: no answer is recorded
    targets = tuple(letter for letter, text in mapping.items() if text in right) if mapping else tuple(right)
    answer = None if separate else response.strip()
    return Sample(
        key[0],
        {name: MetricMark(score, answer) for name, score in scores.items()},
        () if separate else targets,
        None if separate else response,
        epoch=int(key[1]) + 1,
        filter=key[2],
        content=content_hash((instance.get("input") or {}).get("text"), texts),
        prompt=content_hash((request.get("request") or {}).get("prompt")),
        choices=() if separate else tuple(mapping),
        failed=result.get("success") is False,
    )
