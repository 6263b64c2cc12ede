"""Write the Parameters section of the verbs' docstrings from their groups of options, and that of the judges'.

`python docs/make/parameters.py` does it. A contract test fails where a docstring differs from what this writes.
"""

import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_args

import justesse
from justesse import judges
from justesse.judges.evidence import Rule
from justesse.judges.judge import Judge
from justesse.verbs.ab import options as online
from justesse.verbs.annotators import options as annotators
from justesse.verbs.assess import options as assessing
from justesse.verbs.audit import options as audit
from justesse.verbs.clean import options as cleaning
from justesse.verbs.compare import options as comparing
from justesse.verbs.compare_folds.options import FoldOptions
from justesse.verbs.dossier import options as dossiers
from justesse.verbs.evaluate.options import MeasureOptions, SampleOptions, ScoreOptions
from justesse.verbs.inspect import options as inspecting
from justesse.verbs.lifelong import penalty_options as penalising
from justesse.verbs.lifelong import run_options as running
from justesse.verbs.lifelong.options import PolicyOptions
from justesse.verbs.lifelong.policies_options import PolicyPeriodOptions
from justesse.verbs.llm_judge import options as judging
from justesse.verbs.noise import options as noise
from justesse.verbs.options.annotators import AnnotatorAnswerOptions
from justesse.verbs.options.answers import AnswerOptions, MissingOptions
from justesse.verbs.options.columns import (
    ClusteredColumnOptions,
    WeightedColumnOptions,
)
from justesse.verbs.options.intervals import (
    ConfidenceOptions,
    DifferenceIntervalOptions,
    DrawOptions,
    IntervalOptions,
    LevelOptions,
    SeedOptions,
    SidedOptions,
)
from justesse.verbs.options.jobs import JobOptions
from justesse.verbs.options.label_noise import (
    LabelNoiseOptions,
    NoiseRateOptions,
    RecheckedNoiseOptions,
    RecheckedOptions,
)
from justesse.verbs.options.logs import LogOptions
from justesse.verbs.options.pairs import OneCandidateOptions
from justesse.verbs.plan import options as plans
from justesse.verbs.recheck import options as rechecking
from justesse.verbs.regression import options as regression
from justesse.verbs.tournament import options as tournaments
from justesse.verbs.unlabelled import options as unlabelled

sys.path.insert(0, str(Path(__file__).parent))

from python_words import PYTHON

# what each function takes from groups; a numeric evaluation has some of the options only
GROUPS: dict[str, tuple[type, ...]] = {
    "ab": (online.EventOptions, online.OnlineOptions, online.TrafficOptions, ConfidenceOptions),
    "ab_start": (online.EventFileOptions, online.OnlineOptions, ConfidenceOptions),
    "ab_watch": (online.WatchOptions,),
    "evaluate": (
        WeightedColumnOptions, MeasureOptions, SampleOptions, ScoreOptions, IntervalOptions, RecheckedNoiseOptions,
        AnnotatorAnswerOptions, AnswerOptions, LogOptions,
    ),
    "compare": (
        comparing.PairingOptions, ClusteredColumnOptions, comparing.DecisionOptions, DifferenceIntervalOptions,
        LabelNoiseOptions, comparing.JudgeOptions, AnnotatorAnswerOptions, AnswerOptions, LogOptions,
    ),
    "clean": (
        cleaning.CleaningColumnOptions, cleaning.FilterOptions, cleaning.AdjudicationOptions, cleaning.AlterationOptions,
        cleaning.CleaningFileOptions, ConfidenceOptions, SeedOptions, JobOptions,
    ),
    "compare_folds": (FoldOptions, LevelOptions),
    "compare_regression": (
        OneCandidateOptions, regression.NumericColumnOptions, regression.NumericDecisionOptions, DrawOptions,
        regression.MissingNumberOptions,
    ),
    "audit_start": (
        audit.AuditColumnOptions, audit.ExpertOptions, audit.AuditDecisionOptions, MissingOptions,
        audit.AuditFileOptions, LogOptions,
    ),
    "audit_next": (audit.QuestionOptions,),
    "audit_answer": (audit.PersonOptions, audit.AnswerKindOptions, audit.AnswerChangeOptions),
    "audit_extend": (audit.ExtendOptions,),
    "audit_export": (audit.CopyOptions,),
    "audit_status": (),
    "annotators_agree": (
        annotators.AnswerColumnOptions, annotators.AgreementOptions, annotators.AgreementIntervalOptions,
    ),
    "annotators_infer": (
        annotators.AnswerColumnOptions, annotators.DetailOptions, annotators.GoldOptions, annotators.CheckOptions,
        annotators.FeatureOptions, annotators.TruthModelOptions, annotators.TruthIntervalOptions,
    ),
    "annotators_next": (
        annotators.AnswerColumnOptions, annotators.GoldOptions, annotators.AskingOptions, annotators.GoalInputOptions,
        annotators.StoppingOptions,
    ),
    "annotators_compare": (
        annotators.AnswerColumnOptions, annotators.ComparedClassifierOptions, annotators.FeatureOptions,
        annotators.ModelComparisonOptions, annotators.ModelComparisonIntervalOptions,
    ),
    "tournament": (
        tournaments.TournamentColumnOptions, tournaments.TournamentJudgeOptions, tournaments.LabelVersionOptions,
        tournaments.VerdictOptions, AnswerOptions, LogOptions,
    ),
    "inspect": (
        inspecting.OtherRowOptions, inspecting.RoleOptions, inspecting.RequirementOptions, ConfidenceOptions, SeedOptions,
    ),
    "assess": (
        assessing.LearningColumnOptions, assessing.ModelOptions, assessing.SplitOptions, assessing.RankingMeasureOptions,
        ConfidenceOptions, SeedOptions, assessing.LongRunOptions, assessing.ProbabilityOptions,
    ),
    "dossier_verify": (dossiers.VerifyOptions,),
    "dossier_replay": (dossiers.ReplayOptions,),
    "dossier_plan": (dossiers.PlannedOptions, dossiers.SignerOptions),
    "dossier_export": (dossiers.ExportOptions,),
    "dossier_datasheet": (dossiers.SheetOptions,),
    "dossier_reevaluate": (dossiers.ReevaluateOptions,),
    "recheck_next": (rechecking.RecheckQuestionOptions,),
    "recheck_answer": (audit.PersonOptions, rechecking.RecheckAnswerOptions),
    "lifelong_policies": (PolicyPeriodOptions,),
    "lifelong_penalise": (
        penalising.PenaltyOptions, penalising.CorrectionOptions, ConfidenceOptions, SeedOptions,
    ),
    "lifelong_run": (
        running.RunStreamOptions, running.RunScoreOptions, running.AdaptationOptions, running.RunExpertOptions,
        PolicyOptions, running.RunFileOptions, ConfidenceOptions, SeedOptions,
    ),
    "noise_bounds": (noise.PredictedColumnOptions, noise.CostOptions, NoiseRateOptions, MissingOptions),
    "noise_breakdown": (noise.PredictedColumnOptions, noise.ClaimOptions, MissingOptions),
    "noise_bias": (noise.TrueColumnOptions, noise.CostOptions, MissingOptions),
    "noise_profile": (noise.TrueColumnOptions, SidedOptions, MissingOptions),
    "noise_estimate": (
        noise.TrueColumnOptions, noise.ClusterOptions, SidedOptions, RecheckedOptions, noise.ModelRateOptions,
        MissingOptions,
    ),
    "noise_inject": (
        noise.InjectedColumnOptions, noise.InjectedNoiseOptions, noise.HardRowOptions, SeedOptions, JobOptions,
        noise.InjectedFileOptions,
    ),
    "noise_resist": (
        noise.LearnedColumnOptions, noise.TrainingNoiseOptions, noise.RankingOptions, noise.LearnerOptions,
        noise.TrainingCleaningOptions, SeedOptions, JobOptions, ConfidenceOptions,
    ),
    "plan_precision": (plans.PrecisionPlanOptions, plans.ClusterPlanOptions),
    "plan_difference": (plans.DifferencePlanOptions, plans.ClusterPlanOptions),
    "plan_noise": (plans.NoisePlanOptions,),
    "plan_labels": (plans.LabelPlanOptions, plans.ActiveLabelOptions, plans.LabelListOptions),
    "plan_error": (plans.ErrorPlanOptions,),
    "plan_error_difference": (plans.ErrorDifferencePlanOptions,),
    "evaluate_unlabelled": (
        unlabelled.UnlabelledColumnOptions, unlabelled.ReferenceRowOptions, unlabelled.AgreementModelOptions,
        unlabelled.ErrorIntervalOptions,
    ),
    "llm_judge": (judging.VerdictColumnOptions, judging.JudgedOptions, judging.AskingPeopleOptions, judging.JudgedIntervalOptions),
    "evaluate_regression": (WeightedColumnOptions, IntervalOptions, regression.MissingNumberOptions),
}  # fmt: skip
SECTION = re.compile(
    r"^    Parameters\n    -{10}\n(.*?)(?=\n\n    [A-Z>]|\n\n    >>>|\n    \"\"\")", re.MULTILINE | re.DOTALL
)
WIDTH = 120


def option_texts(groups: tuple[type, ...]) -> dict[str, str]:
    """Return the text of each option of some groups, those of parent classes included.

    >>> option_texts((LevelOptions,))["level"]
    'Confidence level of all intervals, such as 0.9. Default: 0.95.'
    """
    texts: dict[str, str] = {}
    for group in groups:
        for part in reversed(group.__mro__[:-1]):
            texts |= entries(part.__doc__ or "")
    return texts


def python_texts(groups: tuple[type, ...]) -> dict[str, str]:
    """Return the text of each option as a docstring has it: options are keywords, and values are Python's.

    >>> python_texts((ColumnOptions,))["by"]
    'Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.'
    """
    choices = choices_of(groups)
    texts = {name: in_python(text, choices) for name, text in option_texts(groups).items()}
    parts = [part for group in groups for part in reversed(group.__mro__[:-1])]
    return texts | {name: text for part in parts for name, text in PYTHON.get(part, {}).items()}


def entries(docstring: str) -> dict[str, str]:
    """Return the entries of the Parameters section of a docstring.

    >>> entries("Sum.\\n\\nParameters\\n----------\\na\\n    First\\n    number.\\nb\\n    Second.")
    {'a': 'First number.', 'b': 'Second.'}
    """
    _, _, section = inspect.cleandoc(docstring).partition("Parameters\n----------\n")
    texts: dict[str, list[str]] = {}
    name = ""
    for line in section.split("\n"):
        if line and not line.startswith(" "):
            name = line.lstrip("*")
            if not name.isidentifier():
                break
            texts[name] = []
        elif line.strip() and name:
            texts[name].append(line.strip())
    return {name: " ".join(lines) for name, lines in texts.items()}


def in_python(text: str, choices: Mapping[str, tuple[str, ...]]) -> str:
    """Name options as keywords: `--missing drop` is `missing="drop"`, `--noise-rate` is `noise_rate`.

    >>> in_python("Default: 1%, or --noise-rate; see --missing drop.", {"missing": ("drop",), "noise_rate": ()})
    'Default: 1%, or `noise_rate`; see `missing="drop"`.'
    """

    def keyword(match: re.Match[str]) -> str:
        name, word = match[1].replace("-", "_"), match[2] or ""
        if name.startswith("no_") and name[3:] in choices:
            return f"`{name[3:]}=False`{word}"
        if word.strip() and word.strip() in choices.get(name, ()):
            return f'`{name}="{word.strip()}"`'
        return f"`{name}`{word}"

    return re.sub(r"--([a-z]+(?:-[a-z]+)*)( [a-z0-9-]+)?", keyword, text)


def choices_of(groups: tuple[type, ...]) -> dict[str, tuple[str, ...]]:
    """Return the fixed choices of each option, none where anything goes.

    >>> choices_of((AnswerOptions,))["missing_labels"]
    ('refuse', 'drop')
    """
    parts = [part for group in groups for part in group.__mro__[:-1]]
    hints = {name: hint for part in parts for name, hint in inspect.get_annotations(part, eval_str=True).items()}
    return {name: tuple(word for word in _literals(hint) if isinstance(word, str)) for name, hint in hints.items()}


def _literals(hint: Any) -> list[Any]:
    parts = get_args(hint)
    return [word for part in parts for word in (_literals(part) if get_args(part) else [part])]


def judge_function(name: str) -> Callable[..., Any]:
    """Return the function of a judge.

    >>> judge_function("paired").__name__
    'paired'
    """
    function: Callable[..., Any] = getattr(importlib.import_module(f"justesse.judges.{name}"), name)
    return function


def judge_texts(judge: Judge) -> dict[str, str]:
    """Return the texts that a judge's docstring shares with those of other judges.

    >>> "level" in judge_texts(judges.judge_named("paired")), "measure" in judge_texts(judges.judge_named("audited"))
    (True, False)
    """
    texts = entries(Judge.decide.__doc__ or "") | entries(Rule.__doc__ or "")
    return {name: text for name, text in texts.items() if not (judge.only_accuracy and name == "measure")}


def rewritten(source: str, function: Callable[..., Any], texts: Mapping[str, str]) -> str:
    """Return the source of a function's file with the Parameters section of the function written anew."""
    start = source.index(f"\ndef {function.__name__}(")
    match = SECTION.search(source, start)
    if match is None:
        raise ValueError(f"{function.__name__} has no Parameters section; begin one")
    own = entries(textwrap.dedent("    Parameters\n    ----------\n" + match[1]))
    lines = []
    for name, parameter in inspect.signature(function).parameters.items():
        text = texts.get(name) or own.get(name, "")
        shown = f"**{name}" if parameter.kind is parameter.VAR_KEYWORD else name
        filled = textwrap.fill(text, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)
        lines += [f"    {shown}", filled]
    body = "\n".join(lines)
    return source[: match.start()] + f"    Parameters\n    {'-' * 10}\n{body}" + source[match.end() :]


def main() -> None:
    """Rewrite the docstrings."""
    shared = [(getattr(justesse, name), python_texts(groups)) for name, groups in GROUPS.items()]
    shared += [(judge_function(judge.name), judge_texts(judge)) for judge in judges.ALL]
    for function, texts in shared:
        path = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")
        path.write_text(rewritten(path.read_text(), function, texts))


if __name__ == "__main__":
    main()
