"""`justesse compare INCUMBENT CANDIDATE …`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.gate import RobustGateOptions, say_gate
from justesse.cli.groups import ANNOTATORS, ANSWERS, DECISION, INPUT, INTERVALS, JUDGES, LABELS, LOGS, OUTPUT
from justesse.cli.output import chances, listed, patience, say
from justesse.core.errors import OptionError
from justesse.report.writing import message
from justesse.verbs.compare.options import DecisionOptions, JudgeOptions, PairingOptions
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.options.columns import ClusteredColumnOptions
from justesse.verbs.options.intervals import DifferenceIntervalOptions
from justesse.verbs.options.label_noise import LabelNoiseOptions
from justesse.verbs.options.logs import LogOptions


def compare(
    *files: str,
    pairing: Annotated[PairingOptions, INPUT] = PairingOptions(),
    columns: Annotated[ClusteredColumnOptions, INPUT] = ClusteredColumnOptions(),
    decision: Annotated[DecisionOptions, DECISION] = DecisionOptions(),
    intervals: Annotated[DifferenceIntervalOptions, INTERVALS] = DifferenceIntervalOptions(),
    labels: Annotated[LabelNoiseOptions, LABELS] = LabelNoiseOptions(),
    judges: Annotated[JudgeOptions, JUDGES] = JudgeOptions(),
    annotators: Annotated[AnnotatorAnswerOptions, ANNOTATORS] = AnnotatorAnswerOptions(),
    answers: Annotated[AnswerOptions, ANSWERS] = AnswerOptions(),
    logs: Annotated[LogOptions, LOGS] = LogOptions(),
    gates: Annotated[RobustGateOptions, OUTPUT] = RobustGateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Decide whether a candidate should replace the incumbent, and show what would change the verdict.

    Exit code 0: the gate is passed; 1: it is not; 2: bad input. The default gate, better, passes if the verdict
    is replace; --gate not-worse also lets an equally good candidate pass; --gate none always passes. For scores over
    folds: justesse compare-folds.

    For example:

      justesse compare incumbent.csv candidate.csv --on id

      justesse compare old.parquet new-a.parquet new-b.parquet --on id --margin 1%

      justesse compare answers.parquet --incumbent model_a --candidate model_b

      justesse compare old.csv new.csv --measure recall:spam --report page.html

      justesse compare incumbent.csv candidate.csv --on id --noise-rate 3%

      justesse compare old.csv refactored.csv --on id --gate not-worse --margin 1%

      justesse compare incumbent.csv candidate.csv --on id --audited checked.csv

      justesse compare incumbent.csv candidate.csv --on id --answers answers.csv

      justesse compare a.csv b.csv --on id --judge unsupervised --reference c.csv

      justesse compare old.csv new.csv --on id --cluster patient

      justesse compare old.eval new.eval

    Parameters
    ----------
    files
        The incumbent's file, then one or more candidates'; or one file with --incumbent and --candidate. Evaluation
        logs of language models are joined by question.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.compare.gates import check_gate

    references = listed(judges.reference) if len(files) > 1 else []
    check_gate(gates.gate, decision.margin, gates.robust)
    delivery.check(*files, decision.cost, labels.transition, labels.audited, annotators.answers, *references)
    if not files:
        raise OptionError(
            "Name the incumbent's file and the candidate's: justesse compare old.csv new.csv. For scores over "
            "folds, use justesse compare-folds FILE."
        )
    from justesse.verbs.compare.compare import compare as run

    groups = (pairing, columns, decision, intervals, labels, judges, annotators, answers, logs)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {
        "by": listed(columns.by),
        "candidate": listed(pairing.candidate) or None,
        "candidate_score": listed(pairing.candidate_score) or None,
        "classes": class_names(columns.classes, columns.as_text),
        "reference": listed(judges.reference) or None,
        "cleaning": None if judges.cleaning is None else chances(judges.cleaning),
    }
    with patience("Joining, counting and judging", progress):
        comparison = run(*files, **options)
    delivery.deliver(comparison)
    passed = comparison.passes(gates.gate, robust=gates.robust)
    say_gate(delivery, gates, passed)
    if gates.robust and not annotators.answers and (reason := comparison.robustness_unknown):
        template = "Not robust: how many wrong labels could overturn the verdict is not known, because {reason}."
        say(message(template, reason=reason), to_errors=not delivery.to_terminal)
    return 0 if passed else 1
