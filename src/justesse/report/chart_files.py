"""Charts as files, SVG and PNG: all of them, or none."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.native import check_place


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
    missing = [item for item in (folder, *folder.parents) if not item.exists()]
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
