"""Real logs of lm-evaluation-harness, inspect_ai, HELM and Every Eval Ever: the figures that their own totals state."""

import json

import pytest

from justesse import compare, evaluate
from justesse.core.errors import InputError


def test_lm_evaluation_harness(data):
    result = evaluate(data / "llm" / "lm_eval")
    assert result["accuracy"].value == 0
    assert result.log.tasks[0].name == "math_perturbed_full"
    assert (result.log.tasks[0].shots, result.log.tasks[0].version) == ("0", "1.0")
    assert "10 of 5,000 samples" in result.warnings[0]


@pytest.mark.parametrize(
    ("name", "right", "n"),
    [
        ("data_arc_qwen.json", 1, 3),
        ("data_pubmedqa_gpt4o_mini.json", 2, 2),
        ("2025-05-12T20-28-13-04-00_popularity.json", 2, 3),
        ("2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval", 8, 10),
        ("log_streaming.eval", 3, 4),
        ("mmlu-summary-choices.eval", 0, 1),
        ("log_read_sample.json", 1, 1),
        ("log_read_sample.eval", 1, 1),
    ],
)
def test_inspect(data, name, right, n):
    result = evaluate(data / "llm" / "inspect" / name)
    assert result["accuracy"].value == pytest.approx(right / n)
    assert result["accuracy"].n == n


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("2025-05-12T20-28-13-04-00_no-samples.json", "no samples, only totals. The run ended with status 'cancelled'"),
        ("data_with_llm_scoring.json", "no samples, only totals"),
        ("data_cvebench_empty_choices.json", "No sample of .* has an answer: the run failed in 1 sample"),
    ],
)
def test_inspect_without_what_is_needed(data, name, message):
    with pytest.raises(InputError, match=message):
        evaluate(data / "llm" / "inspect" / name)


def test_two_runs_of_a_task(data):
    unscored, scored = sorted((data / "llm" / "inspect").glob("2025-02-11*.eval"))
    result = compare(unscored, scored)
    assert result.verdict.decision == "cannot_tell"
    assert result.best.case.n == 10
    assert any("has no scores" in note for note in result.log_notes)


def test_helm_agrees_with_its_own_statistics(data):
    for folder in sorted((data / "llm" / "helm").iterdir()):
        stats = json.loads((folder / "stats.json").read_text())
        match = [stat for stat in stats if stat["name"]["name"] == "exact_match" and "perturbation" not in stat["name"]]
        own = {stat["name"]["split"]: stat["mean"] for stat in match}
        results = {split: evaluate(folder, log_filter=split)["accuracy"] for split in own}
        assert {split: result.value for split, result in results.items()} == pytest.approx(own)
        assert sum(result.n for result in results.values()) == 10
        assert evaluate(folder)["accuracy"].value == pytest.approx(own.get("test", own["valid"]))
    with pytest.raises(InputError, match="logs of 2 models"):
        evaluate(data / "llm" / "helm")


def test_every_eval_ever(data):
    result = evaluate(data / "llm" / "every_eval_ever")
    assert result["accuracy"].value == 1
    assert result.log.model == "demo-org/demo-model"
