"""A comparison as a page."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from justesse.core.version import __version__
from justesse.frames.native import write_whole
from justesse.intervals.estimate import Confidence
from justesse.judges.words import PER_HUNDRED, breakdown_words, ends, p_words, rounded
from justesse.measures import accuracy, averaged, balanced_accuracy, f1
from justesse.procedures.baselines import baselines
from justesse.report import old_sections as sections
from justesse.report.old_document import Document, Part, Section, Table, Words
from justesse.report.old_render import figure, rendered
from justesse.verbs.comparison_pictures import OVERLAYS, names_of
from justesse.verbs.difference_if_wrong import rung_sentences
from justesse.verbs.differences import Beside
from justesse.verbs.page import file_facts, shortened

if TYPE_CHECKING:
    from justesse.verbs.comparison import Comparison

MOST = 200
HOW = (
    "A positive difference means that the candidate is better. The interval of the difference decides; the p-value is "
    "evidence beside it. Accuracy, error, recall and specificity are shares of the same rows for both: Tango's score "
    "interval, McNemar's mid-p value. Areas: DeLong. Everything else: the delta method or, if asked for, a paired "
    "bootstrap of the counts, which draws rows with both answers they carry; and a permutation test.",
    "The breakdown rate is the smallest share of wrong labels that could overturn the sign of the difference, or the "
    "verdict, if every one of them spoke against it: a worst case, not a forecast.",
)
ROWS = {
    "both_right": "both right",
    "only_incumbent": "only the incumbent right",
    "only_candidate": "only the candidate right",
    "both_wrong_alike": "both wrong, same answer",
    "both_wrong_differently": "both wrong, different answers",
}


def write_page(found: "Comparison", path: Path, *, interactive: bool = False, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    document = page(found, interactive=interactive, command=command)
    return write_whole(path, lambda temporary: Path(temporary).write_text(rendered(document), encoding="utf-8"))


def page(found: "Comparison", *, interactive: bool = False, command: str | None = None) -> Document:
    """Put the sections together."""
    verdict = found.decisive
    made = [
        *_truth(found),
        _difference(found),
        *_candidates(found),
        sections.careful((*verdict.warnings, *found.warnings)),
        _disagreement(found),
        _change(found),
        *_noise(found),
        *_classes(found),
        *_slices(found),
        *_scores(found),
        _baselines(found),
        sections.measured(_facts(found), "What was compared"),
        sections.method(verdict.assumptions, found.level, command or "justesse.compare(…).report(path)", HOW),
    ]
    return Document(
        "Comparison of an incumbent and a candidate" if len(found.judged) == 1 else "Comparison of an incumbent with several candidates",
        found.headline,
        made,
        found.to_dict(),
        __version__,
        interactive,
        found.title,
        verdict.decision,
        "comparison",
    )  # fmt: skip


def signed(value: float) -> str:
    """Show a difference, or that it is undefined."""
    return "undefined" if math.isnan(value) else f"{value:+.4f}"


def besides(caption: str, heads: Sequence[str], rows: Sequence[Beside], note: str = "") -> Table:
    """List measures of both with their difference."""
    shown = [
        [
            one.title,
            f"{one.difference.n:,.0f}",
            sections.number(one.incumbent),
            sections.number(one.candidate),
            signed(one.difference.value),
            ends(one.difference.interval) if one.difference.interval else one.difference.undefined or "–",
            one.difference.interval.method if one.difference.interval else "–",
        ]
        for one in rows[:MOST]
    ]
    more = f" The first {MOST} of {len(rows)}; the JSON has all." if len(rows) > MOST else ""
    return Table(caption, [*heads, "difference", "interval", "method"], shown, f"{note}{more}")


def _difference(found: "Comparison") -> Section:
    best = found.best
    heads = ["measure", "n", found.incumbent, best.name]
    note = f"Intervals of {100 * found.level:g} %, each by itself."
    tables: list[Part] = []
    if best.by_labels:
        tables.append(besides("Measures of both against the true classes", heads, best.truth_measures, note))
    against = " against the labels" if best.truth else ""
    tables.append(besides(f"Measures of both{against}", heads, best.measures, note))
    return Section("difference", "The difference", [figure(found.chart("difference"), 0), *tables])


def _candidates(found: "Comparison") -> list[Section]:
    if len(found.judged) == 1:
        return []
    rows = []
    for one in sorted(found.judged, key=lambda one: one.rank, reverse=True)[:MOST]:
        v, labels = one.decisive, one.verdict
        rows.append(
            [
                one.name,
                v.decision.replace("_", " "),
                *([labels.decision.replace("_", " ")] if found.best.by_labels else []),
                sections.number(v.candidate.value),
                signed(v.difference.value),
                ends(v.difference.interval),
                p_words(v.outcome.pvalue),
                p_words(one.decisive_pvalue),
                "–" if labels.breakdown.sign is None else f"{100 * labels.breakdown.sign:.2f} %",
                "–" if labels.breakdown.verdict is None else f"{100 * labels.breakdown.verdict:.2f} %",
            ]
        )
    heads = [
        "candidate",
        "verdict",
        *(["by the labels"] if found.best.by_labels else []),
        found.verdict.measure,
        "difference",
        f"{100 * found.rule.level:.4g} % interval",
        "p",
        "p (Holm)",
        "sign breaks at",
        "verdict breaks at",
    ]
    note = f"{found.tried} candidates were tried; intervals hold for all of them together with {100 * found.level:g} %."
    parts: list[Part] = [
        Table(f"Each candidate against {found.incumbent}", heads, rows, note),
        Words([f"What follows is about {found.best.name}."]),
    ]
    if "verdicts" in names_of(found):
        parts.insert(0, figure(found.chart("verdicts"), 10))
    return [Section("candidates", "All candidates", parts)]


def _disagreement(found: "Comparison") -> Section:
    verdict = found.decisive
    counts, n = verdict.disagreement.to_dict(), verdict.disagreement.n
    rows = [[ROWS[name], f"{size:,}", f"{100 * size / n:.2f} %"] for name, size in counts.items()]
    test = verdict.outcome
    said = (
        f"Only rows that exactly one of the two gets right speak for one or the other. {test.test}, p-value {p_words(test.pvalue)}: the chance of so large a difference{'' if test.alternative != 'two-sided' else ', either way,'} if there is none."
        if not math.isnan(test.pvalue)
        else ""
    )
    parts: list[Part] = [
        figure(found.chart("disagreement"), 20),
        Table("Who is right where", ["rows", "number", "share"], rows),
    ]
    return Section("disagreement", "Who is right where", [*parts, Words([said])] if said else parts)


def _change(found: "Comparison") -> Section:
    verdict = found.verdict
    lines = [breakdown_words(verdict.breakdown, verdict)]
    if found.best.by_labels:
        lines.insert(0, "The verdict rests on the true classes. What follows is about the verdict on the labels.")
    if verdict.breakdown.unknown:
        lines.append(f"How many wrong labels it survives is not known: {verdict.breakdown.unknown}.")
    if verdict.needed_n:
        lines.append(
            f"About {rounded(verdict.needed_n)} more labelled cases would settle it, with a chance of 80 %, if the two differ and "
            "disagree as often as they did here."
        )
    elif verdict.needed_n == 0:
        lines.append("These rows settle it, as far as chance is concerned; more of them would narrow the interval.")
    else:
        lines.append("No number of further cases would settle it if things are as they were seen.")
    if verdict.margin:
        lines.append(
            f"Another margin than {verdict.margin:g} may decide otherwise: read the interval against your own."
        )
    return Section("change", "What would change it", [Words([line for line in lines if line])])


def _noise(found: "Comparison") -> list[Section]:
    noise = found.best.noise
    if noise is None:
        return []
    parts: list[Part] = [figure(found.chart("noise"), 60)]
    if found.verdict.measure not in PER_HUNDRED:
        parts.insert(
            0, Words([f"This is about accuracy; what wrong labels do to {found.verdict.measure} is not worked out."])
        )
    rows = rung_sentences(noise)
    if rows:
        heads = ["what is known of the labels", "true difference", "interval or bounds", "fails when"]
        parts.append(Table("The true difference of accuracy", heads, rows, words=True))
    else:
        parts.append(
            Words(
                [
                    "Say what is known of the labels with --noise-rate, --transition or --audited to see what that leaves."
                ]
            )
        )
    return [Section("noise", "If some labels are wrong", parts)]


def _classes(found: "Comparison") -> list[Section]:
    rows = found.best.classes
    if not rows:
        return []
    level = next((one.difference.interval.level for one in rows if one.difference.interval), found.level)
    note = f"Intervals of {100 * level:.4g} % hold for all classes together with {100 * found.level:g} %."
    table = besides("Each class", ["measure", "n", "incumbent", "candidate"], rows, note)
    return [Section("classes", "Class by class", [figure(found.chart("classes"), 30), table])]


def _slices(found: "Comparison") -> list[Section]:
    rows = found.best.slices
    if not rows:
        return []
    note = f"Intervals hold for all slices of a column together with {100 * found.level:g} %."
    table = besides("Each slice", ["slice", "n", "incumbent", "candidate"], rows, note)
    return [Section("slices", "Slice by slice", [figure(found.chart("slices"), 40), table])]


def _scores(found: "Comparison") -> list[Section]:
    drawn = [name for name in OVERLAYS if name in names_of(found)]
    if not drawn:
        return []
    parts = [figure(found.chart(name), 50 + at, zoom=True) for at, name in enumerate(drawn)]
    return [Section("scores", "What the scores tell", parts)]


def _truth(found: "Comparison") -> list[Section]:
    truth = found.best.truth
    if truth is None:
        return []
    rows = [
        [what, one.judge, one.decision.replace("_", " "), signed(one.difference.value), ends(one.difference.interval)]
        for what, one in (("the true classes", truth), (_heard(found.verdict.judge), found.verdict))
    ]
    table = Table(
        "Verdicts on the true classes and on the labels",
        ["against", "judge", "verdict", "difference", "interval"],
        rows,
    )
    words = [Words([found.by_labels])] if found.by_labels else []
    return [Section("truth", "True classes and labels", [table, *words])]


def _heard(judge: str) -> str:
    """Say what a judge goes by."""
    return {"reference": "the true classes", "audited": "answers about some rows"}.get(judge, "the labels")


def _baselines(found: "Comparison") -> Section:
    case = found.best.case
    measures = [accuracy, balanced_accuracy, averaged(f1, "macro")]
    heads = ["answer", "accuracy", "balanced accuracy", "macro f1"]
    words = {"majority": "always {!r}", "frequency": "at random, by frequency", "uniform": "at random"}
    naive = baselines(case.candidate, measures, Confidence(found.level))
    rows = [
        [words[one.name].format(one.class_name), *(sections.number(m.value) for m in one.measures)] for one in naive
    ]
    for name, tally in ((found.incumbent, case.incumbent), (found.best.name, case.candidate)):
        rows.append([name, *(sections.number(float(measure(tally))) for measure in measures)])
    return sections.baselines(rows, heads)


def _facts(found: "Comparison") -> list[tuple[str, str]]:
    case, verdict = found.best.case, found.verdict
    facts = [
        ("rows", f"{case.n:,}"),
        ("classes", shortened([str(name) for name in case.tally.named_classes])),
        ("incumbent", found.incumbent),
        ("candidates", ", ".join(one.name for one in found.judged)),
        ("candidates tried", f"{found.tried}"),
    ]
    for source in found.sources:
        facts += file_facts(source)
    if found.noise:
        facts += [*found.noise.known.facts, *(fact for file in found.noise.known.files for fact in file_facts(file))]
    joined = f"by {found.on!r}" if found.on else "in order" if len(found.sources) > 1 else "in one table"
    return [
        *facts,
        ("rows put together", joined),
        ("rows left out", f"{found.best.gaps.dropped:,}"),
        ("measure", verdict.measure),
        ("judge", verdict.judge),
        ("margin that matters", f"{verdict.margin:g}"),
        ("level", f"{100 * found.level:g} %, {verdict.alternative}"),
        ("draws and seed", f"{found.rule.draws:,}, seed {found.rule.seed}"),
        ("justesse", __version__),
    ]
