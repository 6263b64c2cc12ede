"""`justesse lifelong penalise`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.groups import INPUT, INTERVALS, SCORES
from justesse.cli.output import patience
from justesse.verbs.lifelong.penalty_options import CorrectionOptions, PenaltyOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions


def penalise(
    table: str | None = None,
    /,
    *,
    adapt: Annotated[float | None, Parameter(group="Four scores instead of a table")] = None,
    false: Annotated[float | None, Parameter(group="Four scores instead of a table")] = None,
    cor: Annotated[float | None, Parameter(group="Four scores instead of a table")] = None,
    base: Annotated[float | None, Parameter(group="Four scores instead of a table")] = None,
    higher_is_better: Annotated[bool, Parameter(group="Four scores instead of a table")] = False,
    scoring: Annotated[PenaltyOptions, SCORES] = PenaltyOptions(),
    columns: Annotated[CorrectionOptions, INPUT] = CorrectionOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    seed: Annotated[SeedOptions, INTERVALS] = SeedOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Charge a system for the expert's help: S_pen = S_adapt + (S_false - S_cor).

    For example:

      justesse lifelong penalise --adapt 0.2 --false 0.3 --cor 0.1 --base 0.5

      justesse lifelong penalise corrected.csv

      justesse lifelong penalise sentences.csv --score wer --report page.html

      justesse lifelong penalise segments.csv --score der --collar 0.25

      justesse lifelong penalise --score der --reference a.rttm --adapted b.rttm

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each item: its right answer, what the system answered before
        and after it adapted, and whether the expert touched it. For der, a row for each segment with the columns
        recording, part (reference, base, adapted, touched, answer, question), speaker, start and end.
    adapt
        Score of the system's own answers after it adapted, such as 0.2.
    false
        Score if everything that the expert touched were wrong, such as 0.3.
    cor
        Score if everything that the expert touched were right, such as 0.1.
    base
        Score before any help, such as 0.5: adds the gain by generalisation.
    higher_is_better
        A higher score is better, as for accuracy or BLEU. For the four scores; a table's score knows its direction.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.penalise import lifelong_penalise

    delivery.check(*([table] if table is not None else []))
    groups = (scoring, columns, intervals, seed)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    with patience("Scoring", progress):
        result = lifelong_penalise(
            table, adapt=adapt, false=false, cor=cor, base=base, higher_is_better=higher_is_better, **options
        )
    delivery.deliver(result)
