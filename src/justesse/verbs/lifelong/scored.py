"""Which score a lifelong evaluation is of: error rates, penalised error rates, or given scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from justesse.core.errors import OptionError

Scored = Literal["error", "penalised", "given"]


@dataclass(frozen=True)
class ScoreWords:
    """How a score is written: its names in sentences, tables and figures, and whether it is read in
    percent."""

    title: str
    column: str
    under_policy: str
    is_share: bool = True

    @property
    def form(self) -> Literal["share", "value"]:
        return "share" if self.is_share else "value"

    @property
    def interval_form(self) -> str:
        return "share_interval" if self.is_share else "interval_or_dash"


WORDS: dict[Scored, ScoreWords] = {
    "error": ScoreWords("Error", "error", "Error under the policy"),
    "penalised": ScoreWords("Penalised error", "penalised error", "Penalised error under the policy"),
    "given": ScoreWords("Score", "score", "Score under the policy", is_share=False),
}


def check_other_scores(
    score: str | None, higher_is_better: bool, touched: str | None, before: str | None, of_labels: Sequence[Any]
) -> None:
    """Refuse options that do not go together.

    Parameters
    ----------
    score, higher_is_better, touched, before
        As in `lifelong_score`.
    of_labels
        Options that only mean something for labels and predictions: label and prediction first.
    """
    if score is not None and (touched is not None or before is not None or any(part is not None for part in of_labels)):
        raise OptionError(
            "Given scores (score=…, --score) have no labels and predictions: options about them, about wrong labels or about "
            "touched items cannot be used."
        )
    if higher_is_better and score is None:
        raise OptionError("higher_is_better (--higher-is-better) belongs to given scores (score=…, --score).")
    if before is not None and touched is None:
        raise OptionError("before (--before) needs the column of touched items, too (touched=…, --touched).")
    if touched is not None and any(part is not None for part in of_labels[2:5]):
        raise OptionError(
            "Wrong labels are not bounded for penalised scores. Leave out touched (--touched), or noise_rate, claim and true."
        )


def scored_columns(
    labels: tuple[str, str], score: str | None, touched: str | None, before: str | None
) -> dict[str, str]:
    """Name the columns that scores come from.

    >>> scored_columns(("y", "p"), None, "asked", None)
    {'label': 'y', 'prediction': 'p', 'touched': 'asked'}
    """
    if score is not None:
        return {"score": score}
    more = {"touched": touched, "before": before}
    return {
        "label": labels[0],
        "prediction": labels[1],
        **{part: name for part, name in more.items() if name is not None},
    }
