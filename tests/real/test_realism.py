"""Labels that people gave to CIFAR-10: what the study of realism says of them, computed another way."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from studies.expected import load
from studies.realism.data import COLUMNS, PERSON
from studies.realism.images import CLASSES, images
from studies.realism.page import PAGE
from studies.realism.run import EXPECTED, expected
from studies.realism.settings import Settings


@pytest.fixture
def labels(data):
    return pd.read_parquet(data / "cifar10n" / "train_labels.parquet")


def test_rates_and_what_two_people_share(labels):
    said, some = expected(), labels[: Settings.read().images]
    wrong = {name: some[name] != some["clean"] for name in [*COLUMNS.values(), "random2"]}
    for whose, name in COLUMNS.items():
        assert said[f"{whose}, people: rate"][0] == pytest.approx(wrong[name].mean(), abs=1e-8)
        clear = some[wrong[name]].groupby("clean")[name].agg(lambda given: given.value_counts().iloc[0])
        guessed = said[f"{whose}, class alone: guesses the wrong class"][0]
        assert guessed == pytest.approx(clear.sum() / wrong[name].sum(), abs=1e-8)
    both = some[wrong["random1"] & wrong["random2"]]
    assert said[f"{PERSON}, another person: also wrong"][0] == pytest.approx(
        len(both) / wrong["random2"].sum(), abs=1e-8
    )
    same = (both["random1"] == both["random2"]).mean()
    assert said[f"{PERSON}, another person: same wrong class"][0] == pytest.approx(same, abs=1e-8)


def test_the_images_are_in_the_order_of_the_labels(labels):
    folder = Path(os.environ.get("JUSTESSE_CACHE") or Path.home() / ".cache" / "justesse") / "realism"
    settings = Settings.read()
    if not (folder / (settings.package.replace("@", "-") + ".tgz")).exists():
        pytest.skip(f"the images of {settings.package} were not fetched: python -m studies.realism does it")
    pixels, classes = images(settings, folder)
    assert pixels.shape == (settings.images, 32, 32, 3)
    assert np.array(CLASSES)[classes].tolist() == labels["clean"][: settings.images].tolist()


def test_the_page_shows_what_is_expected():
    text = PAGE.read_text()
    for row in load(EXPECTED):
        if row["figure"].endswith(": F_n"):
            whose, kind, _ = row["figure"].split(": ")[0].split(", ")
            line = f"| {whose} | {kind} | "
            shown = [one for one in text.splitlines() if one.startswith(line)]
            assert any(f"| {100 * float(row['value']):.1f}" in one for one in shown), row["figure"]
