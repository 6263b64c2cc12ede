"""Questions that were asked several times, in an evaluation: pass@k and the majority of k samples."""

from collections.abc import Iterable, Sequence
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.intervals.repeated_samples import SampleEstimate, SampleRule, estimate_samples

RULE_OPTIONS: dict[SampleRule, str] = {"pass": "pass_at", "majority": "majority_at"}


def asked_samples(asked: Any, option: str) -> tuple[int, ...]:
    """Read numbers of samples, as numbers or as text.

    >>> asked_samples("1,5", "pass_at"), asked_samples([1, "10"], "pass_at"), asked_samples(None, "pass_at")
    ((1, 5), (1, 10), ())
    """
    if asked is None:
        return ()
    parts: Iterable[Any] = asked if isinstance(asked, Sequence) and not isinstance(asked, str) else [asked]
    words = [word.strip() for part in parts for word in str(part).split(",")]
    if any(not word.isdecimal() or int(word) < 1 for word in words):
        raise OptionError(
            f"{option} (--{option.replace('_', '-')}) needs numbers of samples from 1 up, such as 1,5; got {asked!r}."
        )
    return tuple(dict.fromkeys(int(word) for word in words))


def samples_of(
    counts: Tally, cluster: str | None, confidence: Confidence, *, pass_at: Any, majority_at: Any
) -> tuple[SampleEstimate, ...]:
    """Estimate what was asked about several samples of a question."""
    asked: dict[SampleRule, tuple[int, ...]] = {
        "pass": asked_samples(pass_at, "pass_at"),
        "majority": asked_samples(majority_at, "majority_at"),
    }
    if not any(asked.values()):
        return ()
    if cluster is None:
        option = RULE_OPTIONS[next(rule for rule, sizes in asked.items() if sizes)]
        raise OptionError(
            f"{option} (--{option.replace('_', '-')}) needs the question of each sample. Name its column with cluster=… "
            "(--cluster question)."
        )
    if counts.weighted:
        raise OptionError("pass_at and majority_at count every question alike. Leave the weights out.")
    return tuple(estimate_samples(counts, rule, k, **confidence.sides) for rule, sizes in asked.items() for k in sizes)
