"""Charts as files, SVG and PNG: all of them, or none."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError, JustesseError
from justesse.frames.batch import all_or_none
from justesse.frames.native import check_directory, check_place


def write_charts(charts: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write charts as SVG and PNG, each under its name: all of them, or none if one cannot be drawn or written.

    Without charts, the folder is not made.
    """
    targets = {(name, kind): folder / f"{name}.{kind}" for name in charts for kind in ("svg", "png")}
    if not targets:
        return []
    check_directory(folder)
    with all_or_none() as batch:
        batch.make_directory(folder)
        for target in targets.values():
            check_place(target)
        for (name, kind), target in targets.items():
            batch.write(target, partial(_draw, charts[name], name, kind))
    return list(targets.values())


def _draw(chart: Any, name: str, kind: str, file: str) -> None:
    try:
        chart.save(file, format=kind)
    except JustesseError:
        raise
    except ValueError as error:  # what the renderer raises, with the JavaScript that failed
        reason = str(error).splitlines()[0][:200]
        raise FileError(f"Chart {name!r} cannot be drawn ({reason}). No chart was written.") from error
