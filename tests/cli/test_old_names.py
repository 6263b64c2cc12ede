"""One name for one thing; what it was called before still works, with a hint."""

import inspect

import pandas as pd
import pytest

from justesse.cli.main import app
from justesse.cli.old_names import OLD, today

ROWS = pd.DataFrame({"id": range(90), "label": ["a", "b", "b"] * 30, "true": ["a", "b", "a"] * 30, "x": range(90),
                     "y": [row * row % 17 for row in range(90)], "old": ["a", "b", "b"] * 30, "new": ["a", "b", "a"] * 30})  # fmt: skip
CASES = {
    "assess": (["assess", "FILE"], ["--target", "label", "--n-jobs", "1", "--model", "tree", "--features", "x,y"], ["--label", "label", "--jobs", "1", "--model", "tree", "--features", "x,y"]),
    "tournament": (["tournament", "FILE"], ["--models", "old,new", "--judges=paired,sharp", "--rate", "0.1"], ["--model", "old,new", "--judge", "paired,sharp", "--noise-rate", "0.1"]),
    "noise inject": (["noise", "inject", "FILE", "--to", "OUT"], ["--model", "uniform", "--rate", "0.1", "--true-column", "was"], ["--noise", "uniform", "--noise-rate", "10%", "--true", "was"]),
    "noise resist": (["noise", "resist", "FILE", "--repeats", "2", "--features", "x,y"], ["--target", "label", "--learner", "tree", "--rates", "0,0.1", "--model", "pair-flip"], ["--label", "label", "--model", "tree", "--noise-rates", "0,10%", "--noise", "pair-flip"]),
    "inspect": (["inspect"], ["--train", "FILE", "--test", "FILE"], ["FILE", "--train", "FILE"]),
    "plan noise": (["plan", "noise", "--half-width", "0.01"], ["--rate", "0.02"], ["--noise-rate", "2%"]),
    "plan labels": (["plan", "labels", "--half-width", "0.01"], ["--rate", "0.1"], ["--noise-rate", "0.1"]),
    "audit start": (["audit", "start", "FILE", "--incumbent", "old", "--candidate", "new", "--on", "id", "--to", "OUT"], ["--truth", "true"], ["--true", "true"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_old_name_does_the_same_with_a_hint(case, run, tmp_path, monkeypatch):
    said = []
    common, old, new = CASES[case]
    for name, words in (("one", old), ("other", new)):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        ROWS.to_csv("rows.csv", index=False)
        places = {"FILE": "rows.csv", "OUT": "out.audit" if case == "audit start" else "out.csv"}
        said.append(run(*(places.get(word, word) for word in (*common, *words)), "--json"))
    one, other = said
    assert one.code == other.code, one.err
    assert one.code in (0, 1), one.err
    assert {**one.json, "run": {}} == {**other.json, "run": {}}
    assert "is now called" in one.err
    assert "is now called" not in other.err


def test_every_new_name_exists_and_no_old_one_does():
    for command, names in OLD.items():
        found = app
        for word in command.split():
            found = found[word]
        options = {name for one in found.assemble_argument_collection() for name in one.names}
        assert set(names.values()) <= options, command
        # noise resist has a --model that was called --learner
        assert not (set(names) - set(names.values())) & options, command


def test_one_name_for_one_thing():
    """Fail where a command calls by another name what the others have a name for."""
    apart = {
        "--n-jobs",
        "--target",
        "--truth",
        "--learner",
        "--rate",
        "--rates",
        "--judges",
        "--directory",
        "--true-column",
    }
    seen = []

    def walk(command, name):
        for part in command:
            if not part.startswith("-"):
                below = command[part]
                if below.default_command is not None and not inspect.isclass(below.default_command):
                    options = {name for one in below.assemble_argument_collection() for name in one.names}
                    seen.extend(f"{name} {part} {option}".strip() for option in sorted(options & apart))
                walk(below, f"{name} {part}")

    walk(app, "")
    assert seen == ["annotators next --target"]  # a share to reach, not a column


def test_what_follows_two_dashes_is_no_option():
    assert today(["demo", "--", "--directory"]) == ["demo", "--", "--directory"]


def test_compare_folds_had_been_an_option_of_compare(run, tmp_path):
    path = tmp_path / "folds.csv"
    path.write_text("fold,old,new\n1,.8,.85\n2,.84,.88\n3,.79,.84\n4,.83,.87\n5,.82,.87\n")
    new = run("compare-folds", path, "--margin", "1%", "--json")
    for old in (["--folds", path, "--margin", "1%"], ["--margin", "1%", f"--folds={path}"]):
        ran = run("compare", *old, "--json")
        assert (ran.code, ran.json) == (new.code, new.json)
        assert ran.err == "Hint: compare --folds is now called compare-folds. The old name still works.\n"
    assert (new.code, new.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "now"),
    [
        (["--drop-missing"], ["--missing", "drop"]),
        (["--drop-missing", "--missing=drop"], ["--missing=drop"]),
        (["--missing", "drop", "--drop-missing"], ["--missing", "drop"]),
        (["--", "--drop-missing"], ["--", "--drop-missing"]),
    ],
)
def test_drop_missing_is_an_old_name_of_missing_drop(words, now, capsys):
    assert today(["noise", "bounds", "a.csv", *words]) == ["noise", "bounds", "a.csv", *now]
    assert ("now called --missing drop" in capsys.readouterr().err) == ("--" not in words)


@pytest.mark.parametrize("other", [["--missing", "wrong"], ["--missing=wrong"]])
def test_drop_missing_beside_another_choice_is_refused(other, run):
    ran = run("evaluate", "a.csv", "--drop-missing", *other)
    assert ran.code == 2
    assert "--drop-missing means --missing drop, but --missing is wrong. Use one of them" in ran.err
