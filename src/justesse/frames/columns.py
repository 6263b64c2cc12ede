"""Which column plays which part."""

from collections.abc import Sequence
from dataclasses import dataclass

from justesse.core.errors import ColumnError
from justesse.core.first_names import first_names
from justesse.core.levels import CLASS_AXES, CLUSTERS

USUAL = {
    "label": ("label", "y", "y_true", "target"),
    "prediction": ("prediction", "pred", "y_pred", "yhat", "predicted", "y_hat"),
    "true": ("true", "truth", "actual"),
    "item": ("item", "task", "question", "item_id", "task_id", "question_id"),
    "annotator": ("annotator", "worker", "rater", "annotator_id", "worker_id", "rater_id"),
    "answer": ("answer", "label", "class", "response", "rating"),
    "variant": ("variant", "arm"),
    "outcome": ("outcome", "reward", "success"),
    "version": ("version", "model"),
    "time": ("time", "date", "period", "day"),
    "gold": ("gold", "true", "truth", "actual", "label", "class"),
    "reference": ("reference", "label", "y", "y_true", "target", "true"),
    "adapted": ("adapted", "after", "prediction"),
    "before": ("base", "before"),
    "touched": ("touched", "corrected", "asked"),
    "system": ("system", "model", "strategy", "name"),
    "run": ("seed", "run", "repetition"),
    "cost": ("cost", "spent", "labels", "questions"),
    "score": ("score", "value", "accuracy", "error"),
    "judge": ("judge", "evaluator", "grader"),
    "prompt": ("prompt", "template"),
    "winner": ("winner", "preferred", "preference"),
    "verdict": ("verdict", "judgement", "judgment", "grade"),
    "rating": ("rating", "label", "human", "expert", "winner", "verdict", "answer"),
    "model": ("model", "system"),
    "model_1": ("model_1", "model_a"),
    "model_2": ("model_2", "model_b"),
    "swapped": ("swapped",),
    "stratum": ("stratum", "subset", "category"),
    "length": ("length", "chars", "tokens"),
    "length_1": ("length_1", "length_a", "output_1_chars"),
    "length_2": ("length_2", "length_b", "output_2_chars"),
}
OPTIONS = (
    "label",
    "prediction",
    "weight",
    "cluster",
    "score",
    "incumbent",
    "candidate",
    "group",
    "time",
    "text",
    "item",
    "annotator",
    "answer",
    "gold",
    "confidence",
    "duration",
    "variant",
    "outcome",
    "version",
    "trained",
    "id",
    "reference",
    "adapted",
    "before",
    "touched",
    "round",
    "system",
    "run",
    "cost",
    "judge",
    "prompt",
    "winner",
    "verdict",
    "rating",
    "model",
    "swapped",
    "stratum",
)
OTHER_OPTIONS = {  # part → its noun, and the option that names its column
    "true": ("true class", "true=… (--true)"),
    "by": ("slice", "by=… (--by)"),
    "on": ("id", "on=… (--on)"),
    "feature": ("feature", "features=… (--features)"),
    "count": ("count", "counts=… (--counts)"),
    "annotators": ("annotator's", "annotators=… (--annotators)"),
    "a model": ("model", "models=… (--model)"),
    "hard": ("hard-row", "hard=… (--hard)"),
    "flagged": ("flagged-row", "flagged=… (--flagged)"),
    "one of the models": ("answer", "models=… (--models)"),
    "model_1": ("first model", "models=… (--models)"),
    "model_2": ("second model", "models=… (--models)"),
    "length": ("length", "lengths=… (--lengths)"),
    "length_1": ("first length", "lengths=… (--lengths)"),
    "length_2": ("second length", "lengths=… (--lengths)"),
}


@dataclass(frozen=True)
class Roles:
    """The columns to count by, and the one to weigh with."""

    label: str
    prediction: str
    true: str | None = None
    weight: str | None = None
    by: tuple[str, ...] = ()
    cluster: str | None = None

    @property
    def axes(self) -> dict[str, str]:
        """Axis of the tally → column: classes under their part, slices under their own name."""
        truth = {"true": self.true} if self.true else {}
        clusters = {CLUSTERS: self.cluster} if self.cluster else {}
        return {"label": self.label, "prediction": self.prediction, **truth, **self.slices, **clusters}

    @property
    def slices(self) -> dict[str, str]:
        """Axis → column of the slices; a column that bears the name of a part gets another axis."""
        return {f"by {name}" if name in {*CLASS_AXES, CLUSTERS} else name: name for name in self.by}

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys([*self.axes.values(), *([self.weight] if self.weight else [])]))


def resolve(
    columns: Sequence[str],
    *,
    where: str,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    weight: str | None = None,
    by: Sequence[str] = (),
    cluster: str | None = None,
) -> Roles:
    """Take the columns named, and guess the usual names for the others.

    A column of true classes, such as `truth` or `actual`, is the label where there is no column of labels.

    Parameters
    ----------
    columns
        Names of all columns.
    where
        Name of the table, for messages.
    label, prediction, true, weight
        Names of these columns, where the caller knows them.
    by
        Names of the columns of slices.
    cluster
        Name of the column of clusters.

    Examples
    --------
    >>> resolve(["id", "y_true", "pred"], where="a.csv")
    Roles(label='y_true', prediction='pred', true=None, weight=None, by=(), cluster=None)
    >>> resolve(["actual", "predicted"], where="a.csv")
    Roles(label='actual', prediction='predicted', true=None, weight=None, by=(), cluster=None)
    """
    named = {"label": label, "prediction": prediction, "true": true, "weight": weight, "cluster": cluster}
    for part, name in [*named.items(), *(("by", name) for name in by)]:
        if name is not None:
            check_column(columns, where, part, name)
    guessed = true or _guess("true", columns, where)
    result = label or _guess("label", columns, where)
    if result is None and guessed is not None:
        result, guessed = guessed, None
    if result is None:
        raise ColumnError(_not_found("label", columns, where))
    answer = prediction or _guess("prediction", columns, where)
    if answer is None:
        raise ColumnError(_not_found("prediction", columns, where))
    if guessed == result:
        guessed = None
    if answer in (result, guessed):
        raise ColumnError(
            f"Column {answer!r} of {where} cannot be both the prediction and the class it is compared with. "
            "Name another column for one of them."
        )
    for name in by:
        if name in (result, answer, guessed):
            raise ColumnError(
                f"Column {name!r} holds the classes and cannot be a slice. Name another column with by=… (--by)."
            )
    if cluster is not None and cluster in (result, answer, guessed):
        raise ColumnError(
            f"Column {cluster!r} holds the classes and cannot name the clusters. Name another column with cluster=… "
            "(--cluster)."
        )
    return Roles(result, answer, guessed, weight, tuple(dict.fromkeys(by)), cluster)


def guess_label(columns: Sequence[str], where: str, label: str | None) -> str:
    """Find the column with the labels, where nothing else is asked for."""
    if label is not None:
        check_column(columns, where, "label", label)
    result = label or _guess("label", columns, where) or _guess("true", columns, where)
    if result is None:
        raise ColumnError(_not_found("label", columns, where))
    return result


def check_column(columns: Sequence[str], where: str, part: str, name: str) -> str:
    """Return the name of a column if there is one."""
    if name not in columns:
        raise ColumnError(f"Column {name!r} not found in {where}. {_known(columns, name)} {_advice(part)}")
    return name


def guess_column(part: str, columns: Sequence[str], where: str, name: str | None) -> str:
    """Find the column of a part: the one named, or one with a usual name."""
    if name is not None:
        return check_column(columns, where, part, name)
    result = _guess(part, columns, where)
    if result is None:
        raise ColumnError(_not_found(part, columns, where))
    return result


def has_column(part: str, columns: Sequence[str], where: str) -> bool:
    """Say whether a column has a usual name of this part."""
    return _guess(part, columns, where) is not None


def has_prediction(columns: Sequence[str], where: str, prediction: str | None) -> bool:
    """Say whether there is a column of predicted classes, named or usual."""
    return prediction is not None or _guess("prediction", columns, where) is not None


def _guess(part: str, columns: Sequence[str], where: str) -> str | None:
    usual = USUAL[part]
    if usual[0] in columns:
        return usual[0]
    results = [name for name in columns if name.lower() in usual]
    if len(results) > 1:
        raise ColumnError(
            f"Several columns of {where} could be the {_noun(part)}: {', '.join(map(repr, results))}. {_advice(part)}"
        )
    return results[0] if results else None


def _not_found(part: str, columns: Sequence[str], where: str) -> str:
    usual = ", ".join(USUAL[part])
    return f"No {_noun(part)} column found in {where}. Usual names: {usual}. {_known(columns, part)} {_advice(part)}"


def _noun(part: str) -> str:
    """Return what a column of this part is called."""
    return OTHER_OPTIONS[part][0] if part in OTHER_OPTIONS else part


def _advice(part: str) -> str:
    """Say which option names the column of a part.

    >>> _advice("on")
    'Name the id column with on=… (--on).'
    """
    if part not in (*OPTIONS, *OTHER_OPTIONS):
        return "Name another column."
    option = OTHER_OPTIONS[part][1] if part in OTHER_OPTIONS else f"{part}=… (--{part})"
    return f"Name the {_noun(part)} column with {option}."


def _known(columns: Sequence[str], asked: str) -> str:
    shown = first_names(columns, 20)
    import difflib

    near = difflib.get_close_matches(asked.lower(), [name.lower() for name in columns], n=2, cutoff=0.55)
    begun = [name for name in columns if asked and name.lower().startswith(asked.lower())]
    nearest = [name for name in columns if name.lower() in near] or begun[:2]
    hint = f"Did you mean {' or '.join(map(repr, nearest))}? " if nearest else ""
    if not columns:
        return "It has no columns."
    return f"{hint}Columns: {shown}."
