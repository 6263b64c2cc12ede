"""`justesse evaluate` as a person types it."""

import re
import subprocess
import sys

import jsonschema
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from statsmodels.stats.proportion import proportion_confint

import justesse
from justesse.verbs.schemas import schema

SCHEMA = schema("evaluate")
SCREENING = "label,prediction\n" + "+,+\n" * 190 + "+,-\n" * 10 + "-,+\n" * 210 + "-,-\n" * 3590


@pytest.fixture
def screening_csv(write):
    return write("screening.csv", SCREENING)


def measure(found, name, cls=None, average=None):
    return next(m for m in found["measures"] if (m["name"], m["class"], m["average"]) == (name, cls, average))


def test_golden_values_as_json(run, screening_csv):
    ran = run("evaluate", screening_csv, "--json")
    assert ran.code == 0
    found = ran.json
    jsonschema.validate(found, SCHEMA)
    assert list(found)[:5] == ["schema", "version", "run", "n", "classes"]
    assert (found["schema"], found["version"], found["n"]) == (2, justesse.__version__, 4000)
    assert found["classes"] == ["+", "-"]
    assert found["counts"] == [["+", "+", 190], ["+", "-", 10], ["-", "+", 210], ["-", "-", 3590]]
    assert measure(found, "recall", "+")["value"] == 0.95
    assert measure(found, "recall", "+")["n"] == 200
    assert measure(found, "precision", "+")["value"] == 0.475
    assert measure(found, "precision", "+")["n"] == 400
    assert measure(found, "specificity", "+")["n"] == 3800
    assert measure(found, "accuracy")["interval"] == {
        "low": pytest.approx(proportion_confint(3780, 4000, method="wilson")[0]),
        "high": pytest.approx(proportion_confint(3780, 4000, method="wilson")[1]),
        "level": 0.95,
        "method": "wilson",
    }
    assert measure(found, "f1", average="macro")["interval"]["method"] == "bootstrap-smoothed"
    assert {m["name"] for m in found["measures"]} == {
        "accuracy", "error", "precision", "recall", "specificity", "npv", "f1", "balanced_accuracy", "mcc", "kappa"
    }  # fmt: skip
    assert [b["name"] for b in found["baselines"]] == ["majority", "frequency", "uniform"]
    assert found["baselines"][0]["class"] == "-"
    assert found["seed"] == 0


def test_the_library_gives_exactly_the_json(run, screening_csv):
    found = run("evaluate", screening_csv, "--json", "--positive", "+", "--level", "0.9").json
    assert justesse.evaluate(screening_csv, positive="+", level=0.9).to_dict() == found


def test_same_seed_same_bytes(run, screening_csv):
    one, two, other = (run("evaluate", screening_csv, "--json", "--seed", seed).out for seed in (7, 7, 8))
    assert one == two != other


def test_words_for_people(run, screening_csv):
    ran = run("evaluate", screening_csv, "--positive", "+", "--full")
    assert ran.code == 0
    text = " ".join(ran.out.split())
    assert "Accuracy 94.5 % (95 % CI 93.7 to 95.2 %, n = 4,000), if the labels are right." in text
    assert "always '-'" in text
    assert "Always predicting '-' would give 95.0 %." in text
    assert "Recall of class '+' 95.0 % (95 % CI 91.0 to 97.3 %, n = 200). Precision of class '+' 47.5 %" in text
    assert "lower than always predicting '-' (0.9500)" in text
    classes = text[text.index("Each class") :]
    assert classes.index("+ 200 400") < classes.index("- 3,800 3,600")
    assert "Assumes that the labels are right" in text


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull", "jeffreys", "wald"])
def test_every_method(run, screening_csv, method):
    found = run("evaluate", screening_csv, "--json", "--method", method).json
    jsonschema.validate(found, SCHEMA)
    assert measure(found, "accuracy")["interval"]["method"] == method


@pytest.mark.parametrize(
    ("option", "method"), [("percentile", "bootstrap-percentile"), ("bca", "bootstrap-bca"), ("none", "delta")]
)
def test_every_way_to_resample(run, screening_csv, option, method):
    found = run("evaluate", screening_csv, "--json", "--bootstrap", option, "--draws", 500).json
    jsonschema.validate(found, SCHEMA)
    assert measure(found, "mcc")["interval"]["method"] == method


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_bounds(run, screening_csv, alternative):
    found = run("evaluate", screening_csv, "--json", "--alternative", alternative).json
    jsonschema.validate(found, SCHEMA)
    for name in ("accuracy", "mcc"):
        interval = measure(found, name)["interval"]
        open_end = interval["high" if alternative == "greater" else "low"]
        assert open_end == (1 if alternative == "greater" else {"accuracy": 0, "mcc": -1}[name])
    text = " ".join(run("evaluate", screening_csv, "--alternative", alternative).out.split())
    assert f"95 % {'lower' if alternative == 'greater' else 'upper'} bound" in text
    assert f"Accuracy 0.9450 {'≥' if alternative == 'greater' else '≤'} 0.9" in text


def test_slices_weights_truth_costs_and_more_at_once(run, write):
    rng = np.random.default_rng(0)
    n = 400
    true = rng.integers(3, size=n)
    label = np.where(rng.random(n) < 0.95, true, rng.integers(3, size=n))
    frame = pd.DataFrame(
        {
            "y": label,
            "yhat": np.where(rng.random(n) < 0.8, true, rng.integers(3, size=n)),
            "true": true,
            "w": rng.random(n),
            "site": rng.choice(["a", "b"], size=n),
            "day": rng.integers(5, size=n),
        }
    )
    path = write("all.csv", frame.to_csv(index=False))
    costs = write("costs.csv", "label,0,1,2\n0,0,1,2\n1,1,0,1\n2,5,1,0\n")
    heavy = write("heavy.csv", "class,weight\n0,1\n1,2\n2,3\n")
    words = ["evaluate", path, "--weight", "w", "--by", "site", "--by", "day", "--cost", costs, "--class-weight", heavy]
    found = run(*words, "--beta", 2, "--json").json
    jsonschema.validate(found, SCHEMA)
    assert found["effective_n"] < 400
    assert found["columns"] == {
        "label": "y", "prediction": "yhat", "true": "true", "site": "site", "day": "day", "weight": "w"
    }  # fmt: skip
    assert [(part["column"], part["value"]) for part in found["by"]] == [
        ("site", "a"), ("site", "b"), ("day", 0), ("day", 1), ("day", 2), ("day", 3), ("day", 4)
    ]  # fmt: skip
    assert sum(part["n"] for part in found["by"][:2]) == 400
    assert found["true"]["noise_rate"]["value"] == pytest.approx(np.average(label != true, weights=frame["w"]))
    right = np.average(frame["yhat"] == true, weights=frame["w"])
    assert next(m["value"] for m in found["true"]["measures"] if m["name"] == "accuracy") == pytest.approx(right)
    table = np.array([[0, 1, 2], [1, 0, 1], [5, 1, 0]])
    assert measure(found, "cost")["value"] == pytest.approx(np.average(table[label, frame["yhat"]], weights=frame["w"]))
    assert measure(found, "cost")["interval"]["method"] == "delta-logit"
    assert measure(found, "fbeta", 1)["beta"] == 2
    assert any("effective n" in warning for warning in found["warnings"])
    assert found["assumptions"][0].startswith("the true classes are right (")
    assert any("of the labels differ from the true class in column 'true'" in warning for warning in found["warnings"])
    text = run(*words, "--beta", 2, "--full").out
    assert "Against the true classes" in text
    assert "Sums of weights: labels down" in text
    assert "F2" in text
    assert "site = a" in text


def test_output_is_a_table_as_csv_or_parquet(run, screening_csv, tmp_path):
    csv, parquet = tmp_path / "m.csv", tmp_path / "m.parquet"
    assert run("evaluate", screening_csv, "--output", csv).code == 0
    assert run("evaluate", screening_csv, "--output", parquet, "--json").code == 0
    one, two = pd.read_csv(csv), pyarrow.parquet.read_table(parquet).to_pandas()
    assert list(one.columns) == [
        "by", "slice", "measure", "class", "average", "value", "n", "undefined", "low", "high", "level", "method"
    ]  # fmt: skip
    assert len(one) == len(two) == len(justesse.evaluate(screening_csv).estimates)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.csv", "m.parquet", "screening.csv"]


def test_many_classes_show_the_worst_and_use_the_delta_method(run, write):
    rng = np.random.default_rng(0)
    label = rng.integers(300, size=20_000)
    answer = np.where(rng.random(20_000) < 0.5, label, rng.integers(300, size=20_000))
    path = write("many.csv", pd.DataFrame({"label": label, "prediction": answer}).to_csv(index=False))
    ran = run("evaluate", path)
    assert "--full also shows: Each class" in " ".join(ran.out.split())
    full = run("evaluate", path, "--full").out
    classes = full[full.index("Each class") : full.index("Lowest F1 first.")]
    f1 = [float(value) for value in re.findall(r"(0\.\d{3}) \([^)]*\)$", classes, re.M)]
    assert len(f1) == 300
    assert f1 == sorted(f1)
    assert "delta-method intervals instead of 2,000 resamples" in " ".join(ran.out.split())
    found = run("evaluate", path, "--json").json
    assert measure(found, "mcc")["interval"]["method"] == "delta-logit"
    forced = run("evaluate", path, "--json", "--bootstrap", "percentile", "--draws", 200).json
    assert measure(forced, "mcc")["interval"]["method"] == "bootstrap-percentile"


def test_declared_classes_keep_their_order(run, write):
    path = write("a.csv", "label,prediction\n" + "low,low\nhigh,high\n" * 20)
    found = run("evaluate", path, "--classes", "low,medium,high", "--json").json
    assert found["classes"] == ["low", "medium", "high"]
    assert measure(found, "recall", "medium")["undefined"] == "it never occurs among the labels"


@pytest.mark.parametrize(
    ("rows", "warned", "undefined"),
    [
        ("a,a\n" * 20, "All labels are 'a'", ["mcc", "kappa", "specificity"]),
        ("a,a\n" * 20 + "b,a\n" * 20, "Never predicted: 'b'", ["mcc", "precision"]),
        ("a,a\n" * 20 + "a,b\n" * 20, "20 predictions are no class of the labels: 'b' (20)", ["mcc", "specificity"]),
        ("a,a\n", "Only 1 row:", ["mcc", "kappa"]),
        ("a,b\n", "no class in common", ["mcc"]),
        ("a,a\n" * 5 + "b,b\n" * 50, "Fewer than 10 rows are labelled 'a'", []),
        ("nan,nan\n" * 20 + "b,b\n" * 50, "a class named 'nan'", []),
        (" a, a\n" * 20 + "b,b\n" * 50, "spaces around them: ' a'", []),
    ],
)
def test_odd_but_valid_files_warn_and_say_undefined(run, write, rows, warned, undefined):
    path = write("odd.csv", "label,prediction\n" + rows)
    ran = run("evaluate", path, "--json")
    assert ran.code == 0
    found = ran.json
    jsonschema.validate(found, SCHEMA)
    assert any(warned in warning for warning in found["warnings"]), found["warnings"]
    for name in undefined:
        assert any(m["name"] == name and m["value"] is None and m["undefined"] for m in found["measures"]), name
    shown = run("evaluate", path)
    assert shown.code == 0
    assert warned.split(":")[0] in " ".join(shown.out.split())
    assert ("undefined" in shown.out) == bool(undefined)


def test_macro_precision_says_what_it_leaves_out(run, write):
    path = write("a.csv", "label,prediction\n" + "a,a\n" * 30 + "b,b\n" * 30 + "c,a\n" * 30)
    warnings = run("evaluate", path, "--json").json["warnings"]
    assert any(re.search(r"Macro precision is the mean over the 2 of 3 classes .* gives 0\.5000", w) for w in warnings)


def test_precision_asked_for(run, screening_csv):
    narrow = run("evaluate", screening_csv, "--half-width", 0.001, "--json").json["warnings"]
    assert any("±0.001 needs about 199," in warning for warning in narrow)
    wide = run("evaluate", screening_csv, "--half-width", 0.01, "--json").json["warnings"]
    assert not any("CI of the accuracy" in warning for warning in wide)


def test_dropped_rows_are_reported(run, write):
    path = write("a.csv", "label,prediction\na,a\n,a\nb,b\n")
    found = run("evaluate", path, "--drop-missing", "--json").json
    assert found["dropped"] == 1
    assert any("1 row has no label and cannot be judged: left out." in warning for warning in found["warnings"])


def test_missing_answers_by_option_and_by_the_old_name(run, write):
    path = write("a.csv", "label,prediction\na,a\na,\nb,b\nb,x\n")
    refused = run("evaluate", path)
    assert refused.code == 2
    assert "--missing wrong" in refused.err
    found = run("evaluate", path, "--missing", "wrong", "--json").json
    jsonschema.validate(found, SCHEMA)
    assert (found["n"], found["missing"]["answers"], found["others"]["n"]) == (4, {"prediction": 1}, 1)
    assert [None for cell in found["counts"] if cell[1] is None] == [None]
    old = run("evaluate", path, "--drop-missing", "--json")
    assert old.json == run("evaluate", path, "--missing", "drop", "--json").json
    assert "--missing drop" in old.err
    shown = run("evaluate", path, "--missing", "wrong", "--full").out
    assert "(missing)" in shown
    assert run("evaluate", path, "--missing", "drop", "--others", "class", "--json").json["classes"] == ["a", "b", "x"]


def test_a_narrow_terminal_shows_fewer_measures_and_splits_no_number(run, screening_csv, monkeypatch):
    wide = run("evaluate", screening_csv, "--positive", "+", "--full").out
    monkeypatch.setenv("COLUMNS", "80")
    text = run("evaluate", screening_csv, "--positive", "+", "--full").out
    classes = slice(text.index("Each class"), text.index("Counts: labels"))
    assert "specificity" in wide[wide.index("Each class") : wide.index("Counts: labels")]
    table, hidden, _ = text[classes].partition("Hidden columns: ")
    assert hidden
    assert "specificity" not in table
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "0.475 (0.427–0.524)" in text[classes]


def test_resubstitution_beside_the_test(run, write, tmp_path):
    test = write("test.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 30)
    train = write("train.csv", "label,prediction\n" + "a,a\nb,b\n" * 50)
    found = run("evaluate", test, "--resubstitution", train, "--report", tmp_path / "page.html", "--json").json
    jsonschema.validate(found, SCHEMA)
    assert found["resubstitution"]["n"] == 100
    assert found["resubstitution"]["measures"][0]["value"] == 1.0
    assert any("the difference is over-fitting" in warning for warning in found["warnings"])
    assert "over-fits" in (tmp_path / "page.html").read_text()


def test_several_slices_at_once(run, write):
    path = write("a.csv", "label,prediction,a,b\n" + "x,x,1,2\ny,y,1,3\n" * 20)
    found = run("evaluate", path, "--by", "a,b", "--json").json
    assert [part["column"] for part in found["by"]] == ["a", "b", "b"]


def test_a_full_disk_or_a_terminal_without_unicode(screening_csv):
    full = subprocess.run(
        f"{sys.executable} -m justesse evaluate {screening_csv} --json > /dev/full",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert full.returncode == 2
    assert full.stderr.startswith("justesse: The result cannot be written: No space left")
    assert "Traceback" not in full.stderr
    plain = subprocess.run(
        [sys.executable, "-m", "justesse", "evaluate", str(screening_csv)],
        capture_output=True,
        text=True,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert plain.returncode == 0
    assert "accuracy" in plain.stdout


def test_a_pipe_that_closes_is_no_error(screening_csv):
    done = subprocess.run(
        f"{sys.executable} -m justesse evaluate {screening_csv} --json | head -1",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_help_has_examples_and_every_option(run):
    text = run("evaluate", "--help").out
    assert "justesse evaluate predictions.csv" in text
    for option in ("--label", "--by", "--positive", "--cost", "--drop-missing", "--as-text", "--json", "--output"):
        assert option in text


def test_a_level_too_high_to_resample_gives_delta_intervals_and_says_so(run, write):
    path = write("a.csv", "label,prediction\n" + "a,a\nb,b\nb,a\n" * 20)
    ran = run("evaluate", path, "--level", "0.9999999999", "--json")
    assert ran.code == 0
    assert "A confidence level of 0.9999999999 is too high to resample" in " ".join(ran.json["warnings"])
    mcc = next(item for item in ran.json["measures"] if item["name"] == "mcc")
    assert mcc["interval"]["method"] == "delta-logit"
    page = run("evaluate", path, "--level", "0.9999999999", "--full").out
    assert "Accuracy" in page
