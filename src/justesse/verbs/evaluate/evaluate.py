"""`justesse.evaluate`: every measure with its interval, beside the naive baselines."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import Missing, MissingLabels, Others
from justesse.core.choices import AnswersMethod, Repeated, TransitionOf
from justesse.core.errors import OptionError
from justesse.core.levels import CLUSTERS, named_class
from justesse.core.recording import remembered
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.frames.memory import is_one_column
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals import ProportionMethod
from justesse.intervals.cluster_summary import ClusterSummary
from justesse.intervals.estimate import Confidence, Resampling, estimate
from justesse.intervals.variance_split import VarianceSplit
from justesse.noise.label_noise_report import label_noise_report
from justesse.procedures.baselines import baselines
from justesse.verbs.answers.answerable import answerable
from justesse.verbs.answers.supported import check_no_answer_options, supported
from justesse.verbs.any_of import check_any_of
from justesse.verbs.clusters import check_cluster_options
from justesse.verbs.evaluate.asked_measures import asked_measures
from justesse.verbs.evaluate.cautions import cautions, cautions_of_shares
from justesse.verbs.evaluate.class_order import positive_first, with_positive
from justesse.verbs.evaluate.evaluation import Evaluation
from justesse.verbs.evaluate.options import MeasureOptions
from justesse.verbs.evaluate.rechecked import rechecked_rows
from justesse.verbs.evaluate.requirement import all_requirements
from justesse.verbs.evaluate.rows_to_evaluate import counted_with_scores, either
from justesse.verbs.evaluate.samples import samples_of
from justesse.verbs.evaluate.training_fit import training_fit
from justesse.verbs.evaluate.views import accepted_rows, against_truth, slices_of, with_clusters
from justesse.verbs.fragile import fragile_claim
from justesse.verbs.label_knowledge import label_knowledge
from justesse.verbs.log_input import log_choice, read_logs
from justesse.verbs.log_words import log_cautions
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.options.intervals import IntervalOptions
from justesse.verbs.recorded import recorded

if TYPE_CHECKING:
    from justesse.frames.asked_scores import AskedScores
    from justesse.verbs.answers.evaluation import AnsweredEvaluation


@recorded
@answerable(Evaluation)
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
    cluster: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = None,
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
    beta: float = MeasureOptions.beta,
    level: float = IntervalOptions.level,
    alternative: Alternative = IntervalOptions.alternative,
    method: ProportionMethod = IntervalOptions.method,
    bootstrap: Resampling | None = None,
    draws: int = IntervalOptions.draws,
    seed: int = IntervalOptions.seed,
    half_width: float | None = None,
    noise_rate: Any = None,
    transition: Any = None,
    transition_of: TransitionOf | None = None,
    audited: Any = None,
    on: str | None = None,
    claim: str | None = None,
    require: str | Sequence[str] | None = None,
    pass_at: int | str | Sequence[int | str] | None = None,
    majority_at: int | str | Sequence[int | str] | None = None,
    plausible_noise: float | str | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = AnswerOptions.others,
    any_of: str | None = None,
    answers: Any = None,
    answers_method: AnswersMethod = AnnotatorAnswerOptions.answers_method,
    answers_only: bool = False,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    repeated: Repeated = AnnotatorAnswerOptions.repeated,
    metric: str | None = None,
    log_filter: str | None = None,
    task: str | None = None,
    log_model: str | None = None,
    right_from: float | None = None,
) -> "Evaluation | AnsweredEvaluation":
    """Evaluate one classifier: every measure with its confidence interval, and baselines.

    Parameters
    ----------
    data
        Path or pattern of files, data frame, dict of arrays, or `Tally`; or the labels, as in `evaluate(y_true,
        y_pred)`.
    y_pred
        Array of predicted classes, with `y_true`.
    y_true
        Array of labels, instead of `data`.
    y_score
        Array of scores of the positive class, or a matrix of probabilities with one column per class.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    true
        Column with the true classes, if they are known as well as the labels. Default: the column named true, truth or
        actual, if there is one.
    weight
        Column with row weights, numbers from 0 up. Default: every row counts once.
    cluster
        Column that says which rows belong together, such as patient: rows of one cluster may be alike. Default: all
        rows are independent.
    by
        Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    positive
        Class of interest, such as spam: shown first, and used for scores and measures of one class. Default: none.
    cost
        CSV table of the cost of each prediction (columns) for each label (rows): adds the mean cost.
    class_weight
        CSV with columns class and weight: adds the class-weighted error.
    resubstitution
        File of predictions on the rows the classifier was trained on: shows how much it over-fits.
    score
        Column with a score or probability of the class `positive`.
    proba
        Prefix of the columns of probabilities, one per class: p_ for p_cat and p_dog.
    threshold
        Smallest score that predicts the positive class, if there is no column of predictions. Default: 0.5 for
        probabilities.
    wanted_recall
        Recall to keep, such as 0.95: shows the threshold for it.
    wanted_specificity
        Specificity to keep, such as 0.99: shows the threshold for it.
    score_bins
        Number of bins to count scores in, instead of reading them all. Default: 10,000 for files over 4 GB, otherwise
        none.
    beta
        Adds the F measure that counts recall beta times as much as precision, such as 2. Default: 1.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    method
        Interval of proportions such as accuracy and recall. delta is the value plus or minus a multiple of its standard
        error. Default: wilson.
    bootstrap
        Interval of all other measures: resampled (smoothed, percentile or bca), or by the delta method (none). Default:
        smoothed; none for very large tables.
    draws
        Number of bootstrap resamples, at least 100. Default: 2000.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    half_width
        Precision you need, such as 0.01 for ±1 point: a warning says if the rows do not give it.
    noise_rate
        Share of wrong labels: 3% for at most 3 %, 1%:5% for a range, 3%:3% for exactly 3 %. Default: not known.
    transition
        CSV table of true classes (rows) by labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the transition table come from: a random sample, or exactly these rows. Default: sample.
    audited
        File of re-checked rows with the id (`on`) and a column true, drawn at random. For evaluate and compare also
        rows that plan labels listed; a column probability says how likely each was drawn.
    on
        Column with the id that finds the re-checked rows of `audited`, or the items of `answers`. Default for
        `answers`: the column named id, item, task or question.
    claim
        Claim to test against wrong labels, such as "accuracy>=0.9" or "recall:spam>0.8": shows how many would make it
        false. Exit code 1 if it is false already.
    require
        Values that the confidence bounds must reach, such as 'accuracy>=0.9', or a list of them.
    pass_at
        Numbers of samples, such as 1,5: adds pass@1 and pass@5, the chance that at least one of so many samples of a
        question is right. Needs `cluster`, except for logs: they know the question.
    majority_at
        Numbers of samples, such as 5: adds the chance that more than half of so many samples of a question are right (a
        tie counts half).
    plausible_noise
        Share of wrong labels to expect, such as 0.02: a warning says if fewer could change the result. Default: 1%, or
        the upper end of `noise_rate`.
    drop_missing
        Old name of `missing="drop"`.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.
    any_of
        Separator of labels that accept several classes, such as "|": cat|dog accepts both. Default: every label is one
        class.
    answers
        Annotators' answers instead of labels: file, data frame or dict of arrays with a row for each answer, with item,
        annotator and answer. The id of the predictions (`on`) is the item. Default: labels are read.
    answers_method
        Model of the annotators: hierarchical (one population of annotators), dawid-skene (each annotator alone), or
        majority (the vote counts as the truth). Default: hierarchical.
    answers_only
        Infer the true classes from the answers alone, for a classifier trained on these answers.
    item
        Column of the answers with the items. Default: the column named item, task or question.
    annotator
        Column of the answers with the annotators. Default: the column named annotator, worker or rater.
    answer
        Column of the answers with the classes. Default: the column named answer, label or class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    metric
        For evaluation logs: metric or scorer that says what is right, such as exact_match. Default: the first that
        scores with 0 and 1 only.
    log_filter
        For evaluation logs: how answers were extracted, such as strict-match; of HELM the split, such as valid.
        Default: the first in the log, of HELM test.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.

    Returns
    -------
    Evaluation
        `evaluation["accuracy"]`, `evaluation["recall", "cat"]` and `evaluation["f1", "macro"]` are single estimates;
        `measures` is all of them as a data frame, `passes` whether all requirements are met and the claim is true.

    Notes
    -----
    The labels are assumed to be right, and the rows, or with `cluster` the clusters, to be independent draws from the
    population of interest. Averages are over the classes of the labels, or over `classes`. With arrays, `label`, `prediction`, `true`, `weight` and the
    values of the dict `by` are arrays. With scores and no predictions, the likeliest class, or the scores from
    `threshold` on, are evaluated.

    Examples
    --------

    >>> evaluation = evaluate(["cat", "cat", "dog", "dog"], ["cat", "dog", "dog", "dog"])
    >>> print(evaluation["accuracy"].value, evaluation["accuracy"].interval)
    0.75 [0.3006, 0.9544]
    >>> round(evaluation["recall", "cat"].value, 2)
    0.5
    """
    settings = dict(locals())
    if answers is not None:
        from justesse.verbs.answers.evaluate import OPTIONS, evaluate_by_answers

        return evaluate_by_answers(**supported(evaluate, settings, OPTIONS))
    check_no_answer_options(settings)
    source = watched(data)
    logs = remembered("logs", read_logs, [source], log_choice(settings))
    data = logs.sources[0]
    classes = logs.classes(classes)
    if is_one_column(data):
        y_true, data = either(y_true, data, "y_true", "the first argument"), None
    confidence = Confidence(level, alternative, method, bootstrap, draws, seed)
    if not logs.by_class and positive is not None:
        raise OptionError("positive (--positive) names a class, but this log only says right or wrong. Leave it out.")
    if half_width is not None and not 0 < half_width < 0.5:
        raise OptionError(f"The half-width must lie between 0 and 0.5, such as 0.01; got {half_width!r}.")
    options = {
        "label": either(label, y_true, "label", "y_true"),
        "prediction": either(prediction, y_pred, "prediction", "y_pred"),
        "true": true,
        "weight": weight,
        "cluster": cluster,
        "by": by,
        "classes": classes,
        "policy": logs.policy(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of),
        "as_text": as_text,
    }
    one_class = {"score": score, "proba": proba, "y_score": y_score, "transition": transition, "audited": audited}
    check_any_of(options["policy"], one_class)
    apart = {**one_class, "noise_rate": noise_rate, "weight": weight}
    several = logs.repeated or (bool(logs.tables) and (pass_at is not None or majority_at is not None))
    if cluster is None and several and all(value is None for value in apart.values()):
        options["cluster"] = cluster = "question"
    if cluster is not None or (isinstance(data, Tally) and CLUSTERS in data.axes):
        check_cluster_options({"transition": transition, "audited": audited, "noise_rate": noise_rate})
    is_named = positive is not None
    about_scores = (score, proba, y_score, threshold, wanted_recall, wanted_specificity, score_bins)
    scores: AskedScores | None = None
    if any(value is not None for value in about_scores):
        from justesse.frames.asked_scores import ScoreRequest, read_asked

        request = ScoreRequest(*about_scores)
        scores = remembered("scores", read_asked, data, request, positive, options, absent=None)
    if scores and scores.prediction:
        options["prediction"] = scores.prediction
    rows = remembered("rows", counted_with_scores, data, options, scores)
    if scores and scores.rows.positive is not None:
        positive = scores.rows.positive
    positive = named_class(positive, rows.tally.classes)
    rows = with_positive(rows, positive)
    tally = rows.tally.marginal("label", "prediction")
    measures = asked_measures(tally, beta=beta, cost=cost, class_weight=class_weight, by_class=logs.by_class)
    counts = with_clusters(rows.tally, "label", "prediction")
    result = estimate(counts, measures.all, confidence)
    slices = slices_of(rows, measures.all, confidence, declared=classes is not None)
    if scores:
        from justesse.verbs.evaluate.scores import with_areas

        slices = with_areas(slices, scores, confidence)
    rechecked = rechecked_rows(data, audited, rows, scores, on=on, policy=options["policy"], as_text=as_text)
    known = label_knowledge(
        tally.named_classes,
        noise_rate=noise_rate,
        transition=transition,
        transition_of=transition_of,
        sample=rechecked.sample,
        claim=claim,
        audited=audited,
        drawn=rechecked.drawn,
    )
    with_truth = rows.tally.marginal("label", "prediction", "true") if "true" in rows.tally.axes else tally
    # without classes there is no majority to be better than, so only what is asked for is claimed
    reports = logs.by_class or known.anything or known.claim is not None
    noise = label_noise_report(with_truth, result, known, confidence, by_class=logs.by_class) if reports else None
    truth = against_truth(rows, measures.all, confidence)
    clusters = ClusterSummary.of(counts) if rows.roles.cluster else None
    variance = VarianceSplit.of(counts) if rows.roles.cluster else None
    samples = samples_of(counts, rows.roles.cluster, confidence, pass_at=pass_at, majority_at=majority_at)
    naive = baselines(counts, measures.overall, confidence, accepted_rows(rows, "label")) if logs.by_class else []
    training = training_fit(resubstitution, data, options, confidence)
    scored, unused, rounded = None, [], []
    if scores:
        from justesse.verbs.evaluate.scores import evaluate_asked, rounded_words, unused_threshold

        scored = evaluate_asked(scores, request, measures.costs, tally.classes, confidence)
        result += scored.estimates
        unused = [] if scores.counted else unused_threshold(threshold, tally, rows.roles.prediction, scored)
        rounded = rounded_words(scores)
    corrected = noise.rechecked if noise else ()
    requirements = all_requirements(require, result, truth.estimates if truth else (), corrected, confidence)
    check_unchanged(source)
    evaluation = Evaluation(
        tally=tally,
        estimates=tuple(result),
        baselines=tuple(naive),
        slices=tuple(slices),
        truth=truth,
        positive=positive,
        confidence=confidence,
        roles=rows.roles,
        gaps=rows.gaps,
        source=source,
        scores=scored,
        training=training,
        noise=noise,
        requirements=requirements,
        clusters=clusters,
        variance=variance,
        samples=samples,
        log=logs.facts[0] if logs.facts else None,
        warnings=(
            *(sentence for facts in logs.facts for sentence in log_cautions(facts, clustered=cluster is not None)),
            *unused,
            *(
                cautions(rows, tally, result, naive, slices, truth, confidence, half_width, clusters)
                if logs.by_class
                else cautions_of_shares(rows, tally, result, slices, confidence, half_width, clusters)
            ),
            *(scored.warnings if scored else ()),
            *(training.warnings(result) if training else ()),
            *(noise.warnings if noise else ()),
            *fragile_claim(noise, plausible_noise),
            *rounded,
        ),
    )
    return positive_first(evaluation) if is_named else evaluation
