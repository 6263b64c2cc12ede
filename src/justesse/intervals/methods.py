"""The names of interval methods, as results bear them in `method`, each explained in a sentence."""

from typing import get_args

from justesse.core.choices import PlainMethod
from justesse.intervals.cluster_methods import CLUSTER_METHODS
from justesse.intervals.interval_method import IntervalMethod
from justesse.intervals.sequence_methods import SEQUENCE_METHODS

METHODS = (
    *CLUSTER_METHODS,
    IntervalMethod(
        "agreement-bootstrap",
        "Percentile bootstrap of the counts, for error rates computed from how often classifiers agree.",
        "Efron (1979); Platanios, Blum and Mitchell (2014)",
    ),
    IntervalMethod(
        "rogan-gladen",
        "All values that fit the judge's mean verdict and its rates where people rate 1 and 0 (Fieller's interval, "
        "with the uncertainty of the rates).",
        "Rogan and Gladen (1978); Lang and Reiczigel (2014)",
    ),
    IntervalMethod(
        "rogan-gladen, strata",
        "Rogan-Gladen's interval of each stratum, combined (method of variance estimates recovery).",
        "Rogan and Gladen (1978); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "agresti-caffo, strata",
        "Difference of two means among units that people rate alike, with one more 0 and one more 1 of each kind.",
        "Mantel and Haenszel (1959); Agresti and Caffo (2000)",
    ),
    IntervalMethod(
        "davidson, sandwich",
        "Strength of a model plus or minus a multiple of its cluster-robust standard error.",
        "Davidson (1970)",
    ),
    IntervalMethod(
        "davidson, prediction-powered",
        "The same, from verdicts of a judge corrected by people's ratings of some comparisons.",
        "Davidson (1970); Angelopoulos, Duchi and Zrnic (2023)",
    ),
    IntervalMethod("wilson", "Wilson's score interval of a share; good at any n (default).", "Wilson (1927)"),
    IntervalMethod(
        "block jackknife",
        "Value plus or minus a multiple of its standard error, from leaving out each of 40 random blocks of rows; "
        "for a share of wrong labels never narrower than Wilson's.",
        "Shao and Tu (1995); Wilson (1927)",
    ),
    IntervalMethod(
        "mover, model and people",
        "Difference of a model's share of wrong labels and that of people, from the intervals of both.",
        "Zou and Donner (2008)",
    ),
    IntervalMethod(
        "clopper-pearson",
        "Exact binomial interval of a share; never too narrow, often too wide.",
        "Clopper and Pearson (1934)",
    ),
    IntervalMethod(
        "agresti-coull",
        "Wald's interval around Wilson's centre; a little wider than Wilson's.",
        "Agresti and Coull (1998)",
    ),
    IntervalMethod("jeffreys", "Bayesian interval of a share with Jeffreys' prior.", "Brown, Cai and DasGupta (2001)"),
    IntervalMethod(
        "wald",
        "Share plus or minus a multiple of its standard error; too narrow for few rows or shares near 0 or 1.",
        "Brown, Cai and DasGupta (2001)",
    ),
    IntervalMethod(
        "wilson, bounded mean",
        "Wilson's interval for the mean of numbers between 0 and a known largest one, with an effective n that has "
        "their variance.",
        "Wilson (1927); Korn and Graubard (1998)",
    ),
    IntervalMethod(
        "wilson, finite population",
        "Wilson's interval of a share of a known number of rows, from a random sample of them: n of N rows count as "
        "n(N-1)/(N-n).",
        "Wilson (1927); Cochran (1977)",
    ),
    IntervalMethod(
        "mover, strata",
        "Interval of a share of all rows, or of a ratio of two such shares, made from Wilson's interval of each "
        "stratum that was sampled (method of variance estimates recovery).",
        "Cochran (1977); Zou and Donner (2008); Donner and Zou (2012)",
    ),
    IntervalMethod(
        "mover, cross-validated threshold",
        "Interval of the lowest cost of any threshold, from Wilson's intervals of misses and false alarms; its upper "
        "end starts halfway to the cross-validated cost, because the best threshold was chosen on the same rows.",
        "justesse; Zou and Donner (2008)",
    ),
    IntervalMethod(
        "hypergeometric",
        "Exact interval of a share of a known number of rows, from a random sample of them with few of one kind; never "
        "too narrow.",
        "Wright (1991)",
    ),
    IntervalMethod("wilson-shifted", "Wilson's interval, moved by the known bias of the labels.", "Benjelloun (2021)"),
    IntervalMethod(
        "wilson, pairs that share members",
        "Wilson's interval of a share of pairs, with an effective n that allows for pairs with a classifier in common.",
        "Fafchamps and Gubert (2007); Aronow, Samii and Assenova (2015)",
    ),
    IntervalMethod(
        "mover",
        "Interval of a mean of shares, such as balanced accuracy, made from the interval of each share "
        "(method of variance estimates recovery).",
        "Zou and Donner (2008)",
    ),
    IntervalMethod(
        "mover-blocks",
        "Interval of a weighted mean of shares of different periods, made from the interval of each period, which "
        "allows for items of one block of time being alike (method of variance estimates recovery).",
        "Zou and Donner (2008); Bell and McCaffrey (2002)",
    ),
    IntervalMethod(
        "mover-paired-blocks",
        "Interval of a weighted sum of accuracies of several versions on the same periods, made from the interval of "
        "each, with the correlations of versions that are tested on the same items or days.",
        "Zou and Donner (2008); Newcombe (1998)",
    ),
    IntervalMethod(
        "best-of-versions",
        "Interval of the mean fall from the best version of each period: simultaneous over versions, since the best "
        "one is chosen by its observed accuracy. Never too narrow, often too wide.",
        "Zou and Donner (2008); Borell (1975)",
    ),
    IntervalMethod(
        "missing-label-bounds",
        "From the lower end of the interval if all missing labels were in favour to the upper end if none were: covers "
        "every label that they could have.",
        "Manski (1989); Horowitz and Manski (2000)",
    ),
    IntervalMethod(
        "inverse-probability-blocks",
        "Interval of a share of all rows, or a difference, from labels that were asked with known probabilities: each "
        "counts one over its probability, with cluster-robust variance over blocks of time.",
        "Horvitz and Thompson (1952); Hájek (1971); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "garwood",
        "Exact interval of the mean time between events that come at random, from their number.",
        "Garwood (1936)",
    ),
    IntervalMethod(
        "block-jackknife",
        "Interval of a figure of a stream, from leaving out each block of time in turn, with Student's t.",
        "Künsch (1989); Efron and Tibshirani (1993), chapter 11",
    ),
    IntervalMethod(
        "wilson-design-effect",
        "Wilson's interval with the effective number of items, divided by how many times larger blocks of time make "
        "the variance of the whole stream.",
        "Wilson (1927); Kish (1965)",
    ),
    IntervalMethod(
        "prediction-powered",
        "Interval of a mean from pseudo-labels of all rows and the truth of a random sample: exact intervals of the "
        "shares of each correction, combined by MOVER, and the sampling error of the rows.",
        "Angelopoulos et al. (2023); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "prediction-powered, normal",
        "Mean from pseudo-labels of all rows and the truth of a random sample, plus or minus a multiple of its "
        "standard error; too narrow if few corrections were seen.",
        "Angelopoulos, Duchi and Zrnic (2023)",
    ),
    IntervalMethod(
        "delta",
        "Value plus or minus a multiple of its standard error, which comes from the slope of the measure.",
        "Oehlert (1992)",
    ),
    IntervalMethod(
        "delta-logit",
        "Delta method on the scale of log odds, which keeps the interval within the measure's range; the default for "
        "weighted rows and very large tables.",
        "Fisher (1921) for correlations; Agresti (2013)",
    ),
    IntervalMethod(
        "hall-t",
        "Student's interval of a mean, such as a log loss, corrected for how skewed the rows are: wider above than "
        "below.",
        "Hall (1992), On the removal of skewness by transformation",
    ),
    IntervalMethod(
        "log-t, one larger row",
        "Student's interval of a mean error, such as MSE, on a logarithmic scale; its upper end allows for one more "
        "row with a larger error than any seen. Too narrow for MSE and RMSE (68 to 92 % at level 95 %) if a few errors "
        "are far larger than the others.",
        "justesse; O'Neill (2014) for the degrees of freedom; Chen, Variyath and Abraham (2008) add a row, too",
    ),
    IntervalMethod(
        "log-t, items",
        "Interval of a coefficient of agreement on the scale of log(1 - value), with items as the sample.",
        "Gwet (2008)",
    ),
    IntervalMethod(
        "bootstrap of reference and target",
        "Quantiles over resampled rows of a labelled reference, whose calibration is fitted again to each resample, "
        "and of the rows without labels. It holds if the calibration is the same in both.",
        "Rubin (1981); justesse",
    ),
    IntervalMethod(
        "bootstrap of items",
        "Quantiles over resampled items; where a model is involved, it is fitted again to each resample.",
        "Efron (1979)",
    ),
    IntervalMethod(
        "posterior", "Quantiles of the draws from the posterior of a Bayesian model.", "Gelman et al. (2013)"
    ),
    IntervalMethod("bootstrap-percentile", "Quantiles of the value over resampled rows.", "Efron (1979)"),
    IntervalMethod(
        "bootstrap-smoothed",
        "Quantiles of the value over resampled rows, as if one more right and one more wrong answer had been counted: "
        "a class without mistakes is not taken as one that never errs (default). Corrected for skewness, and for the "
        "bias and the spread of resamples, so that it also holds with few rows of many classes. A class that is "
        "predicted but never labelled may be as good as the others.",
        "justesse; Agresti and Coull (1998) add rows to a share, Efron (1987) and Efron and Tibshirani (1993) correct "
        "for skewness and bias",
    ),
    IntervalMethod(
        "bootstrap-bca",
        "Quantiles of the value over resampled rows, corrected for bias and skewness.",
        "Efron (1987)",
    ),
    IntervalMethod(
        "bootstrap-studentised-symmetric",
        "Value plus or minus a multiple of its standard error; the multiple comes from resampled rows, each resample "
        "measured in its own standard errors.",
        "Hall (1988)",
    ),
    IntervalMethod(
        "bootstrap-studentised, one larger row",
        "Value plus or minus a multiple of its standard error; the multiple comes from resampled rows, each resample "
        "measured in its own standard errors. Never narrower than if one more row had a larger error than any seen. "
        "Too narrow (73 to 92 % at level 95 %) if the largest errors are too rare to be seen.",
        "justesse; Hall (1988); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "bootstrap-delta",
        "Bootstrap estimate of an error plus or minus a multiple of its standard error; that of .632+ reaches up to "
        "the upper end of the out-of-bag error.",
        "Efron and Tibshirani (1997)",
    ),
    IntervalMethod(
        "bootstrap-out-of-bag",
        "Quantiles over resampled rows of the chosen model's score on the rows left out.",
        "Tsamardinos, Greasidou and Borboudakis (2018)",
    ),
    IntervalMethod(
        "bootstrap-of-splits", "Quantiles of the fitted curve over resampled splits.", "Efron and Tibshirani (1993)"
    ),
    *(
        IntervalMethod(
            f"{name}-jaccard",
            "F1 from an interval of the share of right rows among those labelled or predicted as the class.",
            "Hand, Christen and Kirielle (2021)",
        )
        for name in get_args(PlainMethod)
    ),
    IntervalMethod(
        "area-score",
        "All areas under the ROC curve that the rows do not contradict; holds with few positive rows and near 1, too.",
        "justesse; from Hanley and McNeil (1982), DeLong, DeLong and Clarke-Pearson (1988), Newcombe (2006)",
    ),
    IntervalMethod(
        "binormal-score",
        "All average precisions, or means of areas over classes, that the rows do not contradict; with few rows their "
        "spread is partly that of normal scores. Holds for rare classes, too; near 0 it can cover as little as 91 %.",
        "justesse; from Hanley and McNeil (1982)",
    ),
    IntervalMethod(
        "delong",
        "Area under the ROC curve, plus or minus a multiple of its standard error.",
        "DeLong, DeLong and Clarke-Pearson (1988)",
    ),
    IntervalMethod(
        "delong-t",
        "Difference of two areas under ROC curves, plus or minus a multiple of its standard error, which is steadied "
        "by a model if one class has few rows.",
        "DeLong, DeLong and Clarke-Pearson (1988); Satterthwaite (1946)",
    ),
    IntervalMethod("tango", "Score interval of the difference of two accuracies on the same rows.", "Tango (1998)"),
    IntervalMethod("paired-t", "Student's interval of the mean difference of paired values.", "Student (1908)"),
    IntervalMethod(
        "student",
        "Student's interval of a mean, of items or of fold scores; too narrow if folds share rows.",
        "Student (1908)",
    ),
    IntervalMethod(
        "fieller", "Interval of the ratio of two means of paired values, such as areas by seed.", "Fieller (1954)"
    ),
    IntervalMethod(
        "student-nadeau-bengio",
        "Student's interval of the mean of fold scores, widened because training sets overlap.",
        "Nadeau and Bengio (2003)",
    ),
    IntervalMethod(
        "five-by-two-t",
        "Interval of the first difference of five repetitions of two-fold cross-validation.",
        "Dietterich (1998)",
    ),
    IntervalMethod("chi-square", "Interval of the standard deviation of normal values.", "textbooks of statistics"),
    IntervalMethod(
        "lam-stork",
        "Wilson's interval, corrected for label errors that are independent of the classifier's errors.",
        "Lam and Stork (2003)",
    ),
    IntervalMethod(
        "recheck-kinds",
        "Interval from a re-checked sample; rows count separately by whether label and prediction agree.",
        "Angelopoulos and others (2023); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "recheck-cells",
        "Interval from a re-checked sample; rows count separately by label and prediction.",
        "Angelopoulos and others (2023); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "recheck-none",
        "Interval from a re-checked sample, all rows together.",
        "Angelopoulos and others (2023); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "recheck-paired",
        "Interval of the difference of two classifiers from a re-checked sample.",
        "Angelopoulos and others (2023); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "recheck-drawn",
        "Interval from re-checked rows that were drawn with known, unequal probabilities: exact intervals of each "
        "stratum, combined by MOVER.",
        "Horvitz and Thompson (1952); Zou and Donner (2008)",
    ),
    IntervalMethod(
        "posterior-jeffreys",
        "Interval of a share against annotators: Jeffreys' posterior, averaged over draws of the true classes.",
        "justesse; Rubin (1987)",
    ),
    IntervalMethod(
        "posterior-jaccard",
        "Interval of F1 of a class against annotators, from the share behind it, over draws of the true classes.",
        "justesse; Hand, Christen and Kirielle (2021)",
    ),
    IntervalMethod(
        "posterior-dirichlet",
        "Interval against annotators: quantiles of confusion matrices drawn around each draw of the true classes.",
        "justesse; Rubin (1981)",
    ),
    *SEQUENCE_METHODS,
    IntervalMethod(
        "worst placing of wrong labels",
        "Interval of the difference, with the wrong labels where they move it most.",
        "justesse; see [which judge to use](../explanation/judges.md)",
    ),
)
BY_NAME = {method.name: method for method in METHODS}
OVERLAP, MOVED = "overlap of ", ", moved"


def method_words(name: str) -> str:
    """Explain the name of an interval method.

    Parameters
    ----------
    name
        Name in `Interval.method`.

    Returns
    -------
    str
        One or two sentences; empty if the name is unknown.

    Examples
    --------
    >>> method_words("mover")[:52]
    'Interval of a mean of shares, such as balanced accur'
    >>> method_words("overlap of wilson")
    "Compares the intervals of the two classifiers, each: Wilson's score interval of a share; good at any n (default)."
    >>> method_words("tango, moved")
    'Score interval of the difference of two accuracies on the same rows. Moved by the largest bias ...'
    """
    if name.startswith(OVERLAP):
        return f"Compares the intervals of the two classifiers, each: {method_words(name.removeprefix(OVERLAP))}"
    if name.endswith(MOVED):
        return f"{method_words(name.removesuffix(MOVED))} Moved by the largest bias wrong labels can cause."
    return BY_NAME[name].explanation if name in BY_NAME else ""
