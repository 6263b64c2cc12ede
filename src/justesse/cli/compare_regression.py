"""`justesse compare-regression INCUMBENT CANDIDATE …`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.gate import GateOptions, say_gate
from justesse.cli.groups import ANSWERS, DECISION, INPUT, INTERVALS, OUTPUT
from justesse.cli.output import listed, patience
from justesse.core.errors import OptionError
from justesse.verbs.options.intervals import DrawOptions
from justesse.verbs.options.pairs import OneCandidateOptions
from justesse.verbs.regression.options import MissingNumberOptions, NumericColumnOptions, NumericDecisionOptions


def compare_regression(
    *files: str,
    pairing: Annotated[OneCandidateOptions, INPUT] = OneCandidateOptions(),
    columns: Annotated[NumericColumnOptions, INPUT] = NumericColumnOptions(),
    decision: Annotated[NumericDecisionOptions, DECISION] = NumericDecisionOptions(),
    intervals: Annotated[DrawOptions, INTERVALS] = DrawOptions(),
    answers: Annotated[MissingNumberOptions, ANSWERS] = MissingNumberOptions(),
    gates: Annotated[GateOptions, OUTPUT] = GateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Decide whether a candidate should replace the incumbent, if both predict numbers.

    Exit code 0: the gate is passed; 1: it is not; 2: bad input. The default gate, better, passes if the verdict
    is replace; --gate not-worse needs a --margin.

    For example:

      justesse compare-regression old.csv new.csv --on id

      justesse compare-regression both.csv --incumbent a --candidate b --by site

      justesse compare-regression old.csv new.csv --measure rmse --margin 0.1

    Parameters
    ----------
    files
        The incumbent's file, then the candidate's; or one file with --incumbent and --candidate.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.compare.gates import check_gate
    from justesse.verbs.regression.compare import compare_regression as run

    check_gate(gates.gate, decision.margin, False)
    delivery.check(*files)
    if not 1 <= len(files) <= 2:
        raise OptionError(
            f"Give the incumbent's file and the candidate's, or one file with both; got {len(files)} files."
        )
    groups = (pairing, columns, decision, intervals, answers)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options["by"] = listed(columns.by)
    with patience("Comparing", progress):
        comparison = run(*files, **options)
    delivery.deliver(comparison)
    passed = comparison.passes(gates.gate)
    say_gate(delivery, gates, passed)
    return 0 if passed else 1
