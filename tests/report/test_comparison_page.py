"""The page of a comparison as a file: small, self-contained, the same data as the JSON, and readable."""

import base64
import gzip
import hashlib
import html
import json
import re

import numpy as np
import pandas as pd
import pytest

from justesse import compare, compare_folds

RNG = np.random.default_rng(0)
ROWS = 800
LABEL = RNG.choice(["ham <b>", 'sp"am', "été ✓"], size=ROWS)


def answers(skill: float) -> np.ndarray:
    return np.where(RNG.random(ROWS) < skill, LABEL, RNG.choice(np.unique(LABEL), size=ROWS))


FRAME = pd.DataFrame({"label": LABEL, "old": answers(0.7), "new": answers(0.85), "bad": answers(0.5)})
FRAME["true"] = np.where(RNG.random(ROWS) < 0.97, LABEL, "été ✓")
FRAME["site"] = RNG.choice(["<i>north</i>", "south"], size=ROWS)
for name in ("old", "new"):
    FRAME[f"p_{name}"] = np.round(np.where(FRAME[name] == 'sp"am', 0.7, 0.3) + RNG.uniform(-0.3, 0.3, ROWS), 3)


def embedded(text):
    name, data = re.search(r'download="([^"]+)" href="data:[^;]+;base64,([^"]+)"', text).groups()
    raw = base64.b64decode(data)
    return json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw)


def visible(text: str) -> str:
    """What a reader sees, without markup, styles and data."""
    body = text.split("<body>")[1].split("<footer>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def sound(text: str, found) -> str:
    """Check what every page promises, and give its words."""
    assert len(text) < 1_000_000
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert embedded(text) == json.loads(json.dumps(found.to_dict()))
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    said = visible(text)
    assert "significant" not in said.lower()
    assert not re.search(r"\bnan\b", said.lower())
    assert "p = <" not in said
    assert found.title in said
    return said


def headings(text: str) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<]+)</h2>", text)


def test_everything_there_is_to_say(tmp_path):
    path = tmp_path / "answers.parquet"
    FRAME.to_parquet(path)
    found = compare(
        path, incumbent="old", candidate="new", by="site", score="p_old", candidate_score="p_new", positive='sp"am', margin=0.01,
    )  # fmt: skip
    text = found.report(tmp_path / "page.html", command="justesse compare … --seed 0").read_text()
    said = sound(text, found)
    assert headings(text) == [
        "True classes and labels",
        "The difference",
        "Slices",
        "If some labels are wrong",
        "Where each is right",
        "What would change it",
        "Each class",
        "Curves of both",
        "Baselines",
        "Method and assumptions",
        "Data and settings",
    ]
    assert 'class="verdict replace"' in text
    assert "fewer errors per 100 cases" in said
    for fact in (
        "rows 800",
        "classes 3: ",
        "incumbent old",
        "candidates new",
        "candidates tried 1",
        "file answers.parquet",
        f"its SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}",
        "judge paired",
        "margin that matters 0.01",
        "confidence level 95 %, two-sided",
        "Seed: 0.",
    ):
        assert fact in said, fact
    for row in ("both right", "only the incumbent right", "both wrong, different answers"):
        assert row in said
    assert "always '" in said
    assert "To make this page again: justesse compare … --seed 0" in said
    assert "Everything assumes that the true classes are right" in said
    assert "covers the true value in 95 % of repetitions" in said
    assert text.count("<figure") == 8


def test_several_candidates(tmp_path):
    found = compare(FRAME, incumbent="old", candidate=["new", "bad"], tried=40)
    text = found.report(tmp_path / "page.html").read_text()
    said = sound(text, found)
    assert headings(text)[1:4] == ["True classes and labels", "All candidates", "The difference"]
    assert "Each candidate against old" in said
    assert "The other sections are about new." in said
    assert "40 candidates were tried" in said
    assert "candidates tried 40" in said
    assert "99.88 % CI" in said


def test_folds(tmp_path):
    base = RNG.normal(0.8, 0.02, 10)
    scores = {
        name: (base + RNG.normal(shift, 0.01, 10)).tolist()
        for name, shift in (("old", 0), ("<b>new", 0.04), ("bad", -0.05))
    }
    pd.DataFrame(scores).to_csv(tmp_path / "scores.csv", index=False)
    found = compare_folds(tmp_path / "scores.csv", margin=0.005)
    text = found.report(tmp_path / "page.html").read_text()
    said = sound(text, found)
    assert headings(text) == [
        "What to be careful about",
        "The difference",
        "How probable it is",
        "Each fold",
        "All models together",
        "Method and assumptions",
        "Data and settings",
    ]
    assert "Replace the incumbent with <b>new." in said
    assert "97.5 % CI" in said
    assert "How probable it is" in said
    assert "folds 10" in said
    assert "file scores.csv" in said
    assert text.count("<figure") == 3
    two = compare_folds({name: scores[name] for name in ("old", "bad")})
    assert "All models together" not in headings(two.report(tmp_path / "two.html").read_text())


def test_all_files_of_a_pattern_are_named(tmp_path):
    for at, part in enumerate((FRAME[:400], FRAME[400:])):
        part[["label", "old"]].rename(columns={"old": "prediction"}).to_csv(tmp_path / f"old-{at}.csv", index=False)
        part[["label", "new"]].rename(columns={"new": "prediction"}).to_csv(tmp_path / f"new-{at}.csv", index=False)
    found = compare(str(tmp_path / "old-*.csv"), str(tmp_path / "new-*.csv"))
    said = sound(found.report(tmp_path / "page.html").read_text(), found)
    for path in tmp_path.glob("*.csv"):
        assert f"file {path.name} its SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}" in said
    assert "rows joined in order" in said


@pytest.mark.parametrize(
    ("label", "one", "other", "measure"),
    [
        (["a"], ["a"], ["a"], "mcc"),
        (["a"], ["a"], ["b"], "accuracy"),
        (["a"] * 9, ["b"] * 9, ["b"] * 9, "kappa"),
        ([True, False] * 5, [True, False] * 5, [True, True] * 5, "recall:true"),
        ([0, 1] * 5, [1, 0] * 5, [0, 1] * 5, "mcc"),
        ([0, 1, 2] * 5, [0, 1, 1] * 5, [0, 1, 1] * 5, "macro-f1"),
    ],
)
def test_odd_comparisons_have_a_page_too(tmp_path, label, one, other, measure):
    found = compare(y_true=label, incumbent=one, candidate=other, measure=measure)
    sound(found.report(tmp_path / "page.html").read_text(), found)


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_side(tmp_path, alternative):
    found = compare(FRAME, incumbent="old", candidate="new", alternative=alternative)
    said = sound(found.report(tmp_path / "page.html").read_text(), found)
    assert f"95 %, {alternative}" in said


def test_many_classes_and_candidates_fit_in_a_megabyte(tmp_path):
    label = RNG.integers(300, size=2500)
    several = {
        f"candidate {at} with a rather long name, so that it must be cut somewhere": np.where(
            RNG.random(2500) < 0.8, label, RNG.integers(300, size=2500)
        )
        for at in range(2)
    }
    found = compare(y_true=label, incumbent=np.where(RNG.random(2500) < 0.7, label, 0), candidate=several)
    said = sound(found.report(tmp_path / "page.html").read_text(), found)
    assert "500 of 600 rows; the JSON has all." in said


def test_same_input_same_bytes(tmp_path):
    one, two = (
        compare(FRAME, incumbent="old", candidate="new").report(tmp_path / f"{at}.html").read_bytes() for at in (1, 2)
    )
    assert one == two
