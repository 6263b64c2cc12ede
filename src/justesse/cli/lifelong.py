"""`justesse lifelong score | compare`, and its other parts."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import App

from justesse.cli.delivery import Delivery
from justesse.cli.gate import GateOptions, say_exit_code, say_gate
from justesse.cli.groups import ANSWERS, DECISION, INPUT, INTERVALS, LABELS, OUTPUT, POLICY, SCORES, TRAINING, TRANSFER
from justesse.cli.lifelong_alarms import alarms
from justesse.cli.lifelong_audit import audit
from justesse.cli.lifelong_curve import curve
from justesse.cli.lifelong_map import map_systems
from justesse.cli.lifelong_penalise import penalise
from justesse.cli.lifelong_policies import policies
from justesse.cli.lifelong_prequential import prequential
from justesse.cli.lifelong_run import run
from justesse.cli.output import listed, patience
from justesse.verbs.lifelong.options import (
    LabelGapOptions,
    PairTrainingOptions,
    PolicyNoiseOptions,
    PolicyOptions,
    ScoreNoiseOptions,
    TrainingOptions,
    VersionOptions,
    VersionPairOptions,
)
from justesse.verbs.lifelong.score_options import OtherScoreOptions, TransferOptions
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
    other: Annotated[OtherScoreOptions, SCORES] = OtherScoreOptions(),
    transfer: Annotated[TransferOptions, TRANSFER] = TransferOptions(),
    noise: Annotated[ScoreNoiseOptions, LABELS] = ScoreNoiseOptions(),
    learnt: Annotated[TrainingOptions, TRAINING] = TrainingOptions(),
    answers: Annotated[LabelGapOptions, ANSWERS] = LabelGapOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Score every version of a system under a policy that says how much each period of time matters.

    Exit code 1 if a claim is false for the last version with the labels as they are; otherwise 0, or 2 for bad input.

    For example:

      justesse lifelong score answers.csv --policy recent

      justesse lifelong score answers.csv --period month --policy cyclic:12

      justesse lifelong score answers.csv --policy weights.csv --report a.html

      justesse lifelong score answers.csv --noise-rate 3% --claim 'error<=0.2'

      justesse lifelong score answers.csv --training learnt.csv --leaked drop

      justesse lifelong score answers.csv --touched touched --before base

      justesse lifelong score f1.csv --score f1 --higher-is-better

      justesse lifelong score answers.csv --joint joint.csv --full

      justesse lifelong score answers.csv --missing-labels bound

      justesse lifelong score answers.csv --probability asked

    Parameters
    ----------
    table
        CSV, Parquet, Arrow or JSON lines with a row for each test item and version.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.lifelong.score import lifelong_score

    delivery.check(table, learnt.training, transfer.untrained, transfer.joint)
    groups = (columns, policy, other, transfer, noise, learnt, answers, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["features"] = listed(learnt.features)
    with patience("Counting", progress):
        result = lifelong_score(table, **options)
    delivery.deliver(result)
    if noise.claim is None:
        return 0
    say_exit_code(delivery, "Claim", result.claim_holds)
    return 0 if result.claim_holds else 1


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
    noise: Annotated[PolicyNoiseOptions, LABELS] = PolicyNoiseOptions(),
    learnt: Annotated[PairTrainingOptions, TRAINING] = PairTrainingOptions(),
    answers: Annotated[LabelGapOptions, ANSWERS] = LabelGapOptions(),
    intervals: Annotated[ConfidenceOptions, INTERVALS] = ConfidenceOptions(),
    gates: Annotated[GateOptions, OUTPUT] = GateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Compare two systems that keep learning, at the same version and under the same policy.

    Exit code 0: the gate is passed; 1: it is not; 2: bad input. The default gate, better, passes if the verdict is
    replace.

    For example:

      justesse lifelong compare old.csv new.csv --policy recent

      justesse lifelong compare old.csv new.csv --on item --at v8 --policy past

      justesse lifelong compare old.csv new.csv --policy recent --noise-rate 3%

      justesse lifelong compare old.csv new.csv --missing-labels bound

    Parameters
    ----------
    incumbent
        Table of the system in use: a row for each test item and version.
    candidate
        Table of the system that could replace it, with the same columns.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.compare.gates import check_gate
    from justesse.verbs.lifelong.compare import lifelong_compare

    check_gate(gates.gate, decision.margin, False)
    delivery.check(incumbent, candidate, learnt.training, learnt.candidate_training)
    groups = (columns, pairing, policy, decision, noise, learnt, answers, intervals)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["features"] = listed(learnt.features)
    with patience("Counting", progress):
        result = lifelong_compare(incumbent, candidate, **options)
    delivery.deliver(result)
    passed = result.passes(gates.gate)
    say_gate(delivery, gates, passed)
    return 0 if passed else 1


app.command(penalise)
app.command(policies)
app.command(prequential)
app.command(run)
app.command(curve)
app.command(map_systems, name="map")
app.command(alarms)
app.command(audit)
