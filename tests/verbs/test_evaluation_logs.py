"""Evaluation logs of language models in the verbs: the same figures as from a table, and what a log cannot give."""

import json
from dataclasses import replace

import jsonschema
import numpy as np
import pytest

import justesse
from frames.logs import written_logs as written
from justesse.core.errors import OptionError
from justesse.verbs.schemas import schema

LETTERS = "ABCD"


def questions(skill, *, refused=0.0, size=300, seed=0):
    rng = np.random.default_rng(seed)
    targets = np.random.default_rng(1).choice(list(LETTERS), size=size)
    answers = np.where(rng.random(size) < skill, targets, rng.choice(list(LETTERS), size=size))
    answers = np.where(rng.random(size) < refused, "I'm sorry, but I can't help with that.", answers)
    return [
        written.Question(at, str(target), str(answer))
        for at, (target, answer) in enumerate(zip(targets, answers, strict=True))
    ]


@pytest.mark.parametrize(
    "name",
    [
        "lm_eval",
        "inspect_json",
        "inspect_eval",
        "inspect_zstd",
        "helm",
        "every_eval_ever",
        "openai_evals",
        "promptfoo",
        "lighteval",
    ],
)
def test_a_log_gives_the_figures_of_a_table(run, tmp_path, name):
    asked = questions(0.7)
    path = written.all_formats(tmp_path, asked)[name]
    log = run("evaluate", path, "--json")
    table = justesse.evaluate(
        y_true=[question.target for question in asked], y_pred=[question.answer for question in asked]
    )
    assert log.code == 0, log.err
    assert log.json["measures"] == table.to_dict()["measures"]
    assert log.json["counts"] == table.to_dict()["counts"]
    assert log.json["log"]["samples"] == 300
    jsonschema.validate(log.json, schema("evaluate"))


def test_the_interval_of_twenty_of_twenty_is_not_one_point(run, tmp_path):
    """inspect_ai's own ci() gives [1, 1] here."""
    path = written.inspect_json(tmp_path / "a.json", [written.Question(at, "A", "A") for at in range(20)])
    headline = run("evaluate", path, "--json").json["headline"]
    assert headline["value"] == 1
    assert headline["interval"]["low"] == pytest.approx(0.8389, abs=1e-4)
    assert headline["interval"]["high"] == 1


def test_answers_that_cannot_be_used_are_wrong_counted_and_listed(run, tmp_path):
    result = run("evaluate", written.lm_eval(tmp_path), "--json").json
    assert result["headline"]["value"] == pytest.approx(4 / 9)
    assert result["log"]["replies"] == {"answered": 5, "empty": 1, "refused": 1, "unparseable": 2, "failed": 0}
    assert sorted(result["log"]["unparsed"]) == sorted([["F", 1], ["none", 1], ["(empty)", 1], ["I cannot say.", 1]])
    assert "org/model: 4 samples without a usable answer" in result["warnings"][0]


def test_text_answers_are_right_or_wrong(run, tmp_path):
    asked = [written.Question(at, f"answer number {at}", f"answer number {at if at % 3 else 0}") for at in range(60)]
    path = written.lm_eval(tmp_path, asked)
    result = run("evaluate", path, "--json").json
    assert not result["log"]["by_class"]
    assert result["headline"]["value"] == pytest.approx(41 / 60)
    assert {measure["name"] for measure in result["measures"]} == {"accuracy", "error"}
    assert result["baselines"] == []
    jsonschema.validate(result, schema("evaluate"))
    out = run("evaluate", path, "--full", "--noise-rate", "5%", "--by", "reply").out
    assert "Targets are texts, not classes" in out
    assert "Always predicting" not in out
    assert "most frequent label" not in out
    assert run("evaluate", path, "--report", tmp_path / "page.html").code == 0
    assert "Evaluation logs" in (tmp_path / "page.html").read_text()
    with pytest.raises(OptionError, match="positive"):
        justesse.evaluate(path, positive="right")


def test_bounds_without_targets_are_those_of_two_values(tmp_path):
    path = written.openai_evals(tmp_path / "e.jsonl", [written.Question(at, None, "x") for at in range(10)])
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        if record.get("type") == "match":
            record["data"]["correct"] = record["event_id"] < 6
    written.lines(path, records)
    result = justesse.evaluate(path, noise_rate="40%:40%")
    assert result["accuracy"].value == pytest.approx(0.3)
    bounds = {key: entry for entry in result.to_dict()["noise"]["measures"] for key in [entry["name"]]}["accuracy"][
        "bounds"
    ]
    # exactly 4 of 10 keys are wrong, 3 answers count as right: two values leave at least 4 - 3 and at most 7 right
    assert bounds["low"] == pytest.approx(0.1)
    assert bounds["high"] == pytest.approx(0.7)
    assert "does not record the right answers" in result.warnings[0]


def test_sets_of_right_answers_count(run, tmp_path):
    asked = [written.Question(at, ["A", "B"] if at % 2 else "C", "ABCD"[at % 4]) for at in range(40)]
    result = run("evaluate", written.lm_eval(tmp_path, asked), "--json").json
    assert result["headline"]["value"] == pytest.approx(np.mean([question.right for question in asked]))
    assert any("accept several classes" in warning for warning in result["warnings"])


def test_a_filter_and_a_metric_are_chosen(run, tmp_path):
    path = written.lm_eval(tmp_path, filters=("strict-match", "flexible-extract"))
    lines = path.read_text().splitlines()
    changed = [
        line.replace('"exact_match": 0.0', '"exact_match": 1.0') if "flexible" in line else line for line in lines
    ]
    path.write_text("\n".join(changed) + "\n")
    assert run("evaluate", path, "--json").json["headline"]["value"] == pytest.approx(4 / 9)
    assert run("evaluate", path, "--log-filter", "flexible-extract", "--json").json["headline"]["value"] == 1
    out = run("evaluate", path).out
    assert "Answers by filter 'strict-match'; also in the log: flexible-extract (--log-filter)." in " ".join(
        out.split()
    )


def test_options_of_logs_need_a_log(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("label,prediction\na,a\n")
    result = run("evaluate", path, "--metric", "acc")
    assert result.code == 2
    assert "--metric" in result.err
    assert "is for evaluation logs" in result.err


def test_runs_are_compared_by_question(run, tmp_path):
    old, new = questions(0.5), questions(0.8, seed=1)
    first = written.inspect_eval(tmp_path / "old.eval", old, model="old")
    second = written.inspect_eval(tmp_path / "new.eval", new[::-1], model="new", zstd=True)
    result = run("compare", first, second, "--json").json
    table = justesse.compare(
        y_true=[question.target for question in old], incumbent=[question.answer for question in old],
        candidate=[question.answer for question in new],
    )  # fmt: skip
    assert result["verdict"] == table.to_dict()["verdict"] == "replace"
    assert result["counts"] == table.to_dict()["counts"]
    assert [log["model"] for log in result["logs"]] == ["old", "new"]
    jsonschema.validate(result, schema("compare"))


def test_folders_of_runs_are_compared_task_by_task(run, tmp_path):
    for name, skill in (("old", 0.5), ("new", 0.8)):
        for task, seed in (("colours", 1), ("shapes", 2)):
            written.lm_eval(tmp_path / name / task, questions(skill, seed=seed), task=task, model=name)
    result = run("compare", tmp_path / "old", tmp_path / "new", "--by", "task", "--json").json
    assert result["n"] == 600
    assert {part["value"] for part in result["by"]} == {"colours", "shapes"}


def test_differences_between_runs_come_first(run, tmp_path):
    first = written.lm_eval(tmp_path / "a", questions(0.5))
    second = written.lm_eval(tmp_path / "b", questions(0.6, seed=1), shots=5, salt="examples ")
    warnings = run("compare", first, second, "--json").json["warnings"]
    assert "Different numbers of examples in the prompts" in warnings[0]
    assert "prompts" in warnings[1]


def test_a_model_that_refuses_more_is_named(run, tmp_path):
    first = written.lm_eval(tmp_path / "a", questions(0.7), model="open")
    second = written.lm_eval(tmp_path / "b", questions(0.7, refused=0.2, seed=1), model="shy")
    text = " ".join(run("compare", first, second, "--json").json["warnings"])
    assert "shy leaves more questions without a usable answer than open" in text
    alike = written.lm_eval(tmp_path / "c", questions(0.7, seed=2), model="third")
    assert "leaves more questions" not in " ".join(run("compare", first, alike, "--json").json["warnings"])


def test_models_of_one_log_are_compared(run, tmp_path):
    path = written.promptfoo(tmp_path / "p.json", {"old": questions(0.5), "new": questions(0.8, seed=1)})
    result = run("compare", path, "--incumbent", "old", "--candidate", "new", "--json").json
    assert result["verdict"] == "replace"
    assert (result["incumbent"]["name"], result["candidate"]["name"]) == ("old", "new")


def test_a_tournament_of_logs(run, tmp_path):
    paths = [
        written.inspect_eval(tmp_path / f"{name}.eval", questions(skill, seed=at), model=name)
        for at, (name, skill) in enumerate([("a", 0.4), ("b", 0.6), ("c", 0.8)])
    ]
    result = run("tournament", *paths, "--judge", "paired,classical", "--json").json
    assert result["models"] == ["a.eval", "b.eval", "c.eval"]
    assert result["n"] == 300
    assert any("targets count as true" in warning for warning in result["warnings"])
    jsonschema.validate(result, schema("tournament"))


def test_a_tournament_of_text_answers(run, tmp_path):
    def texts(skill, seed):
        rng = np.random.default_rng(seed)
        return [
            written.Question(at, f"text {at}", f"text {at}" if rng.random() < skill else f"no {rng.integers(3)}")
            for at in range(200)
        ]

    paths = [
        written.lm_eval(tmp_path / name, texts(skill, at), model=name)
        for at, (name, skill) in enumerate([("a", 0.4), ("b", 0.8)])
    ]
    result = run("tournament", *paths, "--judge", "paired", "--json")
    assert result.code == 0, result.err
    assert result.json["classes"][:2] == ["right", "wrong"]


def test_epochs_are_rows_and_stated(run, tmp_path):
    asked = [replace(question, epoch=epoch) for question in questions(0.6, size=50) for epoch in (1, 2, 3)]
    result = run("evaluate", written.inspect_json(tmp_path / "a.json", asked), "--json").json
    assert result["n"] == 150
    assert result["log"]["questions"] == 50
    assert result["log"]["epochs"] == 3
    assert result["columns"]["cluster"] == "question"
    alone = run("evaluate", tmp_path / "a.json", "--json", "--noise-rate", "3%").json
    assert "asks each question up to 3 times" in alone["warnings"][0]
    # every question has the same answer in all epochs, so 150 samples are worth 50
    widths = [ends["high"] - ends["low"] for ends in (result["headline"]["interval"], alone["headline"]["interval"])]
    assert widths[0] > 1.5 * widths[1]


def test_runs_with_several_samples_are_compared_by_question(run, tmp_path):
    """Every question has the same answer in all epochs: three samples are worth one."""
    runs = {}
    for name, skill in (("a", 0.6), ("b", 0.75)):
        once = questions(skill, seed=len(runs), size=80)
        runs[f"{name}1"] = written.inspect_json(tmp_path / f"{name}1.json", once)
        many = [replace(question, epoch=epoch) for question in once for epoch in (1, 2, 3)]
        runs[f"{name}3"] = written.inspect_json(tmp_path / f"{name}3.json", many)
    once = run("compare", runs["a1"], runs["b1"], "--json", "--gate", "none").json
    many = run("compare", runs["a3"], runs["b3"], "--json", "--gate", "none").json
    assert (many["n"], many["clusters"]["column"], many["clusters"]["clusters"]) == (240, "question", 80)
    assert many["clusters"]["correlation"] == pytest.approx(1)
    assert many["test"] == "mcnemar-cr2"
    assert many["interval"]["low"] == pytest.approx(once["interval"]["low"], abs=0.01)
    assert any("compare whole questions" in warning for warning in many["warnings"])
    jsonschema.validate(many, schema("compare"))
    alone = run("compare", runs["a3"], runs["b3"], "--json", "--gate", "none", "--judge", "classical").json
    assert "clusters" not in alone
    assert any("samples as independent" in warning for warning in alone["warnings"])


def test_failed_samples_count_as_wrong_or_are_left_out(tmp_path):
    log = written.inspect_log(questions(0.7, size=40))
    log["samples"][0] |= {"scores": {}, "error": {"message": "out of memory"}}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(log))
    right = sum(question.right for question in questions(0.7, size=40)[1:])
    assert justesse.evaluate(path)["accuracy"].value == pytest.approx(right / 40)
    assert justesse.evaluate(path, missing="drop")["accuracy"].value == pytest.approx(right / 39)


def test_a_run_that_failed_is_stated(run, tmp_path):
    path = written.inspect_json(tmp_path / "a.json", questions(0.7, size=50), status="error", total=200)
    warning = run("evaluate", path, "--json").json["warnings"][0]
    assert "is not complete: 50 of 200 samples. The run ended with status 'error'." in warning


@pytest.mark.parametrize("verb", ["evaluate", "compare", "tournament"])
def test_bad_logs_end_with_a_sentence(run, tmp_path, verb):
    path = written.inspect_eval(tmp_path / "a.eval", zstd=True)
    path.write_bytes(path.read_bytes()[:-60])
    result = run(verb, path, path)
    result = run(verb, path) if verb == "evaluate" else result
    assert result.code == 2
    assert "damaged or incomplete ZIP archive" in result.err
    assert "Traceback" not in result.err


def test_other_verbs_read_logs(run, tmp_path):
    path = written.inspect_eval(tmp_path / "a.eval", questions(0.7), zstd=True)
    assert run("noise", "bounds", path, "--noise-rate", "3%").code == 0
    assert run("inspect", path).code in (0, 1)
    assert justesse.count(path).n == 300


def test_a_log_that_changes_while_it_is_read_is_seen(tmp_path):
    from justesse.frames.watched import check_unchanged, watched

    folder = written.helm(tmp_path / "run")
    source = watched(str(folder))
    check_unchanged(source)
    (folder / "stats.json").write_text("[1]")
    with pytest.raises(justesse.core.errors.FileError, match="was changed"):
        check_unchanged(source)


def test_pass_at_k_of_a_log_needs_no_column_and_is_in_the_first_sentences(run, tmp_path):
    path = written.lm_eval(tmp_path, questions(0.7))
    plain, named = (
        run("evaluate", path, "--pass-at", "1", *more, "--json") for more in ((), ("--cluster", "question"))
    )
    assert plain.code == 0, plain.err
    assert plain.json == named.json
    headline = justesse.evaluate(path, pass_at=1).headline
    assert headline.index("pass@1 ") < headline.index("column 'question'")


def test_majority_at_k_of_a_log_that_says_right_or_wrong_is_in_the_first_sentences(tmp_path):
    asked = [written.Question(at, f"text {at}", f"text {at % 30}") for at in range(60)]
    result = justesse.evaluate(written.lm_eval(tmp_path, asked), majority_at=1)
    assert not result.by_class
    assert "majority@1 " in result.headline


def test_several_samples_split_the_variance_and_say_what_to_buy_next(run, tmp_path):
    rng = np.random.default_rng(6)
    chance = rng.beta(1, 1, 150)
    asked = [
        written.Question(at, "A", "A" if rng.random() < chance[at] else "B", epoch=epoch)
        for epoch in range(1, 5)
        for at in range(150)
    ]
    path = written.inspect_json(tmp_path / "run.json", asked)
    told = json.loads(run("evaluate", path, "--json").out)
    jsonschema.validate(told, schema("evaluate"))
    split = told["clusters"]["variance"]
    # questions with chances uniform between 0 and 1: variance 1/12 of them, 1/6 of sampling, which 4 samples divide
    assert split["between_share"] == pytest.approx((1 / 12) / (1 / 12 + 1 / 24), abs=0.08)
    deeper, wider, single = split["designs"]
    assert (deeper["clusters"], deeper["cluster_size"]) == (150, 8)
    assert (single["clusters"], single["cluster_size"]) == (600, 1)
    assert single["relative_width"] < wider["relative_width"] < deeper["relative_width"] < 1
    shown = run("evaluate", path)
    assert "due to which questions were drawn" in shown.out
    words = shown.out[shown.out.index("justesse plan precision") :].split(").\n")[0].replace("\n", " ").split()
    planned = json.loads(run(*words[1:], "--json").out)
    # the plan expects the accuracy that was found, so the design at hand has the interval it has
    accuracy = next(each for each in told["measures"] if each["name"] == "accuracy")["interval"]
    half = (accuracy["high"] - accuracy["low"]) / 2
    assert planned["clusters"]["designs"][0]["half_width"] == pytest.approx(half, rel=0.05)


def test_a_leaderboard_of_logs_with_several_right_answers(run, tmp_path):
    asked = [replace(question, target=[question.target, "E"]) for question in questions(0.5)]
    paths = [written.lm_eval(tmp_path / name, asked, model=name) for name in "abc"]
    shown = run("tournament", *paths)
    assert shown.code == 0, shown.err
    assert f"{len(asked)} labels accept several classes: each of them is right." in shown.out
    assert "true classes" not in shown.out
    refused = run("tournament", *paths, "--judge", "paired")
    assert refused.code == 2
    assert "Judges need one right answer to each question" in refused.err


def test_a_tie_of_an_even_number_of_samples_counts_half_and_the_page_says_so(run, tmp_path):
    table = tmp_path / "t.csv"
    rows = [(question, "pass" if sample < question else "fail") for question in range(3) for sample in range(2)]
    table.write_text("question,label,prediction\n" + "".join(f"{question},pass,{said}\n" for question, said in rows))
    shown = run("evaluate", table, "--cluster", "question", "--majority-at", "2").out
    assert "majority@2 50.0 %" in shown  # one question always, one never, one in a tie
    assert "a tie counts half" in shown.replace("\n", " ")
