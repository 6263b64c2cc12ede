"""Answers that are wrong, odd or too few, through the commands: a sentence that says what to do, never a traceback."""

import json
import warnings

import numpy as np
import pytest

from justesse.annotators import assignment
from justesse.annotators.assignment import next_questions
from justesse.annotators.dawid_skene import dawid_skene
from justesse.cli.main import main
from justesse.core.annotations import Annotations

BASE = [(item, who, "xy"[(item + (item % 7 == len(who))) % 2]) for item in range(40) for who in ("a", "bb", "ccc")]


@pytest.fixture
def table(tmp_path):
    """Write rows of item, annotator and answer to a file."""

    def write(rows):
        path = tmp_path / "answers.csv"
        path.write_text("\n".join(["item,annotator,answer", *(",".join(map(str, row)) for row in rows)]) + "\n")
        return str(path)

    return write


def run(capsys, *words):
    """Run a command; return its exit code, its output and its error text. A warning of NumPy is a failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code = main(["annotators", *words])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize("command", ["agree", "infer", "next", "compare"])
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([*BASE, (0, "rare", "x")], None),
        ([*BASE, (99, "", ""), (100, "", "")], "2 empty answers left out"),
        ([*BASE, (3, "a", "x"), (3, "a", "y")], "'a' answered item 3 more than once"),
        ([(item, who, "xy"[item % 2]) for item, who, _ in BASE], "All annotators agree on every item"),
        ([(item, who, "x") for item, who, _ in BASE], "All annotators agree on every item"),
        ([(item, "a", "xy"[item % 2]) for item in range(40)], "There is one annotator"),
        ([(item, who, "Cat" if item % 3 else "cat ") for item, who, _ in BASE], "differ only in case or spaces"),
        ([(item if item % 2 else f"q{item}", who, answer) for item, who, answer in BASE], None),
    ],
    ids=["one answer", "items with none", "repeated", "identical", "one class", "one annotator", "case", "mixed ids"],
)
def test_odd_answers_are_worked_with_and_named(command, rows, words, table, capsys):
    draws = [] if command == "next" else ["--draws", "100"]
    code, out, err = run(capsys, command, table(rows), "--json", *draws)
    assert (code, err) == (0, "")
    result = json.loads(out)
    if words is not None:
        assert any(words in text for text in result["warnings"]), result["warnings"]


def test_numbers_also_written_with_a_decimal_point_are_named(table, capsys):
    rows = [(item if who == "a" else f"{item}.0", 1 if who == "a" else "1.0", answer) for item, who, answer in BASE]
    warnings = json.loads(run(capsys, "agree", table(rows), "--json")[1])["warnings"]
    assert any(text.startswith("Items '0' and '0.0'; '1' and '1.0';") for text in warnings)
    assert any(text.startswith("Annotators '1' and '1.0' count as different") for text in warnings)


@pytest.mark.parametrize("command", ["agree", "infer", "next", "compare"])
def test_an_answer_outside_the_classes_is_refused(command, table, capsys):
    code, out, err = run(capsys, command, table([*BASE, (3, "d", "zebra")]), "--classes", "x,y")
    assert (code, out) == (2, "")
    assert "Answer 'zebra' in " in err
    assert "Add it, or correct it." in err


@pytest.mark.parametrize("command", ["agree", "infer", "next", "compare"])
def test_nothing_is_written_if_the_input_is_bad(command, table, tmp_path, capsys):
    page = tmp_path / "page.html"
    code, _, err = run(capsys, command, table([]), "--report", str(page))
    assert code == 2
    assert "No rows in" in err
    assert not page.exists()


def test_repeated_answers_can_be_kept_or_refused(table, capsys):
    path = table([*BASE, (3, "a", "x"), (3, "a", "y")])
    numbers = {}
    for choice in ("last", "first", "all"):
        code, out, _ = run(capsys, "infer", path, "--repeated", choice, "--draws", "0", "--json")
        assert code == 0
        numbers[choice] = json.loads(out)["answers"]
    assert numbers == {"last": 120, "first": 120, "all": 122}
    code, _, err = run(capsys, "infer", path, "--repeated", "refuse")
    assert code == 2
    assert "Annotator 'a' answered item 3 more than once" in err


def test_shares_near_one_are_written_as_people_read_them(table, capsys):
    """It was 99.99998 %."""
    rows = [(item, who, "xy"[item % 2]) for item, who, _ in BASE]
    _, out, _ = run(capsys, "infer", table(rows), "--method", "glad", "--draws", "0")
    assert "expects the classes of 100.0 %" in out.replace("\n", " ")


@pytest.mark.parametrize("rule", ["gain", "random", "round-robin"])
def test_of_very_many_annotators_the_best_are_compared(rule, monkeypatch):
    """A million annotators took more than 14 GB."""
    monkeypatch.setattr(assignment, "MOST_PEOPLE", 20)
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    right = np.where(np.arange(60) < 10, 0.95, 0.6)
    item, who = rng.integers(0, 300, 3000), rng.integers(0, 60, 3000)
    answer = np.where(rng.random(3000) < right[who], truth[item], 1 - truth[item])
    notes = Annotations.of(
        {(i, w): (i, w, a) for i, w, a in zip(item.tolist(), who.tolist(), answer.tolist(), strict=True)}.values()
    )
    questions = next_questions(dawid_skene(notes, prior=0.1), rule=rule, number=10, seed=1)
    assert len(questions) == 10
    asked = {int(str(notes.annotators[each.annotator])) for each in questions}
    if rule == "gain":
        assert np.mean([name < 10 for name in asked]) >= 0.8
    done = set(zip(notes.item.tolist(), notes.annotator.tolist(), strict=True))
    assert not {(each.item, each.annotator) for each in questions} & done


def test_prices_may_be_written_in_one_word(table, capsys):
    path = table(BASE)
    together = run(capsys, "next", path, "--number", "6", "--price", "a=2,bb=0.5", "--json")
    assert together[0] == 0
    assert together == run(capsys, "next", path, "--number", "6", "--price", "a=2", "--price", "bb=0.5", "--json")
    for text in ("a=2,bb", "3", "=3"):
        assert (
            f"name=number, such as expert=10 or expert=10,ann=2; got '{text}'"
            in run(capsys, "next", path, "--price", text)[2]
        )
    assert "Give one price for 'a'; got 2 and 3." in run(capsys, "next", path, "--price", "a=2,a=3")[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("infer", "--to", "truth.xyz"), "must end in .csv, .parquet or .pq; got 'truth.xyz'"),
        (("infer", "--confusion", "tables.xyz"), "must end in .csv, .parquet or .pq"),
        (("infer", "--transition-to", "t.parquet"), "must end in .csv; got"),
        (("next", "--to", "questions.xyz"), "must end in .csv, .parquet or .pq"),
        (("agree", "--dossier", "first.xyz"), "must end in .json; got 'first.xyz'"),
        (("agree", "--json", "--format", "markdown"), "--json and --format markdown exclude each other."),
    ],
)
def test_what_cannot_be_written_or_printed_is_refused_before_any_work(words, message, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)  # no file of answers: whoever looked for it would complain about that
    code, out, err = run(capsys, words[0], "answers.csv", *words[1:])
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_the_columns_taken_from_a_table_with_several_are_named(table, tmp_path, capsys):
    gold = tmp_path / "rows.csv"
    gold.write_text("id,label,note\n" + "".join(f"{item},{'xy'[item % 2]},n\n" for item in range(40)))
    _, out, _ = run(capsys, "infer", table(BASE), "--check", str(gold), "--json", "--draws", "100")
    words = [text for text in json.loads(out)["warnings"] if "rows.csv" in text]
    assert words[0].endswith(
        "gold class from column 'label', items from 'id'. If others are meant, leave only the two columns in the table."
    )
