"""What `justesse annotators …` warns about before anyone trusts its figures."""

import numpy as np
import pandas
import pytest

import justesse
from justesse.cli.main import main
from justesse.core.errors import ClassError, ColumnError, OptionError


def answered(right, n=80, seed=0, missing=0.0):
    """Draw answers of annotators who are right with these chances, as rows of item, annotator and answer."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n):
        true = int(rng.integers(2))
        for who, chance in right.items():
            value = "spam" if (rng.random() < chance) == bool(true) else "ham"
            if rng.random() >= missing:
                rows.append((f"m{item}", who, value))
    return rows


def table(rows):
    return dict(zip(("item", "annotator", "answer"), map(list, zip(*rows, strict=True)), strict=True))


def texts(result):
    return [str(warning) for warning in result.warnings]


@pytest.fixture
def with_copy():
    rows = answered({"Anna": 0.9, "Ben": 0.85, "Cleo": 0.8, "Dan": 0.75}, seed=3)
    return table([*rows, *((item, "Copycat", answer) for item, who, answer in rows if who == "Cleo")])


def test_identical_annotators_are_named_before_any_model(with_copy):
    expected = "Cleo and Copycat gave the same answer to 80 of 80 common items, far more than other pairs: one may have"
    for result in (justesse.annotators_agree(with_copy), justesse.annotators_infer(with_copy, draws=0)):
        assert any(text.startswith(expected) for text in texts(result)[:3])


def test_annotators_who_merely_agree_are_not_accused():
    for rows in (
        answered({"a": 0.99, "b": 0.99, "c": 0.99, "d": 0.99}, n=200),
        answered({"a": 0.9, "b": 0.9, "c": 0.6, "d": 0.6}, n=200),
        [(item, who, "ham" if who in "ab" else answer) for item, who, answer in answered(dict.fromkeys("abcd", 0.8))],
    ):
        assert not any("copied" in text for text in texts(justesse.annotators_agree(table(rows))))


def test_the_pair_with_perfect_agreement_leads_the_table(with_copy):
    document = justesse.annotators_agree(with_copy).document()
    pairs = next(section for section in document.sections if section.id == "pairs").parts[-1]
    assert list(pairs.rows[0][:4]) == ["Cleo", "Copycat", 80, 1.0]
    assert len(pairs.rows) == 10
    assert str(pairs.note) == "10 of 10 pairs."


WHOLE, DECIMAL = [1, 0, 0, 1], ["1.0", "", "0.0", "1.0"]


@pytest.mark.parametrize(
    "data",
    [
        {"item": [1, 2, 3, 4], "a": [str(x) for x in WHOLE], "b": DECIMAL},
        pandas.DataFrame({"item": [1, 2, 3, 4], "a": WHOLE, "b": [1, np.nan, 0, 1]}),
    ],
)
def test_one_and_one_point_zero_are_one_class(data, tmp_path):
    sources = [data]
    if not isinstance(data, pandas.DataFrame):
        pandas.DataFrame(data).to_csv(tmp_path / "wide.csv", index=False)
        sources = [str(tmp_path / "wide.csv")]
    for source in sources:
        result = justesse.annotators_agree(source)
        assert result.annotations.classes == (0, 1)
        assert result.coefficients["percent"].value == 1


def test_as_text_keeps_one_and_one_point_zero_apart(tmp_path):
    (tmp_path / "long.csv").write_text("item,annotator,answer\n1,a,1\n1,b,1.0\n2,a,0\n2,b,0\n")
    source = str(tmp_path / "long.csv")
    assert justesse.annotators_agree(source).annotations.classes == (0, 1)
    assert justesse.annotators_agree(source, as_text=True).annotations.classes == ("0", "1", "1.0")


def test_columns_of_different_kinds_are_named():
    wide = pandas.DataFrame({"item": [1, 2], "a": [1, 0], "word": ["ok", "hm"]})
    with pytest.raises(ClassError, match="Column 'a' of .* has integers, but column 'word' has text"):
        justesse.annotators_agree(wide)


def headline(result):
    return str(result.document().headline)


def test_words_need_an_order_on_the_ordinal_scale():
    data = {
        "item": [1, 1, 2, 2, 3, 3],
        "annotator": list("ababab"),
        "answer": ["low", "mid", "mid", "mid", "high", "low"],
    }
    with pytest.raises(OptionError, match="needs the order of the classes 'high', 'low', 'mid'"):
        justesse.annotators_agree(data, scale="ordinal")
    assert justesse.annotators_agree(data, scale="ordinal", classes=["low", "mid", "high"]).pairs
    numbers = {**data, "answer": [1, 2, 2, 2, 3, 1]}
    assert justesse.annotators_agree(numbers, scale="ordinal").pairs


def test_percent_agreement_cannot_be_negative():
    data = {"item": [1, 1, 2, 2], "annotator": list("abab"), "answer": list("xyzz")}
    interval = justesse.annotators_agree(data).coefficients["percent"].interval
    assert interval.low == 0
    assert interval.high <= 1


def test_one_annotator_is_not_called_right():
    rows = answered({"Anna": 0.9}, n=30)
    result = justesse.annotators_infer(table(rows), draws=0)
    assert texts(result)[0].startswith("There is one annotator: the answers alone show nothing about right and wrong.")
    words = "30 answers of 1 annotator, at most one to each item. Nothing shows how often they are right."
    assert headline(result) == words
    assert "100" not in str(result)
    apart = [(item, "Anna" if at % 2 else "Ben", answer) for at, (item, _, answer) in enumerate(rows)]
    assert headline(justesse.annotators_infer(table(apart), draws=0)) == words.replace("1 annotator", "2 annotators")


def test_gold_classes_show_how_often_one_annotator_is_right():
    data = table(answered({"Anna": 0.9}, n=30))
    gold = {"item": data["item"], "gold": ["spam"] * 30}
    checked = headline(justesse.annotators_infer(data, check=gold, draws=0))
    assert "By the gold classes" in checked
    assert "Nothing shows" not in checked
    known = justesse.annotators_infer(data, gold=gold, draws=0)
    assert texts(known)[0] == "There is one annotator: only the gold classes show how often they are right."
    assert "Nothing shows" not in headline(known)
    assert "annotators" in [section.id for section in known.document().sections]


def test_columns_that_may_be_no_annotators_are_named():
    wide = {
        "item": ["1", "2", "3"],
        "ann": list("xyx"),
        "bob": list("xyy"),
        "cy": list("yyx"),
        "confidence": ["0.2"] * 3,
    }
    wide["remark on it"] = ["ok", "ok", "hm"]
    words = texts(justesse.annotators_agree(wide))
    assert any("Left out, judging by its name: 'confidence'." in text for text in words)
    assert any(text.startswith("Column 'remark on it' counts as an annotator but may be none") for text in words)
    clean = {name: wide[name] for name in ("item", "ann", "bob", "cy")}
    assert not any("count" in text for text in texts(justesse.annotators_agree(clean)))


def test_words_for_missing_values_and_names_alike_are_pointed_out():
    rows = [("1", "Ann", "N/A"), ("1", "bob", "Cat"), ("2", "ann", "cat"), ("2", "bob", "Dog"), ("3", "bob", "dog")]
    words = texts(justesse.annotators_agree(table([*rows, ("3", "Ann", "null")])))
    assert "'N/A' and 'null' count as classes. Leave the cells empty if that means that there is no answer." in words
    assert any(text.startswith("Annotators 'Ann' and 'ann' differ only in case or spaces") for text in words)
    assert any(text.startswith("Answers 'Cat' and 'cat'; 'Dog' and 'dog' differ only in case") for text in words)


def test_majority_speaks_of_votes_and_says_who_wins_ties():
    rows = [(item, who, answer) for item, line in enumerate(["xy", "xx", "yx", "yy"]) for who, answer in zip("ab", line, strict=True)]  # fmt: skip
    result = justesse.annotators_infer(table(rows), method="majority")
    words = headline(result)
    assert words.startswith("2 of 4 items have a class with at least 95 % of the votes, from 8 answers of 2 annotators")
    assert "2 tied items take the first of the tied classes in class order." in words
    assert "The class of an item has 75.0 % of its votes on average." in words
    assert result.truth()["class"] == ["x", "x", "x", "y"]


def test_a_file_of_items_and_one_other_column_needs_no_usual_name(tmp_path):
    rows = answered({"a": 0.9, "b": 0.8, "c": 0.7}, n=30)
    data = {"sms" if name == "item" else name: values for name, values in table(rows).items()}
    gold = {"sms": sorted(set(data["sms"])), "expert": ["spam"] * 30}
    checked = justesse.annotators_infer(data, item="sms", check=gold, draws=0)
    assert checked.calibration.accuracy.n == 30
    with pytest.raises(ColumnError, match="Leave only that column beside the items, or name it 'gold'"):
        justesse.annotators_infer(data, item="sms", check={**gold, "day": [1] * 30}, draws=0)


def test_the_options_of_a_goal_are_named_one_by_one(tmp_path, capsys):
    pandas.DataFrame(table(answered({"a": 0.9, "b": 0.8}))).to_csv(tmp_path / "a.csv", index=False)
    assert main(["annotators", "next", str(tmp_path / "a.csv"), "--goal", "comparison"]) == 2
    assert "needs the predictions of two classifiers: --incumbent and --candidate." in capsys.readouterr().err


def test_nobody_left_to_ask_shows_no_empty_table():
    document = justesse.annotators_next(table(answered({"a": 0.9, "b": 0.8}))).document()
    assert str(document.headline).startswith("Nobody is left to ask")
    assert not document.sections


def test_a_gain_too_small_for_one_decimal_is_written():
    rows = answered({"a": 0.95, "b": 0.9, "c": 0.9, "d": 0.9}, n=4000, missing=0.1)
    words = headline(justesse.annotators_next(table(rows), number=1))
    assert "1 question changes it by +0." in words


def test_sections_and_charts_have_one_name(with_copy):
    titles = [section.title for section in justesse.annotators_infer(with_copy, draws=0).document().sections]
    assert "Who agrees with whom" in titles
    assert "How certain the consensus is" not in titles


def hard_items(n=300, people=10, hard=0.3, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n):
        true, chance = int(rng.integers(2)), 0.5 if rng.random() < hard else 0.9
        rows += [(item, f"p{who}", int(true == (rng.random() < chance))) for who in range(people)]
    return rows


def test_hard_items_are_warned_of_though_no_pair_errs_together():
    result = justesse.annotators_infer(table(hard_items()), draws=0)
    assert not result.dependent
    assert result.to_dict()["fit"]["pvalue"] < 0.01
    assert any(text.startswith("Annotators err together on some items") for text in texts(result))
    assert not any("on real crowds they are often too high" in text for text in texts(result))
    section = next(section for section in result.document().sections if section.id == "dependence")
    words = " ".join(str(sentence) for sentence in section.parts[0].lines)
    assert "None of 45 pairs of annotators agrees more often than independent mistakes would" in words
    assert "no test of the answers finds them" in words


def test_hard_items_are_warned_of_with_gold_classes_to_check_too():
    rows = hard_items()
    check = {"item": list(range(300)), "gold": [0, 1] * 150}
    result = justesse.annotators_infer(table(rows), check=check, draws=0)
    assert any("use the calibrated ones." in text for text in texts(result))


def test_independent_annotators_are_not_blamed_for_hard_items():
    result = justesse.annotators_infer(table(answered(dict.fromkeys("abcdef", 0.8), n=200, seed=1)), draws=0)
    assert result.answer_fit.pvalue > 0.05
    assert any("on real crowds they are often too high" in text for text in texts(result))


def test_a_pair_who_copy_does_not_count_as_hard_items(with_copy):
    result = justesse.annotators_infer(with_copy, draws=0)
    assert result.dependence.links
    assert result.answer_fit.pvalue > 0.05
    assert any("Hard items can look like this" in text for text in texts(result))


def test_votes_and_glad_have_no_such_check():
    rows = table(hard_items(n=60))
    for method in ("majority", "weighted", "glad"):
        assert justesse.annotators_infer(rows, method=method).to_dict()["fit"] is None
