"""Balanced accuracy: the mean recall of the classes that occur among the labels.

One number that a frequent class cannot dominate; a constant or random answer scores 1/K. Brodersen et al. (2010).

>>> from justesse.core.tally import Tally
>>> round(float(balanced_accuracy(Tally.from_dense([[190, 10], [210, 3590]]))), 4)
0.9474
"""

from justesse.measures.averages import Averaged

balanced_accuracy = Averaged(  # macro recall by default
    "balanced_accuracy", "there are no rows", short_title="balanced", headline=2
)
