"""`justesse compare INCUMBENT CANDIDATE …`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from justesse.cli.answer_options import check_drop_missing
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.output import chances, listed, patience, say
from justesse.cli.share import MaybeShare, Share
from justesse.cli.whole import MaybeWhole, Whole
from justesse.core.errors import OptionError
from justesse.judges import ALL, DEFAULT, judges_in_help
from justesse.judges.quantity import known_measures
from justesse.significance import DEFAULT_OVER_FOLDS, FoldTest

Flag = Parameter(negative="")
Several = Annotated[list[str] | None, Parameter(negative="")]
if TYPE_CHECKING:
    JudgeName = str
else:
    JudgeName = Literal[tuple(judge.name for judge in ALL)]
FOLDS = "about fold scores: give --folds FILE"


def compare(
    *files: str,
    on: str | None = None,
    common: Annotated[bool, Flag] = False,
    incumbent: str | None = None,
    candidate: Several = None,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    by: Several = None,
    measure: Annotated[
        str | None, Parameter(help=f"Measure that decides: {known_measures()}. Default: accuracy.")
    ] = None,
    margin: Share = 0.0,
    judge: Annotated[JudgeName | None, Parameter(help=judges_in_help())] = None,
    tried: MaybeWhole = None,
    positive: str | None = None,
    classes: str | None = None,
    cost: Path | None = None,
    score: str | None = None,
    candidate_score: Several = None,
    folds: Path | None = None,
    test: FoldTest | None = None,
    test_over_train: float | None = None,
    lower_is_better: Annotated[bool, Flag] = False,
    independent: Annotated[bool, Flag] = False,
    level: Share = 0.95,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    bootstrap: Literal["percentile", "bca", "none"] = "none",
    draws: Whole = 2000,
    seed: Whole = 0,
    noise_rate: str | None = None,
    transition: Path | None = None,
    transition_of: Literal["sample", "these"] | None = None,
    audited: str | None = None,
    hard: str | None = None,
    pc: MaybeShare = None,
    cleaning: str | None = None,
    budget: MaybeWhole = None,
    futility: Annotated[bool | None, Parameter(negative="--no-futility")] = None,
    missing: Literal["refuse", "wrong", "drop"] | None = None,
    missing_labels: Literal["refuse", "drop"] | None = None,
    others: Literal["wrong", "class", "missing"] = "wrong",
    any_of: str | None = None,
    plausible_noise: MaybeShare = None,
    drop_missing: Annotated[bool, Flag] = False,
    as_text: Annotated[bool, Flag] = False,
    gate: Literal["better", "not-worse", "none"] = "better",
    robust: Annotated[bool, Flag] = False,
    delivery: Delivery = Delivery(),  # noqa: B008 - frozen
) -> int:
    """Should the candidate replace the incumbent? A verdict in words, the evidence, and what would change it.

    Exit code 0: the gate is passed; 1: it is not; 2: bad usage or input. The usual gate, better, passes if the verdict
    is to replace; --gate not-worse lets an equally good candidate pass; --gate none always passes.

    Examples:

      justesse compare incumbent.csv candidate.csv --on id

      justesse compare incumbent.parquet new-a.parquet new-b.parquet --on id \\
          --margin 0.01 --tried 20

      justesse compare predictions.parquet --incumbent model_a --candidate model_b \\
          --by hospital

      justesse compare old.csv new.csv --measure recall:spam --report page.html

      justesse compare incumbent.csv candidate.csv --on id --noise-rate 3%

      justesse compare old.csv refactored.csv --on id --gate not-worse --margin 1%

      justesse compare incumbent.csv candidate.csv --on id --audited checked.csv

      justesse compare --folds scores.csv --incumbent svm --candidate forest

    Parameters
    ----------
    files
        The incumbent's file and one or more candidates', or one file with --incumbent and --candidate.
    on
        Column with an id that both files share; without it rows are taken in order, if all labels agree.
    common
        Compare on the ids that both files have, instead of refusing files that differ.
    incumbent
        Column of the incumbent's answers, in one file; or of its fold scores.
    candidate
        Column of a candidate's answers, in one file; several separated by commas, or given several times.
    label
        Column with the labels; guessed from: label, y, y_true, target.
    prediction
        Column with the answers, in files of one classifier each; guessed from: prediction, pred, y_pred, yhat,
        predicted, y_hat.
    true
        Column with the true classes, where they are known apart from the labels; guessed from: true, truth, actual.
    by
        Column to slice by; several separated by commas, or given several times. A name with a comma: '"a,b"'.
    margin
        The smallest gain that matters, in the measure's unit: 0.01 or 1% is one point.
    tried
        How many candidates were tried, if more than are given here.
    positive
        The class that recall, precision, f1, or the scores are about.
    classes
        All classes, separated by commas, also those that do not occur. A name with a comma: 'a,"b,c"'.
    cost
        CSV with the cost of each prediction (columns) for each label (rows); then --measure cost is usual.
    score
        Column with scores of the positive class, in every file; or of the incumbent, in one file.
    candidate_score
        Column with the candidate's scores, in one file.
    folds
        CSV or Parquet of scores per fold: a column for each model, or columns fold, model, score.
    test
        Test over folds. Default: corrected-t (Nadeau and Bengio).
    test_over_train
        Size of a fold's test set over that of its training set; 1/(k-1) for k folds if not given.
    lower_is_better
        Fold scores are errors or losses.
    independent
        Folds share no training rows.
    level
        Confidence level.
    alternative
        greater asks only whether the candidate is better.
    bootstrap
        Resample for differences that are not of shares (macro-f1, mcc, precision, cost, ...); none is the delta method.
    draws
        Number of resamples.
    seed
        Seed of the resamples.
    noise_rate
        The share of wrong labels: 0.03 for at most 3 %, 0.01:0.05 for a range: what can the true difference be?
    transition
        CSV of true classes (rows) and labels (columns): counts, or shares of each row.
    transition_of
        Rows that the counts of the table come from: a random sample, or exactly these rows. Default: sample.
    audited
        File of re-checked rows, a random sample: the id (see --on) and a column true.
    hard
        Column that is true (1) for hard rows, or the share of rows harder than each, for the judge prudent_v2.
    pc
        For prudent_v2: the share of the rows that is doubted, 0.1 unless given; --hard must then be a share.
    cleaning
        For cleaned: s:e or s:e:c, the chances to find a wrong label, to suspect a right one, to correct what is found.
    budget
        For audited: how many rows may be asked about, 200 unless given.
    futility
        For audited: give up when the questions left will hardly settle it (default); --no-futility goes on.
    missing
        Rows without an answer: refuse the file, count each as a wrong answer, or drop the row. Default: refuse.
    missing_labels
        Rows without a label: refuse the file, or drop the row. Default: refuse; drop with --missing drop.
    others
        Answers that no label has: wrong answers, a class each as in scikit-learn, or missing answers.
        Default: wrong.
    any_of
        What separates the classes of a label or true class that accepts several, such as "|": cat|dog accepts both.
        Default: every label is one class.
    plausible_noise
        Share of wrong labels to expect, such as 1%: a warning says if fewer could overturn the verdict. Default: 1%, or
        the upper end of --noise-rate.
    drop_missing
        Old name of --missing drop.
    as_text
        Read all labels and answers as text.
    gate
        When to exit with 0. better: the verdict is to replace. not-worse: the interval excludes a loss as large as
        --margin, which it needs. none: always. Default: better; --no-gate is --gate none.
    robust
        The gate better fails, too, if fewer wrong labels than --plausible-noise could overturn the verdict, or if
        that is not known. It is known for accuracy and error, and with the judge paired for cost.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.compare.gates import check_gate

    check_gate(gate, margin, robust)
    delivery.check(*files, folds, cost, transition, audited)
    check_drop_missing(drop_missing, missing)
    columns = listed(candidate)
    found: Any
    if folds is not None:
        from justesse.verbs.compare_folds.compare_folds import compare_folds

        rows = {"on": on, "common": common or None, "prediction": prediction, "true": true, "by": by, "cost": cost,
                "label": label, "judge": judge, "positive": positive, "classes": classes, "score": score,
                "candidate-score": candidate_score, "noise-rate": noise_rate, "transition": transition,
                "transition-of": transition_of, "audited": audited, "hard": hard, "pc": pc, "cleaning": cleaning,
                "budget": budget, "futility": futility, "drop-missing": drop_missing or None, "missing": missing,
                "missing-labels": missing_labels, "others": None if others == "wrong" else others, "any-of": any_of,
                "plausible-noise": plausible_noise, "robust": robust or None,
                "as-text": as_text or None}  # fmt: skip
        given = [name for name, value in rows.items() if value is not None]
        if files or given:
            what = f"--{given[0]}" if given else f"the file {files[0]!r}"
            raise OptionError(f"{what} is about rows, and --folds about fold scores: give one or the other")
        with patience("Comparing", progress):
            found = compare_folds(
                folds,
                incumbent=incumbent,
                candidate=columns or None,
                measure=measure or "score",
                margin=margin,
                tried=tried,
                test=test or DEFAULT_OVER_FOLDS,
                test_over_train=test_over_train,
                lower_is_better=lower_is_better,
                independent=independent,
                level=level,
                alternative=alternative,
                seed=seed,
            )
    else:
        from justesse.verbs.compare.compare import compare as run

        for name, value in (("test", test), ("test-over-train", test_over_train), ("lower-is-better", lower_is_better),
                            ("independent", independent)):  # fmt: skip
            if value not in (None, False):
                raise OptionError(f"--{name} is {FOLDS}")
        if not files:
            raise OptionError(
                "give the incumbent's file and the candidate's, or --folds FILE; see justesse compare --help"
            )
        with patience("Joining, counting and judging", progress):
            found = run(
                *files,
                incumbent=incumbent,
                candidate=columns or None,
                on=on,
                common=common,
                label=label,
                prediction=prediction,
                true=true,
                by=listed(by),
                measure=measure or ("cost" if cost else "accuracy"),
                margin=margin,
                judge=judge or DEFAULT,
                tried=tried,
                positive=positive,
                classes=class_names(classes, as_text),
                cost=cost,
                score=score,
                candidate_score=listed(candidate_score) or None,
                level=level,
                alternative=alternative,
                bootstrap=bootstrap,
                draws=draws,
                seed=seed,
                noise_rate=noise_rate,
                transition=transition,
                transition_of=transition_of,
                audited=audited,
                hard=hard,
                pc=pc,
                cleaning=None if cleaning is None else chances(cleaning),
                budget=budget,
                futility=futility,
                missing=missing,
                missing_labels=missing_labels,
                others=others,
                any_of=any_of,
                plausible_noise=plausible_noise,
                drop_missing=drop_missing,
                as_text=as_text,
            )
    delivery.deliver(found)
    passed = found.passes(gate, robust=robust)
    terminal = not delivery.json and delivery.format == "terminal"
    if gate != "none" and terminal:
        asked = f"{gate}{', robust' if robust else ''}"
        say(f"Gate {asked}: {'passed, exit code 0' if passed else 'not passed, exit code 1'}.")
    if robust and (reason := found.robustness_unknown):
        words = f"Not robust: how many wrong labels could overturn the verdict is not known, because {reason}."
        say(words, to_errors=not terminal)
    return 0 if passed else 1
