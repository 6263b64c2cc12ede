"""The names of interval methods of rows that come in clusters."""

from justesse.intervals.interval_method import IntervalMethod

CLUSTER_METHODS = (
    IntervalMethod(
        "wilson-cr2",
        "Wilson's interval of a share, with an effective n that allows for rows of one cluster being alike.",
        "Bell and McCaffrey (2002); Korn and Graubard (1998)",
    ),
    IntervalMethod(
        "wilson-cr2-jaccard",
        "Interval of F1 from that of a share of rows, with an effective n that allows for clusters of rows.",
        "Hand, Christen and Kirielle (2021); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "delta-logit-cr2",
        "Value plus or minus a multiple of the standard error of whole clusters, on the log-odds scale.",
        "Bell and McCaffrey (2002); Pustejovsky and Tipton (2018)",
    ),
    IntervalMethod(
        "mover-cr2",
        "Interval of a macro average of rows in clusters: the wider of the linearised one and the one made from the "
        "interval of each class.",
        "Bell and McCaffrey (2002); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "mover-wilson-cr2",
        "Interval of a mean over tasks, from the cluster-robust interval of each task (method of variance estimates "
        "recovery).",
        "Zou and Donner (2008); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "tango-cr2",
        "Tango's interval of a paired difference of shares, with an effective n that allows for clusters of rows.",
        "Tango (1998); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "delta-cr2",
        "Difference plus or minus a multiple of the standard error of whole clusters.",
        "Bell and McCaffrey (2002); Pustejovsky and Tipton (2018)",
    ),
    IntervalMethod(
        "area-score-cr2",
        "Score interval of the area under the ROC curve, with as many rows as the clusters are worth.",
        "Obuchowski (1997); Newcombe (2006)",
    ),
    IntervalMethod(
        "binormal-score-cr2",
        "Score interval of average precision, with as many rows as the clusters are worth.",
        "Hanley and McNeil (1982); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "binormal-mean-cr2",
        "Score interval of a mean of areas over classes, with as many rows as the clusters are worth.",
        "Hanley and McNeil (1982); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "obuchowski-t",
        "Student's interval of the difference of two ROC areas, with a standard error over clusters.",
        "Obuchowski (1997)",
    ),
    IntervalMethod(
        "cluster-bootstrap-percentile",
        "Quantiles of resamples of whole clusters; too narrow with fewer than about 30 clusters.",
        "Davison and Hinkley (1997)",
    ),
    IntervalMethod(
        "cluster-bootstrap-bca",
        "Quantiles of resamples of whole clusters, corrected for bias and skewness.",
        "Efron (1987); Davison and Hinkley (1997)",
    ),
    IntervalMethod(
        "student-cr2",
        "Student's interval of a ratio of sums over segments, with a standard error over segments of any length.",
        "Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "log-cr2",
        "Student's interval of the logarithm of a mean, with a standard error that allows for rows of one group being "
        "alike.",
        "Bell and McCaffrey (2002); Pustejovsky and Tipton (2018)",
    ),
)
