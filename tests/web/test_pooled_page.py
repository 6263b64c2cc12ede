"""The page of an owner shows the order of several classifiers as `audit status` does."""

import html
import re

import numpy as np

import justesse

ROWS = 200
RNG = np.random.default_rng(2)
TRUE = RNG.integers(0, 3, ROWS)


def start(folder, budget):
    rows = {"id": list(range(ROWS)), "label": TRUE.tolist(), "is": TRUE.tolist()}
    for name, skill in (("low", 0.4), ("mid <b>", 0.7), ("high", 0.95)):
        rows[name] = np.where(RNG.random(ROWS) < skill, TRUE, (TRUE + 1) % 3).tolist()
    return justesse.audit_start(
        rows, models=["low", "mid <b>", "high"], on="id", true="is", budget=budget, to=folder / "my.audit"
    )


def cells(page, label):
    """Return the rows of the table in a region, as texts."""
    table = re.search(rf'aria-label="{label}".*?</table>', page, re.DOTALL)
    body = table[0].split("<tbody>")[1]
    return [
        [html.unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr>.*?</tr>", body, re.DOTALL)
    ]


def test_the_order_and_the_pairs_are_those_of_the_status(folder, clients):
    status = start(folder, ROWS)
    with clients("olga") as client:
        page = client.get("/audits/my.audit").text
    order = cells(page, "Classifiers from the best down")
    assert [row[0] for row in order] == ["high", "mid <b>", "low"] == [name for tier in status.tiers for name in tier]
    assert [row[1:] for row in order] == [["1", "1"], ["2", "2"], ["3", "3"]]
    pairs = cells(page, "What is known of each pair")
    assert {(row[0], row[1]): row[2] for row in pairs} == {
        ("low", "mid <b>"): "mid <b>",
        ("low", "high"): "high",
        ("mid <b>", "high"): "high",
    }
    assert all(row[3].startswith("+") for row in pairs)
    assert "mid <b>" not in page  # names are escaped


def test_before_any_answer_no_order_is_claimed(folder, clients):
    start(folder, 0)
    with clients("olga") as client:
        page = client.get("/audits/my.audit").text
    assert {tuple(row[1:]) for row in cells(page, "Classifiers from the best down")} == {("1", "1\u00a0to\u00a03")}
    assert {row[2] for row in cells(page, "What is known of each pair")} == {"open"}
