"""The page as a file: small, self-contained, the same bytes for the same input, the same data as the JSON."""

import base64
import gzip
import json
import re

import numpy as np
import pytest

from justesse import evaluate

RNG = np.random.default_rng(0)
LABELS = RNG.integers(10, size=2000)
ANSWERS = np.where(RNG.random(2000) < 0.8, LABELS, RNG.integers(10, size=2000))


def embedded(text):
    name, data = re.search(r'download="([^"]+)" href="data:[^;]+;base64,([^"]+)"', text).groups()
    raw = base64.b64decode(data)
    return json.loads(gzip.decompress(raw) if name.endswith(".gz") else raw)


@pytest.mark.parametrize("classes", [2, 10, 200])
def test_small_self_contained_and_the_same_data(tmp_path, classes):
    labels = RNG.integers(classes, size=5000)
    found = evaluate(y_true=labels, y_pred=np.where(RNG.random(5000) < 0.8, labels, RNG.integers(classes, size=5000)))
    text = found.report(tmp_path / "page.html").read_text()
    assert len(text) < 1_000_000
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert embedded(text) == json.loads(json.dumps(found.to_dict()))
    assert "Most frequent confusions" in text


def test_a_thousand_classes_still_fit_in_a_megabyte(tmp_path):
    labels = RNG.integers(1000, size=100_000)
    found = evaluate(
        y_true=labels, y_pred=np.where(RNG.random(100_000) < 0.9, labels, RNG.integers(1000, size=100_000))
    )
    text = found.report(tmp_path / "page.html").read_text()
    assert len(text) < 1_000_000
    assert "500 of 1,000 rows; the JSON has all." in text
    assert "image/png" in text


def test_same_input_same_bytes(tmp_path):
    one, two = (evaluate(y_true=LABELS, y_pred=ANSWERS).report(tmp_path / f"{at}.html").read_bytes() for at in (1, 2))
    assert one == two


def test_ids_are_unique_on_the_page(tmp_path):
    text = evaluate(y_true=LABELS, y_pred=ANSWERS).report(tmp_path / "page.html").read_text()
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_the_command_writes_it_with_how_to_make_it_again(run, write, tmp_path, monkeypatch):
    path = write("a.csv", "label,prediction\n" + "a,a\nb,b\na,b\n" * 30)
    page, charts = tmp_path / "page.html", tmp_path / "charts"
    words = ["evaluate", str(path), "--report", str(page), "--charts", str(charts)]
    monkeypatch.setattr("sys.argv", ["justesse", *words])
    ran = run(*words)
    assert ran.code == 0
    text = page.read_text()
    assert f"justesse evaluate {path}" in text
    assert "SHA-256" in text
    assert sorted(one.name for one in charts.iterdir()) == [
        "confusion.png",
        "confusion.svg",
        "intervals.png",
        "intervals.svg",
        "noise.png",
        "noise.svg",
    ]
    assert (charts / "confusion.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "/no/such/place/page.html"], "Directory '/no/such/place' not found"),
        (["--charts", "FILE/charts"], "is not a directory"),
        (["--regression", "--report", "/no/such/place/page.html"], "Directory '/no/such/place' not found"),
    ],
)
def test_places_that_cannot_be(run, write, options, message):
    path = write("a.csv", "label,prediction\n1,1\n0,0\n")
    ran = run("evaluate", path, *(option.replace("FILE", str(path)) for option in options))
    assert ran.code == 2
    assert message in ran.err


def test_odd_evaluations_have_a_page_too(tmp_path):
    for at, (labels, answers) in enumerate([(["a"], ["a"]), (["a"] * 9, ["b"] * 9), ([True, False], [True, True])]):
        text = evaluate(y_true=labels, y_pred=answers).report(tmp_path / f"{at}.html").read_text()
        assert "undefined" in text
        assert "nan" not in text.lower().replace("<!-- nan -->", "").split("base64")[0]
