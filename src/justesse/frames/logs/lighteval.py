"""lighteval: `details_TASK_TIME.parquet`, a row for each sample, in the layouts before and since version 0.9."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.logs.documents import Opening
from justesse.frames.logs.run import LogRun, MetricMark, Sample, as_score, as_text, as_texts, content_hash

NAME = "lighteval"
TIME = re.compile(r"_(\d{4}-\d\d-\d\dT[\d.:-]+)$")
OLD = {"example", "full_prompt", "predictions", "metrics"}
NEW = {"doc", "model_response", "metric"}
READ_OLD = (*sorted(OLD), "gold", "choices", "gold_index", "num_asked_few_shots", "instruction")
AT_ONCE = 1000


def recognises(opening: Opening) -> bool:
    """Say whether a file is a Parquet file with the columns of details."""
    if not opening.start.startswith(b"PAR1"):
        return False
    names = {name.strip("_") for name in _columns(opening.path)}
    return names >= OLD or names >= NEW


def read(path: Path) -> list[LogRun]:
    """Read the columns needed, some rows at a time."""
    import pyarrow.parquet as pq

    columns = [name for name in _columns(path) if name.strip("_") in {*NEW, *READ_OLD}]
    runs: dict[str, list[Sample]] = {}
    shots: dict[str, None] = {}
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=AT_ONCE, columns=columns):
                for row in batch.to_pylist():
                    plain = {name.strip("_"): _opened(value) for name, value in row.items()}
                    task, asked, sample = _new(plain) if "doc" in plain else _old(plain)
                    own = runs.setdefault(task, [])
                    own.append(sample if sample.id else _with_id(sample, len(own)))
                    shots |= {} if asked is None else {as_text(asked): None}
    except (OSError, ValueError) as error:
        raise FileError(f"{path} is damaged or incomplete ({error}). Copy the log again.") from error
    named, version_shots = _task(path)
    return [
        LogRun(
            str(path),
            NAME,
            task or named,
            _model(path),
            samples,
            shots=next(iter(shots)) if len(shots) == 1 else version_shots,
        )
        for task, samples in (runs or {"": []}).items()
    ]


def _columns(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return list(pq.read_schema(path).names)
    except (OSError, pa.ArrowException):
        return []


def _opened(value: Any) -> Any:
    """Read lists and dicts that some versions write as text; nothing is executed.

    >>> _opened("['A', 'B']"), _opened('{"em": 1}'), _opened("[citation needed]")
    (['A', 'B'], {'em': 1}, '[citation needed]')
    """
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    for read_text in (json.loads, ast.literal_eval):
        try:
            return read_text(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return value


def _new(row: Mapping[str, Any]) -> tuple[str, Any, Sample]:
    doc, response, metric = (row[name] or {} for name in ("doc", "model_response", "metric"))
    texts = response.get("text") or []
    sample = _sample(
        str(doc.get("id") or ""),
        doc.get("query"),
        doc.get("choices"),
        doc.get("gold_index"),
        (),
        response.get("logprobs") if not texts else None,
        texts,
        metric,
        response.get("input") or (doc.get("instruction"), doc.get("query")),
    )
    return str(doc.get("task_name") or ""), doc.get("num_asked_few_shots"), sample


def _old(row: Mapping[str, Any]) -> tuple[str, Any, Sample]:
    predictions = row.get("predictions") or []
    numbers = [_number(value) for value in predictions]
    likelihoods = numbers if numbers and None not in numbers and row.get("choices") else None
    sample = _sample(
        "",
        row.get("example"),
        row.get("choices"),
        row.get("gold_index"),
        row.get("gold"),
        likelihoods,
        predictions,
        row.get("metrics") or {},
        row.get("full_prompt"),
    )
    return "", row.get("num_asked_few_shots"), sample


def _sample(
    own_id: str, query: Any, choices: Any, gold: Any, golds: Any, likelihoods: Any, texts: Any, metric: Any, prompt: Any
) -> Sample:
    options = [as_text(choice) for choice in choices or ()]
    places = [gold] if isinstance(gold, int) else list(gold or ())
    right = [int(at) for at in places if isinstance(at, int) and 0 <= at < len(options)]
    answer, allowed, targets = None, tuple[str, ...](), tuple(dict.fromkeys(options[at] for at in right))
    response = None
    if likelihoods and len(likelihoods) == len(options) > 1:
        allowed = tuple(str(at) for at in range(len(options)))
        targets = tuple(str(at) for at in right)
        answer = str(max(range(len(options)), key=lambda at: float(likelihoods[at] or float("-inf"))))
    else:
        response = _first_text(texts)
        targets = as_texts(golds) or targets
    scores = {str(name): as_score(value) for name, value in dict(metric).items()}
    return Sample(
        own_id,
        {name: MetricMark(score, answer) for name, score in scores.items() if score is not None},
        targets,
        response,
        content=content_hash(query, options),
        prompt=None if prompt is None else content_hash(prompt),
        choices=allowed,
    )


def _with_id(sample: Sample, at: int) -> Sample:
    from dataclasses import replace

    return replace(sample, id=str(at))


def _number(value: Any) -> float | None:
    first = value[0] if isinstance(value, list | tuple) and value else value
    return float(first) if isinstance(first, int | float) and not isinstance(first, bool) else None


def _first_text(texts: Any) -> str:
    while isinstance(texts, list | tuple):
        texts = texts[0] if len(texts) else ""
    return "" if texts is None else str(texts)


def _task(path: Path) -> tuple[str, str | None]:
    """Read the task and the number of examples from the name of a file.

    >>> _task(Path("details_lighteval|gsm8k|5_2024-11-05T20-04-20.123.parquet"))
    ('lighteval|gsm8k', '5')
    """
    name = TIME.sub("", path.name.removesuffix(".parquet")).removeprefix("details_")
    parts = name.split("|")
    if len(parts) > 2 and parts[-1].isdigit():
        return "|".join(parts[:-1]), parts[-1]
    if len(parts) > 3 and parts[-2].isdigit():
        return "|".join(parts[:-2]), parts[-2]
    return name, None


def _model(path: Path) -> str:
    """Read the model from the folders details/ORGANISATION/MODEL/TIME/FILE."""
    folders = path.resolve().parts[:-1]
    if "details" in folders:
        inside = folders[len(folders) - folders[::-1].index("details") :]
        return "/".join(part for part in inside if not TIME.match(f"_{part}")).replace("__", "/")
    return ""
