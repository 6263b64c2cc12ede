"""Negative predictive value: of the rows not predicted k, the share not labelled k.

    npv_k = TN_k / (n - predicted_k)

Undefined when every row is predicted k. Like precision it depends on how frequent k is.

>>> from justesse.core.tally import Tally
>>> npv(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])).round(4).tolist()
[0.9972, 0.475]
"""

from justesse.measures.ratio import TRUE_NEGATIVES, Ratio, RatioCells

npv = Ratio(
    "npv",
    "every row has it as prediction",
    title="NPV",
    numerator=TRUE_NEGATIVES,
    denominator=RatioCells(n=1, predicted=-1),
)
