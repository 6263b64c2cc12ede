"""`justesse compare-regression INCUMBENT CANDIDATE …`."""

from typing import Literal

from justesse.cli.delivery import Delivery
from justesse.cli.output import listed, patience, say
from justesse.core.errors import OptionError


def compare_regression(
    *files: str,
    on: str | None = None,
    common: bool = False,
    incumbent: str | None = None,
    candidate: str | None = None,
    label: str | None = None,
    prediction: str | None = None,
    by: list[str] | None = None,
    measure: Literal["mae", "rmse", "mse", "rmsle", "rse", "r2", "squared_correlation"] = "mae",
    margin: float = 0.0,
    level: float = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    draws: int = 2000,
    seed: int = 0,
    missing: Literal["refuse", "drop"] = "refuse",
    gate: Literal["better", "not-worse", "none"] = "better",
    delivery: Delivery = Delivery(),
) -> int:
    """Compare two models that predict numbers: should the candidate replace the incumbent?

    Exit code 0 if the gate is passed, 1 if it is not, 2 for bad usage or input.

    Examples:

      justesse compare-regression old.csv new.csv --on id

      justesse compare-regression both.csv --incumbent a --candidate b --by site

      justesse compare-regression old.csv new.csv --measure rmse --margin 0.1

    Parameters
    ----------
    files
        The incumbent's and the candidate's file, or one file with --incumbent and --candidate.
    on
        Column with an id that both files share. Default: rows in order, if all labels agree.
    common
        Compare on the ids both files have, instead of refusing files that differ.
    incumbent
        Column with the incumbent's predictions, in one file.
    candidate
        Column with the candidate's predictions, in one file.
    label
        Column with the labels. Default: guessed from label, y, y_true, target.
    prediction
        Column with the predictions, in files of one model each. Default: guessed from prediction, pred, y_pred, yhat.
    by
        Columns to slice by, separated by commas.
    measure
        The measure that decides. Default: mae.
    margin
        Smallest gain that matters, in the unit of the measure. Default: 0.
    level
        Confidence level. Default: 0.95.
    alternative
        greater asks only whether the candidate is better. Default: two-sided.
    draws
        Number of bootstrap resamples. Default: 2000.
    seed
        Seed of the resamples. Default: 0.
    missing
        Rows without a number: refuse the file, or drop the row. Default: refuse.
    gate
        When to exit with 0. better: the verdict is to replace. not-worse: the interval excludes a loss as large as
        --margin, which it needs. none: always. Default: better.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.compare.gates import check_gate
    from justesse.verbs.regression.compare import compare_regression as run

    check_gate(gate, margin, False)
    delivery.check(*files)
    if not 1 <= len(files) <= 2:
        raise OptionError(
            f"Give the incumbent's file and the candidate's, or one file with both; got {len(files)} files."
        )
    with patience("Comparing", progress):
        comparison = run(
            *files,
            incumbent=incumbent,
            candidate=candidate,
            on=on,
            common=common,
            label=label,
            prediction=prediction,
            by=listed(by),
            measure=measure,
            margin=margin,
            level=level,
            alternative=alternative,
            draws=draws,
            seed=seed,
            drop_missing=missing == "drop",
        )
    delivery.deliver(comparison)
    passed = comparison.passes(gate)
    if gate != "none" and not delivery.json and delivery.format == "terminal":
        say(f"Gate {gate}: {'passed, exit code 0' if passed else 'not passed, exit code 1'}.")
    return 0 if passed else 1
