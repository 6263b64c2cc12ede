"""`justesse.dossier_plan`: fix how a verdict will be reached, before the labels are opened."""

import os
from pathlib import Path
from typing import Any

from justesse import judges
from justesse.core.choice import check_choice
from justesse.core.choices import Alternative
from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.core.verdict import check_margin
from justesse.verbs.dossier.record import signing_key, versions, write_record
from justesse.verbs.dossier.show import ShownDossier, dossier_show


def dossier_plan(
    file: str | os.PathLike[str],
    *,
    verb: str = "compare",
    measure: str | None = None,
    margin: float | None = None,
    level: float | None = None,
    judge: str | None = None,
    alternative: Alternative | None = None,
    tried: int | None = None,
    require: str | None = None,
    claim: str | None = None,
    note: str | None = None,
    sign: str | os.PathLike[str] | None = None,
    signer: str | None = None,
    project: str | os.PathLike[str] | None = None,
) -> ShownDossier:
    """Write a plan: the measure, margin, level and judge of an evaluation to come. Verify says whether it was followed.

    Parameters
    ----------
    file
        File to write, such as plan.json.
    verb
        Function that will be used, such as evaluate or compare. Default: compare.
    measure
        Measure that will decide, such as accuracy or recall:spam. Default: not fixed.
    margin
        Smallest gain that matters, such as 0.01. Default: not fixed.
    level
        Confidence level; 0.95 is a risk of 5 %. Default: not fixed.
    judge
        Judge that will decide, see `justesse.judges`. Default: not fixed.
    alternative
        two-sided, greater or less. Default: not fixed.
    tried
        Number of candidates that will be tried. Default: not fixed.
    require
        Requirement of evaluate, such as "accuracy>=0.9". Default: not fixed.
    claim
        Claim of evaluate, such as "accuracy>=0.9". Default: not fixed.
    note
        Anything else that was agreed, in words. Default: none.
    sign
        File of a private Ed25519 key, or agent for the key of an SSH agent. Default: not signed.
    signer
        Name of the person who is responsible. Default: your login name.
    project
        Directory of the dossiers that the plan follows. Default: the directory of the file.

    Returns
    -------
    ShownDossier
        The plan, as it was written.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "plan.json"
    >>> dossier_plan(path, measure="accuracy", margin=0.01, level=0.95).content["plan"]["settings"]
    {'verb': 'compare', 'measure': 'accuracy', 'margin': 0.01, 'level': 0.95}
    """
    import inspect

    import justesse

    path = Path(file)
    if verb not in justesse.PLACES:
        raise OptionError(f"There is no function {verb!r} in justesse. Use one such as evaluate or compare.")
    if alternative is not None:
        check_choice("alternative", alternative, Alternative)
    if margin is not None:
        check_margin(margin)
    if level is not None:
        check_level(level)
    if judge is not None:
        judge = judges.judge_named(judge).name
    chosen: dict[str, Any] = {
        "measure": measure, "margin": margin, "level": level, "judge": judge, "alternative": alternative,
        "tried": tried, "require": require, "claim": claim,
    }  # fmt: skip
    settings = {name: value for name, value in chosen.items() if value is not None}
    if not settings:
        raise OptionError("A plan fixes at least one setting, such as measure, margin or level. Name one.")
    known = inspect.signature(getattr(justesse, verb)).parameters
    for name in settings:
        if name not in known:
            raise OptionError(
                f"Function justesse.{verb} has no option {name!r}, so a plan cannot fix it. Leave it out."
            )
    body = {"plan": {"settings": {"verb": verb, **settings}, "note": note}, "versions": versions()}
    write_record(path, "plan", body, project=project, key=signing_key(sign), signer=signer)
    return dossier_show(path)
