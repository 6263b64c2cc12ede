"""`justesse.plan_labels`: a few expert labels, or many cheap ones."""

from justesse.intervals.planning.labels import label_choice
from justesse.report.writing import message
from justesse.verbs.plan.options import LabelPlanOptions
from justesse.verbs.plan.plan import Need, Plan


def plan_labels(
    *,
    half_width: float,
    noise_rate: float,
    expected: float = LabelPlanOptions.expected,
    classes: int = LabelPlanOptions.classes,
    expert_price: float = LabelPlanOptions.expert_price,
    cheap_price: float = LabelPlanOptions.cheap_price,
    level: float = LabelPlanOptions.level,
) -> Plan:
    """Compare the price of a few expert labels with that of many cheap ones, for the same half-width.

    Parameters
    ----------
    half_width
        Precision you need for the accuracy, such as 0.02 for ±2 points.
    noise_rate
        Share of cheap labels that are wrong, such as 0.05.
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

    Returns
    -------
    Plan
        `n` is the number of labels of the cheaper kind.

    Examples
    --------

    >>> plan_labels(half_width=0.02, noise_rate=0.05, expert_price=5).details["better"]
    'cheap'
    """
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
