"""What `annotators compare` gives: models by held-out answers, and a classifier against the annotators."""

from dataclasses import dataclass
from typing import Any

from justesse.annotators.heldout import HeldOut
from justesse.annotators.human_machine import ASSUMPTIONS as HUMAN_MACHINE
from justesse.annotators.human_machine import HumanMachine
from justesse.core.annotations import Annotations
from justesse.core.results import Estimate, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.report.document import Column, Document, KeyFigure, Section, Table, Text
from justesse.report.result import Result
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.annotators.agreement_result import level_title
from justesse.verbs.file_facts import file_facts

HELD_OUT = "the items are a random sample of those to come"
CHECKED = "the items whose true class is known are a random sample, and these classes are right"
BY_OTHERS = (
    "Both are judged by the consensus of the other annotators, corrected for its errors. A positive difference favours "
    "the classifier. The best annotator is chosen on one half of the items and compared on the other. The intervals "
    "take the others' consensus model as known and are somewhat too narrow with few annotators."
)
BY_GOLD = (
    "Both are judged by the known true classes. A positive difference favours the classifier. The best annotator is chosen "
    "on one half of the items and compared on the other."
)
SAYS = {
    "majority": "all annotators are right equally often",
    "weighted": "each is right as often as they agree with the weighted vote",
    "one-coin": "each annotator is right with one chance",
    "dawid-skene": "each annotator has a table of answers given the class",
    "mace": "an annotator knows the class or answers by habit",
    "glad": "ability of the annotator times easiness of the item",
    "hierarchical": "tables of annotators of one population",
    "item-response": "the same, with features of the items",
}
OPPONENTS = {
    "average": "average annotator",
    "median": "median annotator",
    "best": "best annotator",
    "of_three": "majority of three",
}


@dataclass(frozen=True, repr=False)
class ModelComparison(Result):
    """Models of annotators by how well they predict answers to new items, and a classifier against the annotators.

    Parameters
    ----------
    annotations
        The answers.
    models
        Score of each model, best first.
    machine
        The classifier minus the annotators, if there is one.
    folds
        Number of parts of the items.
    level
        Confidence level.
    seed
        Seed of random draws.
    warnings
        What may be misread.
    source
        The data as they came.
    """

    annotations: Annotations
    models: tuple[HeldOut, ...]
    machine: HumanMachine | None
    folds: int
    level: float
    seed: int
    warnings: tuple[Text, ...] = ()
    source: Any = None

    @property
    def native(self) -> Any:
        return self.source

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        if self.machine is None:
            return (HELD_OUT,)
        return (HELD_OUT, CHECKED) if self.machine.by_gold else (HELD_OUT, *HUMAN_MACHINE)

    def opponents(self) -> dict[str, Estimate]:
        """Give the classifier minus the annotators taken together, by name; positive is better for the classifier."""
        machine = self.machine
        return {} if machine is None else {name: getattr(machine, name) for name in OPPONENTS}

    def to_columns(self) -> dict[str, list[Any]]:
        estimates = [(each.method, "held-out log probability", each.score) for each in self.models]
        estimates += [(OPPONENTS[name], "classifier minus annotators", each) for name, each in self.opponents().items()]
        return {
            "name": [name for name, _, _ in estimates],
            "figure": [figure for _, figure, _ in estimates],
            "value": [finite_or_none(each.value) for _, _, each in estimates],
            "low": [each.interval.low if each.interval else None for _, _, each in estimates],
            "high": [each.interval.high if each.interval else None for _, _, each in estimates],
            "n": [int(each.n) for _, _, each in estimates],
        }

    def to_dict(self) -> dict[str, Any]:
        notes, machine = self.annotations, self.machine
        classifier = None
        if machine is not None:
            classifier = {
                "judged_by": "gold" if machine.by_gold else "others",
                **{name: each.to_dict() for name, each in self.opponents().items()},
                "annotators": [
                    {
                        "annotator": notes.annotators[each.annotator],
                        "n": each.n,
                        "annotator_right": each.human,
                        "classifier_right": each.machine,
                        "difference": each.difference.to_dict(),
                    }
                    for each in machine.each
                ],
            }
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "answers": len(notes),
            "items": notes.n_items,
            "annotators": notes.n_annotators,
            "classes": list(notes.classes),
            "models": [
                {
                    "method": each.method,
                    "score": each.score.to_dict(),
                    "below_best": each.below_best.to_dict() if each.below_best else None,
                }
                for each in self.models
            ],
            "classifier": classifier,
            "folds": self.folds,
            "level": self.level,
            "seed": self.seed,
            "assumptions": list(self.assumptions),
            "warnings": [str(warning) for warning in self.warnings],
        }

    def document(self) -> Document:
        notes = self.annotations
        sections = [Section("models", "Models", [_models(self)], "headline")]
        figures = [KeyFigure("best model: log probability per answer", self.models[0].score)]
        if self.machine is not None:
            sections.insert(0, Section("classifier", "Classifier", [_opponents(self)], "headline"))
            sections.append(Section("annotators", "Annotators", [_each(self)], "summary"))
            figures.insert(0, KeyFigure("classifier minus average annotator", self.machine.average, "points"))
        return Document(
            "Comparison of annotators' models",
            _headline(self),
            sections,
            self.to_dict,
            name="annotators-compare",
            figures=figures,
            cautions=self.warnings,
            assumptions=self.assumptions,
            facts=[("answers", f"{len(notes):,}"), *file_facts(self.source), ("justesse", __version__)],
            seed=self.seed,
        )


def _models(result: ModelComparison) -> Table:
    rows = [[each.method, SAYS[each.method], each.score, each.below_best, each.below_best] for each in result.models]
    head: list[str | Column] = [
        "model", Column("assumes that", "words", 2), Column("score", "value"), Column("minus best", "difference"),
        Column(level_title(result.level), "difference_interval", 1),
    ]  # fmt: skip
    note = message(
        "Score: mean log probability of an answer to an item left out ({folds}-fold by item); higher is better.",
        folds=result.folds,
    )
    return Table("Models by held-out answers, best first", head, rows, note)


def _opponents(result: ModelComparison) -> Table:
    rows = [[OPPONENTS[name], each, each, int(each.n)] for name, each in result.opponents().items()]
    head: list[str | Column] = [
        "against", Column("classifier minus", "points"), Column(level_title(result.level), "points_interval"),
        Column("answers", "count", 1),
    ]  # fmt: skip
    note = BY_GOLD if result.machine is not None and result.machine.by_gold else BY_OTHERS
    return Table("Classifier against the annotators", head, rows, note)


def _each(result: ModelComparison) -> Table:
    assert result.machine is not None
    names = result.annotations.annotators
    rows = [
        [names[each.annotator], each.n, each.human, each.machine, each.difference, each.difference]
        for each in sorted(result.machine.each, key=lambda each: each.difference.value)
    ]
    head: list[str | Column] = [
        "annotator", Column("items", "count", 2), Column("right", "share"), Column("classifier right", "share"),
        Column("difference", "points"), Column(level_title(result.level), "points_interval", 1),
    ]  # fmt: skip
    return Table("Classifier against each annotator, best annotator first", head, rows, most=10)


def _headline(result: ModelComparison) -> Message:
    first = result.models[0]
    sentences = [
        message("Of {n:count} models, {name} predicts held-out answers best.", n=len(result.models), name=first.method)
    ]
    if result.machine is not None:
        average = result.machine.average
        sentences.insert(
            0,
            message(
                "The classifier is {verdict} the average annotator: {difference:points} ({interval:level_name} {interval:"
                "points_interval}).",
                verdict=_verdict(average),
                difference=average,
                interval=average.interval,
            ),
        )
    close = [each.method for each in result.models[1:] if each.below_best and _is_close(each.below_best)]
    if close:
        sentences.append(message("{names:and} {n:plural is|are} not clearly worse.", names=close, n=len(close)))
    return paragraph(*sentences)


def _is_close(difference: Estimate) -> bool:
    return difference.interval is None or difference.interval.high >= 0


def _verdict(difference: Estimate) -> str:
    interval = difference.interval
    if interval is not None and interval.low > 0:
        return "right more often than"
    if interval is not None and interval.high < 0:
        return "right less often than"
    return "not clearly better or worse than"
