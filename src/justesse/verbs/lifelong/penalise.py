"""`justesse.lifelong_penalise`: the score of a system that asked an expert, with the price of the help."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.penalised import PenalisedScore, penalised_score
from justesse.report.document import Column, Document, Figure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import message, paragraph, written

ASSUMPTIONS = (
    "all four scores are of the same items, by the same measure",
    "the expert's corrections can be applied to the answers directly",
)
HOW = (
    "S_pen = S_adapt + (S_false - S_cor) (Prokopalo et al. 2020, equation 1). S_false - S_cor is what the help is worth: for "
    "an error rate, the share of items that the expert touched, those that were right already included.",
)


@dataclass(frozen=True, repr=False)
class Penalised(Result):
    """A penalised score and its parts."""

    score: PenalisedScore

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "penalised": self.score.value,
            "adapt": self.score.adapt,
            "false": self.score.false,
            "cor": self.score.cor,
            "base": self.score.base,
            "penalty": self.score.penalty,
            "gain": self.score.gain,
            "higher_is_better": self.score.higher_is_better,
            "assumptions": list(ASSUMPTIONS),
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = self._rows()
        return {"score": [name for name, _, _ in rows], "value": [value for _, value, _ in rows]}

    def _rows(self) -> list[tuple[str, float, str]]:
        score = self.score
        rows = [
            ("penalised score", score.value, "what counts: after adaptation, with the price of the help"),
            ("after adaptation", score.adapt, "S_adapt: the system's own answers"),
            ("price of the help", score.penalty, "S_false - S_cor"),
        ]
        if score.base is not None and score.gain is not None:
            rows += [
                ("before any help", score.base, "S_base"),
                ("gain by generalisation", score.gain, "what was learnt beyond the corrections; above 0 is good"),
            ]
        return rows

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        return {"penalty": partial(charts.penalty_chart, self.score.adapt, self.score.penalty, self.score.base)}

    def document(self) -> Document:
        head: list[str | Column] = ["score", Column("value", "value"), Column("meaning", "words", 1)]
        table = Table("Penalised score", head, self._rows())
        return Document(
            "Penalised score",
            self._headline(),
            [Section("penalty", "The price of the help", [Figure(self.drawings()["penalty"]), table], "headline")],
            self.to_dict(),
            name="penalised-score",
            assumptions=ASSUMPTIONS,
            how=HOW,
            facts=[
                ("better", "higher" if self.score.higher_is_better else "lower"),
                ("price of the help", written("value", self.score.penalty)),
                ("justesse", __version__),
            ],
        )

    def _headline(self) -> Text:
        score = self.score
        parts: list[Text] = [
            message(
                "Penalised score {value:value}: {adapt:value} after adaptation, plus {penalty:value} for the expert's help.",
                value=score.value,
                adapt=score.adapt,
                penalty=score.penalty,
            )
        ]
        if score.gain is not None:
            template = "The help was worth its price: a gain of {gain:value} by generalisation."
            if score.gain < 0:
                template = "The help cost more than it brought: {gain:difference} by generalisation."
            elif score.gain == 0:
                template = "The system learnt nothing beyond the corrections."
            parts.append(message(template, gain=score.gain))
        return paragraph(*parts)


def lifelong_penalise(
    *, adapt: float, false: float, cor: float, base: float | None = None, higher_is_better: bool = False
) -> Penalised:
    """Charge a system for the expert's help: its score after adaptation plus what the help is worth.

    Parameters
    ----------
    adapt
        Score of the system's own answers after it adapted, such as 0.2.
    false
        Score if everything that the expert touched were wrong, such as 0.3.
    cor
        Score if everything that the expert touched were right, such as 0.1.
    base
        Score before any help, such as 0.5: adds the gain by generalisation.
    higher_is_better
        A higher score is better, as for accuracy or BLEU.

    Returns
    -------
    Penalised
        `score.value` is the penalised score, `score.gain` the gain.

    Notes
    -----
    Prokopalo et al. (2020), equation 1.

    Examples
    --------
    >>> result = lifelong_penalise(adapt=0.2, false=0.3, cor=0.1, base=0.5)
    >>> round(result.score.value, 3), round(result.score.gain, 3)
    (0.4, 0.1)
    """
    return Penalised(penalised_score(adapt, false, cor, base=base, higher_is_better=higher_is_better))
