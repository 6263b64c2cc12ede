"""Say whether most annotators err together on some items, as far as the answers can show it."""

from justesse.annotators.answer_fit import AnswerFit, answer_fit
from justesse.annotators.consensus import Consensus
from justesse.annotators.dependence import Dependence
from justesse.report.document import Text
from justesse.report.writing import message

RATE = 0.05  # p-value up to which answers do not fit the model
MODELS = ("dawid-skene", "one-coin", "mace", "hierarchical", "item-response")  # all items of a class are alike in them
TOGETHER = (
    "Annotators err together on some items: answers to one item agree {ratio:ratio} times as unevenly as independent mistakes "
    "would make them ({p:p}). The model's probabilities are then often too high (dog data: 99.1 % expected right, 84.3 % are). {remedy}"
)
CHECK = "Check them with items whose true class is known (check=…, --check)."
CALIBRATED = "The gold classes show how much; use the calibrated ones."
UNCHECKED = (
    "The probabilities are the model's own, and on real crowds they are often too high (bluebird data: 99.7 % expected "
    "right, 89.8 % are). Check them with items whose true class is known (check=…, --check)."
)
JUDGED = (
    "If annotators err together on hard items, a classifier that is right there looks worse than it is (dog data: +3 points by "
    "the others, +23 by the true classes). {seen} Have some items checked, and judge by them (check=…, --check)."
)
FOUND = "These do: answers to one item agree {ratio:ratio} times as unevenly as independent mistakes would make them ({p:p})."
NOT_FOUND = "The check of the answers found no sign of it, but it often misses it."
BLIND = (
    "Items on which most annotators give the same wrong answer look like easy ones: no test of the answers finds them."
)


def shared_mistakes(fit: Consensus, together: Dependence | None, *, seed: int = 0) -> AnswerFit | None:
    """Check how evenly answers agree, without annotators who repeat others' answers; `None` for other models."""
    notes = fit.support.annotations
    if fit.method not in MODELS:
        return None
    if together is not None and together.links:
        notes = notes.without([link.annotator for link in together.links])
    return answer_fit(notes, seed=seed)


def err_together(check: AnswerFit | None) -> bool:
    """Tell whether the answers do not fit the model."""
    return check is not None and check.pvalue <= RATE


def probability_warnings(check: AnswerFit | None, *, checked: bool) -> list[Text]:
    """Warn of probabilities that are too high, or that nobody checked."""
    if check is None or not err_together(check):
        return [] if checked else [UNCHECKED]
    return [message(TOGETHER, ratio=check.ratio, p=check.pvalue, remedy=CALIBRATED if checked else CHECK)]


def judged_by_others_warning(check: AnswerFit | None) -> Text:
    """Warn that annotators judge a classifier by their own shared mistakes."""
    seen: Text = "Too few answers to check that."
    if check is not None:
        seen = message(FOUND, ratio=check.ratio, p=check.pvalue) if err_together(check) else NOT_FOUND
    return message(JUDGED, seen=seen)


def shared_mistake_words(check: AnswerFit | None) -> list[Text]:
    """Say what the check of all answers shows and what it cannot show."""
    if check is None:
        return []
    uneven = (
        "All annotators together: answers to one item agree {ratio:ratio} times as unevenly as independent mistakes would make "
        "them ({p:p}). Hard items do that: many err on the same ones."
    )
    even = (
        "All annotators together: answers to one item agree about as evenly as independent mistakes would make them ({p:p}). With "
        "few answers per item hard items are often missed."
    )
    return [message(uneven if err_together(check) else even, ratio=check.ratio, p=check.pvalue), BLIND]
