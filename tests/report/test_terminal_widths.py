"""Every document at 80, 60 and 40 columns: no number is cut, and the default output fits a screen."""

import io
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from justesse import compare, compare_folds, evaluate, evaluate_regression
from justesse.report.document import Column, Table
from justesse.report.terminal import SEE_ALL, show, stacked, table_lines

RNG = np.random.default_rng(0)
LABEL = RNG.integers(10, size=900)
FRAME = pd.DataFrame({
    "label": LABEL,
    "prediction": np.where(RNG.random(900) < 0.95, LABEL, RNG.integers(10, size=900)),
    "old": np.where(RNG.random(900) < 0.8, LABEL, RNG.integers(10, size=900)),
    "site": RNG.choice(["north", "south"], 900),
})  # fmt: skip
NUMBERS = pd.DataFrame({"label": RNG.normal(size=200) * 1e4, "site": ["a", "b"] * 100})
NUMBERS["prediction"] = NUMBERS["label"] + RNG.normal(size=200) * 1e3
FOLDS = {
    name: (0.8 + RNG.normal(shift, 0.01, 10)).tolist() for name, shift in (("old", 0), ("new", 0.03), ("bad", -0.1))
}
DOCUMENTS = {
    "evaluate": evaluate(FRAME.drop(columns="old"), by="site", noise_rate=0.03).document(),
    "compare": compare(FRAME, incumbent="old", candidate="prediction", by="site", margin=0.01).document(),
    "folds": compare_folds(FOLDS, margin=0.005).document(),
    "regression": evaluate_regression(NUMBERS, by="site").document(),
}
NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?")


def printed(document, width, detail):
    out = io.StringIO()
    show(document, Console(file=out, width=width, highlight=False, markup=False), detail)
    return out.getvalue()


@pytest.mark.parametrize("width", [80, 60, 40])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_number_is_cut(name, width):
    document = DOCUMENTS[name]
    text = printed(document, width, "full")
    tables = [part for section in document.sections for part in section.parts if isinstance(part, Table)]
    cells = [cell for table in tables for row in table.cells() for cell in row]
    whole = set(NUMBER.findall(printed(document, 400, "full"))) | {
        one for cell in cells for one in NUMBER.findall(cell)
    }
    assert set(NUMBER.findall(text)) <= whole
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in " ".join(text.split()).replace("… and", "").replace(", …", "")  # lists of rows end so


@pytest.mark.parametrize("width", range(40, 90, 5))
@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_line_begins_with_the_unit_of_the_line_above(name, width):
    lines = printed(DOCUMENTS[name], width, "full").splitlines()
    assert [line for line in lines if line.lstrip().startswith("%")] == []


@pytest.mark.parametrize("name", ["evaluate", "compare"])
def test_the_default_output_fits_a_screen(name):
    document = DOCUMENTS[name] if name == "compare" else evaluate(FRAME.drop(columns="old"), by="site").document()
    lines = printed(document, 80, "summary").splitlines()
    assert len(lines) <= 40
    assert "--full" in lines[-1] + lines[-2]


def test_a_matrix_that_does_not_fit_is_left_out_and_the_largest_confusions_are_listed():
    document = DOCUMENTS["evaluate"]
    wide, narrow = (printed(document, width, "full") for width in (80, 40))
    assert "Counts: labels down, predictions across" in wide
    assert "Counts: labels down, predictions across" not in narrow
    for text in (wide, narrow):
        assert "Most frequent confusions" in text


@pytest.mark.parametrize("width", [120, 80, 60])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_hidden_columns_are_named_and_it_is_said_how_to_see_them(name, width):
    document = DOCUMENTS[name]
    text = " ".join(printed(document, width, "summary").split())
    tables = [part for section in document.shown("summary") for part in section.parts if isinstance(part, Table)]
    hidden = []
    for table in tables:
        lines = [line for line, _ in table_lines(table, width)]
        stacked = not any(set(line) == {"─"} for line in lines)
        titles = Counter(column.title for column in table.columns if column.title)
        head = Counter() if stacked else titles - Counter(re.split(r" {2,}", lines[0].strip()))
        named = [line for line in lines if line.startswith("Hidden columns: ")]
        assert Counter(named[0].removeprefix("Hidden columns: ")[:-1].split(", ") if named else []) == head
        hidden += head
    assert (SEE_ALL in text) == bool(hidden)


def test_stacked_rows_have_no_lines_without_a_value():
    columns = [Column("check"), Column("result"), Column("finding", "words")]
    lines = [line for line, _ in stacked(columns, [["form", "passed", ""], ["plan", "none", "No plan."]], 40)]
    assert lines == ["form", "  result   passed", "plan", "  result   none", "  finding  No plan."]
