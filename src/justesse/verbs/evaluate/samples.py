"""Questions that were asked several times, in an evaluation: pass@k and the majority of k samples."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence
from justesse.intervals.repeated_samples import SampleEstimate, SampleRule, estimate_samples
from justesse.report.document import Column, Part, Section, Table, Words
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation

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
    counts: Tally, asked: dict[SampleRule, tuple[int, ...]], confidence: Confidence, cluster: str | None
) -> tuple[SampleEstimate, ...]:
    """Estimate what was asked about several samples of a question."""
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


def samples_section(result: "Evaluation", level: str) -> list[Section]:
    """List pass@k and the majority of k samples."""
    if not result.samples:
        return []
    head: list[str | Column] = [
        "measure",
        Column("value", "value"),
        Column(level, "interval"),
        Column("method", drop=1),
    ]
    rows: list[list[Any]] = []
    parts: list[Part] = []
    for item in result.samples:
        own = item.estimate
        rows.append([item.title, own, own, own.interval.method if own.interval else "–"])
        if own.undefined:
            parts.append(Words([message("{title} is undefined: {reason}.", title=item.title, reason=own.undefined)]))
    note = message(
        "pass@k: chance that at least one of k samples of a question is right. majority@k: chance that more than half are. "
        "Means over {n:count} questions, each counts alike.",
        n=round(result.samples[0].estimate.n),
    )
    return [Section("samples", "Several samples of a question", [Table("k samples of each question", head, rows, note), *parts], "headline")]  # fmt: skip
