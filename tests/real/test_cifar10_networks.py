"""The study of thirty published networks finds what it is expected to, and what other ways of counting find."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from studies.cifar10_networks.answers import Answers, Settings
from studies.cifar10_networks.pairs import figures
from studies.cifar10_networks.run import (
    EXPECTED,
    candidate_rows,
    candidate_table,
    candidates,
    figure_rows,
    figure_table,
    surprises,
)
from studies.expected import load

ROOT = Path(__file__).parents[2]


def test_every_candidate_gets_the_expected_verdict(data):
    rows = candidate_rows(candidates(Settings.read()))
    assert list(surprises(rows, load(EXPECTED["candidates"]))) == []


def test_all_pairs_sum_up_to_the_expected_figures(data):
    settings = Settings.read()
    rows = figure_rows(figures(Answers.read(settings.path), settings))
    assert list(surprises(rows, load(EXPECTED["figures"]))) == []


@pytest.mark.parametrize(("name", "asked"), [("each", 1), ("together", 435)])
def test_pairs_counted_with_pandas_and_a_formula_on_paper(data, name, asked):
    """Without a margin Tango's interval leaves out 0 exactly where |c - b| > z·√(b + c)."""
    frame = pd.read_parquet(Settings.read().path)
    networks = frame.columns.drop(["id", "label", "true", "true_share"])
    z = norm.isf(0.025 / asked)
    noise, leads = (frame["label"] != frame["true"]).sum(), {}
    for of in ("label", "true"):
        right = frame[networks].eq(frame[of], axis=0).to_numpy().astype(int)
        apart = right[:, None, :] - right[:, :, None]  # [image, incumbent, candidate]
        leads[of] = apart.sum(axis=0), np.sqrt(np.abs(apart).sum(axis=0))
    expected = {row["figure"]: float(row["value"]) for row in load(EXPECTED["figures"])}
    lead, spread = leads["label"]
    replace, truly = (one > z * other for one, other in leads.values())
    off_diagonal = ~np.eye(30, dtype=bool)
    assert replace.sum() == expected[f"{name}: replace"]
    assert (off_diagonal & (np.abs(lead) <= z * spread)).sum() == expected[f"{name}: cannot tell"]
    assert (replace & ~truly).sum() == expected[f"{name}: replace by the labels only"]
    assert (truly & ~replace).sum() == expected[f"{name}: replace by the truth only"]
    # every re-labelled row takes one from the candidate and gives one to the incumbent
    survives = replace & (lead - 2 * noise > z * spread)
    assert survives.sum() == expected[f"{name}: replace that survives as many wrong labels wherever they are"]
    assert noise / len(frame) == expected["share of wrong labels"]


def test_a_surprise_is_noticed():
    wanted = load(EXPECTED["figures"])
    rows = [{**row, "value": float(row["value"]), "tolerance": float(row["tolerance"])} for row in wanted]
    assert list(surprises(rows, wanted)) == []
    rows[7]["value"] += 1
    assert list(surprises(rows, wanted)) == ["each: replace: value 392 was expected; got 393.0"]
    missing = list(surprises(rows[:-1], wanted[:7] + wanted[8:]))
    assert missing == ["z of max-T: was expected, and is missing", "each: replace: was not expected"]


def test_the_documents_show_the_expected_tables():
    rows = load(EXPECTED["candidates"])
    readme = (ROOT / "studies" / "cifar10_networks" / "README.md").read_text()
    assert candidate_table(rows) in readme
    assert figure_table(load(EXPECTED["figures"])) in readme
    names = [row["candidate"] for row in rows]
    first, last = names.index("wide_resnet_tf"), names.index("resnet_basic_32")
    assert candidate_table(rows[first : last + 2]) in (ROOT / "docs" / "tutorials" / "compare.md").read_text()
