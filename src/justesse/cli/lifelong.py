"""`justesse lifelong score | compare | penalise`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import App, Parameter

from justesse.cli.delivery import Delivery
from justesse.cli.groups import DECISION, INPUT, INTERVALS, POLICY
from justesse.cli.output import patience
from justesse.verbs.lifelong.options import PolicyOptions, VersionOptions, VersionPairOptions
from justesse.verbs.options.intervals import ConfidenceOptions
from justesse.verbs.options.pairs import GainOptions

app = App(
    name="lifelong",
    help="Systems that keep learning: scores over time under your policy, and the price of an expert's help.",
    help_format="plaintext",
)


@app.command
def score(
    table: str,
    /,
    *,
    columns: Annotated[VersionOptions, INPUT] = VersionOptions(),
    policy: Annotated[PolicyOptions, POLICY] = PolicyOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Score every version of a system under a policy that says how much each period of time matters.

    For example:

      justesse lifelong score answers.csv --policy recent

      justesse lifelong score answers.csv --period month --policy cyclic:12

      justesse lifelong score answers.csv --policy weights.csv --report a.html

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each test item and version.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.score import lifelong_score

    delivery.check(table)
    options: dict[str, Any] = {
        name: value for group in (columns, policy, intervals) for name, value in asdict(group).items()
    }
    with patience("Counting", progress):
        result = lifelong_score(table, **options)
    delivery.deliver(result)


@app.command
def compare(
    incumbent: str,
    candidate: str,
    /,
    *,
    columns: Annotated[VersionOptions, INPUT] = VersionOptions(),
    pairing: Annotated[VersionPairOptions, INPUT] = VersionPairOptions(),
    policy: Annotated[PolicyOptions, POLICY] = PolicyOptions(),
    decision: Annotated[GainOptions, DECISION] = GainOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Compare two systems that keep learning, at the same version and under the same policy.

    For example:

      justesse lifelong compare old.csv new.csv --policy recent

      justesse lifelong compare old.csv new.csv --on item --at v8 --policy past

    Parameters
    ----------
    incumbent
        Table of the system in use: a row for each test item and version.
    candidate
        Table of the system that could replace it, with the same columns.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.compare import lifelong_compare

    delivery.check(incumbent, candidate)
    groups = (columns, pairing, policy, decision, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    with patience("Counting", progress):
        result = lifelong_compare(incumbent, candidate, **options)
    delivery.deliver(result)


@app.command
def penalise(
    *,
    adapt: Annotated[float, Parameter(group="Input")],
    false: Annotated[float, Parameter(group="Input")],
    cor: Annotated[float, Parameter(group="Input")],
    base: Annotated[float | None, Parameter(group="Input")] = None,
    higher_is_better: Annotated[bool, Parameter(group="Input")] = False,
    delivery: Delivery = Delivery(),
) -> None:
    """Charge a system for the expert's help: S_pen = S_adapt + (S_false - S_cor).

    For example:

      justesse lifelong penalise --adapt 0.2 --false 0.3 --cor 0.1 --base 0.5

    Parameters
    ----------
    adapt
        Score of the system's own answers after it adapted, such as 0.2.
    false
        Score if everything that the expert touched were wrong, such as 0.3.
    cor
        Score if everything that the expert touched were right, such as 0.1.
    base
        Score before any help, such as 0.5: adds the gain by generalisation.
    higher_is_better
        A higher score is better, as for accuracy or BLEU.
    """
    from justesse.verbs.lifelong.penalise import lifelong_penalise

    delivery.check()
    delivery.deliver(lifelong_penalise(adapt=adapt, false=false, cor=cor, base=base, higher_is_better=higher_is_better))
