"""`justesse.plan_labels`: a few expert labels, or many cheap ones; or which rows to label."""

from typing import Any

from justesse.core.errors import OptionError
from justesse.intervals.planning.labels import label_choice
from justesse.report.writing import message
from justesse.verbs.plan.options import ActiveLabelOptions, LabelPlanOptions
from justesse.verbs.plan.plan import Need, Plan
from justesse.verbs.recorded import recorded


@recorded
def plan_labels(
    data: Any = None,
    *,
    half_width: float | None = None,
    noise_rate: float | None = None,
    expected: float = LabelPlanOptions.expected,
    classes: int = LabelPlanOptions.classes,
    expert_price: float = LabelPlanOptions.expert_price,
    cheap_price: float = LabelPlanOptions.cheap_price,
    level: float = LabelPlanOptions.level,
    active: bool = False,
    budget: int = ActiveLabelOptions.budget,
    on: str | None = None,
    prediction: str | None = None,
    label: str | None = None,
    proba: str | None = None,
    seed: int = ActiveLabelOptions.seed,
    to: Any = None,
) -> Plan:
    """Compare the price of a few expert labels with that of many cheap ones, or list the rows to label.

    Parameters
    ----------
    data
        With `active`: path, data frame or dict of arrays with the rows to choose from.
    half_width
        Precision you need for the accuracy, such as 0.02 for ±2 points. Required without `active`.
    noise_rate
        Share of cheap labels that are wrong, such as 0.05. Required without `active`.
    expected
        Accuracy that you expect, such as 0.8. Default: 0.9.
    classes
        Number of classes, such as 10. Default: 2.
    expert_price
        Price of one expert label, in any currency, such as 5. Default: 1.
    cheap_price
        Price of one cheap label, in the same currency, such as 0.1. Default: 1.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    active
        List rows to label, with known probabilities, more of those where a label tells most. Needs a file.
    budget
        Number of rows to label, at least 20. Default: 200.
    on
        Column with the id of each row. Default: the column named id.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    label
        Column with pseudo-labels, such as those of a language model. Default: none.
    proba
        Prefix of the columns of probabilities, one per class: p_ for p_cat and p_dog. Default: none.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    to
        CSV or Parquet file for the rows to label, with `active`.

    Returns
    -------
    Plan
        `n` is the number of labels of the cheaper kind, or of rows to label. With `active`, `rows` has these rows.

    Examples
    --------

    >>> plan_labels(half_width=0.02, noise_rate=0.05, expert_price=5).details["better"]
    'cheap'
    """
    if active:
        from justesse.verbs.plan.active import plan_active

        return plan_active(
            data, budget=budget, on=on, prediction=prediction, label=label, proba=proba, seed=seed, to=to
        )
    if data is not None or to is not None:
        raise OptionError("A file is needed only to list rows to label. Add active=True (--active).")
    if half_width is None or noise_rate is None:
        raise OptionError(
            "Give half_width (--half-width 0.02) and noise_rate (--noise-rate 0.05), or active (--active)."
        )
    prices = {"expert_price": expert_price, "cheap_price": cheap_price}
    choice = label_choice(half_width, rate=noise_rate, expected=expected, classes=classes, level=level, **prices)
    expert = choice.better == "expert"
    n = choice.expert_n if expert else choice.cheap_n
    rates = sorted({noise_rate / 2, noise_rate, *([2 * noise_rate] if 2 * noise_rate < 1 - 1 / classes else [])})
    alternatives = []
    for at in rates:
        other = label_choice(half_width, rate=at, expected=expected, classes=classes, level=level, **prices)
        alternatives.append(
            {
                "rate": at,
                "expert_n": other.expert_n,
                "cheap_n": other.cheap_n,
                "expert_cost": other.expert_cost,
                "cheap_cost": other.cheap_cost,
                "better": other.better,
            }
        )
    words = (
        "Few expert labels: ±{half_width:number} takes {expert_n:count} expert labels (cost {expert_cost:price}) or "
        "{cheap_n:count} cheap ones (cost {cheap_cost:price}); cheap ones win below {break_even:ratio} of an expert's price. "
        "This holds only if mistakes are uniform: otherwise cheap labels leave a bias of up to ±{worst_bias:number} that no "
        "quantity removes."
    )
    if not expert:
        words = (
            "Many cheap labels: ±{half_width:number} takes {expert_n:count} expert labels (cost {expert_cost:price}) or "
            "{cheap_n:count} cheap ones (cost {cheap_cost:price}); cheap ones win below {break_even:ratio} of an expert's "
            "price. This holds only if mistakes are uniform: otherwise cheap labels leave a bias of up to "
            "±{worst_bias:number} that no quantity removes."
        )
    details = {
        "better": choice.better,
        "expert_n": choice.expert_n,
        "cheap_n": choice.cheap_n,
        "expert_cost": choice.expert_cost,
        "cheap_cost": choice.cheap_cost,
        "break_even": choice.break_even,
        "apparent": choice.apparent,
        "worst_bias": choice.worst_bias,
    }
    return Plan(
        "labels",
        n,
        message(words, half_width=half_width, **details),
        (
            Need("Expert labels needed", choice.expert_n, message("cost {cost:price}", cost=choice.expert_cost)),
            Need("Cheap labels needed", choice.cheap_n, message("cost {cost:price}", cost=choice.cheap_cost)),
        ),
        {
            "half_width": half_width,
            "rate": noise_rate,
            "expected": expected,
            "classes": classes,
            **prices,
            "level": level,
        },
        tuple(alternatives),
        (
            "the experts are right",
            "cheap labels are wrong at this rate, known exactly, uniformly over classes and independently of the classifier",
        ),
        details,
    )
