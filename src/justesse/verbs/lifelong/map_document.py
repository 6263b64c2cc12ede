"""A map of systems and policies as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, Section, Table, Text, Words
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.change_words import change_words

if TYPE_CHECKING:
    from justesse.verbs.lifelong.map_result import LifelongMap, MappedPair

HOW: tuple[Text, ...] = (
    "A system is better for sure under a policy if the interval of the difference leaves out 0. All intervals of the map hold "
    "together: the level of each is raised by the law of the largest difference over the policies (max-t), and the risk is "
    "divided by the number of pairs (Bonferroni).",
    "Differences of accuracy are paired: both systems answered the same items. In each period, cluster-robust variance over "
    "blocks of time, or Tango's interval; squared half-widths add up (MOVER).",
    "Between past and recent, period j counts 2^(λj): λ = -1 is past, 0 uniform, 1 recent.",
)


def map_document(result: "LifelongMap") -> Document:
    """Describe the map, for every medium."""
    return Document(
        "Which system under which policy",
        _headline(result),
        [_map(result), _turns(result), _differences(result)],
        result.to_dict(),
        name="lifelong-map",
        cautions=result.warnings,
        assumptions=ASSUMPTIONS,
        how=HOW,
        facts=[
            ("systems", ", ".join(f"{name} ({version})" for name, version in zip(result.systems, result.versions, strict=True))),
            ("test periods", written("count", len(result.periods))),
            ("periods that count", result.convention),
            *(fact for source in result.sources for fact in file_facts(source)),
            ("id", result.on),
            ("confidence level", written("level", result.level)),
            ("seed", str(result.seed)),
            ("justesse", __version__),
        ],
    )  # fmt: skip


def _headline(result: "LifelongMap") -> Text:
    total = len(result.policies)
    lines: list[Text] = []
    for name in result.systems:
        policies = [policy.name for at, policy in enumerate(result.policies) if result.best(at) == [name]]
        if policies:
            template = "{name} is best for sure under {n:count} of {total:count} policies: {names}."
            if len(policies) == total:
                template = "{name} is best for sure under all {total:count} policies."
            lines.append(message(template, name=name, n=len(policies), total=total, names="; ".join(policies)))
    open_ = sum(1 for at in range(total) if len(result.best(at)) > 1)
    if open_:
        template = "Under {n:count} of {total:count} policies the best cannot be told."
        if open_ == total:
            template = "The best cannot be told under any of the {total:count} policies."
        lines.append(message(template, n=open_, total=total))
    return paragraph(*lines)


def _map(result: "LifelongMap") -> Section:
    head: list[str | Column] = [
        "policy",
        "highest accuracy",
        Column("may be best", "words"),
        Column("meaning", "words", 1),
    ]
    rows: list[list[Any]] = [
        [policy.name, result.leader(at), ", ".join(result.best(at)), policy.words]
        for at, policy in enumerate(result.policies)
    ]
    note = "May be best: no other system is better for sure."
    table = Table("Best system under each policy", head, rows, note, most=len(rows))
    return Section("map", "Systems and policies", [Figure(result.drawings()["map"]), table], "headline")


def _turns(result: "LifelongMap") -> Section:
    evenest = min(range(len(result.policies)), key=lambda at: float((result.policies[at].weights ** 2).sum()))
    lines = [_pair_words(result, pair, evenest) for pair in result.pairs]
    start = message("Changes of a weight start from the policy {name}.", name=result.policies[evenest].name)
    return Section("turns", "What would turn a ranking", [Words(lines, listed=True), Words([start])], "headline")


def _pair_words(result: "LifelongMap", pair: "MappedPair", at: int) -> Text:
    """Say where the ranking of two systems flips, and the smallest change of a policy that turns it."""
    names = (result.systems[pair.first], result.systems[pair.second])
    if pair.flips:
        places = ", ".join(written("ratio", place) for place in pair.flips)
        template = "{first} and {second}: the ranking flips between past (-1) and recent (1) at {places}."
        flip = message(template, first=names[0], second=names[1], places=places)
    else:
        template = "{first} and {second}: the ranking is the same from past to recent."
        flip = message(template, first=names[0], second=names[1])
    change = pair.changes[at]
    if change is None:
        return paragraph(flip, "No change of a single weight turns it.")
    return paragraph(flip, change_words(*change, names[0] if pair.cells[at].value > 0 else names[1]))


def _differences(result: "LifelongMap") -> Section:
    head: list[str | Column] = [
        "systems", "policy", Column("difference", "points"), Column(f"{level_name(result.level)}, all together", "points_interval"),
        "better",
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for pair in result.pairs:
        names = (result.systems[pair.first], result.systems[pair.second])
        for policy, cell in zip(result.policies, pair.cells, strict=True):
            estimate = Estimate("policy_difference", cell.value, pair.n, cell.interval)
            better = (names[1] if cell.value > 0 else names[0]) if cell.sure else "cannot tell"
            rows.append([f"{names[1]} - {names[0]}", policy.name, estimate, estimate, better])
    return Section(
        "differences", "Every difference", [Table("Difference of accuracy under each policy", head, rows)], "summary"
    )
