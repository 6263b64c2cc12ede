"""`justesse lifelong prequential` from the command line."""

import gzip
import json
import os
from pathlib import Path

import pytest

import justesse
from justesse.cli.main import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, " ".join(shown.err.split())


def evaluated(capsys, path, *options):
    code, out, err = run(capsys, "lifelong", "prequential", path, *options, "--json")
    return json.loads(out) if code == 0 else err


@pytest.fixture
def stream(tmp_path):
    """Half a year of ten items a day whose labels last for five items; every seventh answer is wrong."""
    lines = ["time,label,prediction"]
    for item in range(1200):
        month, day = item // 200 + 1, item % 200 // 10 + 1
        label = "up" if item // 5 % 2 else "down"
        answer = label if item % 7 else "up" if label == "down" else "down"
        lines.append(f"2024-{month:02}-{day:02},{label},{answer}")
    path = tmp_path / "stream.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_figures_of_a_stream(stream, capsys):
    data = evaluated(capsys, stream, "--period", "month")
    assert data["error"]["value"] == pytest.approx(172 / 1200)
    assert data["baselines"]["no_change"]["value"] == pytest.approx(239 / 1199)
    assert data["kappa_temporal"]["value"] == pytest.approx(1 - 171 / 239)
    assert data["beats_no_change"] is True
    assert [period["name"] for period in data["periods"]] == [f"2024-0{month}" for month in range(1, 7)]
    assert len(data["curve"]["time"]) == len(data["curve"]["low"]) == 200
    assert data["fading"] == 0.999
    assert "same time" in data["warnings"][0]


def test_rows_in_any_order_give_the_same_if_times_differ(tmp_path, capsys):
    rows = [f"{at},{'a' if at // 3 % 2 else 'b'},{'a' if at % 4 else 'b'}" for at in range(90)]
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("time,label,prediction\n" + "\n".join(rows) + "\n")
    second.write_text("time,label,prediction\n" + "\n".join(reversed(rows)) + "\n")
    assert evaluated(capsys, first) == evaluated(capsys, second)


def test_a_delay_leaves_the_error_and_changes_the_baseline(stream, capsys):
    now, late = evaluated(capsys, stream), evaluated(capsys, stream, "--delay", "4")
    assert now["error"] == late["error"]
    assert late["baselines"]["no_change"]["value"] == pytest.approx(1.0)  # five items later the label has changed
    assert late["delay"] == 4


def test_known_times_do_what_a_delay_does(tmp_path, capsys):
    lines = [f"{at},{at + 2},{'a' if at // 3 % 2 else 'b'},a" for at in range(60)]
    path = tmp_path / "known.csv"
    path.write_text("time,seen,label,prediction\n" + "\n".join(lines) + "\n")
    by_time, by_delay = (evaluated(capsys, path, *options) for options in (["--known", "seen"], ["--delay", "2"]))
    assert by_time["baselines"] == by_delay["baselines"]
    assert by_time["curve"]["no_change"] == by_delay["curve"]["no_change"]


def test_labels_not_known_yet_are_left_out(tmp_path, capsys):
    path = tmp_path / "pending.csv"
    path.write_text("time,seen,label,prediction\n1,2,a,a\n2,3,b,a\n3,,,a\n")
    data = evaluated(capsys, path, "--known", "seen")
    assert (data["error"]["n"], data["left_out"]["pending"]) == (2, 1)
    assert "1 item is left out: the label is not known yet." in data["warnings"]


def test_each_item_counts_as_the_latest_version_trained_before_it_answered(tmp_path, capsys):
    rows = ["id,version,trained,time,label,prediction"]
    for version, trained in (("v1", 0), ("v2", 10), ("v3", 20)):
        rows += [f"{item},{version},{trained},{item},x,{version}" for item in range(30)]
    path = tmp_path / "versions.csv"
    path.write_text("\n".join(rows) + "\n")
    data = evaluated(capsys, path, "--version", "version", "--trained", "trained")
    # item 0 was there when v1 was trained; v1 answers items 1 to 10, v2 11 to 20, v3 21 to 29
    assert data["left_out"] == {"pending": 0, "missing": 0, "untrained": 1, "superseded": 19 + 9}
    assert data["error"]["n"] == 29
    frame = justesse.lifelong_prequential(str(path), version="version", trained="trained")
    assert frame.warnings[0] == "1 item is left out: no version was trained before."


def test_missing_answers_follow_the_options(tmp_path, capsys):
    path = tmp_path / "gaps.csv"
    path.write_text("time,label,prediction\n1,a,a\n2,b,\n3,,a\n4,a,a\n")
    err = evaluated(capsys, path)
    assert "--missing-labels drop" in err
    data = evaluated(capsys, path, "--missing", "wrong", "--missing-labels", "drop")
    assert (data["error"]["value"], data["error"]["n"], data["left_out"]["missing"]) == (pytest.approx(1 / 3), 3, 1)
    data = evaluated(capsys, path, "--missing", "drop")
    assert (data["error"]["value"], data["error"]["n"]) == (0, 2)


HEAD = "time,label,prediction\n"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEAD, [], "No rows"),
        (HEAD + "soon,x,x\n", [], "cannot be read as times: 'soon'"),
        (HEAD + "1,x,x\n,x,x\n", [], "has no time in row 2"),
        (HEAD + "2024-01-01T10:00,x,x\n2024-01-02T10:00+02:00,x,x\n", [], "with and without a time zone"),
        (
            "time,seen,label,prediction\n2024-01-01T10:00Z,2024-01-01T11:00,x,x\n",
            ["--known", "seen"],
            "those in 'seen' have none. Write both with their zone",
        ),
        (HEAD + "1,x,x\n", ["--fading", "2"], "above 0 and at most 1"),
        (HEAD + "1,x,x\n", ["--window", "0"], "1 or more"),
        (HEAD + "1,x,x\n", ["--window", "5", "--fading", "0.9"], "not both"),
        (HEAD + "1,x,x\n", ["--delay", "-1"], "0 or more"),
        (HEAD + "1,x,x\n", ["--delay", "1", "--known", "time"], "not both"),
        (HEAD + "1,x,x\n", ["--version", "label"], "add --trained"),
        (HEAD + "1,x,x\n", ["--version", "label", "--trained", "time"], "'id' not found"),
        (HEAD + "1,x,x\n", ["--known", "seen"], "'seen' not found"),
        ("time,seen,label,prediction\n2,1,x,x\n", ["--known", "seen"], "known before the time of the item"),
        ("time,seen,label,prediction\n2,,x,x\n", ["--known", "seen"], "has a label but no time"),
        (
            "time,seen,label,prediction\n2024-01-01,3,x,x\n",
            ["--known", "seen"],
            "must all contain dates, or all numbers",
        ),
        (
            "id,version,trained,time,label,prediction\n1,a,0,1,x,x\n1,a,0,1,x,y\n",
            ["--version", "version", "--trained", "trained"],
            "version 'a' answers item '1' twice",
        ),
        (
            "id,version,trained,time,label,prediction\n1,a,0,1,x,x\n2,a,1,3,x,y\n",
            ["--version", "version", "--trained", "trained"],
            "more than one time of training",
        ),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(tmp_path, capsys, text, options, words):
    path = tmp_path / "stream.csv"
    path.write_text(text)
    code, out, err = run(capsys, "lifelong", "prequential", path, *options)
    assert (code, out) == (2, "")
    assert words in err


def test_data_frames_with_real_dates(stream):
    import pandas as pd

    frame = pd.read_csv(stream, parse_dates=["time"])
    assert justesse.lifelong_prequential(frame).to_dict() == justesse.lifelong_prequential(str(stream)).to_dict()


@pytest.mark.skipif("JUSTESSE_DATA" not in os.environ, reason="real data")
def test_no_change_is_right_85_percent_of_the_time_on_elec2(tmp_path, capsys):
    path = tmp_path / "elec2.csv"
    with gzip.open(Path(os.environ["JUSTESSE_DATA"]) / "lifelong/elec2_dated.csv.gz") as stream:
        path.write_bytes(stream.read())
    data = evaluated(capsys, path, "--time", "day_index", "--label", "up", "--prediction", "day", "--as-text")
    assert data["baselines"]["no_change"]["value"] == pytest.approx(0.1467, abs=5e-5)
    assert data["baselines"]["majority"]["value"] == pytest.approx(0.4245, abs=5e-4)
