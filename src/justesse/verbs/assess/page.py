"""An assessment as a page."""

from pathlib import Path
from typing import TYPE_CHECKING

from justesse.core.version import __version__
from justesse.frames.native import write_whole
from justesse.judges.words import p_words
from justesse.report import old_sections as sections
from justesse.report.old_document import Choice, Document, Part, Section, Table, Words
from justesse.report.old_render import figure, rendered
from justesse.verbs.assess.pictures import names_of
from justesse.verbs.assess.words import bootstrap_rows, choice_words, class_rows, model_rows, pair_rows
from justesse.verbs.file_facts import file_facts, shortened

if TYPE_CHECKING:
    from justesse.verbs.assess.assessment import Assessment

MOST_PAIRS = 100
MOST_MODELS = 12  # whose classes and learning curves the page holds
HOW = (
    "Every model was trained on a part of the rows and tested on others, as the procedure says; gaps, scales, names and "
    "words were learnt from training rows alone. Intervals over splits are Student's with the variance of Nadeau and "
    "Bengio, since training sets overlap; after one split or leave-one-out they are those of single rows.",
    "Pairs are compared by the corrected t test (5x2: Alpaydin's F; one split or leave-one-out: McNemar's), p-values "
    "adjusted by Holm, intervals widened so that all hold together.",
)


def write_page(found: "Assessment", path: Path, *, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    text = rendered(page(found, command=command))
    return write_whole(path, lambda temporary: Path(temporary).write_text(text, encoding="utf-8"))


def page(found: "Assessment", *, command: str | None = None) -> Document:
    """Put the sections together."""
    made = [
        _figures(found),
        sections.careful(found.remarks),
        *_compared(found),
        _gap(found),
        *_choice(found),
        *_more_rows(found),
        _classes(found),
        sections.measured(_facts(found), "What was assessed"),
        sections.method(found.assumptions, found.plan.level, command or "justesse.assess(…).report(path)", HOW),
    ]
    return Document(
        "Assessment of learning methods", found.headline, made, found.to_dict(), __version__, name="assessment"
    )


def _figures(found: "Assessment") -> Section:
    head, *rows = model_rows(found)
    note = "From the best; below them answers that ignore the input, exact for the rows tested."
    parts: list[Part] = [Table(f"On rows not trained on: {found.procedure}", head, rows, note)]
    if "boxes" in names_of(found):
        parts.append(figure(found.chart("boxes"), 0))
    if found.bootstrap:
        head, *rows = bootstrap_rows(found)
        note = (
            ".632+ allows for models that learn by heart, which .632 flatters. An out-of-bag error above the "
            "no-information rate is capped at that rate."
        )
        parts.append(Table("Error by the bootstrap", head, rows, note))
    return Section("figures", "How right they are", parts)


def _compared(found: "Assessment") -> list[Section]:
    if not found.pairs:
        return []
    head, *rows = pair_rows(found)
    more = f"The first {MOST_PAIRS} of {len(rows):,} pairs; the JSON has all." if len(rows) > MOST_PAIRS else ""
    note = f"A pair whose interval holds 0 cannot be told apart, which does not mean that both are alike. {more}"
    parts: list[Part] = [Table("All pairs, the better one first", head, rows[:MOST_PAIRS], note)]
    if found.anova:
        one = found.anova
        cells = [[one.test, sections.number(one.statistic), p_words(one.pvalue)]]
        parts.append(Table("That all models are alike", ["test", "statistic", "p"], cells))
    if "pairs" in names_of(found):
        parts.append(figure(found.chart("pairs"), 1))
    return [Section("compared", "Which is better", parts)]


def _gap(found: "Assessment") -> Section:
    words = Words([f"{name}: {found.scored[name].words}" for name in found.ranked])
    return Section("gap", "What was learnt by heart", [figure(found.chart("gap"), 2), words])


def _choice(found: "Assessment") -> list[Section]:
    parts: list[Part] = [Words(choice_words(found))] if found.luck or found.selections else []
    if found.luck:
        rows = [[name, f"{100 * share:.1f} %"] for name, share in found.luck.wins.items()]
        parts.append(Table("How often each is the best when rows are drawn anew", ["model", "share of draws"], rows))
    if found.selections:
        head = ["search", "its own figure of winners", "their score on unseen rows", "optimism", "on all rows"]
        rows = [
            [
                name,
                sections.number(sum(one.inner) / len(one.inner)),
                sections.number(sum(one.outer) / len(one.outer)),
                f"{one.optimism.value:+.4f} ({sections.ends(one.optimism)})",
                sections.number(one.non_nested),
            ]
            for name, one in found.selections.items()
        ]
        note = (
            "Only the score on unseen rows speaks of new ones. On all rows: what the search says of itself, not nested."
        )
        parts.append(Table("Nested: choosing inside, scoring outside (accuracy)", head, rows, note))
        for name, one in found.selections.items():
            many = [[chosen, str(one.chosen.count(chosen))] for chosen in dict.fromkeys(one.chosen)]
            parts.append(Table(f"What {name} chose", ["settings", "splits"], many))
    return [Section("choice", "What choosing is worth", parts)] if parts else []


def _more_rows(found: "Assessment") -> list[Section]:
    if not found.curves:
        return []
    shown = [
        (name, figure(found.chart("learning_curve", model=name), 100 + at))
        for at, name in enumerate(list(found.curves)[:MOST_MODELS])
    ]
    head = [
        "model",
        "would more rows help?",
        "error with twice the rows",
        "interval",
        "limit",
        "interval",
        "what the limit is",
    ]
    rows = [
        [
            name,
            one.more_data,
            *(
                cell
                for guess in (one.doubled, one.limit)
                for cell in (sections.number(guess.value), sections.ends(guess))
            ),
            "shared by training and test error" if one.shared else "asymptote of this learner",
        ]
        for name, one in found.curves.items()
    ]
    table = Table("Beyond the rows there are", head, rows, "All of it is extrapolation.")
    return [Section("rows", "Would more rows help?", [table, Choice("Model", shown)])]


def _classes(found: "Assessment") -> Section:
    level = f"{100 * found.plan.level:g} % intervals"
    parts: list[Part] = []
    for name in found.ranked[:MOST_MODELS]:
        head, *rows = class_rows(found, name)
        more = f"The first 200 of {len(rows):,} classes; the JSON has all." if len(rows) > 200 else ""
        parts.append(Table(f"{name}: each class, with {level}", head, rows[:200], more))
    return Section("classes", "Each class", parts)


def _facts(found: "Assessment") -> list[tuple[str, str]]:
    plan, fits = found.plan, found.found.fits[found.best]
    facts = [
        ("rows", f"{found.found.n:,}"),
        ("target", plan.target),
        ("classes", shortened([str(name) for name in found.found.data.classes or ()])),
        ("learnt from", shortened(list(plan.features))),
        ("models", shortened(list(found.models))),
        ("procedure", f"{found.procedure}: {len(fits):,} split{'s' if len(fits) > 1 else ''}"),
        ("failures", f"{len(found.found.failures):,}"),
        *file_facts(plan.source),
    ]
    facts += [("kept together by", plan.group)] if plan.group else []
    facts += [("in order of", plan.time)] if plan.time else []
    return [
        *facts,
        ("measure that compares", plan.measure),
        ("level", f"{100 * plan.level:g} %"),
        ("seed", f"{plan.seed}"),
        ("justesse", __version__),
    ]
