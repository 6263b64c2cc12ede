"""`justesse.noise_inject`: make labels wrong on purpose, with the truth kept beside them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from justesse.annotators.one_model import one_model
from justesse.core.coded import coded
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName
from justesse.core.seeds import check_seed
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import guess_label
from justesse.frames.native import check_place, native_frame
from justesse.frames.table import TypedTable, read_table
from justesse.frames.transition_table import transition_table
from justesse.noise.inject import inject
from justesse.noise.models import ByClass, Uniform, check_rate, pair_flip, symmetric
from justesse.noise.noisy import Noisy
from justesse.noise.transition import Transition
from justesse.verbs.noise.feature_noise import Labelled, PathLike, Sources, feature_ranking, trained_on
from justesse.verbs.words import in_columns

Model = Literal["uniform", "symmetric", "pair-flip", "transition", "features", "one-model"]
TABLES = (".csv", ".parquet", ".pq")
ONLY_FOR: dict[str, tuple[Model, ...]] = {
    "transition": ("transition",),
    "answers": ("features",),
    "votes": ("features",),
    "on": ("features",),
    "ranking": ("features",),
    "features": ("features", "one-model"),
    "annotators": ("features", "one-model"),
    "checkpoint": ("features", "one-model"),
}
NOT_NESTED = (
    "Each rate comes from another model: the wrong labels of a lower rate are not part of those of a higher one."
)


@dataclass(frozen=True)
class Version:
    """Labels of which some are wrong, and the column they are in."""

    noisy: Noisy
    column: str


@dataclass(frozen=True, repr=False)
class Injection:
    """Noisy versions of the labels of a table, one for each rate, and how they came about.

    `versions` holds the labels with the truth and the realised rate, `to_frame()` is the whole table with them.
    """

    model: Model
    versions: tuple[Version, ...]
    table: TypedTable
    source: Any
    file: Path | None
    warnings: tuple[str, ...]

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the versions rest on."""
        return tuple(dict.fromkeys(one for version in self.versions for one in version.noisy.assumptions))

    @property
    def highest(self) -> Noisy:
        """The version with most wrong labels asked for."""
        return max((version.noisy for version in self.versions), key=lambda one: one.rate)

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        keys = ("rate", "realised", "wrong", "n", "spared", "seed")
        file = None if self.file is None else str(self.file)
        found = []
        for version in self.versions:
            told = version.noisy.to_dict()
            about = {"model": self.model, "method": told["model"], **{key: told[key] for key in keys}}
            found.append({**about, "file": file, "column": version.column})
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "inject": found,
            "transition": self.highest.tally.cells(),
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
        }

    def to_frame(self) -> Any:
        """Give the table with noisy labels and the truth, in the caller's kind of data frame (Arrow for a path)."""
        return native_frame(self.table.typed, like=self.source)

    def save(self, path: PathLike) -> Path:
        """Write that table: csv or parquet, by the ending; a file is there whole or not at all."""
        return self.table.save(Path(path))

    def __repr__(self) -> str:
        seed = self.highest.seed
        rows: list[Sequence[str]] = [("column", "asked", "realised", "wrong", "of", "left right")]
        for version in self.versions:
            told = version.noisy.to_dict()
            shares = (f"{told['rate']:.4f}", f"{told['realised']:.4f}")
            rows.append((version.column, *shares, *(f"{told[key]:,}" for key in ("wrong", "n", "spared"))))
        drawn = "Nothing was drawn" if seed is None else f"Seed {seed}"
        lines = [f"Labels made wrong by {self.highest.model}.", "", *in_columns(rows), ""]
        lines += [f"True classes and labels at rate {self.highest.rate:g}:", str(self.highest.tally), ""]
        lines += [f"! {warning}" for warning in self.warnings]
        return "\n".join([*lines, f"Assumes that {'; '.join(self.assumptions)}. {drawn}."])


def noise_inject(
    data: Any,
    *,
    model: Model,
    rate: float | None = None,
    rates: Sequence[float] | None = None,
    to: PathLike | None = None,
    label: str | None = None,
    true_column: str = "true",
    classes: Sequence[ClassName] | None = None,
    transition: Any = None,
    answers: Any = None,
    votes: Any = None,
    on: str | None = None,
    features: Sequence[str] | None = None,
    annotators: int | None = None,
    ranking: PathLike | None = None,
    seed: int = 0,
    jobs: int | None = None,
    checkpoint: PathLike | None = None,
    progress: Progress | None = None,
) -> Injection:
    """Make a share of the labels of a table wrong, by a model of noise, and keep the truth in a column beside them.

    `data` is a path, a data frame or a dict of arrays. With one `rate` the noisy labels take the label column's place;
    with several `rates` that column stays, and versions stand beside it as label_0.05, …, the wrong labels of a lower
    rate among those of a higher one (but for one-model).

        uniform, symmetric   every wrong class alike
        pair-flip            each class taken for the next in the list (`classes` sets the order)
        transition           P(label | true) from a table, scaled to the rate if one is given
        features             the hardest rows, each as its most plausible wrong class: by `answers` (a column for each
                             annotator) or `votes` (a column of counts for each class), people's or models', otherwise
                             by models trained on the numeric columns; kept in the file `ranking` and taken from it
        one-model            the predictions of the one model whose error is nearest to the rate

    Wrong to use on labels that are noisy already, if the truth matters: what is kept as true is what was given.
    Benjelloun (2021), 6.5.2 and 7.8.1.

    >>> found = noise_inject({"x": range(200), "label": ["cat", "dog"] * 100}, model="uniform", rate=0.1)
    >>> found.versions[0].noisy
    Noisy(200 labels, 20 wrong: realised rate 0.1000, asked 0.1000, uniform noise: ...)
    >>> found.to_frame().column_names
    ['x', 'label', 'true']
    """
    wanted = _rates(model, rate, rates)
    check_seed(seed)
    options = {"transition": transition, "answers": answers, "votes": votes, "on": on, "ranking": ranking,
               "features": features, "annotators": annotators, "checkpoint": checkpoint}  # fmt: skip
    for name, value in options.items():
        if value is not None and model not in ONLY_FOR[name]:
            raise OptionError(f"{name} (--{name}) is for the model {' or '.join(ONLY_FOR[name])}, not for {model}")
    if model == "transition" and transition is None:
        raise OptionError("the model transition needs a table of P(label | true): transition=… (--transition t.csv)")
    sources = Sources(answers, votes, on, features, annotators, ranking, seed, jobs, checkpoint, progress)
    if to is not None:
        check_place(Path(to), endings=TABLES, read=(data, answers, votes, transition, ranking))
    table = read_table(data)
    column = guess_label(table.columns, table.name, label)
    given = Labelled.of(table, column, classes)
    columns = [column] if rates is None else [f"label_{one:.12g}" for one in wanted if one is not None]
    if true_column in (*table.columns, *columns):
        raise ColumnError(
            f"{table.name} already has a column {true_column!r}; name another for the truth with true_column=… (--true)"
        )
    if rates is not None and (there := [name for name in columns if name in table.columns]):
        raise ColumnError(f"{table.name} already has a column {there[0]!r}; rename it first")
    made, warnings = _noisy(model, given, wanted, transition, sources)
    table = table.copied(column, true_column)
    for name, noisy in zip(columns, made, strict=True):
        old, new = (coded(part, noisy.classes)[0] for part in (noisy.true, noisy.label))
        table = table.relabelled(true_column, name, old, new, noisy.classes)
    for noisy in made:
        if noisy.spared is not None and noisy.spared.any():
            warnings.append(
                f"At rate {noisy.rate:g}, {int(noisy.spared.sum()):,} rows were to be wrong but nobody took them for "
                "another class: without a plausible wrong class they were left right."
            )
    if to is not None:
        table.save(Path(to))
    versions = tuple(Version(noisy, name) for name, noisy in zip(columns, made, strict=True))
    return Injection(model, versions, table, data, None if to is None else Path(to), tuple(warnings))


def _rates(model: str, rate: float | None, rates: Sequence[float] | None) -> list[float | None]:
    """Check the model and its rates; a transition table has its own, `None`, unless one is given."""
    if model not in get_args(Model):
        raise OptionError(f"model must be one of {', '.join(get_args(Model))}; got {model!r}")
    if rate is not None and rates is not None:
        raise OptionError("give one rate or several rates, not both")
    if rates is not None:
        if not len(rates):
            raise OptionError("rates needs at least one rate, such as 0.05; got none")
        return [check_rate(one) for one in dict.fromkeys(rates)]
    if rate is None and model != "transition":
        raise OptionError(f"the model {model} needs a rate, such as rate=0.05 (--noise-rate 5%)")
    return [None if rate is None else check_rate(rate)]


def _noisy(
    model: Model, given: Labelled, rates: Sequence[float | None], transition: Any, sources: Sources
) -> tuple[list[Noisy], list[str]]:
    """Make the noisy labels, one version for each rate."""
    labels, classes, seed = given.labels, given.classes, sources.seed
    if model == "features":
        ranked = feature_ranking(given, sources)
        found = [inject(labels, ranked.ranking, rate=rate) for rate in rates]
        return [replace(noisy, seed=ranked.seed) for noisy in found], list(ranked.warnings)
    if model == "one-model":
        return _of_one_model(given, rates, sources)
    if model == "transition":
        array, names = transition_table(transition, classes)
        shares = np.nan_to_num(Transition.from_table(array, names).matrix)  # a class never re-checked is left right
        noise = ByClass.from_counts(shares, names)
        return [inject(labels, noise, rate=rate, seed=seed) for rate in rates], []
    return [inject(labels, by_class(model, rate or 0.0, classes), seed=seed) for rate in rates], []


def by_class(model: str, rate: float, classes: tuple[ClassName, ...]) -> Uniform | ByClass:
    """Give the noise of a model that knows only the class.

    >>> by_class("pair-flip", 0.1, ("cat", "dog")).matrix.tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    """
    if model == "uniform":
        return Uniform(rate, classes=classes)
    return symmetric(rate, classes) if model == "symmetric" else pair_flip(rate, classes)


def _of_one_model(given: Labelled, rates: Sequence[float | None], sources: Sources) -> tuple[list[Noisy], list[str]]:
    matrix, warnings = trained_on(given, sources)
    size: Any = {} if sources.annotators is None else {"n": sources.annotators}
    found = []
    for rate in rates:
        assert rate is not None
        try:
            made = one_model(matrix, given.labels, rate, **size, **sources.training)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"models cannot be trained on {given.table.name}: {error}") from error
        words = f"the predictions of one model, {made.name}"
        found.append(Noisy(made.true, made.label, made.classes, words, rate, made.seed, None, made.assumptions))
    return found, [*warnings, *([NOT_NESTED] if len(found) > 1 else [])]
