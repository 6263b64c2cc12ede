"""`justesse lifelong score` of given scores, and of scores penalised for an expert's help."""

import json

import numpy as np
import pytest

from justesse.cli.main import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def scored(capsys, path, *options):
    code, out, err = run(capsys, "lifelong", "score", path, *options, "--json")
    return json.loads(out) if code == 0 else (code, " ".join(err.split()))


@pytest.fixture
def given(tmp_path):
    path = tmp_path / "f1.csv"
    path.write_text("version,time,f1\nv1,1,0.8\nv1,2,0.6\nv2,1,0.7\nv2,2,0.9\n")
    return path


def test_given_scores(given, capsys):
    data = scored(capsys, given, "--score", "f1", "--higher-is-better", "--policy", "recent")
    assert (data["scored"], data["higher_is_better"], data["n"], data["label_noise"]) == ("given", True, [], None)
    assert data["matrix"] == [[0.8, 0.6], [0.7, 0.9]]
    last = data["score"][1]
    assert last["value"] == pytest.approx((0.7 + 2 * 0.9) / 3)
    assert last["interval"] is None
    assert "without the number of items" in last["undefined"]
    forgetting = [
        row["value"] for row in data["transfer"] if (row["name"], row["source"]) == ("forgetting", "Avalanche")
    ]
    assert forgetting == [pytest.approx(0.1)]
    code, out, _ = run(capsys, "lifelong", "score", given, "--score", "f1", "--higher-is-better")
    assert code == 0
    assert out.startswith("Score of version v2 under the policy uniform: 0.8000.")


def test_errors_may_have_any_size_and_cells_may_be_missing(tmp_path, capsys):
    path = tmp_path / "loss.csv"
    path.write_text("version,time,loss\nv1,1,12\nv1,2,\nv2,1,14.5\nv2,2,3\n")
    data = scored(capsys, path, "--score", "loss")
    assert data["matrix"] == [[12, None], [14.5, 3]]
    assert data["transfer"] == []  # lower is better: no figure of transfer is defined for it
    assert data["transfer_undefined"] == "forgetting and transfer need scores of which higher is better"
    assert data["score"][1]["value"] == pytest.approx(17.5 / 2)


def test_the_page_of_given_scores(given, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(capsys, "lifelong", "score", given, "--score", "f1", "--higher-is-better", "--report", page)[0] == 0
    assert "Score of every version in every period" in page.read_text()


@pytest.fixture
def helped(tmp_path):
    """Two versions in two months of two days; items touched and wrong, drawn at random."""
    rng = np.random.default_rng(5)
    lines = ["version,time,label,prediction,base,touched"]
    for version in ("v1", "v2"):
        for month in ("01", "02"):
            for item in range(60):
                after, before, asked = rng.random(3) < (0.1, 0.4, 0.15)
                day = "05" if item % 3 else "06"
                lines.append(
                    f"{version},2024-{month}-{day},cat,{'dog' if after else 'cat'},{'dog' if before else 'cat'},{int(asked)}"
                )
    path = tmp_path / "helped.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def by_hand(path):
    """Penalised error and gain of each version and month, row by row."""
    cells = {}
    for line in path.read_text().splitlines()[1:]:
        version, time, label, after, before, asked = line.split(",")
        cell = cells.setdefault((version, time[:7]), [])
        cell.append(((after != label) + int(asked), before != label))
    return {key: np.mean(rows, axis=0) for key, rows in cells.items()}


def test_penalised_scores_under_a_policy(helped, capsys):
    data = scored(capsys, helped, "--period", "month", "--policy", "recent", "--touched", "touched", "--before", "base")
    cells = by_hand(helped)
    expected = [[cells[version, month][0] for month in ("2024-01", "2024-02")] for version in ("v1", "v2")]
    assert data["scored"] == "penalised"
    assert np.array(data["matrix"]) == pytest.approx(np.array(expected))
    last = data["score"][1]
    assert last["value"] == pytest.approx((expected[1][0] + 2 * expected[1][1]) / 3)
    assert last["interval"]["low"] < last["value"] < last["interval"]["high"]
    gain = (cells["v2", "2024-01"][1] + 2 * cells["v2", "2024-02"][1]) / 3 - last["value"]
    assert data["gain"][1]["value"] == pytest.approx(gain)
    assert data["gain"][1]["interval"]["low"] < gain < data["gain"][1]["interval"]["high"]
    code, out, _ = run(
        capsys, "lifelong", "score", helped, "--period", "month", "--touched", "touched", "--before", "base"
    )
    assert code == 0
    assert out.startswith("Penalised error of version v2 under the policy uniform:")
    assert "Gain by generalisation:" in " ".join(out.split())


def test_without_help_penalised_scores_are_error_rates(helped, capsys):
    lines = helped.read_text().splitlines()
    helped.write_text("\n".join([lines[0], *(line[:-1] + "0" for line in lines[1:])]) + "\n")
    plain = scored(capsys, helped, "--period", "month")
    penalised = scored(capsys, helped, "--period", "month", "--touched", "touched")
    assert penalised["matrix"] == plain["matrix"]
    assert penalised["gain"] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--score", "f1", "--label", "f1"], "Given scores (--score) have no labels"),
        (["--higher-is-better"], "belongs to given scores"),
        (["--before", "f1"], "needs the column of touched items"),
        (["--touched", "time", "--noise-rate", "3%"], "Wrong labels are not bounded for penalised scores"),
        (["--score", "f2"], "'f2' not found"),
        (["--score", "version"], "row 1: column 'version' must contain a finite number, or nothing; got "),
    ],
)
def test_options_that_do_not_go_together(given, capsys, options, words):
    code, message = scored(capsys, given, *options)
    assert code == 2
    assert words in message


def test_two_scores_of_a_cell_are_refused(given, capsys):
    given.write_text(given.read_text() + "v1,1,0.5\n")
    assert "several scores of version 'v1' at '1'" in scored(capsys, given, "--score", "f1")[1]


def test_what_is_not_yes_or_no_is_refused(helped, capsys):
    helped.write_text(helped.read_text() + "v1,2024-01-05,cat,cat,cat,perhaps\n")
    assert "column 'touched' must contain yes or no" in scored(capsys, helped, "--touched", "touched")[1]
