"""Significance tests, one per file, each with a measured size: `justesse.significance.mcnemar(15, 5)`.

Tests of two classifiers on the same rows, of fold scores, of several classifiers; intervals of paired differences
(`paired_difference`, `paired_measure`); corrections for several comparisons (`multiplicity`) and for choosing the
best (`selection`).
"""

from typing import TYPE_CHECKING, Any

from justesse.core.room import files_of, load_on_use

FUNCTIONS = files_of(
    "anova",
    "bayesian_signed_rank",
    "corrected_t",
    "correlated_t",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "mcnemar",
    "nemenyi",
    "one_sample_t",
    "paired_difference",
    "paired_equivalence",
    "paired_power",
    "paired_t",
    "permutation",
    "sign_flip",
    "two_areas",
    adjusted="multiplicity",
    as_good_by_luck="selection",
    best_by_luck="selection",
    equivalence_t="equivalence",
    holm_ranks="rank_contrasts",
    max_t="multiplicity",
    overlap_level="overlap",
    overlap_z="overlap",
    paired_bootstrap="paired_measure",
    paired_delta="paired_measure",
    paired_n="paired_power",
    simultaneous_level="multiplicity",
    spreads="share_spreads",
)
load_on_use(__name__, FUNCTIONS)

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
