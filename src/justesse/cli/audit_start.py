"""`justesse audit start INCUMBENT CANDIDATE`."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from justesse.cli.audit_status import AnswerDelivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import ANSWERS, DECISION, EXPERT, INPUT, OUTPUT
from justesse.cli.output import patience
from justesse.verbs.audit.options import AuditColumnOptions, AuditDecisionOptions, AuditFileOptions, ExpertOptions
from justesse.verbs.options.answers import MissingOptions


@dataclass(frozen=True)
class SwitchedDecisionOptions(AuditDecisionOptions):
    """What is decided; --no-futility switches futility off."""

    futility: Annotated[bool, Parameter(negative="--no-futility")] = AuditDecisionOptions.futility


def start(
    *files: str,
    columns: Annotated[AuditColumnOptions, INPUT],
    expert: Annotated[ExpertOptions, EXPERT] = ExpertOptions(),
    decision: Annotated[SwitchedDecisionOptions, DECISION] = SwitchedDecisionOptions(),
    method: Annotated[str, Parameter(show=False)] = "betting",
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    written: Annotated[AuditFileOptions, OUTPUT],
    delivery: AnswerDelivery = AnswerDelivery(),
) -> None:
    """Make an audit file with all rows that can change which classifier is better.

    The file holds all that is needed: the data may be moved or deleted. An existing file is never overwritten.

    For example:

      justesse audit start incumbent.csv candidate.csv --on id --to my.audit \\
          --budget 200 --show text

      justesse audit start predictions.parquet --incumbent old --candidate new \\
          --on id --to my.audit --image path

      justesse audit start incumbent.csv candidate.csv --on id --to trial.audit \\
          --true true_class

      justesse audit start incumbent.csv candidate.csv --on id --to f1.audit \\
          --measure f1:spam

      justesse audit start incumbent.csv candidate.csv --on id --to cost.audit \\
          --cost costs.csv

    Parameters
    ----------
    files
        The incumbent's file, then the candidate's; or one file with --incumbent and --candidate.
    method
        How evidence is weighed. Only betting is available. Default: betting.
    """
    # imported here so that `justesse --help` stays light
    from justesse.frames.engine import progress
    from justesse.verbs.audit.start import audit_start

    delivery.check(*files, decision.cost, to=written.to)
    groups = (columns, expert, decision, answers, written)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["classes"] = class_names(columns.classes, columns.as_text)
    with patience("Looking for disagreements", progress):
        status = audit_start(*files, method=method, **options)
    delivery.deliver(status)
