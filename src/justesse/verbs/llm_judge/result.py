"""What `llm_judge` returns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from justesse.core.arrays import Array
from justesse.core.choices import JudgedAbout, Unparseable
from justesse.core.results import Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.verdict_table import Verdicts
from justesse.intervals.bradley_terry import Strengths
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.llm_judge.biases import JudgeBias
from justesse.verbs.llm_judge.figure_names import group_name
from justesse.verbs.llm_judge.figures import JudgeErrors, ModelFigures
from justesse.verbs.llm_judge.words import ASSUMPTIONS, INDEPENDENT, PEOPLE_RIGHT, SHORT, JudgedMethod


@dataclass(frozen=True, eq=False)
class JudgeEvaluation:
    """One judge.

    Parameters
    ----------
    name
        Name of the judge, with its prompt if there are several.
    models
        Figures of each model judged.
    errors
        How the judge errs; `None` without ratings.
    biases
        What it favours.
    strengths
        Strengths of models compared in pairs, by each method.
    cells
        Number of verdicts by verdict (1, 0.5, 0, cannot be read) and rating (1, 0.5, 0).
    verdicts, unparseable, repeated
        Number of verdicts, of those that cannot be read, and of those that repeat unit and order.
    units, rated
        Number of units judged, and of those that people rated.
    """

    name: str
    models: tuple[ModelFigures, ...]
    errors: JudgeErrors | None
    biases: tuple[JudgeBias, ...]
    strengths: dict[JudgedMethod, Strengths]
    cells: Array
    verdicts: int
    unparseable: int
    repeated: int
    units: int
    rated: int

    @property
    def refuted(self) -> tuple[str, ...]:
        """Name what the judge's error rates depend on: strata, models."""
        tests = self.errors.tests if self.errors else {}
        return tuple(about for about, test in tests.items() if test.pvalue <= 0.05)


@dataclass(frozen=True, repr=False, eq=False)
class LlmJudgeEvaluation(Result):
    """Figures of every judge and model, naive and corrected, how judges err and what they favour."""

    verdicts: Verdicts
    judges: tuple[JudgeEvaluation, ...]
    about: JudgedAbout
    unparseable: Unparseable
    level: float
    draws: int
    seed: int
    sources: tuple[Any, ...] = ()

    @property
    def figure(self) -> str:
        """What is estimated: a win rate or an accuracy."""
        return "win rate" if self.verdicts.pairs else "accuracy"

    @property
    def rows(self) -> list[tuple[JudgeEvaluation, ModelFigures, JudgedMethod, Estimate]]:
        """Every figure: judge, model, method."""
        return [
            (judge, model, method, estimate)
            for judge in self.judges
            for model in judge.models
            for method, estimate in model.estimates.items()
        ]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        used: dict[str, None] = {}
        for _, _, method, _ in self.rows:
            if method != "naive" or not self.verdicts.rated.any():
                used |= dict.fromkeys(ASSUMPTIONS[method])
        return (*used, *((PEOPLE_RIGHT,) if self.verdicts.rated.any() else ()), INDEPENDENT)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        from justesse.verbs.llm_judge.document import cautions

        return tuple(map(str, cautions(self)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "shape": "pairs" if self.verdicts.pairs else "single",
            "figure": self.figure.replace(" ", "_"),
            "n": len(self.verdicts.item),
            "rated": int(self.verdicts.rated.sum()),
            "judges": [self._judge(judge) for judge in self.judges],
            "naive": [
                _row(judge, model) | estimate.to_dict()
                for judge, model, method, estimate in self.rows
                if method == "naive"
            ],
            "corrected": [
                _row(judge, model)
                | {"by": method, "chosen": method == model.by, **estimate.to_dict(), "assumptions": list(ASSUMPTIONS[method])}
                for judge, model, method, estimate in self.rows
                if method != "naive"
            ],
            "intervals": [
                _row(judge, model) | {"by": method, **(estimate.interval.to_dict())}
                for judge, model, method, estimate in self.rows
                if estimate.interval is not None
            ],
            "biases": [{"judge": judge.name, **bias.to_dict()} for judge in self.judges for bias in judge.biases],
            "strengths": [
                {"judge": judge.name, "by": method, **fit.to_dict()}
                for judge in self.judges
                for method, fit in judge.strengths.items()
            ],
            "columns": dict(self.verdicts.columns),
            "about": self.about,
            "unparseable": self.unparseable,
            "level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "seed": self.seed,
        }  # fmt: skip

    def _judge(self, judge: JudgeEvaluation) -> dict[str, Any]:
        errors = judge.errors
        return {
            "judge": judge.name,
            "verdicts": judge.verdicts,
            "unparseable": judge.unparseable,
            "repeated": judge.repeated,
            "units": judge.units,
            "rated": judge.rated,
            "confusion": [
                [verdict, rating, int(judge.cells[i, j])]
                for i, verdict in enumerate((1, 0.5, 0, None))
                for j, rating in enumerate((1, 0.5, 0))
            ],
            "agreement": errors.agreement.to_dict() if errors else None,
            "rates": errors.rates.to_dict(self.level) if errors else None,
            "strata": [
                {"stratum": name, "agreement": item.to_dict(), **errors.stratum_rates[name].to_dict(self.level)}
                for name, item in errors.by_stratum.items()
            ]
            if errors
            else [],
            "models": [
                {
                    "model": model.model,
                    "worth": finite_or_none(model.worth),
                    "helps": model.helps,
                    "powered": model.powered.to_dict() if model.powered else None,
                    "rates": errors.model_rates[model.model].to_dict(self.level)
                    if errors and model.model in errors.model_rates
                    else None,
                }
                for model in judge.models
            ],
            "tests": [{"about": about, **test.to_dict()} for about, test in (errors.tests if errors else {}).items()],
        }  # fmt: skip

    def to_columns(self) -> dict[str, list[Any]]:
        rows = self.rows
        ends = [estimate.interval for *_, estimate in rows]
        return {
            "judge": [judge.name for judge, *_ in rows],
            "model": [model.model for _, model, *_ in rows],
            "method": [method for _, _, method, _ in rows],
            self.figure.replace(" ", "_"): [finite_or_none(estimate.value) for *_, estimate in rows],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "n": [estimate.n for *_, estimate in rows],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        title = self.figure
        figures = [
            (group_name(self, judge, model), SHORT[method], estimate, method)
            for judge, model, method, estimate in self.rows
        ]
        result = {"figures": partial(charts.judged_figure_chart, figures, title)}
        strata = [
            (judge.name if len(self.judges) > 1 else "", name, item)
            for judge in self.judges
            for name, item in (judge.errors.by_stratum if judge.errors else {}).items()
        ]
        if strata:
            result["strata"] = partial(charts.judge_agreement_chart, strata)
        return result

    def document(self) -> Document:
        from justesse.verbs.llm_judge.document import document

        return document(self)


def _row(judge: JudgeEvaluation, model: ModelFigures) -> dict[str, Any]:
    return {"judge": judge.name, "model": model.model}
