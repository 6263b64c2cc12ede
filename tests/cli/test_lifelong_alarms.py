"""`justesse lifelong alarms`: by hand, by brute force, and with bad input."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from justesse.cli.main import main
from justesse.lifelong.drift_alarms import alarm_figures, match_alarms


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, " ".join(shown.err.split())


@pytest.fixture
def tables(tmp_path):
    alarms, changes = tmp_path / "alarms.csv", tmp_path / "changes.csv"
    alarms.write_text("time,name\n2024-01-20,a\n2024-02-03,a\n2024-02-05,a\n2024-06-30,a\n2024-05-02,b\n")
    changes.write_text("date\n2024-02-01\n2024-05-01\n")
    return alarms, changes


def test_alarms_by_hand(tables, capsys):
    alarms, changes = tables
    changes.write_text(changes.read_text().replace("date", "time"))
    words = ["lifelong", "alarms", alarms, "--changes", changes, "--max-delay", "30", "--detector", "name"]
    code, out, _ = run(capsys, *words, "--start", "2024-01-01", "--end", "2024-12-31", "--json")
    data = json.loads(out)
    first, second = data["detectors"]
    assert code == 0
    # a: 2024-02-03 finds the first change, 02-05 repeats, 01-20 and 06-30 are false, the second change is missed
    assert (first["name"], first["detected"]["value"], first["missed"]) == ("a", 0.5, ["2024-05-01"])
    assert (first["delay"]["value"], first["false"], first["repeated"]) == (2, 2, 1)
    assert first["between_false"]["value"] == pytest.approx((365 - 60) / 2)
    assert first["ratio"] == pytest.approx(152.5 / 2 * 0.5)
    assert (second["false"], second["delay"]["value"], second["between_false"]["value"]) == (0, 1, None)
    assert second["between_false"]["undefined"] == "there is no false alarm"
    assert data["warnings"] == []


def test_garwood_by_tables():
    """Three events: 0.6187 to 8.7673 expected (Garwood 1936)."""
    figures = alarm_figures(match_alarms([1, 2, 3], [50], max_delay=10, start=0, end=70))
    interval = figures["between_false"].interval
    assert (60 / interval.low, 60 / interval.high) == (pytest.approx(8.7673, abs=1e-4), pytest.approx(0.6187, abs=1e-4))


@given(
    st.lists(st.integers(0, 60), max_size=15), st.lists(st.integers(0, 60), min_size=1, max_size=6), st.integers(1, 20)
)
def test_matches_by_brute_force(alarms, changes, late):
    matches = match_alarms(alarms, changes, max_delay=late, start=0, end=60)
    truths = sorted(set(changes))
    used, false = {}, []
    for alarm in sorted(alarms):
        before = [change for change in truths if change <= alarm]
        if before and alarm - before[-1] <= late:
            used.setdefault(before[-1], []).append(alarm)
        else:
            false.append(alarm)
    firsts = [used[change][0] if change in used else math.nan for change in truths]
    assert matches.found_at.tolist() == pytest.approx(firsts, nan_ok=True)
    assert matches.false.tolist() == false
    assert matches.repeated == len(alarms) - len(false) - len(used)
    covered = np.zeros(6000, dtype=bool)
    for change in truths:
        covered[change * 100 : min((change + late) * 100, 6000)] = True
    assert matches.exposure == pytest.approx(60 - covered.sum() / 100)


def test_no_alarm_at_all_is_an_answer(tables, capsys):
    alarms, changes = tables
    alarms.write_text("date\n")
    _, out, _ = run(capsys, "lifelong", "alarms", alarms, "--changes", changes, "--max-delay", "30", "--json")
    data = json.loads(out)
    assert data["detectors"][0]["detected"]["value"] == 0
    assert data["detectors"][0]["delay"]["undefined"] == "no change was detected"
    assert "--start" in data["warnings"][0]


@pytest.mark.parametrize(
    ("alarms", "changes", "options", "words"),
    [
        ("time\n5\n", "time\n", [], "has no change"),
        ("time\n5\n", "time\n2024-01-01\n", [], "must both contain dates, or both numbers"),
        ("time\nsoon\n", "time\n5\n", [], "cannot be read as times: 'soon'"),
        ("when\n5\n", "time\n5\n", [], "No time column found"),
        ("time\n5\n", "time\n5\n", ["--start", "0", "--end", "3"], "outside the time watched"),
        ("time\n5\n", "time\n5\n", ["--start", "2024-01-01"], "start must be a number"),
        ("time\n5\n", "time\n5\n", ["--detector", "who"], "'who' not found"),
        ("time\n5\n", "time\n5\n", ["--max-delay", "0"], "above 0"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(tmp_path, capsys, alarms, changes, options, words):
    paths = tmp_path / "a.csv", tmp_path / "c.csv"
    for path, text in zip(paths, (alarms, changes), strict=True):
        path.write_text(text)
    late = [] if "--max-delay" in options else ["--max-delay", "2"]
    code, _, err = run(capsys, "lifelong", "alarms", paths[0], "--changes", paths[1], *late, *options)
    assert code == 2
    assert words in err
