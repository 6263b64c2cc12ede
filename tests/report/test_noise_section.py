"""The section "If some labels are wrong" of both pages."""

import base64
import gzip
import html
import json
import re

import numpy as np
import pandas as pd
import pytest

from justesse import Tally, compare, evaluate
from justesse.verbs.evaluate.label_noise_section import assumptions_table, corrected_table
from justesse.verbs.noise.claim_words import claim_words

RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=900)
LABEL = np.where(RNG.random(900) < 0.05, (TRUE + 1) % 4, TRUE)
OLD, NEW = (np.where(RNG.random(900) < skill, TRUE, RNG.integers(4, size=900)) for skill in (0.75, 0.85))
FRAME = pd.DataFrame({"id": np.arange(900), "label": LABEL, "prediction": NEW, "old": OLD})
CHECKED = pd.DataFrame({"id": np.arange(0, 900, 6), "true": TRUE[::6]})
COUNTS = pd.crosstab(TRUE, LABEL).to_numpy()
KNOWN = {"noise_rate": "0.02:0.08", "transition": COUNTS, "transition_of": "these", "audited": CHECKED, "on": "id"}


def section(page):
    """Give the section's text, tags apart, and its source."""
    found = re.search(r'<section aria-labelledby="noise">(.*?)</section>', page.read_text(), re.DOTALL).group(1)
    bare = re.sub(r"<svg.*?</svg>", " ", found, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split()), found


def embedded(text):
    name, data = re.search(r'download="([^"]+)" href="data:[^;]+;base64,([^"]+)"', text).groups()
    raw = base64.b64decode(data)
    return json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw)


@pytest.fixture(scope="module")
def evaluated():
    return evaluate(FRAME, claim="accuracy>=0.75", bootstrap="none", draws=200, **KNOWN)


def test_the_page_of_an_evaluation(evaluated, tmp_path):
    page = evaluated.report(tmp_path / "page.html")
    text, source = section(page)
    assert str(claim_words(evaluated.noise.breakdown, default=False)) in text
    table = corrected_table(evaluated.noise)
    heads = [column.title for column in table.columns]
    assert heads == ["measure", "measured", "bounds from rate", "independent errors", "bounds from table", "errors by class", "re-checked sample"]  # fmt: skip
    for row in table.cells():
        assert " ".join(row) in text
    for row in assumptions_table(evaluated.noise).cells():
        assert " ".join(row) in text
    assert table.note in text
    assert source.count("<svg") == 2  # and a narrow one for phones
    assert len(page.read_text()) < 1_000_000
    assert embedded(page.read_text())["noise"] == json.loads(json.dumps(evaluated.noise.to_dict()))


def test_the_table_says_what_the_json_says(evaluated):
    rows = corrected_table(evaluated.noise).cells()
    measures = evaluated.noise.to_dict()["measures"]
    assert len(rows) == len(measures)
    for row, measure in zip(rows, measures, strict=True):
        assert row[1] == f"{measure['apparent']:.4f}"
        assert row[4].rstrip("*") == f"{measure['bounds']['low']:.3f}–{measure['bounds']['high']:.3f}"
    whole = dict(zip(("b", "c", "f"), (rows[0][at] for at in (3, 5, 6)), strict=True))
    for one in measures[0]["corrected"]:
        ends = one["interval"]
        low, high = (f"{end:.3f}" if end < 1 else "1" for end in (ends["low"], ends["high"]))
        assert whole[one["rung"]] == f"{one['value']:.3f} ({low}–{high})"


def test_one_sided_bounds_and_outer_bounds_are_marked():
    found = evaluate(FRAME, noise_rate=0.05, alternative="greater", bootstrap="none")
    table = corrected_table(found.noise)
    rows = table.cells()
    assert re.fullmatch(r"0\.\d{3} \(≥ 0\.\d{3}\)", rows[0][3])
    assert [row[0] for row in rows if row[2].endswith("*")] == ["Balanced accuracy", "Macro F1"]
    assert table.note.startswith("In brackets: 95 % lower bound. * The true value lies within these bounds, but they")


def test_true_classes_are_two_columns():
    found = evaluate(FRAME.assign(true=TRUE), bootstrap="none")
    table = corrected_table(found.noise)
    assert [column.title for column in table.columns] == ["measure", "measured", "true", "bias"]
    moved = np.mean(LABEL == NEW) - np.mean(TRUE == NEW)
    assert table.cells()[0] == [
        "Accuracy",
        f"{np.mean(LABEL == NEW):.4f}",
        f"{np.mean(TRUE == NEW):.4f}",
        f"{moved:+.4f}",
    ]


def test_with_nothing_known_there_is_a_sentence_and_a_picture(tmp_path):
    text, source = section(evaluate(FRAME, bootstrap="none").report(tmp_path / "page.html"))
    assert "survives up to" in text
    assert source.count("<svg") == 2
    assert "<table" not in source


def test_long_tables_scroll_and_say_so(tmp_path):
    labels = RNG.integers(60, size=3000)
    found = evaluate(y_true=labels, y_pred=np.roll(labels, 0), noise_rate=0.05, bootstrap="none")
    text, _ = section(found.report(tmp_path / "page.html"))
    assert "185 rows: scroll inside the table to see them all" in text


@pytest.mark.parametrize(("labels", "answers"), [(["a"], ["a"]), (["a"] * 9, ["b"] * 9), ([True, False], [True, True])])
def test_odd_evaluations_have_the_section_too(labels, answers, tmp_path):
    text, _ = section(evaluate(y_true=labels, y_pred=answers, noise_rate=0.2).report(tmp_path / "page.html"))
    assert "nan" not in text.lower().split()


def test_weighted_rows_have_no_section(tmp_path):
    page = evaluate(FRAME.assign(w=1.5), weight="w").report(tmp_path / "page.html")
    assert "If some labels are wrong" not in page.read_text()


def test_the_page_of_a_comparison(tmp_path):
    columns = {"incumbent": "old", "candidate": "prediction"}
    found = compare(FRAME, **columns, **KNOWN)
    text, source = section(found.report(tmp_path / "page.html"))
    rungs = found.to_dict()["noise"]["rungs"]
    assert [rung["letter"] for rung in rungs] == ["d", "d", "f"]
    assert f"{rungs[0]['found'][0]['low']:+.4f} to {rungs[0]['found'][0]['high']:+.4f} for these rows" in text
    ends = rungs[2]["found"][0]["interval"]
    assert f"{rungs[2]['found'][0]['value']:+.4f} {ends['low']:+.4f} to {ends['high']:+.4f} (95 %)" in text
    for rung in rungs:
        assert rung["fails_when"] in text
    assert source.count("<svg") == 2
    assert "rows joined in one table" in " ".join(
        html.unescape(re.sub(r"<[^>]+>", " ", (tmp_path / "page.html").read_text())).split()
    )
    bare, _ = section(compare(FRAME, **columns).report(tmp_path / "bare.html"))
    assert "--" not in bare  # a page for managers names no options


def test_the_same_input_gives_the_same_bytes(tmp_path):
    one, two = (
        evaluate(FRAME, bootstrap="none", draws=200, **KNOWN).report(tmp_path / f"{at}.html").read_bytes()
        for at in (1, 2)
    )
    assert one == two


def test_words_of_a_breakdown():
    table = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])

    def said(claim):
        return str(claim_words(evaluate(table, claim=claim, bootstrap="none").noise.breakdown, default=False))

    assert said("accuracy>=0.8") == "The claim accuracy >= 0.8 survives up to 5.0 % wrong labels (5 of 100), whichever they are."  # fmt: skip
    assert said("accuracy>=0.85") == "The claim accuracy >= 0.85 survives no wrong label (0 of 100)."
    assert said("accuracy>=0") == "The claim accuracy >= 0 holds whatever the true classes are."
    assert said("accuracy>=0.9") == "The claim accuracy >= 0.9 is false with the labels as they are."
