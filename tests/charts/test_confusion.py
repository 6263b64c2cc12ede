"""The confusion matrix: readable labels, counts, neighbours that are confused, and something to see off the diagonal."""

import re

import numpy as np
import pytest
import vl_convert

from justesse.charts.confusion import confusion_chart, confusion_order, wrong_picture
from justesse.core.tally import Tally


def groups(classes: int, size: int = 5) -> Tally:
    """Classes confused within groups of `size` whose members are far apart in the order of the classes."""
    places = np.arange(classes)
    table = np.diag(np.full(classes, 80))
    table[places, (places + classes // size) % classes] = 20
    table[places, (places - classes // size) % classes] = 20
    return Tally.from_dense(table, [f"class {at:04d}" for at in range(classes)])


@pytest.mark.parametrize("classes", [2, 7, 25])
def test_labels_are_horizontal_and_every_cell_has_its_count(classes):
    table = np.full((classes, classes), 3) + np.diag(np.full(classes, 20_000))
    svg = vl_convert.vegalite_to_svg(
        confusion_chart(Tally.from_dense(table, [f"a long name {at}" for at in range(classes)])).to_dict()
    )
    assert svg.count(">3</text>") >= classes * (classes - 1)
    assert svg.count(">20k</text>") == classes or svg.count(">20003</text>") == classes
    labels = re.findall(r"role-axis-label.*?</g>", svg, re.S)
    assert len(labels) == 2
    assert not any("rotate" in part for part in labels)
    assert svg.count("a long name") >= classes  # each row has its name, and its number if columns are numbered


def test_confused_classes_are_neighbours():
    order = confusion_order(groups(100))
    place = {name: at for at, name in enumerate(order)}
    apart = [abs(place[at] - place[(at + 20) % 100]) for at in range(100)]
    assert np.mean(apart) < 4  # 20 in the order of the classes
    assert sorted(order) == list(range(100))


def test_few_classes_keep_their_order():
    spec = confusion_chart(groups(25)).to_dict()
    names = spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert [name.split("  ")[0] for name in names] == [f"class {at:04d}" for at in range(25)]


@pytest.mark.parametrize("classes", [41, 250, 1000, 2500])
@pytest.mark.parametrize("by", ["label", "prediction", "all"])
def test_a_picture_of_many_classes_shows_what_is_wrong_and_nothing_else(classes, by):
    tally = groups(classes)
    shares = wrong_picture(tally, by, list(range(classes)))
    assert max(shares.shape) <= 250
    total = shares.sum() * (-(-classes // 250) if by != "all" else 1)
    assert total == pytest.approx(1 / 3 * (classes if by != "all" else 1))
    perfect = wrong_picture(Tally.from_dense(np.eye(50, dtype=int)), by, list(range(50)))
    assert not perfect.any()


def test_the_picture_is_drawn_for_a_page_and_a_phone():
    chart = confusion_chart(groups(300))
    for spec, side in ((chart.to_dict(), 500), (chart.phone_dict(), 300)):
        svg = vl_convert.vegalite_to_svg(spec)
        assert "data:image/png" in svg
        assert spec["width"] == side
    assert "correct predictions are left out" in chart.to_dict()["title"]["subtitle"][0]
