"""`justesse.evaluate`: every measure with its interval, beside the naive baselines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others, judged_by, outside_labels
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import identity, merged, spelt_alike
from justesse.core.results import Alternative, Average, ClassName, Estimate
from justesse.core.tally import Tally
from justesse.frames.asked_scores import ScoreOptions, read_asked
from justesse.frames.audited import count_audited
from justesse.frames.columns import Roles
from justesse.frames.costs import class_weight_list, cost_table
from justesse.frames.count import Counted, counted
from justesse.frames.joined import to_join
from justesse.frames.memory import is_one_column
from justesse.frames.scores import ScoreRows
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals import ProportionMethod
from justesse.intervals.estimate import Confidence, Resampling, estimate
from justesse.measures import HEADLINE, OVERALL, PER_CLASS, Measure, averaged, fbeta
from justesse.measures import accuracy as accuracy_measure
from justesse.measures import error as error_measure
from justesse.measures.class_weighted_error import class_weighted_error
from justesse.measures.cost import Cost
from justesse.measures.cost import cost as cost_measure
from justesse.measures.ratio import Ratio
from justesse.noise.label_noise_report import LabelNoiseReport, label_noise_report
from justesse.noise.plausible_noise import is_fragile_claim
from justesse.noise.plausible_noise import plausible_noise as plausible_share
from justesse.noise.transition import TransitionOf
from justesse.procedures.baselines import baselines
from justesse.verbs.any_of import check_any_of
from justesse.verbs.evaluate.cautions import cautions
from justesse.verbs.evaluate.class_order import positive_first
from justesse.verbs.evaluate.evaluation import Evaluation, Slice, TrainingFit, Truth
from justesse.verbs.evaluate.requirement import Requirement, requirement
from justesse.verbs.evaluate.scores import evaluate_asked, slice_areas
from justesse.verbs.fragile import fragile_claim_words
from justesse.verbs.label_knowledge import label_knowledge

KEPT = ("by", "true", "policy")  # options that also apply to rows already counted


def evaluate(
    data: Any = None,
    y_pred: Any = None,
    *,
    y_true: Any = None,
    y_score: Any = None,
    label: Any = None,
    prediction: Any = None,
    true: Any = None,
    weight: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = (),
    classes: Sequence[ClassName] | None = None,
    positive: ClassName = None,
    cost: Any = None,
    class_weight: Any = None,
    resubstitution: Any = None,
    score: str | None = None,
    proba: str | None = None,
    threshold: float | None = None,
    wanted_recall: float | None = None,
    wanted_specificity: float | None = None,
    score_bins: int | None = None,
    beta: float = 1.0,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: ProportionMethod = "wilson",
    bootstrap: Resampling | None = None,
    draws: int = 2000,
    seed: int = 0,
    half_width: float | None = None,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    audited: Any = None,
    on: str | None = None,
    claim: str | None = None,
    require: str | Sequence[str] = (),
    plausible_noise: float | str | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "wrong",
    any_of: str | None = None,
) -> Evaluation:
    """Say how right a classifier is and how sure one can be.

    `data` is a path, a data frame, a dict of arrays or a `Tally`; scikit-learn users may pass `y_true` and
    `y_pred` instead, also by position: `evaluate(y_true, y_pred)`. `by` repeats the evaluation per slice; `positive` names the class to put first; `cost`
    and `class_weight` add the cost-weighted and class-weighted errors; `half_width` is the precision asked for.
    `score` names a column of scores of the positive class, `proba` what the columns of probabilities, one per class,
    start with; with arrays pass `y_score`. Then the areas, losses, calibration and thresholds are added, and without
    predictions the likeliest class, or the scores from `threshold` on, are evaluated as such. `resubstitution` is the
    same kind of data for the rows the classifier was trained on: the gap between both is over-fitting.
    Some labels may be wrong: `noise_rate` (0.03 for at most 3 %, "0.01:0.05" for a range), `transition` (a table of true
    classes and labels; `transition_of="these"` if its counts are of these very rows, not of a sample) and `audited` (re-checked rows with columns `on` and true) say what is known of that, `claim`
    ("accuracy>=0.9") what must stay true; without any, the breakdown rate is given all the same.
    A row without a prediction is refused, counted as `wrong` or dropped, as `missing` says; one without a label is
    refused or dropped, as `missing_labels` says. Averages are over the classes of the labels, or over `classes`: a
    prediction that no label has is a wrong answer, and a class of its own, as for scikit-learn, only with
    `others="class"`; `others="missing"` takes it as missing. With `any_of="|"` a label or true class `cat|dog` accepts both: an
    accepted prediction is right, and its row counts for that class; otherwise for the first one. `drop_missing` is the old name of `missing="drop"`.
    `require` ("accuracy>=0.9", one or several) asks that the confidence bound, not just the value, is good enough; `passes`
    says whether all requirements are met and the claim is true. A warning says if fewer
    wrong labels than `plausible_noise` (1 % by default, or the noise rate given) could make the claim false.
    The labels are taken to be right, and the rows to be independent draws from the population of interest.

    >>> found = evaluate(["cat", "cat", "dog", "dog"], ["cat", "dog", "dog", "dog"])
    >>> print(found["accuracy"].value, found["accuracy"].interval)
    0.75 [0.3006, 0.9544]
    >>> round(found["recall", "cat"].value, 2)
    0.5
    """
    data = watched(data)
    if is_one_column(data):
        y_true, data = _either(y_true, data, "y_true", "the first argument"), None
    confidence = Confidence(level, alternative, method, bootstrap, draws, seed)
    if half_width is not None and not 0 < half_width < 0.5:
        raise OptionError(f"the half-width asked for must lie between 0 and 0.5, such as 0.01; got {half_width!r}")
    options = {
        "label": _either(label, y_true, "label", "y_true"),
        "prediction": _either(prediction, y_pred, "prediction", "y_pred"),
        "true": true,
        "weight": weight,
        "by": by,
        "classes": classes,
        "policy": AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of),
        "as_text": as_text,
    }
    one_class = {"score": score, "proba": proba, "y_score": y_score, "transition": transition, "audited": audited}
    check_any_of(options["policy"], one_class)
    asked = ScoreOptions(score, proba, y_score, threshold, wanted_recall, wanted_specificity, score_bins)
    is_named = positive is not None
    scores = read_asked(data, asked, positive, options)
    if scores and scores.prediction:
        options["prediction"] = scores.prediction
    rows = _counted(data, options) if scores is None or scores.counted is None else scores.counted
    if scores:
        if scores.rows.n != rows.tally.n:
            raise InputError(
                f"{scores.rows.n:,} rows have a score and {rows.tally.n:,} a label and a prediction: leave the rows with gaps "
                "out first, so that all figures are about the same rows"
            )
        positive = positive if scores.rows.positive is None else scores.rows.positive
    positive = named_class(positive, rows.tally.classes)
    rows = _with_positive(rows, positive)
    tally = rows.tally.marginal("label", "prediction")
    per_class = (*PER_CLASS, *([fbeta(beta)] if beta != 1 else []))
    extras: list[Measure] = []
    if cost is not None:
        extras.append(cost_measure(cost_table(cost, tally.classes, others=tally.others)))
    if class_weight is not None:
        weights = np.zeros(len(tally.classes))  # no row is labelled by an answer outside the classes
        weights[tally.judged] = class_weight_list(class_weight, tally.named_classes)
        extras.append(class_weighted_error(weights))
    measures = _all_measures(per_class, extras)
    found = estimate(tally, measures, confidence)
    overall = [*OVERALL, *(one for one in HEADLINE if one.average), *extras]
    slices = _slices(rows, measures, confidence, declared=classes is not None)
    if scores and isinstance(scores.rows, ScoreRows):
        areas = [slice_areas(scores.rows, part.column, part.value, confidence) for part in slices]
        slices = [replace(part, estimates=(*part.estimates, *own)) for part, own in zip(slices, areas, strict=True)]
    sample = None
    if audited is not None:
        if data is None or isinstance(data, Tally):
            raise InputError("re-checked rows are joined to the data by their id: give the data as a path or a frame")
        if scores and scores.counted:
            raise InputError(
                "re-checked rows are counted by their predicted class: write it to a column beside the scores, and name it "
                "with prediction=… (--prediction)"
            )
        axes = {"label": rows.roles.label, "prediction": rows.roles.prediction}
        sample = count_audited(to_join(data), axes, audited, on=on, policy=options["policy"], as_text=as_text)
    elif on is not None:
        raise OptionError("on names the id of re-checked rows: give them with audited=… (--audited)")
    given = label_knowledge(
        tally.named_classes,
        noise_rate=noise_rate,
        transition=transition,
        transition_of=transition_of,
        sample=sample,
        claim=claim,
        audited=audited,
    )
    with_truth = rows.tally.marginal("label", "prediction", "true") if "true" in rows.tally.axes else tally
    noise = label_noise_report(with_truth, found, given, confidence)
    truth = _truth(rows, measures, confidence)
    naive = baselines(tally, overall, confidence, _accepted(rows, "label"))
    training = None
    if resubstitution is not None:
        alike = {"by": (), "true": None, "policy": options["policy"]}
        alike = {**options, **alike, "classes": None} if data is not None else alike
        training = _training(_counted(resubstitution, alike).tally, confidence)
    scored = None
    if scores:
        costs = extras[0].costs if extras and isinstance(extras[0], Cost) else None
        scored = evaluate_asked(scores, asked, costs, tally.classes, confidence)
        found += scored.estimates
    requirements = _requirements(require, found, truth, confidence)
    check_unchanged(data)
    evaluation = Evaluation(
        tally=tally,
        estimates=tuple(found),
        baselines=tuple(naive),
        slices=tuple(slices),
        truth=truth,
        positive=positive,
        confidence=confidence,
        roles=rows.roles,
        gaps=rows.gaps,
        source=data,
        scores=scored,
        training=training,
        noise=noise,
        requirements=requirements,
        warnings=(
            *cautions(rows, tally, found, naive, slices, truth, confidence, half_width),
            *(scored.warnings if scored else ()),
            *(training.warnings(found) if training else ()),
            *(noise.warnings if noise else ()),
            *_fragile(noise, plausible_noise),
        ),
    )
    return positive_first(evaluation) if is_named else evaluation


def _requirements(
    asked: str | Sequence[str], found: Sequence[Estimate], truth: Truth | None, confidence: Confidence
) -> tuple[Requirement, ...]:
    """Read what is required: of the true classes where they are known, else of the labels."""
    texts = (asked,) if isinstance(asked, str) else tuple(asked)
    true = truth.estimates if truth else ()
    return tuple(requirement(text, found, confidence.alternative, true) for text in texts)


def _fragile(noise: LabelNoiseReport | None, asked: float | str | None) -> list[str]:
    """Warn if a plausible share of wrong labels could break the claim."""
    plausible = plausible_share(asked, noise.known.rate if noise else None)
    fragile = noise is not None and is_fragile_claim(noise.breakdown, plausible)
    return [fragile_claim_words(noise.breakdown, plausible)] if noise and fragile else []


def _accepted(rows: Counted, axis: str) -> Mapping[ClassName, float] | None:
    """Give how many rows accept each class, if some accept several."""
    return rows.gaps.accepted[axis] if rows.gaps.several.get(axis) else None


def _either(one: Any, other: Any, name: str, alias: str) -> Any:
    if one is not None and other is not None:
        raise InputError(f"{name} and {alias} mean the same; give one of them")
    return other if one is None else one


def _counted(data: Any, options: Mapping[str, Any]) -> Counted:
    if not isinstance(data, Tally):
        return counted(data, **options)
    given = [name for name, value in options.items() if name not in KEPT and value not in (None, False, ())]
    if given:
        raise InputError(f"a Tally is already counted, so {given[0]} cannot be chosen any more; count the rows with it")
    by = options["by"]
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    for axis in ("label", "prediction", *slices):
        data.axis(axis)
    if not data.n:
        raise InputError("the tally has no rows; there is nothing to evaluate")
    tally, gaps = judged_by(data, options["policy"])
    return Counted(tally, Roles("label", "prediction", "true" if "true" in data.axes else None, by=slices), gaps)


def _with_positive(rows: Counted, positive: ClassName) -> Counted:
    """Take the positive class as a class, even if no label is."""
    others = tuple(name for name in rows.tally.others if positive is None or identity(name) != identity(positive))
    if others == rows.tally.others:
        return rows
    return replace(
        rows,
        tally=replace(rows.tally, others=others),
        gaps=replace(rows.gaps, others=tuple(one for one in rows.gaps.others if one[1] != positive)),
    )


def named_class(name: ClassName, classes: Sequence[ClassName]) -> ClassName:
    """Find the class a user names, also when it was typed as text.

    >>> named_class("1", [0, 1])
    1
    """
    if name is None:
        return None
    for own in classes:
        if own is not None and spelt_alike(own, name):
            return own
    raise OptionError(f"there is no class {name!r}; the classes are {', '.join(map(repr, classes[:20]))}")


def _all_measures(per_class: Sequence[Ratio], extras: Sequence[Measure]) -> list[Measure]:
    averages = [averaged(measure, how) for measure in per_class for how in get_args(Average)]
    return [*OVERALL, *extras, *averages, *per_class]


def _slices(rows: Counted, measures: Sequence[Measure], confidence: Confidence, *, declared: bool) -> list[Slice]:
    """Evaluate each slice as its rows would be by themselves: averages are over the classes of its own labels."""
    found = []
    parts = [
        (column, name, rows.tally.marginal("label", "prediction", axis).select(**{axis: name}))
        for axis, column in rows.roles.slices.items()
        for name in rows.tally.levels[rows.tally.axis(axis)]
    ]
    cells = sum(len(part.codes) for _, _, part in parts)
    own_classes = not declared and rows.gaps.policy.others == "wrong"
    for column, name, part in parts:
        if own_classes:
            part = replace(part, others=merged(part.others, outside_labels(part)))
        occurring = {part.classes[code] for code in np.unique(part.codes)} | {None}
        estimates = [one for one in estimate(part, measures, confidence, cells=cells) if one.class_name in occurring]
        found.append(Slice(column, name, part.n, tuple(estimates)))
    return found


def _training(tally: Tally, confidence: Confidence) -> TrainingFit:
    """Score the rows the classifier was trained on by accuracy, the error rate and the next headline figures."""
    whole = [accuracy_measure, error_measure, *(one for one in HEADLINE[:3] if one != accuracy_measure)]
    return TrainingFit(tally.n, tuple(estimate(tally, whole, confidence)))


def _truth(rows: Counted, measures: Sequence[Measure], confidence: Confidence) -> Truth | None:
    """Score against the true classes too, where they are known, and say how often the labels are wrong."""
    tally = rows.tally
    if "true" not in tally.axes:
        return None
    against = tally.marginal("true", "prediction").renamed(true="label")
    labels = tally.marginal("true", "label").renamed(true="label", label="prediction")
    wrong = estimate(labels, [error_measure], confidence)[0]
    majority = baselines(against, [accuracy_measure], confidence, _accepted(rows, "true"))[0]
    return Truth(wrong, tuple(estimate(against, measures, confidence)), majority)
