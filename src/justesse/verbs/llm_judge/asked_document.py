"""What people's ratings show about one model so far, as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__
from justesse.report.document import Document, Section, Table, Text, Words
from justesse.report.writing import message, paragraph
from justesse.verbs.audit.words import STOPPED
from justesse.verbs.llm_judge.few_ratings import are_too_few

if TYPE_CHECKING:
    from justesse.verbs.llm_judge.ask import JudgeAudit

HOW = (
    "Items are drawn at random without replacement, with known probabilities: more often where the judge's verdict is in doubt or a "
    "rating is expected to decide more.",
    "The interval holds at all looks together, whatever the judge says (betting on draws without replacement): look after every rating, "
    "and stop when you like.",
)
POPULATION = (
    "The figure is about the population that the items come from. A fifth of the risk is for items not rated yet, four fifths for the draw "
    "of the items: for that, the interval is no narrower than the exact one of a share (Clopper and Pearson), nor than the score interval."
)
ROWS = "The figure is about these items, not about others: once all of them are rated, it is known."


def asked_document(result: "JudgeAudit") -> Document:
    """Describe an audit of a judge's verdicts, for every medium."""
    audit, state = result.status.audit, result.status.audit.state
    return Document(
        "Ratings of people",
        _headline(result),
        [*_next(result), *_left(result)],
        result.to_dict,
        verdict=_title(result),
        tone={"above": "replace", "below": "keep", "cannot_tell": "cannot_tell"}[result.decision],
        name="llm-judge",
        cautions=[*map(str, result.warnings)],
        assumptions=result.assumptions,
        how=(*HOW, POPULATION if result.of_population else ROWS),
        facts=[
            ("items", message("{n:count}", n=state.n)),
            ("about", "the population that they come from" if result.of_population else "these items only"),
            ("judge", result.judge),
            ("ratings that count", message("{n:count} of at most {most:count}", n=state.answered, most=state.most)),
            ("confidence level", message("{level:g} %, at all looks together", level=100 * audit.about["level"])),
            ("audit file", audit.path.name),
            ("justesse", __version__),
        ],
        seed=audit.about["seed"],
    )


def _name(result: "JudgeAudit") -> Text:
    units = result.units
    name = units.model or ("output 1" if units.pairs else "the model")
    if units.against is None:
        return name
    return message("{name:text} against {other:text}", name=name, other=units.against)


def _title(result: "JudgeAudit") -> str:
    if result.status.audit.broken:
        return "This audit file was changed: do not rely on its verdict."
    where = "in the population" if result.of_population else "on these items"
    words = {"figure": result.figure, "name": _name(result), "above": result.above, "where": where}
    template = {
        "above": "The {figure} of {name:text} is above {above:share} {where}.",
        "below": "The {figure} of {name:text} is below {above:share} {where}.",
        "cannot_tell": "Not decided yet whether the {figure} of {name:text} is above {above:share} {where}.",
    }[result.decision]
    return str(message(template, **words))


def _headline(result: "JudgeAudit") -> str:
    state = result.status.audit.state
    if not state.answered:
        first = message(
            "No rating counts yet. The judge alone says {naive:share}.",
            naive=result.naive,
        )
    elif are_too_few(result.estimate, state.answered):
        first = message(
            "Too few ratings for one figure: the {figure} is anywhere from {value:share_interval} ({value:level_name}, at all "
            "looks together), from {n:count rating} of people. The judge alone says {naive:share}.",
            figure=result.figure, value=result.estimate, n=state.answered, naive=result.naive,
        )  # fmt: skip
    else:
        first = message(
            "{figure} {value:share} ({value:level_name} {value:share_interval}, at all looks together), from "
            "{n:count rating} of people. The judge alone says {naive:share}.",
            figure=result.figure.capitalize(), value=result.estimate, n=state.answered, naive=result.naive,
        )  # fmt: skip
    return str(paragraph(first, _rest(result)))


def _rest(result: "JudgeAudit") -> Text:
    state = result.status.audit.state
    more = message("To continue: justesse audit extend {file:text} --budget N.", file=str(result.status.audit.path))
    if state.stop == "budget":
        return paragraph(message("The budget of {n:count rating} is used up.", n=state.budget), more)
    if state.stop:
        return message("Nobody needs to be asked any more: {why}.", why=STOPPED[state.stop])
    left = max(state.most - state.answered, 0)
    if state.expected_more is None:
        return "No number of ratings within the budget is expected to decide it."
    if state.expected_more > left:
        template = "About {n:count more rating} would decide it, and the budget has {left:count} left."
        return paragraph(message(template, n=state.expected_more, left=left), more)
    return message("About {n:count more rating} may decide it.", n=state.expected_more)


def _next(result: "JudgeAudit") -> list[Section]:
    if not result.next_ids:
        return []
    columns = result.to_columns()
    rows: list[list[Any]] = [list(row) for row in zip(*columns.values(), strict=True)]
    table = Table("", list(columns), rows, "Rate them in any order, and give the table back (--human).")
    return [Section("next", "Rate these items next", [table])]


def _left(result: "JudgeAudit") -> list[Section]:
    waiting = result.status.audit.state.waiting
    if not waiting:
        return []
    template = "{n:count rating} {n:plural waits|wait} for an item that was drawn earlier and is not rated yet."
    return [Section("waiting", "Ratings that wait", [Words([message(template, n=waiting)])])]
