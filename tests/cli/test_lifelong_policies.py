"""`justesse lifelong policies`: sentences, pictures, and a table of weights that is the same policy."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import justesse
from justesse.charts.policy_presets import weight_bars
from justesse.cli.main import main
from justesse.lifelong.policy import Policy
from justesse.verbs.lifelong.policies import PRESETS


def run(capsys, *words):
    code = main(["lifelong", "policies", *(str(word) for word in words)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_every_preset_has_a_sentence_and_a_picture(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    for preset, picture in zip(PRESETS, ["▁▁▁▁▁▂▄█", "████████", "█▄▂▁▁▁▁▁", "▄·▄█▄·▄█", "·····███"], strict=True):
        line = next(line for line in out.splitlines() if line.startswith(preset))
        assert picture in line
        assert Policy.parse(preset).words in " ".join(out.split())
    data = json.loads(run(capsys, "--json")[1])
    assert [entry["policy"] for entry in data["policies"]] == list(PRESETS)
    assert {"recent", "uniform", "past", "cyclic", "window"} == {e["name"] for e in data["policies"]}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_written_table_is_the_same_policy(tmp_path, capsys, preset):
    path = tmp_path / "weights.csv"
    dates = tmp_path / "items.csv"
    dates.write_text("date\n" + "".join(f"2024-{month:02}-0{day}\n" for month in range(1, 10) for day in (1, 5)))
    code, out, _ = run(capsys, dates, "--period", "month", "--policies", preset, "--to", path)
    assert code == 0
    assert f"Written: {path}" in out
    names = [f"2024-{month:02}" for month in range(1, 10)]
    table = justesse.lifelong_policies(policies=[str(path)])
    assert table.periods == tuple(names)
    direct = Policy.parse(preset).weights(names)
    assert table.policies[0].weights == pytest.approx(direct)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=40).filter(lambda weights: max(weights) > 0.01))
def test_bars_show_the_order_of_weights(weights):
    bars = weight_bars(weights)
    assert len(bars) == len(weights)
    height = ["·▁▂▃▄▅▆▇█".index(bar) for bar in bars]
    assert max(height) == 8
    for low, high in pairwise(weights):
        places = [height[weights.index(low)], height[weights.index(high)]]
        assert (low <= high) <= (places[0] <= places[1])
    assert all((weight == 0) == (bar == "·") for weight, bar in zip(weights, bars, strict=True))


@given(st.sampled_from(PRESETS), st.integers(3, 30))
def test_weights_add_up_to_1(preset, periods):
    listed = justesse.lifelong_policies(policies=[preset], periods=periods)
    assert np.sum(listed.policies[0].weights) == pytest.approx(1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--policies", "sometimes"], "A policy is recent, uniform, past"),
        (["--to", "w.csv"], "A file of weights is of one policy; 5 are listed"),
        (["--to", "w.txt", "--policies", "past"], "must end in"),
        (["--periods", "0"], "a number from 1 to 1000"),
        (["--period", "month"], "need a table with times"),
        (["no.csv"], "not found"),
        (["--half-life", "3", "--policies", "uniform"], "belongs to the policies recent and past"),
        (["items.csv", "--periods", "3"], "without a table"),
        (["items.csv", "--time", "when"], "'when' not found"),
        (["--policies", "negative.csv"], "row 2: the weight of period 'b' must be a number of 0 or more; got '-1'."),
        (["--policies", "gap.csv"], "row 1: the weight of period 'a' must be a number of 0 or more; got nothing."),
        (["--policies", "empty.csv"], "No rows in empty.csv"),
    ],
)
def test_bad_input_exits_with_2(tmp_path, capsys, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text("date\n2024-01-01\n2024-02-01\n")
    (tmp_path / "negative.csv").write_text("period,weight\na,1\nb,-1\n")
    (tmp_path / "gap.csv").write_text("period,weight\na,\nb,1\n")
    (tmp_path / "empty.csv").write_text("period,weight\n")
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())
    assert not (tmp_path / "w.csv").exists()


def test_dates_and_weights_are_a_policy(tmp_path):
    table = tmp_path / "weights.csv"
    table.write_text("date,weight\n2024-01-01,1\n2024-02-01,3\n")
    assert justesse.lifelong_policies(policies=[str(table)]).policies[0].weights == (0.25, 0.75)
