"""What casts doubt on figures judged by annotators: shared mistakes, repeated predictions, swapped class names."""

from collections.abc import Sequence
from typing import Any

from justesse.annotators.answer_fit import AnswerFit
from justesse.annotators.repeated_predictions import RepeatedPredictions
from justesse.annotators.swapped_classes import swapped_classes
from justesse.annotators.truth_draws import TruthDraws
from justesse.core.annotations import Annotations
from justesse.core.arrays import FloatArray
from justesse.core.results import ClassName
from justesse.report.document import Text
from justesse.report.writing import message

RATE = 0.05  # p-value up to which answers do not fit the model
REPEATS = (
    0.001  # p-value up to which an annotator repeats predictions: smaller, as hard items look like repeated answers
)
NEARLY, ENOUGH = 0.95, 50  # share of equal answers and common items from which an annotator may repeat predictions
HARD_ITEMS = (
    "Real annotators often err together on hard items. Then intervals are too narrow, and a good classifier looks worse than "
    "it is. The check of the answers found no sign of it, but with few answers per item it often misses it. To be sure, have "
    "a random sample re-checked, and use it (audited=…, --audited)."
)
SHOWN = 3


def err_together(draws: TruthDraws) -> bool:
    """Tell whether the answers to an item agree more unevenly than independent mistakes would make them."""
    return draws.fit is not None and draws.fit.pvalue <= RATE


def fit_facts(fit: AnswerFit | None) -> dict[str, Any]:
    """Give the check of the answers, for JSON."""
    return {"fit": None if fit is None else {"pvalue": fit.pvalue, "ratio": fit.ratio, "replicates": fit.replicates}}


def fit_warning(draws: TruthDraws, *, rechecked: bool = False) -> Text | None:
    """Say whether annotators err together, and what that can change; figures of re-checked items allow for it."""
    if draws.fit is None:
        return None
    if not err_together(draws):
        return HARD_ITEMS
    words = (
        "Annotators err together on some items: answers to one item agree {ratio:ratio} times as unevenly as independent "
        "mistakes would make them ({p:p}). These intervals are too narrow: each 1 % of items on which most are wrong together "
        "can move a share by a point, either way. Have a random sample of items re-checked, and use it (audited=…, "
        "--audited)."
    )
    if rechecked:
        words = (
            "Annotators err together on some items: answers to one item agree {ratio:ratio} times as unevenly as independent "
            "mistakes would make them ({p:p}). Use the figures by the re-checked items: those by the answers alone are off, and "
            "their intervals too narrow."
        )
    return message(
        words,
        ratio=draws.fit.ratio,
        p=draws.fit.pvalue,
    )


def repeats(each: RepeatedPredictions) -> bool:
    """Tell whether an annotator surely repeats predictions, or the other way round."""
    return each.pvalue <= REPEATS


def may_repeat(each: RepeatedPredictions) -> bool:
    """Tell whether answers and predictions are nearly the same: copied, or both far better than the rest."""
    return each.n >= ENOUGH and each.equal >= NEARLY * each.n


def repeated_warnings(repeated: Sequence[RepeatedPredictions], annotators: Sequence[ClassName]) -> list[Text]:
    """Name annotators who were left out because they repeat the predictions, and those who may."""
    warnings: list[Text] = []
    suspects = [each for each in repeated if repeats(each) or may_repeat(each)]
    for each in suspects[:SHOWN]:
        words = (
            "{name} gave the predicted class to {equal:count} of {n:count} common items. If one repeats the other, they are one "
            "opinion, and the classifier looks better than it is. Find out, and then leave that annotator's answers out."
        )
        if repeats(each):
            words = (
                "{name} was left out of the annotators: {equal:count} of {n:count} answers are the predicted class, and about "
                "{share:whole_share} of the predictions repeat them, mistakes included ({p:p}). Counted as two "
                "opinions, they would make the classifier look better than it is."
            )
        warnings.append(
            message(
                words,
                name=annotators[each.annotator],
                equal=each.equal,
                n=each.n,
                share=each.share,
                p=each.pvalue,
            )
        )
    return warnings


def guessing_warning(draws: TruthDraws, notes: Annotations) -> Text | None:
    """Name annotators who are right less often than by guessing."""
    if not draws.worse:
        return None
    worst = draws.worse[0]
    return message(
        "Right less often than by guessing: {names:names} ({first}: {right:share}, guessing {guessing:share}). They may have "
        "confused the classes. The model reads their answers the other way round; ask them, or leave them out.",
        names=[notes.annotators[each.annotator] for each in draws.worse],
        first=notes.annotators[worst.annotator],
        right=worst.right,
        guessing=worst.guessing,
    )


def swap_warning(table: FloatArray, classes: Sequence[ClassName], name: str | None = None) -> Text | None:
    """Say that predictions would be right far more often with the classes renamed: somebody has them the wrong way round."""
    swap = swapped_classes(table)
    if swap is None:
        return None
    renamed = [
        str(message("{a} as {b}", a=classes[code], b=classes[to])) for code, to in enumerate(swap.names) if code != to
    ]
    words = (
        "The predictions{of} are right in {before:share} of items, but in {after:share} if {renamed:and} were read. Either the "
        "predictions have the classes the wrong way round, or most annotators do. Check some items before you use these figures."
    )
    return message(
        words, of="" if name is None else f" of {name}", before=swap.before, after=swap.after, renamed=renamed[:6]
    )
