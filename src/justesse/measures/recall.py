"""Recall (sensitivity, true positive rate): of the rows labelled k, the share predicted k.

    recall_k = right_k / labelled_k

Undefined when k never occurs among the labels.

>>> from justesse.core.tally import Tally
>>> recall(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])).round(4).tolist()
[0.95, 0.9447]
"""

from justesse.measures.ratio import Ratio, RatioCells

recall = Ratio(
    "recall",
    "it never occurs among the labels",
    class_headline=1,
    numerator=RatioCells(hits=1),
    denominator=RatioCells(labelled=1),
)
