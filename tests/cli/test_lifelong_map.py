"""`justesse lifelong map`: several systems under many policies."""

import json

import numpy as np
import pytest

from justesse.cli.main import main
from justesse.lifelong.policy_difference import PairedBlocks, policy_difference
from justesse.lifelong.policy_map import mapped_differences, simultaneous_level


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def systems(tmp_path):
    """Three systems on the same 200 items of two months: a better in January, b in February, c like a but worse."""
    paths = []
    for name, wrong in (("a", (10, 60)), ("b", (60, 10)), ("c", (50, 100))):
        lines = ["id,version,trained,time,label,prediction"]
        for month, errors in zip(("01", "02"), wrong, strict=True):
            lines += [
                f"{month}-{item},v1,2025-01-01,2024-{month}-10,cat,{'dog' if item < errors else 'cat'}"
                for item in range(200)
            ]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


def mapped(capsys, *words):
    code, out, err = run(capsys, "lifelong", "map", *words, "--trained", "trained", "--period", "month", "--json")
    return code, json.loads(out) if out else " ".join(err.split())


def test_a_map_of_three_systems(systems, capsys):
    code, data = mapped(capsys, *systems)
    assert code == 0
    assert [system["name"] for system in data["systems"]] == ["a", "b", "c"]
    by_name = {policy["name"]: policy for policy in data["policies"]}
    assert by_name["past"]["best"] == ["a"]
    assert by_name["uniform"]["best"] == ["a", "b"]
    assert by_name["recent"]["best"] == ["b"]
    assert by_name["window:1"]["leader"] == "b"
    assert by_name["recent"]["weights"] == pytest.approx({"2024-01": 1 / 3, "2024-02": 2 / 3})
    first, second = data["pairs"][0], data["pairs"][1]
    assert (first["first"], first["second"], first["n"]) == ("a", "b", 400)
    assert first["flips"] == pytest.approx([0.0], abs=1e-9)
    assert second["flips"] == []
    recent = next(cell for cell in first["differences"] if cell["policy"] == "recent")
    assert recent["value"] == pytest.approx((-0.25 + 2 * 0.25) / 3)
    assert recent["smallest_change"] == {"period": "2024-01", "factor": pytest.approx(2.0)}


def test_one_table_with_a_column_of_systems_gives_the_same_map(systems, tmp_path, capsys):
    lines = [f"system,{systems[0].read_text().splitlines()[0]}"]
    for path in systems:
        lines += [f"{path.stem},{line}" for line in path.read_text().splitlines()[1:]]
    everything = tmp_path / "all.csv"
    everything.write_text("\n".join(lines) + "\n")
    _, apart = mapped(capsys, *systems, "--policies", "past,recent")
    _, together = mapped(capsys, everything, "--system", "system", "--policies", "past,recent")
    assert together == apart


def test_the_words_and_the_page(systems, tmp_path, capsys):
    page = tmp_path / "map.html"
    _, out, _ = run(capsys, "lifelong", "map", *systems, "--trained", "trained", "--period", "month", "--report", page)
    words = " ".join(out.split())
    assert words.startswith("a is best for sure under")
    assert "a and b: the ranking flips between past (-1) and recent (1) at 0.00." in words
    assert "Which system is better under which policy" in page.read_text()


@pytest.mark.parametrize(
    ("count", "options", "words"),
    [
        (1, [], "A map compares 2 to 20 systems; got 1"),
        (2, ["--system", "version"], "give one table; got 2"),
        (1, ["--system", "version"], "names 1 systems"),
        (1, ["--system", "who"], "'who' not found"),
        (2, ["--policies", "past,past"], "each once"),
        (2, ["--policies", "latest"], "A policy is recent, uniform, past"),
        (2, ["--at", "v9"], "has no version 'v9'"),
    ],
)
def test_bad_input_gets_a_sentence(systems, capsys, count, options, words):
    code, err = mapped(capsys, *systems[:count], *options)
    assert code == 2
    assert words in err


def test_intervals_of_a_map_are_wider_than_single_ones_and_no_wider_than_bonferroni():
    period = np.repeat([0, 1, 2], 6)
    rng = np.random.default_rng(1)
    pairs = PairedBlocks(
        period, rng.binomial(30, 0.1, 18) * 1.0, rng.binomial(30, 0.12, 18) * 1.0, np.zeros(18), np.full(18, 30.0)
    )
    weights = np.array([[0.6, 0.3, 0.1], [1 / 3] * 3, [0.1, 0.3, 0.6], [0.0, 0.0, 1.0]])
    level = simultaneous_level(pairs, [0, 1, 2], weights, level=0.95)
    assert 0.95 < level < 1 - 0.05 / 4
    for row, cell in zip(weights, mapped_differences(pairs, [0, 1, 2], weights), strict=True):
        value, single = policy_difference(pairs, [0, 1, 2], row)
        assert cell.value == value
        assert cell.interval.low < single.low < single.high < cell.interval.high
        assert cell.interval.level == 0.95
    assert simultaneous_level(pairs, [0, 1, 2], weights[:1], level=0.95) == 0.95
