"""`justesse compare-folds FILE`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.gate import GateOptions, say_gate
from justesse.cli.groups import DECISION, INTERVALS, OUTPUT
from justesse.cli.output import listed, patience
from justesse.verbs.compare_folds.options import FoldOptions
from justesse.verbs.options.intervals import LevelOptions


def compare_folds(
    file: str,
    /,
    *,
    folds: Annotated[FoldOptions, DECISION] = FoldOptions(),
    intervals: Annotated[LevelOptions, INTERVALS] = LevelOptions(),
    gates: Annotated[GateOptions, OUTPUT] = GateOptions(),
    delivery: Delivery = Delivery(),
) -> int:
    """Decide whether a candidate should replace the incumbent, from scores of both on the same folds.

    Exit code 0: the gate is passed; 1: it is not; 2: bad input. The default gate, better, passes if the verdict
    is replace.

    For example:

      justesse compare-folds scores.csv --incumbent svm --candidate forest

      justesse compare-folds losses.csv --lower-is-better --measure log-loss

      justesse compare-folds datasets.csv --independent --margin 0.01

    Parameters
    ----------
    file
        CSV or Parquet of scores: one column per model, or columns fold, model and score.
    """
    from justesse.verbs.compare.gates import check_gate
    from justesse.verbs.compare_folds.compare_folds import compare_folds as run

    check_gate(gates.gate, folds.margin, False)
    delivery.check(file)
    options: dict[str, Any] = asdict(folds) | asdict(intervals) | {"candidate": listed(folds.candidate) or None}
    with patience("Comparing"):
        comparison = run(file, **options)
    delivery.deliver(comparison)
    passed = comparison.passes(gates.gate)
    say_gate(delivery, gates, passed)
    return 0 if passed else 1
