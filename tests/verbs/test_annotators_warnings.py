"""What `justesse annotators …` warns about before anyone trusts its figures."""

import numpy as np
import pandas
import pytest

import justesse
from justesse.core.errors import ClassError


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
        assert texts(result)[0].startswith(expected)


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
    wide = pandas.DataFrame({"item": [1, 2], "a": [1, 0], "note": ["ok", "hm"]})
    with pytest.raises(ClassError, match="Column 'a' of .* has integers, but column 'note' has text"):
        justesse.annotators_agree(wide)
