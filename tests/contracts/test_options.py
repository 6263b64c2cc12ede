"""Options are declared once: a command and its function have the same ones, with the same defaults and texts."""

import dataclasses
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

import justesse
from justesse import judges
from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import NUMERIC
from justesse.cli.gate import GateOptions, RobustGateOptions
from justesse.cli.main import app
from justesse.judges.evidence import Rule
from justesse.verbs.audit.options import PersonOptions, RevealOptions
from justesse.verbs.tournament.options import OPTION_NAMES

FILE = Path(__file__).parents[2] / "docs" / "make" / "parameters.py"
spec = importlib.util.spec_from_file_location("parameters", FILE)
parameters = importlib.util.module_from_spec(spec)
spec.loader.exec_module(parameters)

GROUPS = parameters.GROUPS
COMMANDS = {
    "ab": ["ab"],
    "ab_start": ["ab", "start"],
    "ab_watch": ["ab", "watch"],
    "evaluate": ["evaluate"],
    "compare": ["compare"],
    "clean": ["clean"],
    "dossier_verify": ["dossier", "verify"],
    "dossier_replay": ["dossier", "replay"],
    "dossier_plan": ["dossier", "plan"],
    "dossier_export": ["dossier", "export"],
    "dossier_datasheet": ["dossier", "datasheet"],
    "dossier_reevaluate": ["dossier", "reevaluate"],
    "recheck_next": ["recheck", "next"],
    "recheck_answer": ["recheck", "answer"],
    "evaluate_unlabelled": ["evaluate-unlabelled"],
    "llm_judge": ["llm-judge"],
    "compare_folds": ["compare-folds"],
    "compare_regression": ["compare-regression"],
    "audit_start": ["audit", "start"],
    "audit_ask": ["audit", "ask"],
    "audit_next": ["audit", "next"],
    "audit_answer": ["audit", "answer"],
    "audit_extend": ["audit", "extend"],
    "audit_export": ["audit", "export"],
    "audit_status": ["audit", "status"],
    "tournament": ["tournament"],
    "inspect": ["inspect"],
    "assess": ["assess"],
    "lifelong_policies": ["lifelong", "policies"],
    "lifelong_penalise": ["lifelong", "penalise"],
    "lifelong_run": ["lifelong", "run"],
    "noise_bounds": ["noise", "bounds"],
    "noise_breakdown": ["noise", "breakdown"],
    "noise_bias": ["noise", "bias"],
    "noise_profile": ["noise", "profile"],
    "noise_estimate": ["noise", "estimate"],
    "noise_inject": ["noise", "inject"],
    "noise_resist": ["noise", "resist"],
    "plan_precision": ["plan", "precision"],
    "plan_difference": ["plan", "difference"],
    "plan_noise": ["plan", "noise"],
    "plan_labels": ["plan", "labels"],
    "plan_error": ["plan", "error"],
    "plan_error_difference": ["plan", "error-difference"],
}
# what only a command has: where results go, gates as exit codes, and numbers instead of classes
OF_COMMANDS = {
    "ab_watch": {field.name for group in GROUPS["ab"] for field in dataclasses.fields(group)},  # its **options
    "evaluate": {"regression"},
    "compare": {"files"},
    "evaluate_unlabelled": {"files"},
    "audit_start": {"method"},
    "audit_status": {"gate"},
    "tournament": {"files"},
    "assess": {"models_file", "predictions", "every_repetition"},
    "noise_estimate": {"to"},
    "lifelong_penalise": {"adapt", "false", "cor", "base", "higher_is_better"},
    "lifelong_run": {"system", "stream"},
}
ONLY_COMMANDS = {"audit_ask": (PersonOptions, RevealOptions)}  # a session at the terminal
# options of its groups that an evaluation of numbers does not have
FOR_CLASSES = {
    "as_text", "bootstrap", "classes", "cluster", "half_width", "method", "positive", "true",
}  # fmt: skip
PAIRS = [
    (name, field)
    for name, groups in GROUPS.items()
    for group in groups
    for field in dataclasses.fields(group)
    if not (name == "evaluate_regression" and field.name in FOR_CLASSES)
]


def named(verb, keyword):
    """Return the option of a keyword, with underscores."""
    return OPTION_NAMES.get(keyword, keyword) if verb in ("tournament", "audit_start") else keyword


def arguments(verb):
    command = app
    for word in COMMANDS[verb]:
        command = command[word]
    return {
        argument.name.lstrip("-").replace("-", "_").lower(): argument
        for argument in command.assemble_argument_collection(parse_docstring=True)
        if argument.name.startswith("-")
    }


@pytest.mark.parametrize(("verb", "field"), PAIRS, ids=lambda one: getattr(one, "name", one))
def test_a_function_has_every_option_with_the_default_of_its_group(verb, field):
    keywords = inspect.signature(getattr(justesse, verb)).parameters
    default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
    assert keywords[field.name].default == default


def test_a_numeric_evaluation_refuses_options_about_classes():
    keywords = inspect.signature(justesse.evaluate_regression).parameters
    assert not FOR_CLASSES & set(keywords)
    assert {field.name for group in GROUPS["evaluate_regression"] for field in dataclasses.fields(group)} >= FOR_CLASSES
    assert set(keywords) - {"data", "y_true", "y_pred"} == NUMERIC


@pytest.mark.parametrize("verb", sorted(GROUPS))
def test_a_docstring_repeats_the_texts_of_the_options(verb):
    function = getattr(justesse, verb)
    source = Path(inspect.getsourcefile(inspect.unwrap(function))).read_text()
    texts = parameters.python_texts(GROUPS[verb])
    assert parameters.rewritten(source, function, texts) == source, "run python docs/make/parameters.py"


@pytest.mark.parametrize("judge", judges.ALL, ids=lambda judge: judge.name)
def test_judges_share_the_texts_and_defaults_of_their_rule(judge):
    function = parameters.judge_function(judge.name)
    source = Path(inspect.getsourcefile(function)).read_text()
    texts = parameters.judge_texts(judge)
    assert parameters.rewritten(source, function, texts) == source, "run python docs/make/parameters.py"
    keywords = inspect.signature(function).parameters
    for field in dataclasses.fields(Rule):
        assert keywords[field.name].default == field.default, field.name


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_a_command_has_the_options_of_its_function_and_their_texts(verb):
    own_texts = parameters.option_texts({**GROUPS, **ONLY_COMMANDS}[verb])
    texts = {named(verb, name): text for name, text in own_texts.items()}
    own = (
        {"file", "audit"}
        | OF_COMMANDS.get(verb, set())
        | {field.name for group in (Delivery, GateOptions, RobustGateOptions) for field in dataclasses.fields(group)}
    ) - set(texts)  # a plan has a signer of its own
    options = arguments(verb)
    assert set(options) - own == set(texts)
    assert {name: " ".join(options[name].parameter.help.split()) for name in texts} == texts


@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_a_text_ends_as_a_sentence_and_names_the_default(verb):
    for name, argument in arguments(verb).items():
        text, default = " ".join(argument.parameter.help.split()), argument.field_info.default
        assert text.endswith((".", "…")), name
        if default in (None, False, inspect.Parameter.empty):
            continue
        shown = "yes" if default is True else f"{default:g}" if isinstance(default, float) else str(default)
        assert re.search(rf"Default: {re.escape(shown)}\b", text), name


def test_keywords_work_without_knowing_about_groups():
    labels, answers = ["a", "b"] * 50, ["a", "b"] * 45 + ["b", "a"] * 5
    table = {"y": labels, "answer": answers}
    assert justesse.evaluate(table, label="y", prediction="answer", level=0.9)["accuracy"].interval.level == 0.9
