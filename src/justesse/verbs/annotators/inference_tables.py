"""The tables of `annotators infer`: annotators, classes, who errs together, trends, doubtful items, calibration."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from justesse.annotators.calibration import ReliabilityBin
from justesse.annotators.drift import judged_by_others
from justesse.core.results import Estimate
from justesse.report.document import Column, Figure, Part, Table, Text, Words
from justesse.report.writing import message
from justesse.verbs.annotators.agreement_result import level_title
from justesse.verbs.annotators.changing_annotators import ALARM
from justesse.verbs.annotators.shared_mistakes import shared_mistake_words

if TYPE_CHECKING:
    from justesse.verbs.annotators.inference import Inference

PAIR_NOTE = (
    "Repeated: estimated share of common items to which one gives the other's answer, whatever is true. Adjusted p: Holm, "
    "one-sided. Hard items make honest annotators err together, too: look at what a pair answered before you accuse anyone."
)
DRIFT_NOTE = (
    "First and last fifth: expected share of right answers among the first and the last 20 % of an annotator's answers, in "
    "the order of their times. Change: slope of a line through all answers, from the first to the last. Adjusted p: is the "
    "line flat? Two-sided, Holm. Annotators with fewer than 20 answers are left out."
)
VOTE_NOTE = (
    "First and last fifth: share of the other answers to an item that agree, among the first and the last 20 % of an "
    "annotator's answers, in the order of their times. Items without another answer are left out. Change: slope of a line "
    "through all answers, from the first to the last; it also shows if the others change. Adjusted p: is the line flat? "
    "Two-sided, Holm. Annotators with fewer than 20 answers are left out."
)
FEW = 10  # answers: with fewer, a share says little
CERTAIN, MOST_ITEMS, MOST_CELLS, MOST_PEOPLE, MOST_NAMES = 0.95, 20, 100, 500, 40
MOST_LISTED = 100_000  # annotators in the JSON: of more, those with most answers
Head = list[str | Column]


def annotator_table(result: "Inference") -> Table:
    """List the annotators, least accurate first."""
    notes = result.fit.support.annotations
    rows = []
    order = result.by_accuracy
    for card in order[:MOST_PEOPLE]:
        worst, bias = "", ""
        if card.worst is not None:
            true, answer, share = card.worst
            worst = f"{notes.classes[true]} as {notes.classes[answer]} ({100 * share:.0f} %)"
        if card.bias is not None:
            bias = f"{notes.classes[card.bias[0]]} ({100 * card.bias[1]:+.0f} points)"
        accuracy = _rounded(card.accuracy)
        time = [] if "duration" not in notes.details else [card.duration]
        rows.append([notes.annotators[card.annotator], card.n, accuracy, accuracy, worst, bias, *time])
    head: Head = [
        "annotator", Column("answers", "count", 1), Column("right", "share"),
        Column(level_title(result.level), "share_interval"), Column("worst confusion", "text", 2),
        Column("answers too often", "text", 3),
    ]  # fmt: skip
    if "duration" in notes.details:
        head.append(Column("median time", "general", 4))
    note: Text = ""
    if len(rows) < len(order):
        note = message("{n:count} of {all:count} annotators; the JSON has {more:count} (--json).", n=len(rows),
                       all=len(order), more=min(len(order), MOST_LISTED))  # fmt: skip
    title = "How often each annotator is right, lowest first"
    if order and order[0].n >= FEW > order[-1].n:
        title += "; fewer than 10 answers last"
    return Table(title, head, rows, note, most=10)


def confusion_table(result: "Inference") -> Table:
    """List what each annotator answers to each class, the least accurate first; only the worst confusions of many."""
    notes, tables = result.fit.support.annotations, result.confusions
    assert tables is not None
    cells = [
        (card.annotator, true, answer, cell)
        for card in result.by_accuracy
        for true, answer, cell in tables.cells(card.annotator)
    ]
    note: Text = "Items: expected number of items of the class that the annotator answered."
    if len(cells) > MOST_CELLS:
        wrong = sorted((each for each in cells if each[1] != each[2]), key=lambda each: -each[3].value * each[3].n)
        note = message(
            "The {n:count} confusions that cost most answers; a file can have all {all:count} cells (--confusion confusion.csv).",
            n=min(len(wrong), MOST_CELLS),
            all=len(cells),
        )
        cells = wrong[:MOST_CELLS]
    rows = []
    for who, true, answer, cell in cells:
        shown = _rounded(cell)
        rows.append([notes.annotators[who], notes.classes[true], notes.classes[answer], shown, shown, round(cell.n)])
    head: Head = [
        "annotator", Column("true class", "text"), Column("answer", "text"), Column("share", "share"),
        Column(level_title(result.level), "share_interval"), Column("items", "count", 1),
    ]  # fmt: skip
    return Table("What each annotator answers, given the true class", head, rows, note, most=27)


def proportion_table(result: "Inference") -> Table:
    """List the classes by their share."""
    shares = [_rounded(each) for each in sorted(result.proportions(), key=lambda each: -each.value)]
    rows = [[each.class_name, each, each] for each in shares]
    head: Head = [
        Column("class", "text"),
        Column("share", "share"),
        Column(level_title(result.level), "share_interval"),
    ]
    return Table("Class proportions", head, rows, most=10)


def _rounded(estimate: Estimate) -> Estimate:
    """Round to a tenth of a point, so that 0.9999998 is written 100.0 %."""
    interval = estimate.interval
    if interval is not None:
        interval = replace(interval, unclipped_low=round(interval.low, 3), unclipped_high=round(interval.high, 3))
    return replace(estimate, value=round(estimate.value, 3), interval=interval)


def dependence(result: "Inference") -> list[Part]:
    """Say who errs together, and what becomes of the consensus without that."""
    names = result.fit.support.annotations.annotators
    pairs = result.dependent
    everyone = shared_mistake_words(result.answer_fit)
    if not pairs:
        words = message(
            "None of {n:count} pairs of annotators agrees more often than independent mistakes would (5 %, Holm).",
            n=len(result.pairs),
        )
        return [Words([words, *everyone] if result.pairs else everyone)]
    assert result.dependence is not None
    repeats = {frozenset((link.annotator, link.source)): link.share for link in result.dependence.links}
    rows = [
        [
            names[pair.first],
            names[pair.second],
            pair.n,
            pair.agreed / pair.n,
            pair.expected / pair.n,
            repeats.get(frozenset((pair.first, pair.second))),
            pair.adjusted,
        ]
        for pair in pairs
    ]
    head: Head = [
        "annotator", "and", Column("items", "count", 2), Column("agree", "share"), Column("expected", "share"),
        Column("repeated", "share", 1), Column("adjusted p", "pvalue"),
    ]  # fmt: skip
    assert result.corrected is not None
    words = message(
        "If they repeat each other's answers that often, the model expects {after:share} of classes to be right instead "
        "of {before:share}, and {n:count} {n:plural item changes its class|items change their class}.",
        after=float(result.corrected.probability.mean()),
        before=result.expected,
        n=result.changed or 0,
    )
    table = Table("Pairs who agree more often than independent mistakes would", head, rows, PAIR_NOTE, most=10)
    return [table, Words([words, *everyone])]


def change_table(result: "Inference") -> Table:
    """List the items whose class changes if dependent annotators share opinions."""
    notes = result.fit.support.annotations
    rows = [
        [
            notes.items[each.item],
            notes.classes[each.before],
            round(each.probability, 3),
            notes.classes[each.after],
            round(each.corrected, 3),
        ]
        for each in result.changes[:MOST_ITEMS]
    ]
    head: Head = [
        "item", Column("class", "text"), Column("probability", "share"), Column("corrected class", "text"),
        Column("corrected probability", "share"),
    ]  # fmt: skip
    note = message("{n:count} of {all:count} items.", n=len(rows), all=len(result.changes))
    return Table("Items whose class changes if dependent annotators share opinions", head, rows, note)


def stated_table(result: "Inference") -> Table:
    """List the annotators by how far their stated confidence is above their share of right answers."""
    names = result.fit.support.annotations.annotators
    order = sorted(result.stated, key=lambda each: each.right.value - each.stated)
    rows = []
    for each in order[:MOST_PEOPLE]:
        right = _rounded(each.right)
        rows.append(
            [names[each.annotator], int(right.n), round(each.stated, 3), right, right, each.stated - each.right.value]
        )
    head: Head = [
        "annotator", Column("answers", "count", 1), Column("confidence", "share"), Column("right", "share"),
        Column(level_title(result.level), "share_interval", 2), Column("too sure by", "points"),
    ]  # fmt: skip
    note = "Right: expected share by the model; the interval treats the consensus as the truth."
    return Table("Stated confidence against how often annotators are right, most overconfident first", head, rows, note,
                 most=10)  # fmt: skip


def drift_table(result: "Inference") -> Table:
    """List the annotators whose accuracy changes most."""
    names = result.fit.support.annotations.annotators
    rows = [
        [names[d.annotator], d.n, round(d.accuracy[0], 3), round(d.accuracy[-1], 3), d.slope, d.adjusted]
        for d in sorted(result.drifts, key=lambda d: d.adjusted)
    ]
    head: Head = [
        "annotator", Column("answers", "count", 1), Column("first fifth", "share"), Column("last fifth", "share"),
        Column("change", "points"), Column("adjusted p", "pvalue"),
    ]  # fmt: skip
    title, note = "How often each annotator is right, from the first answers to the last", DRIFT_NOTE
    if judged_by_others(result.fit):
        title, note = "How often the others agree, from the first answers to the last", VOTE_NOTE
    return Table(title, head, rows, note, most=10)


def drift_parts(result: "Inference") -> list[Part]:
    """Say who gets better or worse over time, then list everyone."""
    names = result.fit.support.annotations.annotators
    clear = sorted((d for d in result.drifts if d.adjusted < ALARM), key=lambda d: d.slope)
    worse = [names[d.annotator] for d in clear if d.slope < 0]
    better = [names[d.annotator] for d in clear if d.slope > 0]
    everyone = len(result.drifts)
    template = "None of {n:count annotator} clearly gets better or worse over time (1 %, Holm)."
    words = [] if clear else [message(template, n=everyone)]
    if worse:
        template = "{n:count} of {all:count annotator} {n:plural gets|get} worse over time (1 %, Holm): {names:names}."
        words.append(message(template, n=len(worse), all=everyone, names=worse))
    if better:
        template = "{n:count} of {all:count annotator} {n:plural gets|get} better over time (1 %, Holm): {names:names}."
        words.append(message(template, n=len(better), all=everyone, names=better))
    return [Words(words), drift_table(result)]


def doubtful_table(result: "Inference") -> Table:
    """List the items whose class is least certain, with everyone's answers."""
    notes = result.fit.support.annotations
    label, probability, _ = result.best
    rows = []
    for item in np.argsort(probability, kind="stable")[:MOST_ITEMS]:
        if probability[item] >= CERTAIN:
            break
        name = notes.classes[label[item]] if label[item] >= 0 else None
        rows.append([notes.items[item], name, round(float(probability[item]), 3), _everyone(result, int(item))])
    head: Head = ["item", Column("class", "text"), Column("probability", "share"), Column("who answered what", "words")]
    return Table("Items whose class is least certain, with everyone's answers", head, rows)


def _everyone(result: "Inference", item: int) -> str:
    """List the answers to an item, the most frequent first, each with the annotators who gave it."""
    notes = result.fit.support.annotations
    mine = np.flatnonzero(notes.item == item)
    answers, sizes = np.unique(notes.answer[mine], return_counts=True)
    parts = []
    for answer in answers[np.argsort(-sizes, kind="stable")].tolist():
        names = [str(notes.annotators[who]) for who in notes.annotator[mine[notes.answer[mine] == answer]].tolist()]
        more = [f"{len(names) - MOST_NAMES:,} more"] if len(names) > MOST_NAMES else []
        parts.append(f"{notes.classes[answer]}: {', '.join([*names[:MOST_NAMES], *more])}")
    return "; ".join(parts)


def calibration_parts(result: "Inference", drawn: Figure) -> list[Part]:
    """Compare the probabilities with the gold classes."""
    checked = result.calibration
    assert checked is not None
    parts: list[Part] = [drawn, _reliability("Probabilities against gold classes", checked.bins, result.level)]
    if checked.temperature is not None:
        words = message(
            "Calibrated probabilities (temperature {temperature:ratio}, lapse rate {lapse:share}) expect {after:share} right "
            "instead of {before:share}; the log loss is {new:value} instead of {old:value}, cross-validated over the gold items.",
            temperature=checked.temperature,
            lapse=checked.lapse,
            after=checked.calibrated_expected,
            before=checked.expected,
            new=checked.calibrated_log_loss,
            old=checked.log_loss,
        )
        title = "Calibrated probabilities against gold classes"
        parts += [Words([words]), _reliability(title, checked.calibrated_bins, result.level)]
    return parts


def _reliability(title: str, bins: Sequence[ReliabilityBin], level: float) -> Table:
    rows = [
        [round(each.probability, 3), _rounded(each.right), _rounded(each.right), int(each.right.n)] for each in bins
    ]
    head: Head = [
        Column("mean probability", "share"), Column("right", "share"), Column(level_title(level), "share_interval"),
        Column("items", "count"),
    ]  # fmt: skip
    return Table(title, head, rows)
