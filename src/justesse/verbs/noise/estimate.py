"""`justesse.noise_estimate`: how many labels are wrong, and which class is labelled as which."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.choice import check_choice
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import CLUSTERS, merged
from justesse.core.recording import remembering
from justesse.core.results import Alternative, ClassName, Estimate, level_name
from justesse.core.tally import Tally
from justesse.frames.audited import count_audited
from justesse.frames.columns import guess_column, guess_label, has_column, has_prediction
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.joined import to_join
from justesse.noise.clustered_rates import clustered_rates
from justesse.noise.counted import on_classes
from justesse.noise.recheck import sample_warnings
from justesse.noise.transition import Transition
from justesse.report.writing import message
from justesse.verbs.noise.counted_rows import refuse_options
from justesse.verbs.noise.estimate_result import NoiseEstimate as NoiseEstimate
from justesse.verbs.noise.model_estimate import model_estimate
from justesse.verbs.noise.options import NoiseSource
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.options.intervals import SidedOptions
from justesse.verbs.recorded import recorded

NO_TRUTH = "True classes are needed: a column (--true COL), or re-checked rows (--audited FILE --on id)."


@recorded
def noise_estimate(
    data: Any = None,
    *,
    label: str | None = None,
    true: str | None = None,
    prediction: str | None = None,
    audited: Any = None,
    on: str | None = None,
    cluster: str | None = None,
    source: NoiseSource | None = None,
    proba: str | None = None,
    classes: Sequence[ClassName] | None = None,
    level: float = SidedOptions.level,
    alternative: Alternative = SidedOptions.alternative,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
) -> NoiseEstimate:
    """Estimate how many labels are wrong, and which class is labelled as which.

    Parameters
    ----------
    data
        Path, data frame, dict of arrays or `Tally` with labels.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    true
        Column with the true classes. Default: the column named true, truth or actual.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    audited
        File of re-checked rows with the id (`on`) and a column true, drawn at random. For evaluate and compare also
        rows that plan labels listed; a column probability says how likely each was drawn.
    on
        Column with the id that finds the re-checked rows of `audited`.
    cluster
        Column with the item, if items were labelled several times. Widens the intervals. Default: rows are independent.
    source
        Where the share comes from, if not from true classes: clean estimates it by confident learning from
        probabilities (`proba`). With `true` or `audited`, too, its bias. Default: the true classes.
    proba
        Start of the names of the columns with probabilities, one for each class, such as p_ for p_cat and p_dog. They
        must come from a model that was not trained on these rows.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
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

    Returns
    -------
    NoiseEstimate
        `details["transition"]` lists counts of true classes and labels; `write_transition` writes the table that
        `--transition` takes.

    Notes
    -----
    Predictions are optional. With them, the test of whether a re-checked sample looks random is more sensitive. Rates
    of a re-checked sample are extrapolated to all rows.

    Examples
    --------
    >>> from justesse import Tally
    >>> cells = [("cat", "cat", 45), ("cat", "dog", 5), ("dog", "cat", 2), ("dog", "dog", 48)]
    >>> estimate = noise_estimate(Tally.of(["true", "label"], cells))
    >>> round(estimate.rows[0]["value"], 2), estimate.details["transition"][1]
    (0.07, ['cat', 'dog', 5])
    """
    if source is not None:
        check_choice("source", source, NoiseSource)
        _check_model(data, cluster, classes, alternative)
    elif proba is not None:
        raise OptionError("proba (--proba) is for the share of wrong labels by a model: source=clean (--from clean).")
    if source is not None and audited is None and true is None and not _knows_truth(data, label):
        return model_estimate(
            data, label=label, proba=proba, checked=None, warnings=(), level=level, alternative=alternative
        )
    policy = AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing)
    check: dict[str, Any] = {"classes": classes, "as_text": as_text, "policy": policy}
    whole = None
    if cluster is not None and (audited is not None or isinstance(data, Tally)):
        raise OptionError(
            "cluster (--cluster) names a column of rows with true classes. Leave it out with re-checked "
            "samples (--audited) or tallies."
        )
    if audited is not None:
        if true is not None:
            raise OptionError(
                "The true classes come from a column (--true) or from re-checked rows (--audited). Use one of them."
            )
        whole, sample = _audited(data, label, prediction, audited, on, check)
    elif on is not None:
        raise OptionError("on names the id of re-checked rows. Pass them with audited=… (--audited).")
    elif (counted := _counted_before(data)) is not None:
        refuse_options({"label": label, "true": true, "prediction": prediction, "classes": classes})
        sample = counted
        if "true" not in sample.axes:
            raise InputError(NO_TRUTH)
    else:
        sample = _pairs(data, label, true, cluster, **check)
    pairs = sample.marginal("true", "label")
    if whole:
        pairs = on_classes(pairs, merged(whole.classes, pairs.classes), what="the list of classes")
    sides: dict[str, Any] = {"level": level, "alternative": alternative}
    assumptions = ["the true classes are right"]
    if cluster is None:
        rates = Transition.from_tally(pairs).rates(population=whole.n if whole else None, **sides)
    else:
        rates, clusters = clustered_rates(sample, **sides)
        template = "the {n:count} clusters by {column:name} are independent; rows of one cluster need not be"
        assumptions.append(str(message(template, n=clusters, column=cluster)))
    if whole:
        assumptions.append("the re-checked rows are a random sample of all rows")
    cautions = tuple(sample_warnings(whole, sample)) if whole else ()
    if source is not None:
        return model_estimate(
            data, label=label, proba=proba, checked=(whole, rates[0]), warnings=cautions, level=level,
            alternative=alternative,
        )  # fmt: skip
    return NoiseEstimate(
        whole.n if whole else pairs.n,
        _answer(rates[0], whole),
        tuple(rates),
        tuple(assumptions),
        cautions,
        details={"transition": pairs.cells(), "classes": list(pairs.classes)},
        source=data,
        pairs=pairs,
        level=level_name(level, alternative),
    )


def _check_model(data: Any, cluster: str | None, classes: Any, alternative: Alternative) -> None:
    """Refuse what the share of wrong labels by a model cannot use."""
    if data is None or isinstance(data, Tally):
        raise InputError("A model's share of wrong labels needs rows with probabilities. Pass a path or a frame.")
    if cluster is not None or classes is not None:
        raise OptionError("cluster and classes cannot be combined with source=clean (--from clean). Leave them out.")
    if alternative != "two-sided":
        raise OptionError(
            "source=clean (--from clean) has two-sided intervals only. Leave alternative (--alternative) out."
        )


@remembering
def _counted_before(data: Any) -> Tally | None:
    return data if isinstance(data, Tally) else None


@remembering
def _knows_truth(data: Any, label: str | None) -> bool:
    """Whether a column has the true classes by its name, apart from the labels."""
    first = opened(data)[0]
    if not has_column("true", first.columns, first.name):
        return False
    return guess_column("true", first.columns, first.name, None) != guess_label(first.columns, first.name, label)


def _answer(rate: Estimate, whole: Tally | None) -> str:
    return str(
        message(
            "{rate:share} of the labels are wrong ({ends}n = {rate:count}{rechecked}).",
            rate=rate,
            ends=message("{rate:level_name} {rate:share_interval}, ", rate=rate) if rate.interval else "",
            rechecked=message(" re-checked of {n:count}", n=whole.n) if whole else "",
        )
    )


@remembering
def _audited(
    data: Any, label: str | None, prediction: str | None, audited: Any, on: str | None, check: Mapping[str, Any]
) -> tuple[Tally, Tally]:
    """Count all rows and the re-checked ones by label and, if there is one, prediction."""
    if data is None or isinstance(data, Tally):
        raise InputError("Re-checked rows are joined to the data by their id. Pass the data as a path or a frame.")
    tables = to_join(data)
    first = tables[0]
    axes = {"label": guess_label(first.columns, first.name, label)}
    if has_prediction(first.columns, first.name, prediction):
        axes["prediction"] = guess_column("prediction", first.columns, first.name, prediction)
    gaps = {name: check[name] for name in ("policy", "as_text")}
    return count_axes(tables, axes, **check)[0], count_audited(tables, axes, audited, on=on, **gaps)


@remembering
def _pairs(data: Any, label: str | None, true: str | None, cluster: str | None, **options: Any) -> Tally:
    """Count true classes and labels, by cluster if there are any; no prediction is needed for that."""
    tables = opened(data)
    first = tables[0]
    if true is None and not has_column("true", first.columns, first.name):
        raise InputError(f"{first.name} has no column 'true'. {NO_TRUTH}")
    axes = {
        "true": guess_column("true", first.columns, first.name, true),
        "label": guess_label(first.columns, first.name, label),
    }
    if axes["true"] == axes["label"]:
        raise InputError(
            f"Column {axes['true']!r} of {first.name} cannot be both the label and the true class. Name another."
        )
    if cluster is None:
        return count_axes(tables, axes, **options)[0]
    if cluster not in first.columns or cluster in axes.values():
        raise InputError(
            f"Column {cluster!r} of {first.name} cannot name the clusters. Columns: {', '.join(first.columns)}."
        )
    return count_axes(tables, {**axes, CLUSTERS: cluster}, texts=(cluster,), **options)[0]
