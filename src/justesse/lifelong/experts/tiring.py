"""An expert who errs more with every answer of a period, and rests between periods."""

from justesse.lifelong.experts.expert import ExpertKind, ExpertQuestion, ExpertReply
from justesse.lifelong.experts.noisy import noisy


def tiring(reply: ExpertReply, question: ExpertQuestion, patience: float) -> ExpertReply:
    """Err with the chance (1 - 2^(-k/patience))/2 after k answers in the same period.

    >>> fresh, tired = ExpertQuestion(0.2, "dog", before=0), ExpertQuestion(0.2, "dog", before=50)
    >>> tiring(ExpertReply("cat"), fresh, 50).label, tiring(ExpertReply("cat"), tired, 50).label
    ('cat', 'dog')
    """
    return noisy(reply, question, (1 - 2 ** (-question.before / patience)) / 2)


TIRING = ExpertKind(
    "tiring",
    "Errs more with each answer of a period: after this many, 50 by default, one answer in four is wrong.",
    50.0,
    (1.0, 1e9),
    reply=tiring,
)
