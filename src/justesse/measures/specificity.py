"""Specificity (true negative rate): of the rows not labelled k, the share not predicted k.

    specificity_k = TN_k / (n - labelled_k)

Undefined when every row is labelled k. With many classes it is close to 1
unless k is predicted very often. Lecture 002's
formula TN/(TN+FN) is the negative predictive value, not this.

>>> from justesse.core.tally import Tally
>>> specificity(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])).round(4).tolist()
[0.9447, 0.95]
"""

from justesse.measures.ratio import TRUE_NEGATIVES, Ratio, RatioCells

specificity = Ratio(
    "specificity", "every row has it as label", numerator=TRUE_NEGATIVES, denominator=RatioCells(n=1, labelled=-1)
)
