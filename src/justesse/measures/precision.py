"""Precision: of the rows predicted k, the share labelled k.

    precision_k = right_k / predicted_k

Undefined when k is never predicted. It depends on how frequent k is, so it does not carry over to a population
with another share of k. Lecture 002 calls this "sensitivity", and prints an inverted formula for precision.

>>> from justesse.core.tally import Tally
>>> precision(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])).round(4).tolist()
[0.475, 0.9972]
"""

from justesse.measures.ratio import Ratio, RatioCells

precision = Ratio(
    "precision",
    "it is never predicted",
    class_headline=2,
    numerator=RatioCells(hits=1),
    denominator=RatioCells(predicted=1),
)
