"""Error: the share of rows predicted wrong, 1 - accuracy.

>>> from justesse.core.tally import Tally
>>> round(float(error(Tally.from_dense([[190, 10], [210, 3590]]))), 4)
0.055
"""

from justesse.measures.accuracy import Share

error = Share("error", "there are no rows", title="error rate", greater_is_better=False, right=False)
