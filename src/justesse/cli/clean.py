"""`justesse clean`: which labels are probably wrong?"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import PageDelivery
from justesse.cli.groups import INPUT, INTERVALS, LABELS, MODELS, OUTPUT
from justesse.cli.output import listed, patience, say_written
from justesse.core.errors import OptionError
from justesse.verbs.clean.options import (
    AdjudicationOptions,
    AlterationOptions,
    CleaningColumnOptions,
    CleaningFileOptions,
    FilterOptions,
)
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.options.jobs import JobOptions


@dataclass(frozen=True)
class FlaggedFileOptions(CleaningFileOptions):
    """Where lists and tables go; -o is short for --to."""

    to: Annotated[Path | None, Parameter(alias=("--output", "-o"))] = None


def clean(
    file: str,
    /,
    *,
    columns: Annotated[CleaningColumnOptions, INPUT] = CleaningColumnOptions(),
    filter: Annotated[FilterOptions, MODELS] = FilterOptions(),
    jobs: Annotated[JobOptions, MODELS] = JobOptions(),
    adjudication: Annotated[AdjudicationOptions, LABELS] = AdjudicationOptions(),
    alteration: Annotated[AlterationOptions, LABELS] = AlterationOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    seed: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    written: Annotated[FlaggedFileOptions, OUTPUT] = FlaggedFileOptions(),
    delivery: PageDelivery = PageDelivery(),
) -> None:
    """Find labels that are probably wrong, ranked, with reasons.

    Nothing is altered unless --cleaned-to names a file.

    For example:

      justesse clean test.csv --proba p_ --to flagged.csv

      justesse clean test.csv --model forest --recheck-to ask.csv --recheck 200

      justesse clean test.csv --model forest --audited ask.csv

      justesse clean train.csv --action remove --cleaned-to cleaned.csv

    Parameters
    ----------
    file
        File with a column of labels.
    """
    # imported here so that `justesse --help` stays light
    from justesse.verbs.clean.clean import clean as run

    files = asdict(written)
    delivery.check(file, columns.answers, adjudication.audited, **files)
    asked = adjudication.recheck is not None or adjudication.recheck_share != type(adjudication).recheck_share
    if asked and written.recheck_to is None:
        raise OptionError(
            "--recheck and --recheck-share are about the list of rows to re-check. Name its file: --recheck-to ask.csv."
        )
    groups = (columns, filter, jobs, adjudication, alteration, intervals, seed)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {"features": listed(columns.features) or None, "model": listed(filter.model) or None}
    done: list[float] = []
    with patience("Looking for wrong labels", lambda: done[-1] if done else None):
        result = run(file, progress=lambda now, whole: done.append(now / whole), **options, **files)
    delivery.deliver(result)
    if delivery.to_terminal:
        for path in files.values():
            if path is not None:
                say_written(path)
