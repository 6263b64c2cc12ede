"""What a comparison of fold scores says of probabilities."""

from justesse import compare_folds

SCORES = {"old": [0.80, 0.84, 0.79, 0.83, 0.82], "new": [0.81, 0.83, 0.81, 0.84, 0.83]}


def test_with_a_margin_better_means_by_more_than_it():
    found = compare_folds(SCORES, margin=0.02)
    p = found.verdict.posterior
    assert (
        f"better by more than 0.02 is {p.candidate_better:.1%}, and {p.equivalent:.1%} that"
        in found.headline.replace(" %", "%")
    )


def test_without_one_better_is_better():
    found = compare_folds(SCORES)
    assert f"that it is better is {found.verdict.posterior.candidate_better:.1%}." in found.headline.replace(" %", "%")
    assert (
        found.verdict.posterior.candidate_better > compare_folds(SCORES, margin=0.02).verdict.posterior.candidate_better
    )
