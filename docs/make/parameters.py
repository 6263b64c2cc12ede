"""Write the Parameters section of the verbs' docstrings from their groups of options, and that of the judges'.

`python docs/make/parameters.py` does it. A contract test fails where a docstring differs from what this writes.
"""

import importlib
import inspect
import re
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
    ClassOptions,
    ClusteredColumnOptions,
    SliceOptions,
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

# what each function takes from groups; a numeric evaluation has some of the options only
GROUPS: dict[str, tuple[type, ...]] = {
    "ab": (online.EventOptions, online.OnlineOptions, ConfidenceOptions),
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
        audit.AuditFileOptions,
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
    "llm_judge": (judging.VerdictColumnOptions, judging.JudgedOptions, judging.JudgedIntervalOptions),
    "evaluate_regression": (WeightedColumnOptions, IntervalOptions, regression.MissingNumberOptions),
}  # fmt: skip
# keywords whose values are written otherwise in Python, by the group that has them
PYTHON: dict[type, dict[str, str]] = {
    annotators.AnswerColumnOptions: {
        "classes": "All classes in order, such as ['low', 'mid', 'high']. Default: those answered.",
    },
    cleaning.CleaningColumnOptions: {
        "features": "List of columns to learn from. Default: all, except identifiers and columns that look like predictions, probabilities or the label under another name.",
        "answers": "Path, data frame or dict of arrays with annotators' answers: item, annotator and answer. The id of the rows (`id`) is the item.",
    },
    cleaning.FilterOptions: {
        "model": 'Model, list of models, or dict of name → estimator, if there are no probabilities. Names are tree, forest, logistic, neighbours, bayes, boosting and network, or a scikit-learn estimator such as "sklearn.svm.SVC(C=10)". Default: logistic for probabilities; tree, neighbours, logistic and bayes for votes.',
    },
    annotators.GoldOptions: {
        "gold": "Column with the true class where it is known, or a table with items and true classes. The model takes them as certain. Default: none.",
    },
    annotators.CheckOptions: {
        "check": "Column with the true class where it is known, or a table with items and true classes. The model does not see them: they check and calibrate its probabilities. Default: none.",
    },
    annotators.FeatureOptions: {
        "features": "List of columns with numeric features of the items, for item-response. Default: none.",
        "counts": "List of columns with counts, such as those of words, for item-response. Default: none.",
    },
    annotators.GoalInputOptions: {
        "incumbent": "For comparison: column with the incumbent's predictions, or a table with items and predictions.",
        "candidate": "For comparison: column with the candidate's predictions, or a table with items and predictions.",
        "noise_of": "For noise: whose labels may be wrong: 'majority' (the majority vote), the name of an annotator, a column with the recorded label of each item, or a table with items and labels. Default: majority.",
        "probabilities": "For training: table with items and a column for each class, the classifier's probabilities.",
        "features": "For training: list of columns with numeric features of the items. A logistic regression on them is the classifier.",
    },
    annotators.StoppingOptions: {
        "check": "Column with the true class of items checked by an expert, or a table with items and true classes in the order of the checks. Draw them at random: the result lists which to check next. The model does not see them. Default: none.",
    },
    annotators.ComparedClassifierOptions: {
        "prediction": "Column with a classifier's answers, or a table with items and predictions. Default: only models are compared.",
        "check": "Column with the true class where it is known, or a table with items and true classes, to judge classifier and annotators by. Default: they are judged by the other annotators.",
    },
    unlabelled.UnlabelledColumnOptions: {
        "models": "List of the columns of the classifiers, if all answers are in one table. Default: every other column.",
        "label": "Column with labels for some of the rows, to check the error rates with. Default: no labels are read; with a reference, the column of its labels, if the table has it, too.",
        "classes": "All classes, also those that do not occur, such as ['low', 'high']. Default: those of the answers.",
    },
    unlabelled.ReferenceRowOptions: {
        "reference": "Path, data frame or dict of arrays: rows with labels, predicted by the same classifier. Default: error rates come from the agreement of several classifiers.",
        "proba": "With a reference: start of the names of the columns with probabilities, one for each class, such as 'p_' for p_cat and p_dog.",
        "confidence": "With a reference: column with the probability of the predicted class, if there are no probabilities of all classes.",
    },
    judging.VerdictColumnOptions: {
        "human": "Path, data frame or dict of arrays with people's ratings of some items, drawn at random: item, the model or models if several were judged, and the rating. Default: none; then nothing can be corrected.",
        "models": "List of two columns with the models compared, such as ['model_1', 'model_2']. Default: those named model_1 and model_2, or model_a and model_b.",
        "lengths": "List of the column with the length of the answer, or of the two of a pair. Default: those named length, or length_1 and length_2.",
    },
    judging.JudgedOptions: {
        "own": "List of models of the judge's own family, to measure self-preference. Default: a model named as the judge.",
    },
    SliceOptions: {
        "by": "Column to slice by, or a list of columns; with arrays, a dict of name → array. Default: no slices.",
    },
    ClassOptions: {
        "classes": "All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.",
    },
    AnnotatorAnswerOptions: {
        "answers": "Annotators' answers instead of labels: file, data frame or dict of arrays with a row for each answer, with item, annotator and answer. The id of the predictions (`on`) is the item. Default: labels are read.",
    },
    comparing.PairingOptions: {
        "candidate": "Column of the candidate's answers, or a list of columns, if all answers are in one table.",
        "candidate_score": "Column of the candidate's scores, or a list of columns, if all are in one table.",
    },
    comparing.JudgeOptions: {
        "cleaning": "For cleaned: (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to correct what was detected (without c, the row is removed).",
        "reference": "For unsupervised: table of the reference classifier, or its column if all are in one table; or a list. The first one judges; with two or more, independence is tested.",
    },
    comparing.DecisionOptions: {
        "measure": "Measure that decides, such as accuracy, error, cost, recall:CLASS, macro-f1, mcc or auc. Default: accuracy; `cost` with costs.",
        "judge": "Who decides: the name of a judge, see `justesse.judges`. Default: paired.",
    },
    MeasureOptions: {
        "require": "Values that the confidence bounds must reach, such as 'accuracy>=0.9', or a list of them.",
    },
    regression.NumericColumnOptions: {
        "by": "Column to slice by, or a list of columns. Default: no slices.",
    },
    regression.NumericDecisionOptions: {
        "measure": f"Measure that decides: {', '.join(regression.MEASURES[:-1])} or {regression.MEASURES[-1]}. Default: mae.",
    },
    audit.ExpertOptions: {
        "show": "Column with the text the expert sees, or a list of columns.",
    },
    tournaments.ClassifierColumnOptions: {
        "label": "Column with the labels, or a list of columns: versions of the labels. Default: the column named label, y, y_true or target.",
        "models": "List of the columns of the classifiers. Default: every other column that holds classes.",
    },
    tournaments.TournamentJudgeOptions: {
        "filter": 'For cleaned: filter, or list of filters, of `justesse.clean` that look at the answers of these classifiers, such as majority-vote or "edited-neighbours(neighbours=5)". Each takes part twice: flagged rows removed, and corrected. Default: none.',
        "judges": "Names of judges, see `justesse.judges`, or all. Default: all.",
        "measure": "Measure to judge by, or a list of measures, such as accuracy, recall:cat or precision:cat. recall alone is that of every class. Default: accuracy.",
        "hard_by": "For prudent_v2: how rows are ranked: disagreement (of the classifiers), random or difficulty, or a list of them. Default: all that are possible.",
        "cleaning": f"For cleaned: list of (s, e) or (s, e, c), the chances to detect a wrong label, to suspect a right one, and to correct what was detected (without c, the row is removed). Default: {list(tournaments.CLEANING)}.",
    },
    tournaments.LabelVersionOptions: {
        "noise_rates": "Shares of the true classes to make wrong, such as [0.01, 0.05], instead of reading labels. Default: labels are read.",
        "votes": "File or data frame with a column of votes for each class: rows with the most votes against the true class become wrong first.",
        "answers": "File or data frame with a column of answers for each annotator: rows they most often got wrong become wrong first.",
        "ranking": "Parquet file with the difficulty of the rows, from `noise_inject`.",
    },
    inspecting.OtherRowOptions: {
        "train": "Rows the classifier was trained on: a file, a data frame or a dict of arrays. Default: checks against training rows are skipped.",
        "population": "Rows as they occur in use, or a table with the columns `column`, `value` and `share`. Default: checks against the population are skipped.",
    },
    inspecting.RoleOptions: {
        "by": "Column, or list of columns, whose values should be as frequent as in the population.",
        "features": "List of the columns that make up a case. Default: all columns without another role.",
    },
    assessing.LearningColumnOptions: {
        "features": "List of the columns to learn from. Default: all, except identifiers and columns that look like predictions, probabilities or the label under another name.",
        "text": "List of the columns to treat as texts (tf-idf of their words). Default: columns of long texts.",
    },
    assessing.ModelOptions: {
        "model": 'Model, list of models, or dict of name → estimator. Names are tree, forest, logistic, neighbours, bayes, boosting and network, or a scikit-learn estimator with its settings, such as "sklearn.svm.SVC(C=10)". Default: tree, neighbours, logistic and bayes.',
    },
    assessing.ProbabilityOptions: {
        "probabilities": "Also keep the probability of each class, for `Assessment.predictions`.",
    },
    noise.ClaimOptions: {
        "claim": 'Claim, or a list of claims, such as "accuracy>=0.9" or "recall:spam>0.8". Default: accuracy is above the share of the most frequent label.',
    },
    noise.InjectedNoiseOptions: {
        "noise_rate": "Share of labels to make wrong, such as 0.05. Default for transition: the rate of the table.",
        "noise_rates": "Several shares, such as [0.01, 0.05]: one version each. Wrong labels of a lower rate are part of those of a higher one, except for one-model.",
    },
    noise.HardRowOptions: {
        "answers": "File or data frame with a column of answers for each annotator, people or models.",
        "votes": "File or data frame with a column of votes for each class.",
        "features": "List of columns to train models on. Default: all columns of numbers.",
    },
    noise.LearnedColumnOptions: {
        "features": "List of columns to learn from. Default: all columns of numbers and of names.",
    },
    noise.TrainingNoiseOptions: {
        "noise_rates": "Shares of wrong training labels, such as [0, 0.3]. Default: [0, 0.05, 0.1, 0.2, 0.4].",
    },
    noise.LearnerOptions: {
        "model": "Learners: names out of tree, forest, logistic, neighbours, bayes, boosting and network, or made for wrong labels (bagging, bounded, forward, backward), or a dict of name → scikit-learn estimator. Default: tree, neighbours, logistic and bayes.",
    },
    noise.TrainingCleaningOptions: {
        "filter": 'Filter, or list of filters, that clean the training labels too, such as "edited-neighbours(neighbours=5)". Filters are those of `justesse.clean`; oracle knows the true classes. Default: none.',
        "arm": "What training does with flagged rows, or a list: remove, weight, correct or drop-label (and self-train). Default: all four.",
        "filter_model": "Models that the filters train, by name or as a dict of name → estimator. Default: logistic for probabilities; tree, neighbours, logistic and bayes for votes; tree and bayes for partition.",
    },
}
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
