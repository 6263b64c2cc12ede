"""What `--json` prints, of every command: the same bytes twice, and nothing that the schemas do not describe."""

import os
import sys
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import justesse
from justesse.cli.main import app
from justesse.core.version import SCHEMA
from justesse.verbs import schemas

ROWS = 300
RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 3, ROWS)
CLASSES = np.array(["cat", "dog", "owl"])


def noisy(rate: float) -> np.ndarray:
    return CLASSES[np.where(RNG.random(ROWS) < rate, (TRUE + RNG.integers(1, 3, ROWS)) % 3, TRUE)]


FRAME = pd.DataFrame({"id": range(ROWS), "true": CLASSES[TRUE], "label": noisy(0.05), "old": noisy(0.3), "new": noisy(0.1),
                      "site": np.where(RNG.random(ROWS) < 0.5, "north", "south"), "score": RNG.random(ROWS)})  # fmt: skip
IRIS = pd.DataFrame(load_iris().data, columns=list("abcd")).assign(label=load_iris().target)
BOTH = ["both.csv", "--incumbent", "old", "--candidate", "new", "--label", "label", "--true", "true"]
NEW = ["new.csv", "--label", "label", "--prediction", "new"]
COMMANDS: dict[str, tuple[str, list[str]]] = {
    "evaluate": ("evaluate", ["evaluate", *NEW, "--true", "true", "--by", "site", "--noise-rate", "0.03", "--bootstrap", "bca"]),
    "evaluate --regression": ("regression", ["evaluate", "numbers.csv", "--regression"]),
    "compare": ("compare", ["compare", *BOTH, "--by", "site", "--bootstrap", "percentile", "--measure", "mcc"]),
    "evaluate-unlabelled": ("evaluate_unlabelled", ["evaluate-unlabelled", "unlabelled.csv", "--label", "label", "--draws", "100"]),
    "evaluate-unlabelled --reference": ("evaluate_reference", ["evaluate-unlabelled", "target.csv", "--reference", "labelled.csv", "--proba", "p_", "--draws", "100"]),
    "llm-judge": ("llm_judge", ["llm-judge", "verdicts.csv", "--human", "ratings.csv", "--draws", "100"]),
    "compare --judge unsupervised": ("compare_unlabelled", ["compare", "unlabelled.csv", "--incumbent", "a", "--candidate", "b", "--judge", "unsupervised", "--reference", "c,d", "--label", "label"]),
    "ab": ("ab", ["ab", "events.csv", "--missing", "worst-case", "--noise-rate", "0.01"]),
    "ab start": ("ab_add", ["ab", "start", "my.ab", "events.csv", "--id", "id", "--missing", "random"]),
    "ab add": ("ab_add", ["ab", "add", "my.ab", "events.csv"]),
    "ab status": ("ab", ["ab", "status", "my.ab"]),
    "lifelong score": ("lifelong_score", ["lifelong", "score", "versions.csv", "--policy", "recent"]),
    "lifelong score --touched": ("lifelong_score", ["lifelong", "score", "versions.csv", "--touched", "asked", "--before", "old"]),
    "lifelong compare": ("lifelong_compare", ["lifelong", "compare", "versions.csv", "versions.csv"]),
    "lifelong policies": ("lifelong_policies", ["lifelong", "policies"]),
    "lifelong prequential": ("lifelong_prequential", ["lifelong", "prequential", "versions.csv"]),
    "lifelong run": ("lifelong_run", ["lifelong", "run", "--system", f"{sys.executable} majority.py", "--stream", "stream.csv", "--budget", "9", "--restarts"]),
    "lifelong run --score": ("lifelong_run", ["lifelong", "run", "--system", f"{sys.executable} majority.py", "--stream", "stream.csv", "--score", "bleu", "--policy", "recent"]),
    "lifelong audit": ("audit", ["lifelong", "audit", "versions.csv", "versions.csv", "--to", "policy.audit"]),
    "lifelong map": ("lifelong_map", ["lifelong", "map", "versions.csv", "versions.csv"]),
    "lifelong alarms": (
        "lifelong_alarms", ["lifelong", "alarms", "versions.csv", "--changes", "versions.csv", "--max-delay", "2"],
    ),
    "lifelong penalise": ("lifelong_penalise", ["lifelong", "penalise", "--adapt", "0.2", "--false", "0.3", "--cor", "0.1"]),
    "lifelong penalise --score": ("lifelong_penalise", ["lifelong", "penalise", "corrected.csv", "--score", "sacrebleu"]),
    "lifelong curve": ("lifelong_curve", ["lifelong", "curve", "runs.csv", "--reach", "0.2"]),
    "compare-folds": ("compare", ["compare-folds", "folds.csv", "--incumbent", "old", "--candidate", "new"]),
    "tournament": ("tournament", ["tournament", "both.csv", "--label", "label", "--true", "true", "--judge", "paired"]),
    "inspect": ("inspect", ["inspect", "test.csv", "--train", "train.csv"]),
    "assess": ("assess", ["assess", "iris.csv", "--label", "label", "--model", "tree", "--k", "3"]),
    "clean": ("clean", ["clean", "iris.csv", "--label", "label", "--model", "bayes", "--k", "3", "--action", "remove", "--cleaned-to", "cleaned.csv", "--recheck", "20", "--recheck-to", "ask.recheck"]),
    "recheck next": ("recheck", ["recheck", "next", "ask.recheck", "-n", "2"]),
    "recheck answer": ("recheck", ["recheck", "answer", "ask.recheck", "--file", "rechecked.csv", "--by", "Ann"]),
    "audit start": ("audit", ["audit", "start", *BOTH[:-2], "--on", "id", "--to", "my.audit"]),
    "audit next": ("audit", ["audit", "next", "my.audit", "-n", "2"]),
    "audit answer": ("audit", ["audit", "answer", "my.audit", "--file", "answers.csv", "--by", "Ann"]),
    "audit status": ("audit", ["audit", "status", "my.audit"]),
    "audit extend": ("audit", ["audit", "extend", "my.audit", "--no-futility", "--by", "Ann"]),
    "audit export": ("audit", ["audit", "export", "my.audit", "--to", "copy.audit"]),
    "audit report": ("audit", ["audit", "report", "my.audit", "--report", "page.html"]),
    "noise bounds": ("noise", ["noise", "bounds", *NEW, "--noise-rate", "0.02"]),
    "noise breakdown": ("noise", ["noise", "breakdown", *NEW]),
    "noise bias": ("noise", ["noise", "bias", *NEW, "--true", "true"]),
    "noise profile": ("noise", ["noise", "profile", *NEW, "--true", "true"]),
    "noise estimate": ("noise", ["noise", "estimate", *NEW, "--true", "true"]),
    "noise inject": ("noise_inject", ["noise", "inject", "iris.csv", "--to", "noisy.csv", "--noise", "uniform", "--noise-rate", "0.1"]),
    "noise resist": ("noise_resist", ["noise", "resist", "iris.csv", "--label", "label", "--model", "tree", "--repeats", "2"]),
    "compare-regression": ("compare_regression", ["compare-regression", "two.csv", "--incumbent", "old", "--candidate", "new", "--by", "site"]),
    "annotators agree": ("annotators_agree", ["annotators", "agree", "crowd.csv", "--draws", "20"]),
    "annotators infer": ("annotators_infer", ["annotators", "infer", "crowd.csv", "--draws", "20", "--check", "true.csv", "--time", "id"]),
    "annotators next": ("annotators_next", ["annotators", "next", "crowd.csv"]),
    "annotators compare": ("annotators_compare", ["annotators", "compare", "crowd.csv", "--prediction", "true.csv", "--draws", "100"]),
    "demo": ("demo", ["demo"]),
    "plan error": ("plan", ["plan", "error", "--half-width", "0.1", "--sd", "1"]),
    "plan error-difference": ("plan", ["plan", "error-difference", "--difference", "0.1", "--sd", "1"]),
    "plan precision": ("plan", ["plan", "precision", "--half-width", "0.01"]),
    "plan difference": ("plan", ["plan", "difference", "--difference", "0.02", "--disagreement", "0.08"]),
    "plan noise": ("plan", ["plan", "noise", "--half-width", "0.01"]),
    "plan labels": ("plan", ["plan", "labels", "--half-width", "0.01", "--noise-rate", "0.1"]),
}  # fmt: skip

WITHOUT_DOSSIER = {"ab start", "ab add", "audit answer", "recheck answer", "demo"}

MAJORITY = """
import json, sys
labels = []
for line in sys.stdin:
    message = json.loads(line)
    items = message.get("items", [])
    labels += [item["label"] for item in items if "label" in item]
    common = max(sorted(set(labels)), key=labels.count, default="cat")
    few = [item["id"] for item in items[:3]] if len(items) > 20 else []
    print(json.dumps({"predictions": [common] * len(items), "ask": few}), flush=True)
"""


def prepared(folder) -> None:
    folder.mkdir()
    FRAME.to_csv(folder / "new.csv", index=False)
    names = ["a", "b", "c", "d"]
    wrong = {
        name: [("x" if row % 2 else "y") if row % (7 + at) else ("y" if row % 2 else "x") for row in range(200)]
        for at, name in enumerate(names)
    }
    pd.DataFrame({**wrong, "label": ["x" if row % 2 else "y" for row in range(50)] + [None] * 150}).to_csv(
        folder / "unlabelled.csv", index=False
    )
    judged = pd.DataFrame({
        "item": np.repeat(range(100), 2), "judge": "j", "model_1": "m", "model_2": np.repeat(["n", "j"], 100),
        "swapped": [False, True] * 100, "winner": np.resize([1, 1, 2, 2, 1, 2, 1, 1, 2], 200),
        "stratum": np.repeat(["a", "b", "a", "b"], 50), "length_1": 9, "length_2": np.repeat([3, 20], 100),
    })  # fmt: skip
    judged.to_csv(folder / "verdicts.csv", index=False)
    judged.iloc[::4].assign(winner=np.resize([1, 2, 2], 50)).to_csv(folder / "ratings.csv", index=False)
    sure = {"p_cat": np.where(TRUE == 0, FRAME.score, (1 - FRAME.score) / 2)}
    sure |= {f"p_{name}": (1 - sure["p_cat"]) * share for name, share in (("dog", 0.3), ("owl", 0.7))}
    confident = pd.DataFrame({"label": FRAME.label, **sure})
    confident.iloc[:150].to_csv(folder / "labelled.csv", index=False)
    rest = confident.iloc[150:]
    rest.assign(label=rest.label.where(rest.index < 200)).to_csv(folder / "target.csv", index=False)
    FRAME[["id", "label", "true", "old", "new", "site"]].to_csv(folder / "both.csv", index=False)
    pd.DataFrame({"label": np.arange(60.0), "prediction": np.arange(60.0) + 0.5}).to_csv(
        folder / "numbers.csv", index=False
    )
    wave = np.sin(np.arange(60.0))
    numbers = {"label": np.arange(60.0), "old": np.arange(60.0) + wave, "new": np.arange(60.0) + wave**2 / 2}
    pd.DataFrame(numbers).assign(site=["a", "b"] * 30).to_csv(folder / "two.csv", index=False)
    pd.DataFrame({"old": [0.8, 0.81, 0.79], "new": [0.9, 0.88, 0.91]}).to_csv(folder / "folds.csv", index=False)
    people = [
        FRAME[["id"]].assign(item=FRAME.id, annotator=name, answer=FRAME[name]) for name in ("label", "old", "new")
    ]
    pd.concat(people).to_csv(folder / "crowd.csv", index=False)
    FRAME[["id", "true"]].set_axis(["item", "true"], axis=1).assign(prediction=FRAME.new).to_csv(
        folder / "true.csv", index=False
    )
    IRIS.to_csv(folder / "iris.csv", index=False)
    pd.DataFrame({"row": [1], "true": [None]}).to_csv(folder / "rechecked.csv", index=False)
    right = FRAME.true == np.where(FRAME.id % 2, FRAME.new, FRAME.old)
    events = pd.DataFrame(
        {"id": FRAME.id, "variant": np.where(FRAME.id % 2, "new", "old"), "outcome": right.astype("Int64")}
    )
    events.loc[FRAME.id % 50 == 0, "outcome"] = pd.NA
    events.to_csv(folder / "events.csv", index=False)
    half = FRAME.assign(time=FRAME.id % 2, prediction=FRAME.new, asked=FRAME.id % 5 == 0)
    pd.concat([half.assign(version="v1", prediction=FRAME.old), half.assign(version="v2")]).to_csv(
        folder / "versions.csv", index=False
    )
    runs = [
        (name, seed, cost, 0.5 - cost / 100 - seed / 99 + len(name) / 50)
        for name in ("random", "margin")
        for seed in range(3)
        for cost in (0, 10, 40)
    ]
    pd.DataFrame(runs, columns=["system", "seed", "cost", "error"]).to_csv(folder / "runs.csv", index=False)
    words = [f"the {name} sat on the {name}" for name in FRAME.true]
    corrected = {"reference": words, "base": FRAME.old, "adapted": words, "touched": FRAME.id % 3 == 0, "answer": words}
    pd.DataFrame(corrected).to_csv(folder / "corrected.csv", index=False)
    half[["id", "time", "label", "score"]].assign(time=FRAME.id % 4).to_csv(folder / "stream.csv", index=False)
    (folder / "majority.py").write_text(MAJORITY)
    IRIS.iloc[::2].to_csv(folder / "test.csv", index=False)
    IRIS.iloc[1::2].to_csv(folder / "train.csv", index=False)
    disputed = FRAME[FRAME.old != FRAME.new].iloc[:40]
    pd.DataFrame({"id": disputed.id, "class": disputed.true}).to_csv(folder / "answers.csv", index=False)


def test_two_runs_with_one_seed_are_equal_but_for_what_is_under_run(run, tmp_path, monkeypatch):
    printed: list[dict[str, str]] = []
    for name in ("one", "other"):
        prepared(tmp_path / name)
        monkeypatch.chdir(tmp_path / name)
        printed.append({})
        for command, (_, words) in COMMANDS.items():
            ran = run(*words, "--json")
            assert ran.code in (0, 1), (command, ran.err)
            assert ran.json["schema"] == SCHEMA == 2
            assert isinstance(ran.json["run"], dict)
            lines = [line for line in ran.out.splitlines() if not line.startswith('  "run": ')]
            assert len(lines) == len(ran.out.splitlines()) - 1
            printed[-1][command] = "\n".join(lines)
    for command in COMMANDS:
        assert printed[0][command] == printed[1][command], command


def test_every_command_that_prints_json_is_tried():
    def commands(one: Any, name: str) -> list[str]:
        found = []
        for part in one:
            if part.startswith("-"):
                continue
            below = one[part]
            own = f"{name} {part}".strip()
            if below.default_command and any("--json" in word.names for word in below.assemble_argument_collection()):
                found.append(own)
            found += commands(below, own)
        return found

    # what dossiers print has seals over dates, so two runs differ: test_dossier_command.py tries them
    tried = [name for name in commands(app, "") if not name.startswith("dossier ")]
    assert sorted(tried) == sorted(name for name in COMMANDS if "--" not in name)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    prepared(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def test_all_that_is_printed_is_described_and_more_is_allowed_and_dossiers_are_written(run, folder, monkeypatch):
    # tests/dossier computes the figures again
    monkeypatch.setattr("justesse.verbs.dossier.record.recomputed", lambda _: {"from": [], "except": [], "why": None})
    for command, (name, words) in COMMANDS.items():
        schema = schemas.schema(name)
        record = [] if command in WITHOUT_DOSSIER else ["--dossier", f"{command.replace(' ', '-')}.json"]
        ran = run(*words, "--json", *record)
        assert ran.code in (0, 1), (command, ran.err)
        found = ran.json
        if record:
            assert justesse.dossier_verify(record[1], quick=True).passed, command
        jsonschema.validate(found, closed(schema))
        with pytest.raises(jsonschema.ValidationError, match="surprise"):
            jsonschema.validate({**found, "surprise": 1}, closed(schema))
        jsonschema.validate({**found, "surprise": 1}, schema)
        assert "run" in schema["required"], command
    assert os.path.exists("my.audit")


PLACES = ("properties", "$defs", "patternProperties")
NEIGHBOURS = ("allOf", "anyOf", "oneOf")


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Forbid what the schema does not describe: everywhere an object with named keys is used."""

    def target(node: dict[str, Any]) -> dict[str, Any]:
        return schema["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else {}

    def named(node: dict[str, Any]) -> bool:
        return "properties" in node or any(
            named(part) for part in (target(node), *(one for key in NEIGHBOURS for one in node.get(key, ()))) if part
        )

    def walked(node: Any, used: bool) -> Any:
        if not isinstance(node, dict):
            return node
        made = dict(node)
        for key, value in node.items():
            if key in PLACES:
                made[key] = {name: walked(part, key != "$defs") for name, part in value.items()}
            elif key in NEIGHBOURS:
                made[key] = [walked(part, False) for part in value]
            elif key in ("items", "additionalProperties"):
                made[key] = walked(value, True)
            elif key == "prefixItems":
                made[key] = [walked(part, True) for part in value]
        if "description" in node and node["description"].startswith("what differs from run to run"):
            return made  # a run may tell more of itself
        if used and named(node) and not isinstance(node.get("additionalProperties"), dict):
            made["unevaluatedProperties"] = False
        return made

    return dict(walked(schema, True))
