"""The study of accuracy from confidence: the page shows what was measured, and a short run agrees."""

import os
from pathlib import Path

import pytest
from studies.shifted_confidence.page import PAGE, off, recorded, warned
from studies.shifted_confidence.run import Images, measured

DATA = Path(os.environ.get("JUSTESSE_DATA", "")) / "cifar10"
BROKEN = "confident mistakes, 10 times"


def test_the_page_shows_the_recorded_figures():
    figures = recorded()
    page = PAGE.read_text()
    assert off(figures) in page
    assert warned(figures) in page


def test_the_words_of_the_page_are_about_these_figures():
    by = {(item.shift, item.figure): item.value for item in recorded()}
    shifts = {shift for shift, _ in by}
    kept = shifts - {BROKEN, "images that people disagree on, 10 times"}
    assert all(abs(by[shift, "off: calibrated confidence"]) < 0.0045 for shift in kept)
    assert all(by[shift, "off: average confidence"] > 0.02 for shift in shifts)
    assert by[BROKEN, "off: calibrated confidence"] > 0.16
    assert by[BROKEN, "rejected: 100 labels"] == 1


@pytest.mark.skipif(not (DATA / "probabilities.parquet").exists(), reason="needs cifar10 in JUSTESSE_DATA")
def test_a_short_run_agrees():
    short = {(item.shift, item.figure): item.value for item in measured(Images.read(), repetitions=1)}
    for item in recorded():
        if item.figure.startswith("off: calibrated confidence"):
            assert short[item.shift, item.figure] == pytest.approx(item.value, abs=0.04)
