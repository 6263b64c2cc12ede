"""The study of rows drawn actively: the page shows what was measured, and a short run agrees."""

import os
from pathlib import Path

import pytest
from studies.active_labels.page import PAGE, recorded, widths
from studies.active_labels.run import WAYS, Images, measured

DATA = Path(os.environ.get("JUSTESSE_DATA", "")) / "cifar10"


def test_the_page_shows_the_recorded_figures():
    figures = recorded()
    assert len(figures) == 4 * 2 * len(WAYS)
    assert widths(figures) in PAGE.read_text()
    assert all(figure.covered >= 0.9 * figure.draws for figure in figures)


@pytest.mark.skipif(not (DATA / "probabilities.parquet").exists(), reason="needs cifar10 in JUSTESSE_DATA")
def test_a_short_run_agrees():
    short = {(one.pseudo, one.way): one.width for one in measured(Images.read(DATA), draws=3, labels=(1000,))}
    for figure in recorded():
        if figure.labels == 1000:
            assert short[figure.pseudo, figure.way] == pytest.approx(figure.width, rel=0.2)
