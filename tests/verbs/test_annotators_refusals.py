"""What `annotators` refuses or warns of, instead of leaving it out without a word."""

import pytest

import justesse as ju
from justesse.core.errors import ColumnError, InputError, OptionError

LINES = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy", "xxy", "yyx"] * 4
ROWS = [(item, who, what) for item, line in enumerate(LINES) for who, what in zip("abc", line, strict=True)]
ANSWERS = dict(zip(("item", "annotator", "answer"), map(list, zip(*ROWS, strict=True)), strict=True))
ITEMS = list(range(len(LINES)))


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("item,annotator,answer\n" + "".join(f"{i},{who},{what}\n" for i, who, what in ROWS))
    return path


@pytest.mark.parametrize("prior", [float("nan"), float("inf"), 1e308, -1.0])
def test_a_prior_that_is_no_usable_count_is_refused(prior):
    with pytest.raises(OptionError, match="must be a number from 0 to 1,000,000; got"):
        ju.annotators_infer(ANSWERS, prior=prior, draws=0)


def test_the_largest_prior_is_taken():
    assert ju.annotators_infer(ANSWERS, prior=1e6, draws=0).fit.shares.sum() == pytest.approx(len(LINES))


@pytest.mark.parametrize("detail", ["confidence", "duration"])
def test_text_is_no_confidence_and_no_duration(detail):
    with pytest.raises(InputError, match=r"Column 'annotator' of .* has no number: rows 1, 2, 3.*--" + detail):
        ju.annotators_infer(ANSWERS, draws=0, **{detail: "annotator"})


def test_one_word_among_numbers_is_named():
    sure = [0.5] * len(ROWS)
    with pytest.raises(InputError, match="has no number: row 3"):
        ju.annotators_infer({**ANSWERS, "sure": [*map(str, sure[:2]), "high", *map(str, sure[3:])]}, confidence="sure")


def test_gaps_are_no_text():
    sure = ["0.5", "", "NaN", *["0.5"] * (len(ROWS) - 3)]
    assert ju.annotators_infer({**ANSWERS, "sure": sure}, confidence="sure", draws=0).cards


def test_a_column_without_any_number_is_refused():
    with pytest.raises(InputError, match="has no number: rows 1, 2"):
        ju.annotators_infer({**ANSWERS, "sure": [None] * len(ROWS)}, confidence="sure", draws=0)


def test_a_wide_table_has_no_confidence():
    wide = {"item": ITEMS, **{who: [line[at] for line in LINES] for at, who in enumerate("abc")}, "sure": ITEMS}
    with pytest.raises(InputError, match="answers have no confidence"):
        ju.annotators_infer(wide, annotators=["a", "b", "c"], confidence="sure", draws=0)


def test_whose_labels_needs_the_file_to_write(run, answers):
    result = run("annotators", "infer", answers, "--labels-of", "a")
    assert (result.code, "--transition-to" in result.err) == (2, True)


@pytest.mark.parametrize("option", ["--gold", "--check"])
def test_true_classes_without_rows_are_refused(run, answers, tmp_path, option):
    gold = tmp_path / "g0.csv"
    gold.write_text("item,gold\n")
    result = run("annotators", "infer", answers, option, gold)
    assert (result.code, "No rows in" in result.err) == (2, True)


def test_predictions_without_rows_are_refused(run, answers, tmp_path):
    predictions = tmp_path / "p0.csv"
    predictions.write_text("item,prediction\n")
    result = run("annotators", "compare", answers, "--prediction", predictions)
    assert result.code == 2
    assert "No rows in" in result.err
    assert "p0.csv" in result.err


def test_known_true_classes_that_nobody_answers_are_warned_of():
    gold = {"item": ITEMS, "gold": ["yak"] * len(ITEMS)}
    result = ju.annotators_infer(ANSWERS, check=gold, draws=0)
    assert any("No answer is 'yak'. All 32 items with a known true class" in str(text) for text in result.warnings)


def test_some_true_classes_that_nobody_answers_are_counted():
    gold = {"item": ITEMS, "gold": ["yak"] * 2 + ["x"] * (len(ITEMS) - 2)}
    result = ju.annotators_infer(ANSWERS, check=gold, draws=0)
    assert any("No answer is 'yak'. 2 of 32 items" in str(text) for text in result.warnings)


def test_a_classifier_judged_by_classes_that_nobody_answers_is_warned_of():
    gold, predictions = (
        {"item": ITEMS, name: [what] * len(ITEMS)} for name, what in (("gold", "yak"), ("prediction", "x"))
    )
    result = ju.annotators_compare(ANSWERS, prediction=predictions, check=gold, draws=100, folds=2)
    assert "No answer is 'yak'" in str(result.warnings[0])


def test_answered_true_classes_are_not_warned_of():
    result = ju.annotators_infer(ANSWERS, check={"item": ITEMS, "gold": [line[0] for line in LINES]}, draws=0)
    assert not any("No answer is" in str(text) for text in result.warnings)


def test_an_unknown_column_of_counts_names_its_option():
    with pytest.raises(ColumnError, match=r"count column with counts=… \(--counts\)"):
        ju.annotators_compare(ANSWERS, counts=["nope"])


def test_unknown_columns_of_annotators_name_their_option():
    with pytest.raises(ColumnError, match=r"annotators=… \(--annotators\)"):
        ju.annotators_infer(ANSWERS, annotators=["ann", "bob"])
