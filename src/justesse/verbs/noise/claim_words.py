"""How many wrong labels a claim survives, in a sentence."""

from justesse.noise.breakdown import Breakdown
from justesse.noise.survives import survives
from justesse.report.writing import Message, message


def claim_words(broken: Breakdown, *, default: bool) -> Message:
    """Say how many wrong labels a claim survives.

    Parameters
    ----------
    broken
        Breakdown rate of the claim.
    default
        Whether nobody made this claim: it is then explained.
    """
    claim = str(broken.claim)
    if not broken.claim_holds and default:
        return message(
            "The accuracy is not above that of always predicting the most frequent label ({share:level}), so there is nothing "
            "for wrong labels to overturn.",
            share=float(broken.claim.threshold),
        )
    if not broken.claim_holds:
        return message("The claim {claim} is false with the labels as they are.", claim=claim)
    means = " (better than always predicting the most frequent label)" if default else ""
    if broken.count is None:
        return message("The claim {claim}{means} holds whatever the true classes are.", claim=claim, means=means)
    template = (
        "The claim {claim}{means} {survives}, whichever they are."
        if broken.count > 1
        else "The claim {claim}{means} {survives}."
    )
    return message(template, claim=claim, means=means, survives=survives(broken.count, broken.n))
