"""Promises that every member of a family keeps: it is listed, and it behaves as its siblings."""

import importlib
import inspect
import json
import pkgutil
from dataclasses import replace
from importlib import resources
from typing import get_args

import numpy as np
import pytest

import justesse.cleaning
import justesse.intervals
import justesse.judges
import justesse.measures
import justesse.noise
import justesse.significance
from justesse import Tally
from justesse.cleaning.simulated import Nett
from justesse.cli.noise import app as noise_app
from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.results import TestResult
from justesse.core.verdict import DECISIONS
from justesse.intervals import PROPORTION, PlainMethod
from justesse.judges import judge_named
from justesse.measures import ALL, PARAMETRISED, Measure
from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.noise.bounds import bounds_from_rate, bounds_from_transition
from justesse.noise.breakdown import breakdown
from justesse.noise.counted_bounds import bounds_from_counted
from justesse.noise.inversion import inversion
from justesse.noise.lam_stork import lam_stork
from justesse.noise.paired_bounds import difference_from_rate, difference_from_transition
from justesse.noise.plain import plain
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.rung import RUNG_KINDS, Rung
from justesse.noise.transition import Transition
from justesse.significance.agreement_fit import agreement_fit
from justesse.significance.anova import anova
from justesse.significance.carried_calibration import carried_calibration
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_t import clustered_t
from justesse.significance.clustered_two_areas import clustered_two_areas
from justesse.significance.constant_rates import constant_rates
from justesse.significance.corrected_t import corrected_t
from justesse.significance.equivalence_t import equivalence_t
from justesse.significance.five_by_two_f import five_by_two_f
from justesse.significance.five_by_two_t import five_by_two_t
from justesse.significance.fold_pair import FoldPair
from justesse.significance.friedman import friedman
from justesse.significance.mcnemar import mcnemar
from justesse.significance.one_sample_t import one_sample_t
from justesse.significance.paired_equivalence import paired_equivalence
from justesse.significance.paired_measure import Compared
from justesse.significance.paired_t import paired_t
from justesse.significance.permutation import permutation
from justesse.significance.rating_gap import rating_gap
from justesse.significance.reference_independence import reference_independence
from justesse.significance.sample_ratio import sample_ratio
from justesse.significance.sign_flip import sign_flip
from justesse.significance.two_areas import two_areas
from justesse.verbs.schemas import REGISTRIES, schema

NOT_MEASURES = {"regression", "curves", "confusion", "measure", "ratio", "averages", "titles"}
PROPORTION_METHODS = {"wilson", "clopper_pearson", "agresti_coull", "jeffreys", "wald"}
OTHER_INTERVALS = {
    "confidence_accuracy",
    "discrete_mean",
    "expected_confusion",
    "recalibration",
    "bounded_mean",
    "fieller",
    "lowest_cost",
    "prediction_powered",
    "posterior_estimates",
    "posterior_mixture",
    "quantile",
    "score_estimates",
    "sequence_methods",
    "score_evaluation",
    "class_scores",
    "cluster_methods",
    "cluster_summary",
    "variance_split",
    "clustered",
    "clustered_areas",
    "clustered_scores",
    "clustered_bootstrap",
    "repeated_samples",
    "clustered_measures",
    "interval_method",
    "numeric_differences",
    "numeric_estimates",
    "degrees",
    "delong",
    "binormal",
    "binormal_mean",
    "area_score",
    "binormal_score",
    "smoothing",
    "bias_corrected",
    "skewed_mean",
    "mean_error",
    "hypergeometric",
    "mover",
    "bootstrap",
    "delta",
    "explained_intervals",
    "student",
    "symmetric_studentised",
    "spread",
    "estimate",
    "ends",
    "shared_members",
    "planning",
    "bets",
    "drawn_total",
    "confidence_sequence",
    "arm_sums",
    "asymptotic_sequence",
    "difference_sequence",
    "mean_sequence",
    "tilts",
    "methods",
    "agreement_model",
    "agreement_errors",
    "dependence_bounds",
    "judge_rates",
    "rogan_gladen",
    "bradley_terry",
}


CLASSES = ("posterior", "fold_pair", "significance_test", "exchange")  # files of the room that hold a class
JUDGES = {judge.name for judge in justesse.judges.ALL}
SHARED_BY_JUDGES = {"judge", "clustered", "entrant", "entrants", "quantity", "evidence", "conclude", "breakdown", "common_classes", "words", "pairs", "tournament", "placing", "board", "task_mean",
                    "worst_precision", "shifted", "wrong_labels", "measure_differences", "reference_dependence"}  # fmt: skip
ANY_MEASURE = {"paired", "classical", "reference", "cleaned"}
OPTIONS = {"cleaned": {"cleaner": Nett(1, 0, 1)}}  # a step that is sure of everything, so that nothing is drawn
AUDITS = {
    "audit_rule",
    "audit_targets",
    "audit_plan",
    "audit_questions",
    "audit_progress",
    "audit_sensitivity",
    "audit_class_sizes",
    "audit_state",
    "audit_strata",
    "audit_payoffs",
    "measured_audit",
    "audit_stop",
    "audit_forecast",
    "simulated_audits",
    "pool_plan",
    "pool_goal",
    "pool_draw",
    "pool_evidence",
    "pool_forecast",
    "pool_claims",
    "pool_run",
    "pool_scores",
    "pool_progress",
    "simulated_pool",
}
ONLINE = {"online", "guardrails", "proxied"}


def test_every_judge_is_in_the_family_and_has_the_one_signature():
    files = {module.name for module in pkgutil.iter_modules(justesse.judges.__path__)}
    assert files == JUDGES | SHARED_BY_JUDGES | AUDITS | ONLINE
    for name in JUDGES:
        decide = getattr(justesse.judges, name)
        names = list(inspect.signature(decide).parameters)
        assert names[:6] == ["case", "measure", "level", "margin", "alternative", "seed"]
        assert {"draws", "bootstrap"} <= set(names)
        kinds = {one.kind for one in list(inspect.signature(decide).parameters.values())[1:]}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("judge", justesse.judges.ALL, ids=lambda judge: judge.name)
def test_every_judge_describes_itself_and_decides_many(judge):
    module = importlib.import_module(f"justesse.judges.{judge.name}")
    many = inspect.signature(getattr(module, f"{judge.name}_replaces")).parameters
    assert list(many)[:2] == ["pairs", "rule"]
    assert hasattr(module, f"{judge.name}_entrants") == judge.has_variants
    for words in (judge.summary, judge.needs, judge.assumes, judge.errs_when):
        assert len(words) > 10
    assert judge.summary.endswith((".", "?"))
    options = set(inspect.signature(justesse.compare).parameters)
    assert set(judge.options) <= options


@pytest.mark.parametrize("name", sorted(JUDGES - {"audited", "unsupervised"}))  # about accuracy only
@pytest.mark.parametrize("measure", ["accuracy", "error", "recall:b", "precision:a", "macro-f1", "mcc"])
def test_a_judge_keeps_its_promises(name, measure):
    cells = [
        ("a", "a", "a", "a", 0, 59),
        ("b", "a", "a", "a", 1, 1),
        ("a", "a", "b", "a", 1, 9),
        ("a", "a", "a", "b", 1, 3),
        ("b", "b", "b", "b", 0, 50),
        ("b", "b", "a", "b", 0, 5),
        ("b", "b", "a", "a", 0, 2),
    ]
    tally = Tally.of(("true", "label", "incumbent", "candidate", "hard"), cells)
    if measure in ("macro-f1", "mcc") and name not in ANY_MEASURE:
        with pytest.raises(OptionError, match=f"The judge {name} compares accuracy, .* not (macro F1|MCC)"):
            judge_named(name).decide(Case(tally), measure=measure)
        return
    options = OPTIONS.get(name, {})
    found = judge_named(name).decide(Case(tally), measure=measure, **options)
    assert found.judge == name
    assert found.decision in DECISIONS
    assert found.reason.endswith(".")
    assert found.assumptions
    assert found.difference.interval is not None
    assert sum(found.disagreement.to_dict().values()) == tally.n
    swapped = judge_named(name).decide(
        Case(tally.renamed(incumbent="candidate", candidate="incumbent")), measure=measure, **options
    )
    assert swapped.difference.value == pytest.approx(-found.difference.value)
    assert found.outcome.assumptions


@pytest.mark.parametrize("name", sorted(module.name for module in pkgutil.iter_modules(justesse.significance.__path__)))
def test_a_test_is_documented_and_shown(name):
    module = importlib.import_module(f"justesse.significance.{name}")
    assert module.__doc__
    own = [one for one in vars(module).values() if inspect.isfunction(one) and one.__module__ == module.__name__]
    public = [one for one in own if not one.__name__.startswith("_")]
    assert any(">>>" in (one.__doc__ or "") for one in public) or name in CLASSES


A, B = [0.80, 0.84, 0.79, 0.83, 0.82], [0.83, 0.86, 0.84, 0.85, 0.83]
HALVES = (np.reshape([*A, *B], (5, 2)), np.reshape([*B, *A], (5, 2)))
CELLS = [(1, 1, 1, 60), (1, 0, 1, 15), (0, 0, 1, 5), (0, 0, 0, 80)]
AXES = ("label", "incumbent", "candidate")
CLUSTERED = [(*cell[:3], group, cell[3] + group % 3) for cell in CELLS for group in range(5)]
OUTCOMES = {
    "mcnemar": lambda: mcnemar(15, 5),
    "clustered_mcnemar": lambda: clustered_mcnemar([2, 0, 1], [1, 3, 2], [8, 8, 8]),
    "clustered_t": lambda: clustered_t(Case(Tally.of((*AXES, "cluster"), CLUSTERED)), Compared(ALL[0])),
    "clustered_two_areas": lambda: clustered_two_areas(
        [1, 0] * 4, [5, 1, 3, 4, 6, 2, 0, 7], range(8), [1, 1, 2, 2, 3, 3, 4, 4]
    ),
    "permutation": lambda: permutation(Tally.of(AXES, CELLS), Compared(ALL[0])),
    "two_areas": lambda: two_areas([1, 1, 0, 0], [0.9, 0.4, 0.3, 0.5], [0.9, 0.8, 0.3, 0.85]),
    "paired_equivalence": lambda: paired_equivalence(5, 6, 500, margin=0.02),
    "one_sample_t": lambda: one_sample_t(A, 0.8),
    "paired_t": lambda: paired_t(A, B),
    "corrected_t": lambda: corrected_t(A, B, test_over_train=0.25),
    "five_by_two_t": lambda: five_by_two_t(*HALVES),
    "five_by_two_f": lambda: five_by_two_f(*HALVES),
    "sign_flip": lambda: sign_flip(A, B),
    "anova": lambda: anova(np.column_stack([A, B])),
    "friedman": lambda: friedman(np.column_stack([A, B, B[::-1]])),
    "sample_ratio": lambda: sample_ratio([520, 480], [0.5, 0.5]),
    "equivalence_t": lambda: equivalence_t(A, B, 0.02),
    "agreement_fit": lambda: agreement_fit(AnswerPatterns.of("abcd", FOUR)),
    "reference_independence": lambda: reference_independence((8, 1, 3), (5, 1, 4)),
    "carried_calibration": lambda: carried_calibration(
        ConfidenceCounts.of([0.6, 0.9] * 9, [0, 1] * 9, [0.6, 0.9], [0.6, 0.9], [1, 0]), draws=100
    ),
    "constant_rates": lambda: constant_rates([1, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"], draws=100),
    "rating_gap": lambda: rating_gap([1, 0, 1, 1], [True, True, False, False], [1, 1, 1, 1], draws=100),
}
FOUR = [(1, 1, 1, 0), (0, 0, 1, 0), (1, 0, 1, 1), (0, 1, 0, 0), *[(0, 0, 0, 0), (1, 1, 1, 1)] * 9]
OTHER_RESULTS = {"nemenyi", "holm_ranks", "correlated_t", "bayesian_signed_rank"}
NOT_TESTS = {"posterior", "overlap", "selection", "multiplicity", "paired_difference", "paired_measure", "paired_power",
             "normal", "folds", "five_by_two", "mean_ranks", "share_spreads", "two_shares", "significance_test",
             "fold_pair", "low_recalls", "majority_gap", "class_differences", "clustered_classes", "clustered_difference",
             "clustered_measure", "exchange", "pair_evidence", "rank_sets"}  # fmt: skip


def test_every_test_file_is_in_the_registry():
    files = {module.name for module in pkgutil.iter_modules(justesse.significance.__path__)}
    assert {test.function for test in justesse.significance.TESTS} == files - NOT_TESTS
    assert set(OUTCOMES) | OTHER_RESULTS == files - NOT_TESTS


@pytest.mark.parametrize("test", justesse.significance.TESTS, ids=lambda test: test.name)
def test_a_test_does_what_its_entry_says(test):
    assert test.compute is getattr(justesse.significance, test.function)
    parameters = inspect.signature(test.compute).parameters
    assert ("alternative" in parameters) == (len(test.alternatives) > 1)
    assert test.reference in inspect.getdoc(test.compute).replace("\n", " ")
    if test.function in OUTCOMES:
        assert OUTCOMES[test.function]().test in test.titles


def test_a_test_over_folds_is_chosen_by_its_option():
    pair = FoldPair(np.ravel(HALVES[0]), np.ravel(HALVES[1]), np.repeat(range(5), 2), test_over_train=1.0)
    for option, test in justesse.significance.OVER_FOLDS.items():
        result = test.over_folds(pair)
        assert result.test == test.name
        assert test.decides == bool(result.difference.interval) or option == "5x2-t"
    alone = justesse.significance.fold_test("corrected-t").over_folds(replace(pair, test_over_train=None))
    assert (alone.test, alone.warnings) == ("paired-t", ())


@pytest.mark.parametrize("name", sorted(OUTCOMES))
def test_an_outcome_names_its_assumptions(name):
    found = OUTCOMES[name]()
    assert isinstance(found, TestResult)
    assert found.test
    assert all(isinstance(one, str) for one in found.assumptions)
    assert len(found.assumptions) >= 2
    assert 0 <= found.pvalue <= 1
    json.dumps(found.to_dict(), allow_nan=False)


def test_every_measure_file_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.measures.__path__)} - NOT_MEASURES
    listed = {measure.name for measure in ALL} | {make.__name__ for make in PARAMETRISED}
    assert listed - {"f1"} == files


def test_every_interval_file_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.intervals.__path__)}
    assert files == PROPORTION_METHODS | OTHER_INTERVALS
    assert {name.replace("-", "_") for name in PROPORTION} == PROPORTION_METHODS
    assert get_args(PlainMethod) == tuple(PROPORTION)


@pytest.mark.parametrize("name", sorted({m.name for m in ALL} - {"f1"}))
def test_a_measure_is_documented_and_has_a_doctest(name):
    module = importlib.import_module(f"justesse.measures.{name}")
    assert len(module.__doc__.strip().splitlines()[0]) > 20
    assert ">>>" in module.__doc__


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.name)
def test_a_measure_keeps_its_promises(measure: Measure):
    tally = Tally.from_dense(np.array([[30, 5, 1], [4, 40, 2], [0, 3, 15]]), ["a", "b", "c"])
    value = np.asarray(measure(tally))
    batch = np.asarray(measure(next(tally.resample(6))))
    assert batch.shape == (6, *value.shape)
    assert value.shape == ((3,) if measure.per_class else ())
    assert measure.reason
    low, high = measure.bounds
    assert np.all((value >= low) & (value <= high))
    assert np.all(np.isnan(measure(Tally.of(["label", "prediction"], [], classes=["a"]))))


@pytest.mark.parametrize("name", sorted(PROPORTION))
def test_an_interval_of_a_proportion_keeps_its_promises(name):
    method = PROPORTION[name]
    k, n = np.array([0, 1, 5, 9, 10]), 10
    ends = method(k, n)
    assert ends.method == name
    assert np.all(ends.low <= k / n + 1e-12)
    assert np.all(ends.high >= k / n - 1e-12)
    wide, narrow = method(k, n, level=0.99), method(k, n, level=0.8)
    assert np.all(wide.high - wide.low >= narrow.high - narrow.low)
    mirrored = method(n - k, n)
    np.testing.assert_allclose(mirrored.low, 1 - ends.high, atol=1e-12)
    lower, upper = method(k, n, alternative="greater"), method(k, n, alternative="less")
    assert np.all(lower.high == 1)
    assert np.all(upper.low == 0)
    np.testing.assert_allclose(lower.low, method(k, n, level=0.9).low)
    np.testing.assert_allclose(upper.high, method(k, n, level=0.9).high)
    nothing = method(0, 0)
    assert np.isnan(nothing.low)
    assert np.isnan(nothing.high)
    with pytest.raises(ValueError, match="between 0"):
        method(11, 10)


LABELLED = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
PAIRED = Tally.of(("label", "incumbent", "candidate"), [("a", "a", "a", 40), ("a", "b", "a", 9), ("b", "b", "b", 50)])
CHECKED = Tally.of(("true", "label", "prediction"), [("a", "a", "a", 20), ("b", "a", "b", 2), ("b", "b", "b", 20)])
BOTH = Tally.of(("true", "label", "incumbent", "candidate"), [("a", "a", "b", "a", 5), ("b", "b", "b", "b", 30)])
KNOWN = Transition.from_table([[95, 5], [4, 96]], ["a", "b"])
RUNGS = {
    "plain": ("a", lambda: plain(LABELLED, ALL[:1])),
    "lam_stork": ("b", lambda: lam_stork(LABELLED, 0.05)),
    "inversion": ("c", lambda: inversion(LABELLED, ALL[:1], KNOWN)),
    "bounds": ("d", lambda: bounds_from_rate(LABELLED, ALL[:1], 0.05)),
    "bounds from a table": ("d", lambda: bounds_from_transition(LABELLED, ALL[:1], KNOWN)),
    "counted_bounds": ("d", lambda: bounds_from_counted(LABELLED, ALL[:1], KNOWN)),
    "paired_bounds": ("d", lambda: difference_from_rate(Case(PAIRED).disagreement, 0.05)),
    "paired_bounds from a table": ("d", lambda: difference_from_transition(Case(PAIRED), KNOWN)),
    "breakdown": ("e", lambda: breakdown(LABELLED).rung),
    "recheck": ("f", lambda: recheck(LABELLED, CHECKED, ALL[:1])),
    "recheck_difference": ("f", lambda: recheck_difference(Case(PAIRED), BOTH)),
}
SHARED_BY_RUNGS = {"rung", "claim", "label_knowledge", "label_noise_report", "difference_noise_report", "survives",
                   "plausible_noise", "value_band", "counted", "counted_rate", "coupling", "macro", "possible", "random_sample", "rate_range", "difference_by_draws", "drawn_sequence", "leaderboard", "moved_rows", "powered_accuracy", "sample_design",
                   "order_bounds", "relabelling", "transition"}  # fmt: skip
WHAT_NOISE_DID = {"bias", "clustered_rates", "correct", "label_errors", "profile", "extreme_bias"}
MISSING = {"missing_answers", "missing_bounds"}  # a missing answer may be any class, as a wrong label may
WRONG_ON_PURPOSE = {"difficulty", "hardness", "inject", "models", "noisy", "ranking"}


def test_every_file_about_wrong_labels_is_in_a_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.noise.__path__)}
    assert files == {name.split()[0] for name in RUNGS} | SHARED_BY_RUNGS | WHAT_NOISE_DID | WRONG_ON_PURPOSE | MISSING


@pytest.mark.parametrize("name", sorted(RUNGS))
def test_a_rung_names_what_it_takes_for_granted_and_when_it_fails(name):
    letter, climb = RUNGS[name]
    found = climb()
    assert isinstance(found, Rung)
    assert found.letter == letter
    assert found.figures
    assert found.assumptions
    assert found.fails_when
    assert found.kind in RUNG_KINDS
    assert found.kind.short
    assert found.kind.term
    json.dumps(found.to_dict(), allow_nan=False)


def test_every_part_of_the_noise_command_is_a_function_of_the_library():
    parts = [name for name in noise_app if not name.startswith("-")]
    assert {"bounds", "breakdown", "bias", "profile", "estimate"} <= set(parts)
    for part in parts:
        assert f"noise_{part}" in justesse.__all__
        assert ">>>" in getattr(justesse, f"noise_{part}").__doc__


def test_no_schema_lists_by_hand_what_a_registry_holds():
    folder = resources.files("justesse.verbs.schemas")
    filled = {name: make() for name, make in REGISTRIES.items()}
    registered = {name: {*made["enum"]} for name, made in filled.items() if "enum" in made}

    def enums(part):
        if isinstance(part, dict):
            yield from ([{*map(str, part["enum"])}] if "enum" in part else [])
            part = list(part.values())
        if isinstance(part, list):
            for item in part:
                yield from enums(item)

    files = [file for file in folder.iterdir() if file.name.endswith(".json")]
    assert len(files) > 8
    for file in files:
        for written in enums(json.loads(file.read_text())):
            for name, names in registered.items():
                listed = len(written) > 1 and (written <= names or names <= written)
                assert not listed, f"{file.name} lists the {name}: {sorted(written)}"
        assert schema(file.name.removesuffix(".json"))


SHARED_BY_FILTERS = {"altered", "confident_joint", "confident_rate", "cross_fitted", "evidence", "filter", "known_truth", "pool_filter",
                     "probability_wrong", "recheck", "row_filter", "simulated", "suspicion", "votes", "written_filter"}  # fmt: skip


def test_every_filter_is_in_the_family():
    files = {module.name for module in pkgutil.iter_modules(justesse.cleaning.__path__)}
    places = {inspect.getmodule(item.look).__name__.rpartition(".")[2] for item in justesse.cleaning.ALL}
    assert places == files - SHARED_BY_FILTERS
    assert len({item.name for item in justesse.cleaning.ALL}) == len(justesse.cleaning.ALL)
    for item in justesse.cleaning.ALL:
        module = inspect.getmodule(item.look)
        assert module.__doc__
        assert item.reference.partition(" (")[0] in inspect.getdoc(item.look).replace("\n", " ")
        assert ">>>" in inspect.getdoc(item.look)
