"""How an evaluation by confidences and a labelled reference describes itself."""

from typing import TYPE_CHECKING, Any

from justesse.core.levels import shown_name
from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph
from justesse.significance import title_of_test
from justesse.verbs.file_facts import file_facts, shortened
from justesse.verbs.powered_words import bias_words
from justesse.verbs.unlabelled.shift_words import ASSUMPTION, title_of

if TYPE_CHECKING:
    from justesse.verbs.unlabelled.shifted import ShiftedEvaluation

HOW = (
    "Calibrated confidence: a logistic regression on a spline of the confidence gives the share of right predictions at "
    "each confidence in the reference; its mean over the target is the accuracy. Difference of confidences: accuracy of "
    "the reference, plus the difference of the mean confidences (Guillory et al. 2021). Thresholded confidence: share of "
    "the target above the confidence that as much of the reference is below as is wrong (Garg et al. 2022).",
    "Calibrated classes: isotonic regression calibrates the probability of each class; summed over the target they give "
    "the expected confusion matrix, and all measures of it (confidence-based performance estimation, CBPE).",
    "Intervals: Bayesian bootstrap of the rows of the reference, with the calibration fitted again, and of the target.",
    "With labels for some rows of the target: the test compares how many of them are right with what the reference "
    "shows at their confidences. Prediction-powered accuracy corrects the estimate by their labels, and holds without "
    "calibration (Angelopoulos et al. 2023).",
)
FEW_ROWS, FEW_WRONG, FEW_TARGETS = 200, 10, 30
OUTSIDE, MOVED, CERTAIN = 0.01, 0.05, 0.01
MATRIX = 25  # classes up to which expected counts are shown


def document(result: "ShiftedEvaluation") -> Document:
    """Describe the evaluation to a reader."""
    sections = [_estimates(result)]
    if result.checked is not None:
        sections.append(_checked(result))
    sections.append(_confidences(result))
    if result.by_classes is not None:
        sections += [_measures(result), _matrix(result)]
    return Document(
        "Accuracy without labels",
        _headline(result),
        sections,
        result.to_dict(),
        name="shifted-evaluation",
        figures=[
            KeyFigure("Accuracy on the target", result.accuracy, "share", title_of(result.by)),
            KeyFigure("Accuracy of the reference", result.reference_accuracy, "share"),
        ],
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=HOW,
        facts=_facts(result),
        seed=result.seed,
    )


def _headline(result: "ShiftedEvaluation") -> Text:
    if result.all_labelled:
        first = message(
            "Accuracy on the target: {accuracy:share} ({accuracy:level_name} {accuracy:share_interval}, n = {n:count}), from "
            "the labels of all rows.",
            accuracy=result.accuracy,
            n=len(result.rows.target),
        )
    elif result.rejected and result.checked is not None:
        first = message(
            "Accuracy on the target: {accuracy:share} ({accuracy:level_name} {accuracy:share_interval}), from {n:count "
            "labelled row} and the confidence of all {rows:count}.",
            accuracy=result.accuracy,
            n=result.checked.powered.n,
            rows=len(result.rows.target),
        )
    else:
        first = message(
            "Accuracy on the target: {accuracy:share} ({accuracy:level_name} {accuracy:share_interval}, n = {n:count}), if "
            "{assumption}.",
            accuracy=result.accuracy,
            n=len(result.rows.target),
            assumption=ASSUMPTION,
        )
    return paragraph(
        first,
        message(
            "Accuracy of the reference: {accuracy:share} (n = {n:count}).",
            accuracy=result.reference_accuracy,
            n=len(result.rows.reference),
        ),
    )


def cautions(result: "ShiftedEvaluation") -> list[Text]:
    """List what may be misread, the most important first."""
    lines: list[Text] = [_assumption(result)]
    counts = result.counts
    wrong = int(counts.wrong.sum())
    n = len(result.rows.reference)
    if n < FEW_ROWS or wrong < FEW_WRONG:
        lines.append(
            message(
                "The reference is small: {n:count row}, {wrong:count} of them wrong. Calibration is uncertain, and the "
                "intervals may be too narrow. Label more rows.",
                n=n,
                wrong=wrong,
            )
        )
    rows = len(result.rows.target)
    if rows < FEW_TARGETS:
        lines.append(
            message(
                "The target has {rows:count row} only. The interval is about rows like {rows:plural it|these}: which of "
                "{rows:plural it|them} are right, nobody knows without labels.",
                rows=rows,
            )
        )
    if counts.outside > max(OUTSIDE, 4 / (n + 1)):
        lines.append(
            message(
                "{share:share} of the target has confidences that no row of the reference has: the estimate there is an "
                "extrapolation. Add such rows to the reference.",
                share=counts.outside,
            )
        )
    apart = result.predicted
    if apart.pvalue < CERTAIN and apart.moved >= MOVED:
        name, now, before = max(apart.cells, key=lambda cell: abs(cell[1] - cell[2]))
        lines.append(
            message(
                "Other classes are predicted: {name:name} in {before:share} of the reference, in {now:share} of the target "
                "({p:p}). If the classes themselves became more or less frequent, calibration does not carry over.",
                name=name,
                before=before,
                now=now,
                p=apart.pvalue,
            )
        )
    ends = result.reference_accuracy.interval
    before_mean = result.mean_confidences[0]
    if ends is not None and not ends.low <= before_mean <= ends.high:
        lines.append(
            message(
                "The classifier is {side}-confident: mean confidence {mean:share} in the reference, where {accuracy:share} "
                "are right. Average confidence is off; the calibrated estimates allow for it.",
                side="over" if before_mean > ends.high else "under",
                mean=before_mean,
                accuracy=result.reference_accuracy,
            )
        )
    lines += [
        message("{n:count row} of {where} left out: a value is missing.", n=part.dropped, where=part.name)
        for part in (result.rows.reference, result.rows.target)
        if part.dropped
    ]
    both = (result.rows.reference.rounded, result.rows.target.rounded)
    lines += [rounded.words for rounded in both if rounded is not None]
    return lines


def _assumption(result: "ShiftedEvaluation") -> Text:
    checked = result.checked
    if checked is None:
        return message(
            "Not tested: that {assumption}. Without labels, a classifier that errs more without being less confident is "
            "not seen. Label some rows of the target, drawn at random, to test it (--label).",
            assumption=ASSUMPTION,
        )
    if result.all_labelled:
        return message(
            "Every row of the target has a label: use these. {verdict} ({p:p}). Calibrated confidence minus truth, on the "
            "rows of the target: {bias}.",
            verdict="Calibration does not carry over" if result.rejected else "No sign that calibration fails",
            p=checked.test.pvalue,
            bias=bias_words(checked.powered),
        )
    if result.rejected:
        return message(
            "Calibration does not carry over ({p:p}, {n:count labelled row}). Calibrated confidence minus truth, on the "
            "rows of the target: {bias}. Do not use the estimates without labels; use the prediction-powered accuracy.",
            p=checked.test.pvalue,
            n=checked.powered.n,
            bias=bias_words(checked.powered),
        )
    return message(
        "Calibration was tested on {n:count labelled row} and not rejected ({p:p}); this does not prove it. Calibrated "
        "confidence minus truth, on the rows of the target: {bias}.",
        n=checked.powered.n,
        p=checked.test.pvalue,
        bias=bias_words(checked.powered),
    )


def _estimates(result: "ShiftedEvaluation") -> Section:
    head: list[str | Column] = [
        "method", Column("accuracy", "share"), Column(level_name(result.level), "share_interval"), Column("n", "count", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = [[title_of(name), item, item, item] for name, item in result.estimates.items()]
    parts: list[Part] = [Figure(result.drawings()["estimates"]), Table("Accuracy on the target", head, rows)]
    return Section("estimates", "Accuracy by each method", parts, "headline")


def _checked(result: "ShiftedEvaluation") -> Section:
    checked = result.checked
    assert checked is not None
    exact = "exact" if checked.powered.n == checked.powered.rows else ""
    head: list[str | Column] = ["figure", Column("value"), Column(level_name(result.level))]
    rows = [
        ["accuracy of the labelled rows", message("{it:share}", it=checked.accuracy), message("{it:share_interval}", it=checked.accuracy)],
        ["prediction-powered accuracy", message("{it:share}", it=checked.estimate), message("{it:share_interval}", it=checked.estimate)],
        ["calibrated confidence minus truth, on these rows", message("{it:points}", it=checked.bias), exact or message("{it:points_interval}", it=checked.bias)],
    ]  # fmt: skip
    words = message(
        "{test:capital}: {p:p}, {n:count labelled row}. The labelled rows must be drawn at random from the target.",
        test=title_of_test(checked.test.test),
        p=checked.test.pvalue,
        n=checked.powered.n,
    )
    return Section("labelled", "Labelled rows of the target", [Words([words]), Table("Labelled rows", head, rows)])


def _confidences(result: "ShiftedEvaluation") -> Section:
    before, now = result.mean_confidences
    drawings = result.drawings()
    words = message(
        "Mean confidence: {before:share} in the reference, {now:share} in the target.", before=before, now=now
    )
    head: list[str | Column] = ["class", Column("reference", "share"), Column("target", "share")]
    cells = sorted(result.predicted.cells, key=lambda cell: -abs(cell[1] - cell[2]))
    rows = [[shown_name(name), theirs, ours] for name, ours, theirs in cells]
    parts: list[Part] = [
        Words([words]),
        Figure(drawings["reliability"]),
        Figure(drawings["confidences"]),
        Table("Predicted classes", head, rows, "Share of the rows predicted as each class."),
    ]
    return Section("confidences", "Confidences", parts)


def _measures(result: "ShiftedEvaluation") -> Section:
    assert result.by_classes is not None
    head: list[str | Column] = ["measure", Column("value", "value"), Column(level_name(result.level), "interval")]
    whole = [item for item in result.by_classes.estimates if item.class_name is None]
    classes = [item for item in result.by_classes.estimates if item.class_name is not None]
    order = {name: at for at, name in enumerate(result.rows.classes)}
    classes.sort(key=lambda item: order[item.class_name])
    parts: list[Part] = [
        Table(caption, head, [[item.title, item, item] for item in items], note)
        for caption, items, note in (
            (
                "Measures",
                whole,
                "From calibrated class probabilities (CBPE), under the same assumption class by class.",
            ),
            ("Measures of each class", classes, ""),
        )
    ]
    return Section("measures", "Other measures", parts)


def _matrix(result: "ShiftedEvaluation") -> Section:
    assert result.by_classes is not None
    names = [shown_name(name) for name in result.rows.classes]
    rows: list[list[Any]] = [[name, *row.tolist()] for name, row in zip(names, result.by_classes.matrix, strict=True)]
    if len(names) > MATRIX:
        return Section("confusion", "Expected confusion matrix", [Words(["Too many classes to show; see the JSON."])])
    table = Table(
        "Expected rows: true classes down, predictions across",
        ["true", *(Column(name, "effective_n") for name in names)],
        rows,
        matrix=True,
    )
    return Section("confusion", "Expected confusion matrix", [table], "full")


def _facts(result: "ShiftedEvaluation") -> list[tuple[str, Text]]:
    by_probability = "class with the highest probability"
    return [
        ("reference", f"{len(result.rows.reference):,} rows"),
        ("target", f"{len(result.rows.target):,} rows"),
        ("label", result.rows.label),
        ("prediction", result.rows.prediction or by_probability),
        ("classes", shortened([str(name) for name in result.rows.classes])),
        ("resamples", f"{result.draws:,}"),
        *(fact for source in result.sources for fact in file_facts(source)),
        ("justesse", __version__),
    ]
