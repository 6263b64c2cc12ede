"""The charts of an evaluation, by name."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse import charts
from justesse.core.errors import FileError, OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.frames.native import check_place

if TYPE_CHECKING:
    from justesse.verbs.evaluation import Evaluation
    from justesse.verbs.if_wrong import IfWrong

OF_SCORES = ("roc", "precision_recall", "calibration", "cost")


def names_of(found: "Evaluation") -> list[str]:
    """List the charts this evaluation has."""
    names = ["intervals", "confusion"] + (["slices"] if found.slices else [])
    names += ["noise"] if found.noise and found.noise.band else []
    if found.scores:
        probable = found.scores.classes[0].probabilities
        names += [name for name in OF_SCORES if probable or name != "calibration"]
    return names


def picture(found: "Evaluation", name: str, class_name: ClassName = None) -> Any:
    """Draw one of them; those of scores are about a class, the positive one or the first if none is named."""
    if name not in names_of(found):
        raise OptionError(f"there is no chart {name!r} of this; there are {', '.join(names_of(found))}")
    if name == "intervals":
        return charts.interval_chart(found.estimates)
    if name == "confusion":
        return charts.confusion_chart(found.tally)
    if name == "slices":
        parts = [(f"{part.column} = {part.value}", part.estimates[0]) for part in found.slices]
        return charts.slice_chart(parts, found["accuracy"])
    if name == "noise":
        assert found.noise is not None
        return noise_picture(found.noise)
    assert found.scores is not None
    wanted = found.positive if class_name is None else class_name
    scored = next((one for one in found.scores.classes if spelt_alike(one.class_name, wanted)), found.scores.classes[0])
    data = scored.to_dict()
    if name == "cost":
        return charts.cost_chart(data, scored.table.p / scored.table.total)
    draw: Any = {
        "roc": charts.roc_chart,
        "precision_recall": charts.precision_recall_chart,
        "calibration": charts.calibration_chart,
    }[name]
    return draw(data)


def noise_picture(noise: "IfWrong") -> Any:
    """Draw what the true value can be against the share of wrong labels, and where the claim about it breaks."""
    found = noise.breakdown
    return charts.noise_band_chart(
        noise.band,
        noise.measured[noise.claimed],
        claim=(str(found.claim), float(found.claim.threshold)),
        breaks_at=found.rate,
        rate=noise.known.rate,
    )


def write_pictures(found: "Evaluation", folder: Path) -> list[Path]:
    """Write every chart of an evaluation."""
    return write_charts({name: picture(found, name) for name in names_of(found)}, folder)


def write_charts(charts: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write charts as SVG and PNG, each under its name: all of them, or none if one cannot be drawn or written."""
    made = _made(folder)
    targets = [(name, kind, folder / f"{name}.{kind}") for name in charts for kind in ("svg", "png")]
    try:
        for _, _, target in targets:
            check_place(target)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".justesse-") as temporary:
            drawn = [_drawn(charts[name], name, kind, Path(temporary)) for name, kind, _ in targets]
            for file, (_, _, target) in zip(drawn, targets, strict=True):
                os.replace(file, target)
    except BaseException as error:
        for created in made:
            with suppress(OSError):  # not empty: another program has put something there
                created.rmdir()
        if isinstance(error, OSError):
            raise FileError(f"{folder} cannot be written: {error.strerror or error}; choose another place") from error
        raise
    return [target for _, _, target in targets]


def _made(folder: Path) -> list[Path]:
    """Make a folder and return the folders that did not exist, the innermost first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}; choose another place") from error
    return missing


def _drawn(chart: Any, name: str, kind: str, folder: Path) -> Path:
    file = folder / f"{name}.{kind}"
    try:
        chart.save(str(file), format=kind)
    except ValueError as error:  # what the renderer raises, with the JavaScript that failed
        reason = str(error).splitlines()[0][:200]
        raise FileError(f"the chart {name!r} cannot be drawn ({reason}); no chart was written") from error
    return file
