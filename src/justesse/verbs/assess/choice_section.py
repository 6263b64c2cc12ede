"""What choosing the best is worth: among the models, and within every search."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.measures import HEADLINE
from justesse.report.document import Column, Part, Section, Table, Text, Words
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment


def choice_sections(result: "Assessment") -> list[Section]:
    """Show how much of the best model's score is luck, and nested against own figures of searches."""
    return [*_luck(result), *_searches(result)]


def _luck(result: "Assessment") -> list[Section]:
    if not result.luck:
        return []
    head: list[str | Column] = ["model", Column("best in", "share")]
    rows: list[list[Any]] = [list(item) for item in sorted(result.luck.wins.items(), key=lambda item: -item[1])]
    note = message("Share of {draws:count} bootstrap draws of the rows.", draws=result.luck.draws)
    return [
        Section("choice", "Choosing the best model", [Words([result.luck.words])], "summary"),
        Section("wins", "How often each model is the best", [Table("", head, rows, note), *_two_sources(result)]),
    ]


def is_over_splits(estimate: Estimate) -> bool:
    """Tell whether an interval varies training and test rows together, from split to split."""
    return estimate.interval is not None and estimate.interval.method.startswith("student")


def _two_sources(result: "Assessment") -> list[Part]:
    """Explain why the intervals and tests over splits are more careful than the bootstrap of the rows."""
    if not is_over_splits(result[result.best, HEADLINE[0].name]):
        return []
    return [
        Words(
            [
                "The intervals and tests of the models vary the rows tested and the training, from split to split. So "
                "they are wider, and can leave open which model is better when the same one wins in nearly every draw."
            ]
        )
    ]


def _searches(result: "Assessment") -> list[Section]:
    if not result.selections:
        return []
    head: list[str | Column] = [
        "search", Column("its own score", "value"), Column("on unseen rows", "value"), Column("optimism", "difference"),
        Column(level_name(result.plan.level), "difference_interval", 1), Column("its own score, all rows", "value", 2),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    words: list[Text] = []
    settings: list[Part] = []
    for name, search in result.selections.items():
        own, unseen = (sum(scores) / len(scores) for scores in (search.inner, search.outer))
        rows.append([name, own, unseen, search.optimism, search.optimism, search.non_nested])
        words.append(message("{name}: {words}", name=name, words=search.words))
        counts = [[chosen, many] for chosen, many in Counter(search.chosen).most_common()]
        caption = str(message("Settings that {name} chose", name=name))
        settings.append(Table(caption, ["settings", Column("splits", "count")], counts))
    note = "Optimism: its own score minus the score of its winners on unseen rows. Only the latter estimates new rows."
    nested = Table("Nested evaluation: each search chooses inside the training rows", head, rows, note)
    return [
        Section("search", "Choosing model and settings", [Words(words)], "summary"),
        Section("nested", "Nested evaluation", [nested, *settings]),
    ]
