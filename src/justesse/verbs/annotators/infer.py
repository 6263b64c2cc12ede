"""`justesse.annotators_infer`: the probable class of each item, and how good each annotator is."""

from collections.abc import Sequence
from typing import Any

from justesse.annotators.calibration import calibration
from justesse.annotators.cards import annotator_cards
from justesse.annotators.confusions import confusions
from justesse.annotators.consensus import Consensus
from justesse.annotators.dependence import Dependence, dependence
from justesse.annotators.drift import drifts
from justesse.annotators.heldout import heldout
from justesse.annotators.item_features import ItemLikelihood
from justesse.annotators.models import fitted, model_named
from justesse.annotators.pairs import pair_tables
from justesse.annotators.refits import STEPS as REFIT_STEPS
from justesse.annotators.refits import Refits, refits
from justesse.annotators.stated_confidence import stated_confidence
from justesse.annotators.support import WholeTables
from justesse.core.annotations import Annotations
from justesse.core.choices import Repeated
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, check_level
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.annotators.changing_annotators import changing_annotators
from justesse.verbs.annotators.copied_answers import copied_warnings
from justesse.verbs.annotators.inference import Inference
from justesse.verbs.annotators.options import AnswerColumnOptions, Method, TruthIntervalOptions, TruthModelOptions
from justesse.verbs.annotators.read import item_features, read_answers
from justesse.verbs.annotators.shared_mistakes import probability_warnings, shared_mistakes
from justesse.verbs.annotators.switched_names import switched_names
from justesse.verbs.recorded import recorded

REFIT_LIMIT = 200_000_000  # answers times classes times refits, beyond which intervals take too long
STEP_LIMIT = 5_000_000_000  # the same times the iterations that the model needed
MOST_PAIRS = 2_000  # annotators, beyond which pairs are not tested
ENOUGH_PEOPLE = 5  # with fewer, copying is often missed
FEW_PEOPLE = (
    "With {n:count} annotators, copying cannot be distinguished from accuracy: two who copy each other may look like the "
    "two who are right. Ask more annotators, five in all, or check with items whose true class is known."
)
FEW_ANSWERS = (
    "Most answers come from annotators with fewer than {least:count} answers: too few to estimate a confusion table of "
    "{classes:count} classes for each. Classes may be wrong and probabilities too high. Use method='weighted' (--method "
    "weighted), or hierarchical if there are not too many annotators."
)
ENOUGH_ANSWERS = 100  # with fewer in all, everything is rough
SHARES = "The probability of a class is its share of the votes, not a chance to be right."


@recorded
def annotators_infer(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    annotators: Sequence[str] | None = None,
    time: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    ignore_case: bool = False,
    repeated: Repeated = AnswerColumnOptions.repeated,
    confidence: str | None = None,
    duration: str | None = None,
    gold: Any = None,
    check: Any = None,
    features: Sequence[str] | None = None,
    counts: Sequence[str] | None = None,
    method: Method = TruthModelOptions.method,
    prior: float = TruthModelOptions.prior,
    starts: int = TruthModelOptions.starts,
    level: float = TruthIntervalOptions.level,
    draws: int = TruthIntervalOptions.draws,
    folds: int = TruthModelOptions.folds,
    seed: int = TruthIntervalOptions.seed,
) -> Inference:
    """Infer the probable class of each item from several annotators' answers.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.
    item
        Column with the items. Default: the column named item, task or question.
    annotator
        Column with the annotators. Default: the column named annotator, worker or rater. Without one, every column but
        the items is an annotator.
    answer
        Column with the answers. Default: the column named answer, label or class.
    annotators
        In a table with a row for each item: the annotators' columns, such as ann,bob or 'rater*'. Default: all columns
        but the items and usual other names.
    time
        Column with the time or position of each answer. Default: answers have no order.
    classes
        All classes in order, such as ['low', 'mid', 'high']. Default: those answered.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    ignore_case
        Treat answers that differ only in case or spaces as one class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    confidence
        Column with the confidence that the annotator stated, from 0 to 1 or in percent. Default: the column named
        confidence or certainty, if there is one.
    duration
        Column with the time each answer took, a number in seconds or another unit; medians have the same unit. Default:
        the column named duration or seconds, if there is one.
    gold
        Column with the true class where it is known, or a table with items and true classes. The model takes them as
        certain. Default: none.
    check
        Column with the true class where it is known, or a table with items and true classes. The model does not see
        them: they check and calibrate its probabilities. Default: none.
    features
        List of columns with numeric features of the items, for item-response. Default: none.
    counts
        List of columns with counts, such as those of words, for item-response. Default: none.
    method
        Model of the annotators: majority, weighted, one-coin, dawid-skene, mace, glad, hierarchical or item-response.
        Default: dawid-skene.
    prior
        Count added to each cell of an annotator's table, for dawid-skene. Default: 0.
    starts
        Number of starts of dawid-skene; the best is kept. Default: 1.
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of refits for intervals, 0 for none. Default: 200.
    folds
        Number of parts that items are split into to score the model by answers left out, such as 5. Default: 0, no
        score.
    seed
        Seed of the random draws. Default: 0.

    Examples
    --------
    >>> answers = {"item": [1, 1, 1, 2, 2, 2], "annotator": list("abcabc"), "answer": ["x", "x", "y", "y", "y", "y"]}
    >>> annotators_infer(answers, method="majority").truth()["class"]
    ['x', 'y']
    """
    check_level(level)
    model_named(method)
    if draws < 0:
        raise OptionError(f"draws must be 0 or more; got {draws!r}.")
    if folds < 0 or folds == 1:
        raise OptionError(f"folds must be 0, or 2 or more; got {folds!r}.")
    _check_features(method, features, counts)
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated, annotators=annotators, gold=gold, beside={"check": check},
        features=features or [], counts=counts or [],
        details={"confidence": confidence, "duration": duration}, guess=True,
    )  # fmt: skip
    notes = read.annotations
    warnings: list[Text] = [*read.warnings]
    if notes.n_annotators <= MOST_PAIRS:
        warnings = [*copied_warnings(notes, pair_tables(notes)), *warnings]
    values = item_features(read, features, counts)
    fit = fitted(method, notes, **_options(method, prior, starts, seed, values))
    again: Refits | None = None
    if method == "dawid-skene" and draws:
        size = len(notes) * notes.n_classes * draws
        if size > REFIT_LIMIT or size * min(fit.iterations, REFIT_STEPS) > STEP_LIMIT:
            warnings.append("Too many answers to fit the model again: intervals treat the consensus as the truth.")
        else:
            again = refits(fit, draws=draws, seed=seed)
    checked = None
    if "check" in read.beside:
        checked = calibration(fit, read.beside["check"], level=level, seed=seed)
    together = _dependence(fit)
    shared = shared_mistakes(fit, together, seed=seed)
    if (notes.per_item > 1).any() or notes.gold is not None:
        if method not in ("majority", "weighted"):
            warnings.extend(probability_warnings(shared, checked=checked is not None))
        elif checked is None:
            warnings.append(SHARES)
    if unanswered := int((notes.per_item == 0).sum()):
        warnings.append(_unanswered(unanswered))
    left_out = heldout(notes, [method], features=values, folds=folds, level=level, seed=seed)[0] if folds else None
    if method == "dawid-skene":
        warnings = [*_few_answers(notes), *warnings]
    over_time = tuple(drifts(fit, level=level)) if notes.time is not None else ()
    warnings = [*changing_annotators(fit, over_time), *warnings]
    warnings = [*switched_names(fit, read.beside.get("check")), *_copying(fit, together), *warnings]
    return Inference(
        fit,
        annotator_cards(fit, again, level=level),
        again,
        together,
        confusions(fit, again, level=level),
        over_time,
        level,
        seed,
        checked,
        (*fit.warnings, *warnings),
        data,
        None if left_out is None else left_out.score,
        tuple(stated_confidence(fit, again, level=level)),
        shared,
    )


def _few_answers(notes: Annotations) -> list[Text]:
    """Warn if tables have more free numbers than most annotators have answers."""
    least = max(notes.n_classes * (notes.n_classes - 1), 2)
    sizes = notes.per_annotator
    if len(notes) < ENOUGH_ANSWERS or 2 * int(sizes[sizes < least].sum()) <= len(notes):
        return []
    return [message(FEW_ANSWERS, least=least, classes=notes.n_classes)]


def _unanswered(n: int) -> Text:
    return message(
        "{n:count item} {n:plural has|have} no answer: {n:plural its|their} class is a guess from the rest.", n=n
    )


def _check_features(method: Method, features: Sequence[str] | None, counts: Sequence[str] | None) -> None:
    if method == "item-response" and not (features or counts):
        raise OptionError(
            "item-response needs features of the items: features=… (--features) or counts=… (--counts). Without "
            "features use hierarchical."
        )
    if method != "item-response" and (features or counts):
        raise OptionError(
            f"The method {method} takes no features. Use method='item-response' (--method item-response)."
        )


def _options(method: Method, prior: float, starts: int, seed: int, values: ItemLikelihood | None) -> dict[str, Any]:
    if method == "dawid-skene":
        return {"prior": prior, "starts": starts, "seed": seed}
    if prior or starts != TruthModelOptions.starts:
        raise OptionError(f"The method {method} takes neither prior nor starts; they belong to dawid-skene.")
    if method == "item-response":
        return {"features": values, "seed": seed}
    return {"seed": seed} if method in ("mace", "hierarchical") else {}


def _dependence(fit: Consensus) -> Dependence | None:
    """Test who errs together, if there are tables of not too many annotators."""
    whole = isinstance(fit.support.tables, WholeTables)
    if fit.method != "dawid-skene" or not whole or fit.support.annotations.n_annotators > MOST_PAIRS:
        return None
    return dependence(fit)


def _copying(fit: Consensus, together: Dependence | None) -> list[Text]:
    """Say who repeats whose answers and what that changes, or that few annotators cannot show it."""
    if together is None:
        return []
    notes = fit.support.annotations
    if not together.links:
        if notes.n_annotators >= ENOUGH_PEOPLE or notes.n_annotators < 2:
            return []
        return [message(FEW_PEOPLE, n=notes.n_annotators)]
    names = [message("{a} and {b}", a=notes.annotators[a], b=notes.annotators[b]) for a, b in together.taken]
    sentences: list[Text] = [
        message(
            "Annotators seem to repeat each other's answers: {names:and}. If repeated answers count once, {n:count} of "
            "{items:count} items change their class. Hard items can look like this, too: find out, then use the corrected "
            "classes, or leave one of each pair out.",
            names=[str(name) for name in names],
            n=int((fit.label != together.fit.label).sum()),
            items=notes.n_items,
        )
    ]
    if together.rivals:
        first, second = together.rivals[0]
        sentences.append(
            message(
                "It may be {a} and {b} instead: that explains the answers about as well. More annotators or gold classes "
                "can settle it.",
                a=notes.annotators[first],
                b=notes.annotators[second],
            )
        )
    return sentences
