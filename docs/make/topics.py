"""The topics of the reference: which commands and functions each page describes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """One page about one task: the commands, and the functions that do the same in Python."""

    name: str
    title: str
    intro: str
    commands: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Room:
    """One page about one room of statistics, `justesse.NAME`."""

    name: str
    title: str
    intro: str
    parts: tuple[str, ...] = ()


TOPICS = (
    Topic(
        "evaluate",
        "Evaluate",
        "Evaluate one classifier, or numeric predictions. "
        "How-to: [evaluate a classifier](../how-to/evaluate.md), [read your data](../how-to/input.md).",
        ("evaluate", "evaluate-unlabelled"),
        ("evaluate", "evaluate_regression", "evaluate_unlabelled", "count", "Tally"),
    ),
    Topic(
        "compare",
        "Compare",
        "Compare candidates with the incumbent, by rows or by fold scores. "
        "How-to: [compare classifiers](../how-to/compare.md). Background: [which judge to use](../explanation/judges.md).",
        ("compare", "compare-folds", "compare-regression"),
        ("compare", "compare_folds", "compare_regression"),
    ),
    Topic(
        "noise",
        "Wrong labels (noise)",
        "Estimate how many labels are wrong, bound or correct measures, and make wrong labels for experiments. "
        "How-to: [handle wrong labels](../how-to/wrong-labels.md).",
        ("noise",),
        (
            "noise_estimate",
            "noise_bounds",
            "noise_breakdown",
            "noise_bias",
            "noise_profile",
            "noise_inject",
            "noise_resist",
        ),
    ),
    Topic(
        "clean",
        "Clean",
        "Find labels that are probably wrong, have them re-checked, and measure the filter. "
        "How-to: [find wrong labels](../how-to/clean.md).",
        ("clean", "recheck"),
        ("clean", "recheck_next", "recheck_answer"),
    ),
    Topic(
        "audit",
        "Audit",
        "Ask an expert about rows on which two classifiers disagree. Tutorial: [ask an expert](../tutorials/audit.md).",
        ("audit",),
        (
            "audit_start",
            "audit_next",
            "audit_answer",
            "audit_status",
            "audit_report",
            "audit_extend",
            "audit_export",
        ),
    ),
    Topic(
        "annotators",
        "Annotators",
        "Measure how far annotators agree, infer the probable class of each item, choose whom to ask, and compare models. "
        "How-to: [combine several annotators](../how-to/annotators.md).",
        ("annotators",),
        ("annotators_agree", "annotators_infer", "annotators_next", "annotators_compare"),
    ),
    Topic(
        "tournament",
        "Tournament",
        "Rank many models, and measure how often each judge errs on them. How-to: [rank many models](../how-to/leaderboard.md). "
        "Background: [which judge to use](../explanation/judges.md).",
        ("tournament",),
        ("tournament",),
    ),
    Topic(
        "llm-judge",
        "Language models as judges",
        "Measure how a language model errs as a judge, and correct win rates and accuracies for it. "
        "How-to: [use a language model as a judge](../how-to/llm-judge.md).",
        ("llm-judge",),
        ("llm_judge",),
    ),
    Topic(
        "assess",
        "Assess",
        "Evaluate learning methods by cross-validation, holdout or bootstrap. "
        "How-to: [evaluate a learning method](../how-to/models.md).",
        ("assess",),
        ("assess",),
    ),
    Topic(
        "ab",
        "On-line (ab)",
        "Compare variants by outcomes that arrive over time. "
        "How-to: [compare variants on live traffic](../how-to/ab.md).",
        ("ab",),
        ("ab", "ab_start", "ab_add", "ab_status", "ab_watch"),
    ),
    Topic(
        "lifelong",
        "Systems that keep learning (lifelong)",
        "Score versions of a system over time under a policy, and charge it for an expert's help. "
        "How-to: [evaluate a system that keeps learning](../how-to/lifelong.md), [run one](../how-to/lifelong-run.md).",
        ("lifelong",),
        (
            "lifelong_score",
            "lifelong_compare",
            "lifelong_map",
            "lifelong_audit",
            "lifelong_penalise",
            "lifelong_policies",
            "lifelong_prequential",
            "lifelong_run",
            "lifelong_curve",
            "lifelong_alarms",
        ),
    ),
    Topic(
        "inspect",
        "Inspect",
        "Check a test set: leaks, size, representativeness, data sheet. "
        "How-to: [check a test set](../how-to/models.md#check-a-test-set).",
        ("inspect",),
        ("inspect",),
    ),
    Topic(
        "plan",
        "Plan",
        "Compute how many rows or labels a test needs. How-to: [plan a test](../how-to/plan.md).",
        ("plan",),
        ("plan_precision", "plan_difference", "plan_error", "plan_error_difference", "plan_noise", "plan_labels"),
    ),
    Topic(
        "dossier",
        "Dossiers",
        "Verify, repeat, compare and show the records that `--dossier` writes. "
        "How-to: [keep evidence of an evaluation](../how-to/dossier.md).",
        ("dossier",),
        (
            "dossier_verify",
            "dossier_replay",
            "dossier_diff",
            "dossier_show",
            "dossier_plan",
            "dossier_key",
            "dossier_datasheet",
            "dossier_reevaluate",
            "dossier_export",
        ),
    ),
)

ROOMS = (
    Room(
        "measures",
        "Measures",
        "Functions of a table of counts, of scores (`curves`) or of numbers (`regression`). "
        "A measure takes a `Tally` and returns NaN where it is undefined.",
        ("curves", "regression"),
    ),
    Room(
        "intervals",
        "Intervals",
        "Confidence intervals for proportions, functions of counts and fold scores. "
        "[Their coverage was measured](../validity.md).",
    ),
    Room(
        "significance", "Significance tests", "Tests and paired intervals. [Their size was measured](../validity.md)."
    ),
    Room(
        "judges",
        "Judges",
        "Rules that decide whether a candidate should replace the incumbent. "
        "Background: [which judge to use](../explanation/judges.md).",
    ),
    Room(
        "noise",
        "Label-noise statistics",
        "Bias, bounds, corrections and breakdown rates under wrong labels. "
        "Background: [assumptions](../explanation/assumptions.md).",
    ),
    Room(
        "annotators",
        "Annotators",
        "Agreement, models of the truth behind several annotators' answers, and what to ask next. "
        "Background: [combine several annotators](../how-to/annotators.md).",
    ),
    Room("procedures", "Procedures", "Splits, runs of models over splits, baselines, and checks of a test set."),
    Room(
        "lifelong",
        "Lifelong",
        "Score matrices, policies, penalised scores, forgetting and transfer of systems that keep learning. "
        "Background: [evaluate a system that keeps learning](../how-to/lifelong.md).",
    ),
    Room("charts", "Charts", "Each function returns a Vega-Lite chart, which a notebook shows."),
)
