"""`justesse audit start INCUMBENT CANDIDATE`."""

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from cyclopts import Parameter, default_name_transform

from justesse.cli.audit_status import AnswerDelivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import ANSWERS, DECISION, EXPERT, INPUT, LOGS, OUTPUT
from justesse.cli.output import listed, patience
from justesse.verbs.audit.options import AuditColumnOptions, AuditDecisionOptions, AuditFileOptions, ExpertOptions
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.options.logs import LogOptions


@dataclass(frozen=True)
class SwitchedDecisionOptions(AuditDecisionOptions):
    """What is decided; --no-futility switches futility off."""

    futility: Annotated[bool, Parameter(negative="--no-futility")] = AuditDecisionOptions.futility


@dataclass(frozen=True)
class SeveralExpertOptions(ExpertOptions):
    """What the expert is asked and sees; --no-third lists disagreements for discussion."""

    third: Annotated[bool, Parameter(negative="--no-third")] = ExpertOptions.third


RENAMED = Parameter(name_transform=lambda keyword: "model" if keyword == "models" else default_name_transform(keyword))


def start(
    *files: str,
    columns: Annotated[AuditColumnOptions, INPUT, RENAMED] = AuditColumnOptions(),
    expert: Annotated[SeveralExpertOptions, EXPERT] = SeveralExpertOptions(),
    decision: Annotated[SwitchedDecisionOptions, DECISION] = SwitchedDecisionOptions(),
    method: Annotated[str, Parameter(show=False)] = "betting",
    answers: Annotated[MissingOptions, ANSWERS] = MissingOptions(),
    logs: Annotated[LogOptions, LOGS] = LogOptions(),
    written: Annotated[AuditFileOptions, OUTPUT],
    delivery: AnswerDelivery = AnswerDelivery(),
) -> None:
    """Make an audit file with all rows that can change which classifier is better.

    With three classifiers or more, one pool of answers serves all pairs: an answer counts for every pair that disagrees
    about its row. --goal says which order to settle, and all claims hold together at --level.

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

      justesse audit start run_a.eval run_b.eval run_c.eval --to board.audit \\
          --goal winner

      justesse audit start predictions.csv --model net_a,net_b,net_c --on id \\
          --goal pairs --to board.audit

    Parameters
    ----------
    files
        The incumbent's file, then the candidate's; or one file with --incumbent and --candidate; or a file or log for
        each of several classifiers, or one file with all of them (--goal).
    method
        How evidence is weighed. Only betting is available. Default: betting.
    """
    # imported here so that `justesse --help` stays light
    from justesse.frames.engine import progress
    from justesse.verbs.audit.start import audit_start

    delivery.check(*files, decision.cost, decision.credit, to=written.file)
    groups = (columns, expert, decision, answers, logs, written)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["classes"] = class_names(columns.classes, columns.as_text)
    options["models"] = listed(columns.models) or None
    with patience("Looking for disagreements", progress):
        status = audit_start(*files, method=method, **options)
    delivery.deliver(status)
