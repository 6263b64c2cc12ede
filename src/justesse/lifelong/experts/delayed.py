"""An expert whose answers arrive some periods later."""

from dataclasses import replace

from justesse.lifelong.experts.expert import ExpertKind, ExpertQuestion, ExpertReply


def delayed(reply: ExpertReply, question: ExpertQuestion, periods: float) -> ExpertReply:
    """Let the answer arrive later.

    >>> delayed(ExpertReply("cat"), ExpertQuestion(0.5, "dog"), 2).delay
    2
    """
    return replace(reply, delay=reply.delay + int(periods))


DELAYED = ExpertKind("delayed", "Answers arrive this many periods later, 1 by default.", 1.0, (0.0, 1e6), reply=delayed)
