"""An expert whose questions have different prices."""

from justesse.lifelong.experts.expert import ExpertKind


def costly(price: float, chance: float, times: float) -> float:
    """Give each item a price between the usual one and a multiple of it, in hundredths.

    >>> costly(1.0, 0.0, 5), costly(1.0, 0.5, 5)
    (1.0, 3.0)
    """
    return round(price * (1 + chance * (times - 1)), 2)


COSTLY = ExpertKind(
    "costly",
    "A question costs between the usual price and this many times as much, 5 by default, depending on the item.",
    5.0,
    (1.0, 1e6),
    price=costly,
)
