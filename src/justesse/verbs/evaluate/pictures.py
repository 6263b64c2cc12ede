"""The charts of an evaluation, by name."""

from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName

if TYPE_CHECKING:
    from justesse.noise.label_noise_report import LabelNoiseReport
    from justesse.verbs.evaluate.evaluation import Evaluation

OF_SCORES = ("roc", "precision_recall", "calibration", "cost")


def names_of(evaluation: "Evaluation") -> list[str]:
    """List the charts this evaluation has."""
    names = ["intervals"] + (["confusion"] if evaluation.by_class else []) + (["slices"] if evaluation.slices else [])
    names += ["noise"] if evaluation.noise and evaluation.noise.band else []
    if evaluation.scores:
        probable = evaluation.scores.classes[0].probabilities
        names += [name for name in OF_SCORES if probable or name != "calibration"]
    return names


def picture(evaluation: "Evaluation", name: str, class_name: ClassName = None) -> Any:
    """Draw one of them; those of scores are about a class, the positive one or the first if none is named."""
    if name not in names_of(evaluation):
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(names_of(evaluation))}.")
    if name == "intervals":
        return charts.interval_chart(evaluation.estimates)
    if name == "confusion":
        return charts.confusion_chart(evaluation.tally)
    if name == "slices":
        parts = [(f"{part.column} = {part.value}", part.estimates[0]) for part in evaluation.slices]
        parts.sort(key=lambda part: part[1].value)  # as in the table
        return charts.slice_chart(parts, evaluation["accuracy"])
    if name == "noise":
        assert evaluation.noise is not None
        return noise_picture(evaluation.noise)
    assert evaluation.scores is not None
    shown = evaluation.positive if class_name is None else class_name
    scored = next(
        (item for item in evaluation.scores.classes if spelt_alike(item.class_name, shown)),
        evaluation.scores.classes[0],
    )
    data = scored.to_dict()
    if name == "cost":
        return charts.cost_chart(data, scored.table.n_positive / scored.table.total)
    draw: Any = {
        "roc": charts.roc_chart,
        "precision_recall": charts.precision_recall_chart,
        "calibration": charts.calibration_chart,
    }[name]
    return draw(data)


def noise_picture(noise: "LabelNoiseReport") -> Any:
    """Draw what the true value can be against the share of wrong labels, and where the claim about it breaks."""
    broken = noise.breakdown
    return charts.noise_band_chart(
        noise.band,
        noise.measured[noise.claimed],
        claim=(str(broken.claim), float(broken.claim.threshold)),
        breaks_at=None if broken.count is None else (broken.count, broken.n),
        rate=noise.known.rate,
    )
