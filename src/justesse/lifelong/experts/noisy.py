"""An expert who sometimes names a wrong class."""

from dataclasses import replace

from justesse.lifelong.experts.expert import ExpertKind, ExpertQuestion, ExpertReply


def noisy(reply: ExpertReply, question: ExpertQuestion, rate: float) -> ExpertReply:
    """Name a wrong class for a share of the items.

    >>> [noisy(ExpertReply("cat"), ExpertQuestion(chance, "dog"), 0.1).label for chance in (0.05, 0.2)]
    ['dog', 'cat']
    """
    wrong = reply.label is not None and question.chance < rate
    return replace(reply, label=question.other) if wrong else reply


NOISY = ExpertKind("noisy", "Names a wrong class for this share of the items, 0.1 by default.", 0.1, reply=noisy)
