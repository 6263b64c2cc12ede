"""Several logs side by side: the same questions by id and content, and everything else that differs between runs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from justesse.core.errors import InputError
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.frames.logs.conflicts import other_targets, plain, score_conflicts
from justesse.frames.logs.lm_eval import UNNAMED
from justesse.frames.logs.log_facts import LogTable
from justesse.frames.logs.log_table import RIGHT, WRONG, OpenedLog, log_table
from justesse.frames.logs.run import Sample
from justesse.frames.logs.selection import SelectedRun

SHOWN = 3
Key = tuple[str, str, int]  # task, question, epoch


def line_up(
    logs: Sequence[OpenedLog], *, right_from: float | None = None, common: bool = False
) -> tuple[list[LogTable], list[str]]:
    """Make tables of several logs whose column id means the same question and epoch in all.

    Returns the tables, and sentences about all that differs between the runs: prompts, examples in the prompt, filters,
    metrics, versions and epochs. Runs on different questions, or with an id for two different questions, are refused.
    """
    _check_epochs(logs, common)
    several = any(len(log.runs) > 1 for log in logs)
    by_content = _pair_by_content(logs, several=several)
    by_class = all(log.looks_like_classes for log in logs)
    tables = [log_table(log, by_class=by_class, right_from=right_from) for log in logs]
    keys = [_keys(log, several=several, by_content=by_content) for log in logs]
    repeated = any(epoch > 1 for own in keys for _, _, epoch in own)
    tables = [
        replace(table, columns={**table.columns, **_named(own, repeated=repeated)})
        for table, own in zip(tables, keys, strict=True)
    ]
    if not by_class and all(table.facts.targets for table in tables):
        tables = _apart(tables, logs, keys)
    notes = [*_differences(logs, keys), *_conflicts(logs, keys, right_from)]
    if by_content:
        notes.insert(0, "Ids differ between these logs: samples are paired by the content of their question.")
    return tables, notes


def _samples(log: OpenedLog) -> Iterator[tuple[SelectedRun, Sample]]:
    return ((part, sample) for part in log.runs for sample in part.samples)


def _keys(log: OpenedLog, *, several: bool, by_content: bool = False) -> list[Key]:
    """Name the question of each sample; the task matters only where a log has several."""
    return [
        (part.run.task if several else "", str(sample.content) if by_content else sample.id, sample.epoch)
        for part, sample in _samples(log)
    ]


def _named(keys: Sequence[Key], *, repeated: bool) -> dict[str, list[str]]:
    """Write the columns of questions and of samples, which mean the same in all logs."""
    questions = [f"{task}/{question}" if task else question for task, question, _ in keys]
    samples = [f"{name}#{key[2]}" if repeated else name for name, key in zip(questions, keys, strict=True)]
    return {"question": questions, "id": samples}


def _check_epochs(logs: Sequence[OpenedLog], common: bool) -> None:
    """Refuse runs with different numbers of epochs: their extra samples have no partner."""
    epochs = [max(sample.epoch for _, sample in _samples(log)) for log in logs]
    if len(set(epochs)) > 1 and not common:
        at = next(at for at, size in enumerate(epochs) if size != epochs[0])
        raise InputError(
            f"Different numbers of epochs: {epochs[0]} in {logs[0].source}, {epochs[at]} in {logs[at].source}. Compare "
            "on the epochs that both have with common=True (--common), or run both with the same number."
        )


def _pair_by_content(logs: Sequence[OpenedLog], *, several: bool) -> bool:
    """Decide whether to pair by content, because ids mean other questions; refuse runs without a question in common."""
    first = _contents(logs[0], several=several)
    for log in logs[1:]:
        own = _contents(log, several=several)
        shared = [key for key in own if key in first]
        apart = [key for key in shared if None not in (own[key], first[key]) and own[key] != first[key]]
        if shared and not apart:
            continue
        pairs = len({*own.values()} & {*first.values()} - {None})
        if pairs > len(shared) - len(apart) and all(map(_contents_differ, (logs[0], log))):
            return True
        if not apart:
            raise InputError(
                f"{logs[0].source} ({_tasks(logs[0])}) and {log.source} ({_tasks(log)}) have no question in common. "
                "Compare runs on the same task."
            )
        _, question, _ = apart[0]
        raise InputError(
            f"Id {question!r} is another question in {log.source} than in {logs[0].source}: its content differs, as "
            f"for {quantity(len(apart), 'id')} of {len(shared):,}. Compare runs on the same version of the data."
        )
    return False


def _contents(log: OpenedLog, *, several: bool) -> dict[Key, str | None]:
    pairs = zip(_keys(log, several=several), _samples(log), strict=True)
    return {key: sample.content for key, (_, sample) in pairs}


def _contents_differ(log: OpenedLog) -> bool:
    contents = [(sample.content, sample.epoch) for _, sample in _samples(log)]
    return len(set(contents)) == len(contents) and all(content is not None for content, _ in contents)


def _tasks(log: OpenedLog) -> str:
    return first_names([part.run.task for part in log.runs], SHOWN)


def _apart(tables: Sequence[LogTable], logs: Sequence[OpenedLog], keys: Sequence[Sequence[Key]]) -> list[LogTable]:
    """Tell different wrong answers to a question apart, so that a wrong key can make only one of them right."""
    seen: dict[Key, dict[str, int]] = {}
    most = 1
    results = []
    for table, log, own in zip(tables, logs, keys, strict=True):
        answers = []
        for key, outcome, (part, sample) in zip(own, table.columns["prediction"], _samples(log), strict=True):
            if outcome == WRONG:
                text = plain(part.mark(sample).answer or sample.response)
                places = seen.setdefault(key, {})
                number = places.setdefault(text, len(places) + 1)
                most = max(most, number)
                outcome = _wrong(number)
            answers.append(outcome)
        results.append(replace(table, columns={**table.columns, "prediction": answers}))
    return [replace(table, classes=(RIGHT, *map(_wrong, range(1, most + 1)))) for table in results]


def _wrong(number: int) -> str:
    return WRONG if number == 1 else f"{WRONG} {number}"


def _differences(logs: Sequence[OpenedLog], keys: Sequence[Sequence[Key]]) -> Iterator[str]:
    """Say what differs between each log and the first, in the order of how much it can change."""
    first = logs[0]
    prompts = _prompts(first, keys[0])
    for log, own in zip(logs[1:], keys[1:], strict=True):
        pair = f"{first.source} and {log.source}"
        parts = _by_task(first, log)
        for what, mine, theirs in _settings(parts):
            yield f"{what} {pair}: {mine} and {theirs}. The comparison is of both together, not of the models alone."
        theirs_prompts = _prompts(log, own)
        shared = [key for key in theirs_prompts if key in prompts]
        other = sum(prompts[key] != theirs_prompts[key] for key in shared)
        if other:
            yield (
                f"The prompts of {pair} differ in {other:,} of {quantity(len(shared), 'sample')}. The comparison is of "
                "prompt and model together."
            )


def _conflicts(logs: Sequence[OpenedLog], keys: Sequence[Sequence[Key]], right_from: float | None) -> Iterator[str]:
    """Say where the right answers of two logs differ, and where an answer is right in one and wrong in another."""
    first, *others = [
        {key: sample for key, (_, sample) in zip(own, _samples(log), strict=True)}
        for own, log in zip(keys, logs, strict=True)
    ]
    apart = set()
    for log, other in zip(logs[1:], others, strict=True):
        if differing := other_targets(first, other):
            apart |= differing
            key = next(key for key in first if key in differing)
            yield (
                f"The right answers of {logs[0].source} and {log.source} differ in "
                f"{quantity(len(differing), 'sample')} of {len(first.keys() & other.keys()):,}, such as "
                f"{_quoted(first[key].targets[0])} and {_quoted(other[key].targets[0])}. Each log's own score decides."
            )
    conflicts = score_conflicts(
        (key[:2], part.answer(sample), part.is_right(sample, right_from), log.source)
        for log, own in zip(logs, keys, strict=True)
        for key, (part, sample) in zip(own, _samples(log), strict=True)
        if key not in apart and part.mark(sample).score is not None
    )
    if conflicts and conflicts.right != conflicts.wrong:
        yield (
            "The same answer is right in one log and wrong in another for "
            f"{quantity(conflicts.questions, 'question')}: {_quoted(conflicts.answer)} is right in {conflicts.right} "
            f"and wrong in {conflicts.wrong}. The scores decide; check how these runs were scored."
        )


def _by_task(first: OpenedLog, log: OpenedLog) -> list[tuple[SelectedRun, SelectedRun]]:
    if len(first.runs) == len(log.runs) == 1:
        return [(first.runs[0], log.runs[0])]
    own = {part.run.task: part for part in log.runs}
    return [(part, own[part.run.task]) for part in first.runs if part.run.task in own]


def _settings(parts: Iterable[tuple[SelectedRun, SelectedRun]]) -> Iterator[tuple[str, str, str]]:
    listed: set[str] = set()
    for mine, theirs in parts:
        pairs: list[tuple[str, str | None, str | None]] = [
            ("Different tasks in", _named_task(mine), _named_task(theirs)),
            ("Different task versions in", mine.run.version, theirs.run.version),
            ("Different numbers of examples in the prompts of", mine.run.shots, theirs.run.shots),
            ("Different filters in", mine.filter, theirs.filter),
            ("Different metrics in", mine.metric, theirs.metric),
            ("Different models scored", mine.run.scored_by, theirs.run.scored_by),
        ]
        pairs += [
            (f"Different settings ({name}) in", value, theirs.run.settings.get(name))
            for name, value in mine.run.settings.items()
            if name != "model_deployment"
        ]
        for what, own, other in pairs:
            if own != other and what not in listed and None not in (own, other):
                listed.add(what)
                yield what, _quoted(own), _quoted(other)


def _named_task(part: SelectedRun) -> str | None:
    return None if part.run.task == UNNAMED else part.run.task


def _quoted(text: str | None) -> str:
    plain = " ".join(str(text).split())
    return repr(plain if len(plain) <= 60 else f"{plain[:59]}…")


def _prompts(log: OpenedLog, keys: Sequence[Key]) -> dict[Key, str]:
    pairs = zip(keys, _samples(log), strict=True)
    return {key: sample.prompt for key, (_, sample) in pairs if sample.prompt is not None}
