"""Significance tests, one per file, each with a measured size: `justesse.significance.mcnemar(15, 5)`.

Tests of two classifiers on the same rows, of fold scores, of several classifiers; intervals of paired differences
(`paired_difference`, `paired_measure`); corrections for several comparisons (`multiplicity`) and for choosing the
best (`selection`); checks for weak spots that an accuracy hides (`majority_gap`, `low_recalls`).

Every test is listed in `TESTS`: the command line's choices, the errors, the JSON schema, the names in words and the
table in the documentation come from there. To add a test, write its file (see `SignificanceTest`), its entry and its
test.
"""

from typing import TYPE_CHECKING, Any

from justesse.core.errors import OptionError
from justesse.core.room import files_of, load_on_use
from justesse.significance.significance_test import TWO_SIDED, SignificanceTest

DEFAULT_OVER_FOLDS = "corrected-t"

TESTS = (
    SignificanceTest(
        "mcnemar",
        {
            "mcnemar-mid-p": "McNemar's mid-p test",
            "mcnemar-exact": "McNemar's exact test",
            "mcnemar-chi-square": "McNemar's χ² test",
        },
        "rows only one classifier gets right",
        "both are right equally often",
        "McNemar (1947); Fagerland, Lydersen and Laake (2013)",
    ),
    SignificanceTest(
        "clustered_mcnemar",
        {"mcnemar-cr2": "cluster-robust McNemar test"},
        "rows of each cluster only one classifier gets right",
        "both are right equally often",
        "Obuchowski (1998); Bell and McCaffrey (2002)",
    ),
    SignificanceTest(
        "clustered_t",
        {"clustered-t": "cluster-robust t test"},
        "counts of label, incumbent, candidate and cluster",
        "the measure is equal for both",
        "Bell and McCaffrey (2002); Pustejovsky and Tipton (2018)",
    ),
    SignificanceTest(
        "paired_equivalence",
        {"paired-tost": "equivalence test of two accuracies"},
        "rows only one classifier gets right",
        "the accuracies differ by at least the margin",
        "Schuirmann (1987); score form: Tango (1998)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "permutation",
        {"permutation": "permutation test"},
        "counts of label, incumbent and candidate",
        "the two can be swapped on any row",
        "Edgington (1969)",
    ),
    SignificanceTest(
        "two_areas",
        {"delong": "DeLong's test"},
        "scores of both classifiers",
        "the areas under the two ROC curves are equal",
        "DeLong, DeLong and Clarke-Pearson (1988)",
    ),
    SignificanceTest(
        "clustered_two_areas",
        {"obuchowski": "Obuchowski's test"},
        "scores of both classifiers and the cluster of each row",
        "the areas under the two ROC curves are equal",
        "Obuchowski (1997)",
    ),
    SignificanceTest(
        "sample_ratio",
        {"sample-ratio": "sequential test of the sample ratio"},
        "events of each variant over time",
        "traffic is split as planned",
        "Lindon and Malek (2022)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "corrected_t",
        {"corrected-t": "corrected resampled t test"},
        "fold scores of both classifiers",
        "the mean difference is 0, if training sets overlap",
        "Nadeau and Bengio (2003)",
        option="corrected-t",
        decides=True,
    ),
    SignificanceTest(
        "paired_t",
        {"paired-t": "paired t test"},
        "fold scores of both classifiers",
        "the mean difference is 0, if folds are independent",
        "Student (1908)",
        option="paired-t",
        decides=True,
    ),
    SignificanceTest(
        "five_by_two_t",
        {"five-by-two-t": "Dietterich's 5x2 t test"},
        "five repetitions of two folds",
        "the mean difference is 0",
        "Dietterich (1998)",
        option="5x2-t",
    ),
    SignificanceTest(
        "five_by_two_f",
        {"five-by-two-f": "Alpaydin's 5x2 F test"},
        "five repetitions of two folds",
        "the mean difference is 0",
        "Alpaydin (1999)",
        TWO_SIDED,
        option="5x2-f",
    ),
    SignificanceTest(
        "sign_flip",
        {"sign-flip": "sign-flip permutation test"},
        "fold scores of both classifiers",
        "differences are symmetric around 0, if folds are independent",
        "Fisher (1935); Phipson and Smyth (2010)",
        option="sign-flip",
    ),
    SignificanceTest(
        "equivalence_t",
        {"equivalence-t": "equivalence t test"},
        "fold scores of both classifiers",
        "the mean scores differ by at least the margin",
        "Schuirmann (1987)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "correlated_t",
        {"correlated-t": "Bayesian correlated t test"},
        "fold scores of both classifiers",
        "none: it returns the probability that either is better",
        "Corani and Benavoli (2015)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "bayesian_signed_rank",
        {"bayesian-signed-rank": "Bayesian signed-rank test"},
        "fold scores of both classifiers",
        "none: it returns the probability that either is better on independent data sets",
        "Benavoli and others (2014, 2017)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "one_sample_t",
        {"one-sample-t": "one-sample t test"},
        "fold scores of one classifier",
        "the mean score is the target",
        "Student (1908); Nadeau and Bengio (2003)",
    ),
    SignificanceTest(
        "anova",
        {
            "anova-blocked": "analysis of variance with folds as blocks",
            "anova-blocked-corrected": "analysis of variance, corrected for shared training rows",
            "anova-one-way": "one-way analysis of variance",
        },
        "scores of several classifiers",
        "all mean scores are equal",
        "Fisher (1925)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "friedman",
        {"friedman": "Friedman's test"},
        "scores of several classifiers",
        "all rank alike over independent data sets",
        "Friedman (1937); Iman and Davenport (1980)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "nemenyi",
        {"nemenyi": "Nemenyi's test"},
        "mean ranks",
        "two of them rank alike, for all pairs",
        "Nemenyi (1963); Demšar (2006)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "holm_ranks",
        {"holm-ranks": "mean ranks against a control, adjusted by Holm"},
        "mean ranks",
        "a classifier ranks as the control, for each of them",
        "Holm (1979); Demšar (2006)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "agreement_fit",
        {"agreement-fit": "fit of the agreements"},
        "answers of four or more classifiers",
        "all err independently",
        "Browne (1984)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "reference_independence",
        {"reference-independence": "test of the reference's independence"},
        "labelled rows on which two classifiers differ",
        "a reference classifier favours neither, apart from being right",
        "Mantel (1963)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "carried_calibration",
        {"carried-calibration": "test that calibration carries over"},
        "confidences of a labelled reference and of labelled rows of a target",
        "predictions of the same confidence are right equally often in both",
        "Spiegelhalter (1986); Cox (1958)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "constant_rates",
        {"constant-rates": "exchange test of a judge's error rates"},
        "verdicts of a judge and ratings of people",
        "given people's ratings, the judge errs alike in all groups",
        "Fisher (1935)",
        TWO_SIDED,
    ),
    SignificanceTest(
        "rating_gap",
        {"rating-gap": "exchange test of what a judge favours"},
        "verdicts of a judge and ratings of people",
        "the judge treats two kinds of outputs alike that people rate alike",
        "Mantel and Haenszel (1959)",
        TWO_SIDED,
    ),
)
FUNCTIONS = files_of(
    *(test.function for test in TESTS),
    "class_differences",
    "clustered_classes",
    "clustered_difference",
    "low_recalls",
    "majority_gap",
    "pair_evidence",
    "paired_difference",
    "paired_power",
    "rank_sets",
    accepted_gap="majority_gap",
    adjusted="multiplicity",
    as_good_by_luck="selection",
    best_by_luck="selection",
    clustered_delta="clustered_measure",
    clustered_paired_bootstrap="clustered_measure",
    luck_of_best="selection",
    max_t="multiplicity",
    overlap_level="overlap",
    overlap_z="overlap",
    paired_bootstrap="paired_measure",
    paired_delta="paired_measure",
    paired_n="paired_power",
    simultaneous_level="multiplicity",
    spreads="share_spreads",
    task_mean_evidence="pair_evidence",
)
load_on_use(__name__, FUNCTIONS)

TITLES = {name: title for test in TESTS for name, title in test.titles.items()}
OVER_FOLDS = {test.option: test for test in TESTS if test.option}

if TYPE_CHECKING:
    FoldTest = str

    def __getattr__(name: str) -> Any: ...

else:
    from typing import Literal

    FoldTest = Literal[tuple(OVER_FOLDS)]


def fold_test(option: str) -> SignificanceTest:
    """Return the test over folds that a user names.

    >>> fold_test("5x2-t").title
    "Dietterich's 5x2 t test"
    >>> fold_test("z")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: test must be one of corrected-t, paired-t, 5x2-t, 5x2-f, sign-flip; got 'z'
    """
    if option not in OVER_FOLDS:
        raise OptionError(f"The test must be one of {', '.join(OVER_FOLDS)}; got {option!r}.")
    return OVER_FOLDS[option]


def title_of_test(name: str) -> str:
    """Return the name of a test's result in words.

    >>> title_of_test("mcnemar-mid-p"), title_of_test("something of one's own")
    ("McNemar's mid-p test", "something of one's own")
    """
    return TITLES.get(name, name)
