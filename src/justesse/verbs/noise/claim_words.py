"""How many wrong labels a claim survives, in a sentence."""

from justesse.noise.breakdown import Breakdown
from justesse.noise.survives import survives


def claim_words(broken: Breakdown, *, default: bool) -> str:
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
        return (
            "The accuracy is not above that of always predicting the most frequent label "
            f"({100 * float(broken.claim.threshold):.4g} %), so there is nothing for wrong labels to overturn."
        )
    if not broken.claim_holds:
        return f"The claim {claim} is false with the labels as they are."
    means = " (better than always predicting the most frequent label)" if default else ""
    if broken.count is None:
        return f"The claim {claim}{means} holds whatever the true classes are."
    whichever = ", whichever they are" if broken.count > 1 else ""
    return f"The claim {claim}{means} {survives(broken.count, broken.n)}{whichever}."
