"""What a dossier needs, checked before any work: a place for it, a key, a plan, a data sheet, the model's files."""

import os
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.watched import file_names
from justesse.verbs.dossier.record import check_new, embedded_plan, sheet_facts, signing_key


def check_dossier(
    path: Path,
    *,
    project: str | os.PathLike[str] | None = None,
    sign: str | os.PathLike[str] | None = None,
    plan: str | os.PathLike[str] | None = None,
    sheet: str | os.PathLike[str] | None = None,
    model_file: list[str] | None = None,
    model_data: list[str] | None = None,
    **others: Any,
) -> None:
    """Refuse what would fail once the result is there.

    Parameters
    ----------
    path
        File of the dossier.
    project, sign, plan, sheet, model_file, model_data
        As `Result.dossier` has them.
    others
        Options that cannot fail.
    """
    check_new(path)
    if project is not None and not Path(project).is_dir():
        raise FileError(f"Project directory {str(project)!r} not found. Create it first.")
    signing_key(sign)
    if plan is not None:
        embedded_plan(Path(plan))
    if sheet is not None:
        sheet_facts(Path(sheet))
    for what, names in (("Model file", model_file), ("Training data", model_data)):
        for name in names or ():
            if not file_names(name):
                raise FileError(f"{what} {name!r} not found. Name a file or a folder.")
