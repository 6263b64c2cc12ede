"""`justesse.annotators_next`: whom to ask about which item next, and when to stop."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from justesse.annotators.assignment import MOST_PEOPLE, NextQuestion, next_questions
from justesse.annotators.checked_share import CheckedShare, check_order, checked_share
from justesse.annotators.consensus import Consensus
from justesse.annotators.dawid_skene import dawid_skene
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array
from justesse.core.choice import check_choice
from justesse.core.choices import AskingGoal, AskingRule, Repeated
from justesse.core.errors import OptionError
from justesse.core.levels import identity, spelt_alike
from justesse.core.recording import forgetting, remembering
from justesse.core.results import ClassName, check_level
from justesse.core.seeds import check_seed
from justesse.frames.annotations import ReadAnnotations
from justesse.frames.item_classes import ClassRole
from justesse.frames.item_order import item_order
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.annotators.next_result import NextQuestions
from justesse.verbs.annotators.options import AnswerColumnOptions, AskingOptions, GoalInputOptions, StoppingOptions
from justesse.verbs.annotators.read import read_answers
from justesse.verbs.annotators.wanted_goal import goal_inputs, goal_state, labels_beside
from justesse.verbs.recorded import recorded

SMOOTHING = 0.1  # so that few answers do not make an annotator perfect
HORIZON = 100  # questions in the cost curve, unless more are asked
LONGEST_PLAN = 200_000_000  # numbers computed for the cost curve
UNCHECKED = (
    "Expected shares are the model's own, and on real crowds they are often too high (dog data: 99.1 % expected right, 84.3 % "
    "are). Trust the order of the questions, not the shares; to know when to stop, have items checked (target=…, --target)."
)
OWN_ORDER = (
    "The checked items are not the next ones of the list of items to check. The bounds hold only if they were drawn at "
    "random, in the order of their rows."
)


@recorded
def annotators_next(
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
    gold: Any = None,
    goal: AskingGoal = AskingOptions.goal,
    rule: AskingRule = AskingOptions.rule,
    number: int = AskingOptions.number,
    budget: float | None = None,
    prices: Mapping[ClassName, float] | None = None,
    seed: int = AskingOptions.seed,
    incumbent: Any = None,
    candidate: Any = None,
    noise_of: Any = GoalInputOptions.noise_of,
    probabilities: Any = None,
    features: Sequence[str] | None = None,
    target: float | None = None,
    check: Any = None,
    versions: int = StoppingOptions.versions,
    level: float = StoppingOptions.level,
) -> NextQuestions:
    """Choose whom to ask about which item next, by the expected gain per price, and say when to stop.

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
    gold
        Column with the true class where it is known, or a table with items and true classes. The model takes them as
        certain. Default: none.
    goal
        What answers should improve: accuracy (of the consensus), comparison (of two classifiers: incumbent and
        candidate), noise (the rate of wrong labels) or training (of a classifier: probabilities or features). Default:
        accuracy.
    rule
        How questions are chosen: gain (expected gain of the goal per price), lam-stork (information about the classes
        per price), uncertainty (least certain items), round-robin (items with fewest answers) or random. Default: gain.
    number
        Number of questions. Default: 10.
    budget
        What the questions may cost together. Default: no limit.
    prices
        Price of an answer of each annotator, as a dict. Default: 1 each.
    seed
        Seed of the random draws, and of the order of checks. Default: 0.
    incumbent
        For comparison: column with the incumbent's predictions, or a table with items and predictions.
    candidate
        For comparison: column with the candidate's predictions, or a table with items and predictions.
    noise_of
        For noise: whose labels may be wrong: 'majority' (the majority vote), the name of an annotator, a column with
        the recorded label of each item, or a table with items and labels. Default: majority.
    probabilities
        For training: table with items and a column for each class, the classifier's probabilities.
    features
        For training: list of columns with numeric features of the items. A logistic regression on them is the
        classifier.
    target
        Share of items whose class must be right, such as 0.98: says whether to stop. Default: none.
    check
        Column with the true class of items checked by an expert, or a table with items and true classes in the order of
        the checks. Draw them at random: the result lists which to check next. The model does not see them. Default:
        none.
    versions
        For how many states of the answers these checks are used, this one included. New answers change the classes that
        were checked: each use takes its share of the risk. Say the number before the first use. Default: 1.
    level
        Confidence level of the bounds, such as 0.9. Default: 0.95.

    Examples
    --------
    >>> answers = {"item": [1, 1, 2, 2, 3, 3, 4, 4], "annotator": list("abbcacab"), "answer": list("xyxxyyyy")}
    >>> annotators_next(answers, number=1).questions[0].item
    0
    """
    if check_level(level) <= 0.5:
        raise OptionError(f"The level must be above 0.5, such as 0.95; got {level!r}.")
    check_seed(seed)
    check_choice("goal", goal, AskingGoal)
    check_choice("rule", rule, AskingRule)
    _check_plan(number, budget)
    goal_inputs(goal, incumbent, candidate, noise_of, probabilities, features)
    if check is not None and target is None:
        raise OptionError("Checks need a target: the share of items whose class must be right, target=… (--target).")
    if versions < 1:
        raise OptionError(f"versions must be 1 or more: how often the checks are used; got {versions!r}.")
    if versions > 1 and target is None:
        raise OptionError("versions says how often checks are used. It needs a target, target=… (--target).")
    options: dict[str, Any] = {
        "item": item, "annotator": annotator, "answer": answer, "annotators": annotators, "time": time, "classes": classes,
        "as_text": as_text, "ignore_case": ignore_case, "repeated": repeated, "gold": gold,
    }  # fmt: skip
    beside: dict[ClassRole, Any] = {"check": check, "incumbent": incumbent, "candidate": candidate}
    read = read_answers(data, **options, beside=beside, features=features or ())
    if goal == "noise" and (labels := labels_beside(noise_of, read)) is not None:
        read = read_answers(data, **options, beside={**beside, "label": labels}, features=features or ())
    notes = read.annotations
    cost = _prices(prices, notes.annotators)
    if budget is not None and budget < min(cost):
        raise OptionError(f"The budget {budget:g} buys no answer: the lowest price is {min(cost):g}.")
    fit = dawid_skene(notes, prior=SMOOTHING)
    state, warnings = goal_state(goal, fit, read, noise_of=noise_of, probabilities=probabilities)
    plan: dict[str, Any] = {"goal": state.goal, "prices": cost, "seed": seed}
    further = next_questions(fit, **plan, rule=rule, number=max(number, _horizon(notes)))
    questions = further[:number]
    if budget is not None:
        questions = next_questions(fit, **plan, rule=rule, number=number, budget=budget)
    in_turn: list[NextQuestion] = []
    if rule != "round-robin":
        in_turn = next_questions(fit, **plan, rule="round-robin", number=len(further) or 1)
    stopping: CheckedShare | None = None
    to_check: tuple[int, ...] = ()
    stop_warnings: tuple[Text, ...] = ()
    if target is not None:
        stopping, to_check, stop_warnings = _stopping(fit, read, data, check, target, level, versions, seed, item)
    return NextQuestions(
        fit,
        tuple(questions),
        budget,
        state,
        rule,
        tuple(further),
        tuple(in_turn),
        stopping,
        to_check[:number],
        (
            *stop_warnings,
            *read.warnings,
            *_many_people(notes, rule),
            *warnings,
            *fit.warnings,
            *([UNCHECKED] if target is None and questions else []),
        ),
        data,
    )


def _many_people(notes: Annotations, rule: AskingRule) -> list[Text]:
    """Say which of very many annotators are considered."""
    if notes.n_annotators <= MOST_PEOPLE:
        return []
    words = (
        "Of {all:count} annotators, only the {n:count} who tell most about the classes for their price are considered."
    )
    if rule in ("random", "round-robin"):
        words = "Of {all:count} annotators, only {n:count} drawn at random are considered."
    return [message(words, all=notes.n_annotators, n=MOST_PEOPLE)]


def _horizon(notes: Annotations) -> int:
    """Plan fewer further questions if there are many classes and annotators: each costs so much more."""
    people = min(notes.n_annotators, MOST_PEOPLE)
    return max(min(HORIZON, LONGEST_PLAN // (people * notes.n_classes**2)), 1)


def _check_plan(number: int, budget: float | None) -> None:
    if number < 1:
        raise OptionError(f"The number of questions must be 1 or more; got {number!r}.")
    if budget is not None and not 0 < budget < float("inf"):
        raise OptionError(f"The budget must be a number above 0; got {budget!r}.")


def _prices(prices: Mapping[ClassName, float] | None, annotators: Sequence[ClassName]) -> list[float]:
    """Put the prices in the order of annotators; the others cost 1."""
    cost = [1.0] * len(annotators)
    if not isinstance(prices, Mapping | None):
        raise OptionError(f"Prices are written by annotator, such as prices={{'expert': 10}}; got {prices!r}.")
    for name, price in (prices or {}).items():
        at = next((at for at, known in enumerate(annotators) if known == name or spelt_alike(known, name)), None)
        if at is None:
            some = message("{names:names}", names=annotators)
            raise OptionError(f"There is no annotator {name!r} in the answers, but a price. Annotators: {some}.")
        if not isinstance(price, Real) or not 0 < price < float("inf"):
            raise OptionError(f"The price of {name!r} must be a number above 0; got {price!r}.")
        cost[at] = float(price)
    return cost


def _stopping(
    fit: Consensus,
    read: ReadAnnotations,
    data: Any,
    check: Any,
    target: float,
    level: float,
    versions: int,
    seed: int,
    item: str | None,
) -> tuple[CheckedShare, tuple[int, ...], tuple[Text, ...]]:
    """Bound the share of right classes by the checks; list what to check next.

    Parameters
    ----------
    fit
        The model, whose most probable classes are checked.
    read
        Answers, and the true classes of checked items.
    data
        The data as they came.
    check
        Column or table of checks.
    target
        The wanted share.
    level
        Confidence level.
    versions
        Number of consensuses that the checks serve.
    seed
        Seed of the order of checks.
    item
        Column with the items.

    Returns
    -------
    bounds, items, warnings
        Bounds on the share of right classes, items to check next in their order, and what may be misread.
    """
    notes = read.annotations
    unknown = np.arange(notes.n_items) if notes.gold is None else np.flatnonzero(notes.gold < 0)
    if not len(unknown):
        raise OptionError("Every item has a gold class: there is no consensus to check.")
    order = unknown[check_order([notes.items[at] for at in unknown.tolist()], seed)]
    truth = read.beside.get("check", np.full(notes.n_items, -1))
    checked = order[truth[order] >= 0]
    warnings: list[Text] = []
    if len(checked) and not (truth[order[: len(checked)]] >= 0).all():
        warnings.append(OWN_ORDER)
        checked = _in_row_order(
            checked, notes, data if isinstance(check, str) and _is_column(check, data) else check, item
        )
    known_too = int((truth >= 0).sum()) - len(checked)
    if known_too:
        warnings.append(
            message("{n:count check} of items with a gold class left out: the model knows them.", n=known_too)
        )
    right = fit.label[checked] == truth[checked]
    expected = float(fit.probability[unknown].mean())
    bounds = checked_share(
        right.tolist(), len(unknown), target=target, level=level, expected=expected, versions=versions
    )
    return bounds, tuple(int(at) for at in order if truth[at] < 0), tuple(warnings)


@forgetting
def _is_column(check: str, data: Any) -> bool:
    from justesse.frames.item_classes import own_column
    from justesse.frames.table import one_table

    return own_column(check, one_table(data)) is not None


@remembering
def _in_row_order(checked: Array, notes: Annotations, source: Any, item: str | None) -> Array:
    place = {key: at for at, key in enumerate(item_order(source, item=item))}
    last = len(place)
    return np.array(sorted(checked.tolist(), key=lambda at: place.get(identity(notes.items[at]), last)))
