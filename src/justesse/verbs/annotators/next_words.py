"""The first sentences of `annotators next`: stop, or whom to ask first."""

from typing import TYPE_CHECKING, Any

from justesse.annotators.checked_share import CheckedShare
from justesse.report.writing import Message, message, paragraph, written

if TYPE_CHECKING:
    from justesse.verbs.annotators.next_result import NextQuestions


def headline(result: "NextQuestions") -> Message:
    """Say whether to stop, or whom to ask first and what the answers are expected to change."""
    if result.stopping is None:
        return _question_words(result)
    words = _stop_words(result.stopping)
    return words if result.stopping.decision == "stop" else paragraph(words, _question_words(result))


def _question_words(result: "NextQuestions") -> Message:
    notes, state = result.fit.support.annotations, result.state
    if not result.questions:
        if (notes.per_item >= notes.n_annotators).all():
            return message(
                "Nobody is left to ask: every annotator has answered every item. Add answers of other annotators."
            )
        return message("Nobody is left to ask: no answer is expected to change anything under the model.")
    first = result.questions[0]
    parts: dict[str, Any] = {
        "who": notes.annotators[first.annotator],
        "item": notes.items[first.item],
        "n": len(result.questions),
    }
    if state.measured:
        return message(
            "Ask {who} about item {item} first. {n:count question} {n:plural lowers|lower} the standard deviation of the "
            "{what} from {now:ratio} to {after:ratio} points under the model; expected: {expected}.",
            **parts,
            what=state.quantity,
            now=100 * (state.spread() or 0.0),
            after=100 * (state.spread(result.gain) or 0.0),
            expected=written("points" if state.goal.name == "comparison" else "share", state.value),
        )
    if state.goal.name == "training":
        return message(
            "Ask {who} about item {item} first. {n:count question} {n:plural gives|give} {share:share} of what certain "
            "labels would teach the classifier.",
            **parts,
            share=result.gain / (state.total or 1.0),
        )
    if written("share", result.right_now) == written("share", result.right_after):
        return message(
            "Ask {who} about item {item} first. The expected share of right classes is {now:share}; {n:count question} "
            "{n:plural changes|change} it by {gain:points}.",
            **parts,
            now=result.right_now,
            gain=result.right_after - result.right_now,
        )
    return message(
        "Ask {who} about item {item} first. {n:count question} {n:plural raises|raise} the expected share of right "
        "classes from {now:share} to {after:share}.",
        **parts,
        now=result.right_now,
        after=result.right_after,
    )


def _stop_words(checks: CheckedShare) -> Message:
    parts: dict[str, Any] = {
        "target": checks.target,
        "n": checks.checks,
        "level": 100 * checks.level,
        "both": 100 * (2 * checks.level - 1),
        "low": checks.at_least,
        "high": checks.at_most,
        "more": checks.more,
    }
    if checks.decision == "stop":
        return message(
            "Stop: at least {low:share} of the classes are right ({level:general} % confidence, {n:count check}). The "
            "target is {target:share}.",
            **parts,
        )
    if checks.decision == "cannot":
        return message(
            "This consensus misses the target of {target:share}: at most {high:share} of its classes are right "
            "({level:general} % confidence, {n:count check}). Ask more, or better annotators.",
            **parts,
        )
    start = message(
        "Go on: {low:share} to {high:share} of the classes are right ({both:general} % interval, {n:count check}).",
        **parts,
    )
    if not checks.checks:
        start = message("No checks yet.")
    if checks.more is None:
        rest = message(
            "It takes more than 3,000 further checks to know whether at least {target:share} are right.", **parts
        )
    else:
        rest = message(
            "About {more:count further check} would show whether at least {target:share} are right.",
            **parts,
        )
    return paragraph(start, rest)
