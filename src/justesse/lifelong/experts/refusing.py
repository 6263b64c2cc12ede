"""An expert who does not answer some questions, and is paid all the same."""

from dataclasses import replace

from justesse.lifelong.experts.expert import ExpertKind, ExpertQuestion, ExpertReply


def refusing(reply: ExpertReply, question: ExpertQuestion, rate: float) -> ExpertReply:
    """Give no answer for a share of the items.

    >>> refusing(ExpertReply("cat"), ExpertQuestion(0.05, "dog"), 0.2).label is None
    True
    """
    return replace(reply, label=None) if question.chance < rate else reply


REFUSING = ExpertKind(
    "refusing",
    "Gives no answer for this share of the items, 0.2 by default; the question costs the same.",
    0.2,
    reply=refusing,
)
