"""What was read from evaluation logs, as a section."""

from collections.abc import Sequence
from typing import Any

from justesse.frames.logs.log_facts import LogFacts
from justesse.report.document import Column, Section, Table, Text, Words
from justesse.report.writing import message


def log_section(facts: Sequence[LogFacts], *, by_task: bool = False) -> list[Section]:
    """Say what was read: model, task, what decides what is right, and how many samples have no answer.

    `by_task` says that the tasks are shown apart already.
    """
    if not facts:
        return []
    head: list[str | Column] = [
        "model", "task", Column("samples", "count"), Column("metric"), Column("filter", drop=1),
        Column("examples in prompt", drop=2), Column("no usable answer", "count"),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            log.model or log.source,
            task.name,
            task.samples,
            task.metric,
            task.filter or "–",
            task.shots or "–",
            log.unanswered if len(log.tasks) == 1 else None,
        ]
        for log in facts
        for task in log.tasks
    ]
    return [
        Section("log", "Evaluation logs", [Words(_choices(facts, by_task)), Table("Runs read", head, rows)], "headline")
    ]


def _choices(facts: Sequence[LogFacts], by_task: bool) -> list[Text]:
    """Say what decides what is right, and what else the logs offer."""
    words: list[Text] = []
    for task in dict.fromkeys((task.metric, task.metrics) for log in facts for task in log.tasks):
        others = [name for name in task[1] if name != task[0]]
        if others:
            words.append(message("Right and wrong by metric {own:name}; also in the log: {others:and} (--metric).",
                                 own=task[0], others=others))  # fmt: skip
    for own, every in dict.fromkeys((task.filter, task.filters) for log in facts for task in log.tasks):
        others = [name for name in every if name != own]
        if others:
            words.append(message("Answers by filter {own:name}; also in the log: {others:and} (--log-filter).",
                                 own=own, others=others))  # fmt: skip
    if any(len(log.tasks) > 1 for log in facts) and not by_task:
        words.append(
            "Several tasks are counted together, each sample once. --by task shows them apart, --task reads one."
        )
    if not facts[0].by_class and all(log.targets for log in facts):
        words.append("Targets are texts, not classes: every sample is right or wrong, and classes have no figures.")
    return words or [message("Right and wrong by metric {own:name}.", own=facts[0].tasks[0].metric)]
