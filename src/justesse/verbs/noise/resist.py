"""`justesse.noise_resist`: how learners stand training labels of which more and more are wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from justesse.core.errors import InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.seeds import check_seed
from justesse.core.version import SCHEMA, __version__
from justesse.frames.columns import guess_label
from justesse.frames.features import features as learnt_from
from justesse.frames.native import check_place, native_frame, write_whole
from justesse.frames.table import read_table
from justesse.noise.inject import Noise, inject
from justesse.noise.models import check_rate
from justesse.procedures.learners import USUAL, learners
from justesse.procedures.realism import Realism
from justesse.procedures.realism import realism as how_realistic
from justesse.procedures.resist import Resistance, resist
from justesse.verbs.noise.feature_noise import Labelled, PathLike, Sources, feature_ranking
from justesse.verbs.noise.inject import by_class
from justesse.verbs.words import in_columns, interval_words, number_words

Model = Literal["uniform", "pair-flip", "features"]
RATES = (0.0, 0.05, 0.1, 0.2, 0.4)
PICTURES = (".svg", ".png")


@dataclass(frozen=True, repr=False)
class NoiseResistance:
    """The error of every learner on clean test labels against the rate of wrong labels it was trained on.

    `realism` says for every rate above 0, if asked, how often the learners repeat the noise on rows they have not seen.
    """

    found: Resistance
    realism: tuple[tuple[float, Realism], ...] | None
    target: str
    features: tuple[str, ...]
    source: Any
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        found = self.found
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "resist": self._rows(),
            "realism": None if self.realism is None else self._realism_rows(),
            "noise": found.noise,
            "target": self.target,
            "features": list(self.features),
            "test_share": found.test_share,
            "repeats": found.repeats,
            "level": found.level,
            "seed": found.seed,
            "warnings": list(self.warnings),
            "assumptions": list(found.assumptions),
        }

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "learner": row.learner,
                "rate": row.rate,
                "realised": row.realised,
                "error": finite_or_none(row.error.value),
            }
            | _ends(row.error)
            for row in self.found.rows
        ]

    def _realism_rows(self) -> list[dict[str, Any]]:
        return [
            {"noise": row.noise, "learner": row.learner, "rate": rate, "realised": row.realised}
            | {"f_n": finite_or_none(row.f_n.value)}
            | _ends(row.f_n)
            for rate, told in self.realism or ()
            for row in told.rows
        ]

    def to_frame(self) -> Any:
        """Give the errors as a data frame of the caller's kind (an Arrow table for a path)."""
        rows = self._rows()
        columns = {key: [row[key] for row in rows] for key in ("learner", "rate", "realised", "error", "n")}
        for end in ("low", "high"):
            columns[end] = [row["interval"][end] if row["interval"] else None for row in rows]
        return native_frame(columns, like=self.source)

    def chart(self) -> Any:
        """Give an Altair chart: a line with its band for every learner."""
        from justesse.charts import resistance_chart

        return resistance_chart(self.found.rows, self.found.noise)

    def save_chart(self, path: PathLike) -> Path:
        """Write the chart as .svg or .png, whole or not at all."""
        place = Path(path)
        check_place(place, endings=PICTURES)
        chart = self.chart()
        return write_whole(place, lambda temporary: chart.save(temporary, format=place.suffix.lower()[1:]))

    def __repr__(self) -> str:
        found, level = self.found, f"{100 * self.found.level:g} % interval"
        errors = [(row.learner, f"{row.rate:g}", f"{row.realised:.4f}", *_words(row.error)) for row in found.rows]
        lines = [f"Error on clean test labels of learners trained on {found.noise}:", ""]
        lines += [*in_columns([("learner", "rate", "trained on", "error", level), *errors]), ""]
        repeated = [(rate, row) for rate, told in self.realism or () for row in told.rows]
        if repeated:
            shares = [
                (row.noise, row.learner, f"{rate:g}", f"{row.realised:.4f}", *_words(row.f_n)) for rate, row in repeated
            ]
            lines += ["How often they repeat a wrong label on rows not seen (F_n), by kind of noise:", ""]
            lines += [*in_columns([("noise", "learner", "rate", "in the test", "F_n", level), *shares]), ""]
        without = [row.error for row in found.rows] + [row.f_n for _, row in repeated]
        lines += [f"– {reason}" for reason in dict.fromkeys(one.undefined for one in without if one.undefined)]
        lines += [f"! {warning}" for warning in self.warnings]
        splits = f"{found.repeats} split{'s' if found.repeats > 1 else ''}, {found.test_share:.0%} of the rows tested"
        return "\n".join([*lines, f"Assumes that {'; '.join(found.assumptions)}. {splits}. Seed {found.seed}."])


def _words(found: Estimate) -> tuple[str, str]:
    return number_words(found), interval_words(found) if found.interval else "–"


def _ends(found: Estimate) -> dict[str, Any]:
    told = found.to_dict()
    return {key: told[key] for key in ("interval", "n", "undefined")}


def noise_resist(
    data: Any,
    *,
    target: str | None = None,
    learner: Sequence[str] | Mapping[str, Any] = USUAL,
    rates: Sequence[float] = RATES,
    model: Model = "uniform",
    features: Sequence[str] | None = None,
    classes: Sequence[ClassName] | None = None,
    annotators: int | None = None,
    ranking: PathLike | None = None,
    realism: bool = False,
    test_share: float = 0.2,
    repeats: int = 5,
    level: float = 0.95,
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> NoiseResistance:
    """Train learners on labels of which more and more are wrong, and give their errors on clean test labels.

        error = share of test rows with prediction ≠ label given, mean over random splits

    `data` is a path, a data frame or a dict of arrays; `target` is the column of labels, taken for the truth. Learners
    are named (tree, forest, logistic, neighbours, bayes, boosting, network) or your own, a dict of name → scikit-learn
    estimator. They learn from the columns in `features`, or all that serve: numbers as they are, names as zeros and
    ones. The noise is uniform, pair-flip, or by features, which trains annotators or takes the file `ranking`. All
    learners share splits and noise, so their differences are sharper than single intervals say. With `realism`, how
    often the learners repeat the noise on unseen rows, beside noise by class and uniform noise of the same rate.

    Wrong to use on labels that are noisy already: rate 0 is then not clean. Benjelloun (2021), 3.3.1 and 7.8.1.

    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> data = {"length": x[:, 2], "width": x[:, 3], "label": y}
    >>> found = noise_resist(data, learner=["tree", "bayes"], rates=[0, 0.3], repeats=3)
    >>> [(row["learner"], row["rate"], round(row["error"], 2)) for row in found.to_dict()["resist"]]
    [('tree', 0.0, 0.03), ('tree', 0.3, 0.31), ('bayes', 0.0, 0.06), ('bayes', 0.3, 0.09)]
    """
    check_seed(seed)
    if model not in get_args(Model):
        raise OptionError(f"model must be one of {', '.join(get_args(Model))}; got {model!r}")
    wanted = [check_rate(rate) for rate in dict.fromkeys(rates)]
    if not wanted:
        raise OptionError("rates needs at least one rate, such as 0.05; got none")
    for name, value in (("annotators", annotators), ("ranking", ranking)):
        if value is not None and model != "features":
            raise OptionError(f"{name} (--{name}) is for the model features, not for {model}")
    sources = Sources(annotators=annotators, ranking=ranking, seed=seed, jobs=jobs, progress=progress)
    learners(learner)  # an unknown one is refused before anything is read
    table = read_table(data)
    column = guess_label(table.columns, table.name, target)
    given = Labelled.of(table, column, classes)
    found = learnt_from(table, chosen=features, without=[column], text=True)
    noise: Noise
    warnings = list(found.warnings)
    if model == "features":
        numbers = [name for at, name in enumerate(found.names) if at not in found.text]
        ranked = feature_ranking(given, replace(sources, features=numbers))
        noise, warnings = ranked.ranking, [*warnings, *ranked.warnings]
    else:
        noise = by_class(model, 0.1, given.classes)
    options: Any = {"learners": learners(learner, text=found.text), "test_share": test_share, "repeats": repeats,
                    "level": level, "seed": seed, "n_jobs": jobs, "progress": progress}  # fmt: skip
    try:
        resisted = resist(found.matrix, given.labels, rates=wanted, noise=noise, **options)
        told = None
        if realism:
            versions = [(rate, inject(given.labels, noise, rate=rate, seed=seed)) for rate in wanted if rate]
            told = tuple((rate, how_realistic(found.matrix, noisy, **options)) for rate, noisy in versions)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"a learner cannot be trained on {table.name}: {error}") from error
    return NoiseResistance(resisted, told, column, found.names, data, tuple(warnings))
