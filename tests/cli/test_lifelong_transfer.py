"""Forgetting and transfer from the command line: intervals, references, the picture."""

import json

import pytest

from justesse.cli.main import main


def table(path, versions, *, ids=True, days=2, label="cat"):
    """Write items of three periods; `versions` gives the number of errors of each version in each period, of 20."""
    lines = [f"version,time,{'id,' if ids else ''}label,prediction"]
    for version, wrong in versions.items():
        for period, errors in enumerate(wrong, start=1):
            for item in range(20):
                name = f"{period}-{item}," if ids else ""
                time = f"2024-{period:02}-{5 + item % days:02}"
                lines.append(f"{version},{time},{name}{label},{'dog' if item < errors else label}")
    path.write_text("\n".join(lines) + "\n")
    return path


SYSTEM = {"v1": (1, 9, 9), "v2": (4, 2, 9), "v3": (8, 6, 2)}


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def answers(tmp_path):
    return table(tmp_path / "answers.csv", SYSTEM)


def figures(out):
    return {(figure["name"], figure["source"]): figure for figure in json.loads(out)["transfer"]}


def test_every_figure_has_an_interval(answers, capsys):
    code, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--json")
    assert code == 0
    parts = figures(out)
    forgetting = parts["forgetting", "Avalanche"]
    assert forgetting["value"] == pytest.approx((7 + 4) / 2 / 20)
    assert forgetting["interval"]["low"] < forgetting["value"] < forgetting["interval"]["high"]
    assert forgetting["interval"]["method"] == "mover-paired-blocks"
    assert parts["forgetting", "Chaudhry et al. (2018)"]["interval"]["method"] == "best-of-versions"
    assert {key[0] for key, figure in parts.items() if figure["undefined"]} == {"forward transfer", "intransigence"}
    memory = json.loads(out)["forgetting"]
    assert [part["period"] for part in memory] == ["2024-01", "2024-02"]
    assert (memory[0]["learnt"]["value"], memory[0]["latest"]["value"]) == (0.05, 0.4)


def test_references(answers, tmp_path, capsys):
    joint = table(tmp_path / "joint.csv", {"v1": (1, 1, 1), "v2": (1, 1, 1), "v3": (1, 1, 0)})
    blank = table(tmp_path / "blank.csv", {"none": (10, 10, 10)})
    _, out, _ = run(
        capsys, "lifelong", "score", answers, "--period", "month", "--joint", joint, "--untrained", blank, "--json"
    )
    parts = figures(out)
    assert parts["intransigence", "Chaudhry et al. (2018), last period"]["value"] == pytest.approx(0.1)
    assert parts["intransigence", "Chaudhry et al. (2018), mean over periods"]["value"] == pytest.approx(0.15 / 3)
    assert parts["forward transfer", "GEM, paper"]["value"] == pytest.approx((0.55 - 0.5 + 0.55 - 0.5) / 2)
    assert parts["forward transfer", "GEM, paper"]["interval"]


@pytest.mark.parametrize(
    ("option", "versions", "words"),
    [
        ("--untrained", {"a": (1, 1, 1), "b": (1, 1, 1)}, "has 2 versions. Keep one"),
        ("--joint", {"v1": (1, 1, 1), "v2": (1, 1, 1)}, "has no version 'v3'"),
    ],
)
def test_references_that_do_not_fit_are_refused(answers, tmp_path, capsys, option, versions, words):
    other = table(tmp_path / "other.csv", versions)
    code, _, err = run(capsys, "lifelong", "score", answers, "--period", "month", option, other)
    assert (code, words in " ".join(err.split())) == (2, True)


def test_references_at_other_times_are_refused(answers, tmp_path, capsys):
    other = table(tmp_path / "other.csv", {"a": (1, 1, 1)}, days=3)
    code, _, err = run(capsys, "lifelong", "score", answers, "--period", "month", "--joint", other)
    assert code == 2
    assert "has items at times that" in err


def test_without_ids_and_days_independence_is_stated(tmp_path, capsys):
    answers = table(tmp_path / "answers.csv", SYSTEM, ids=False, days=1)
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--full")
    assert "versions count as independent there" in " ".join(out.split())
    answers = table(tmp_path / "answers.csv", SYSTEM, days=1)
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--full")
    assert "independent there" not in " ".join(out.split())


def test_the_page_shows_what_was_forgotten(answers, tmp_path, capsys):
    page = tmp_path / "page.html"
    run(capsys, "lifelong", "score", answers, "--period", "month", "--report", page)
    text = page.read_text()
    assert "Error of each period: just after it was learnt, and now" in text
    assert "2024-01 5.0% then, 40.0% now; 2024-02 10.0% then, 30.0% now." in text


def test_bounds_of_wrong_labels_with_rows_left_out(answers, capsys):
    """Options about wrong labels read the same rows as the scores."""
    lines = answers.read_text().splitlines()
    answers.write_text("\n".join([*lines[:-1], lines[-1].replace(",cat,cat", ",,cat")]) + "\n")
    code, out, _ = run(
        capsys, "lifelong", "score", answers, "--period", "month", "--missing-labels", "drop", "--noise-rate", "3%", "--json"
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["label_noise"]["score"][2]["n"] == 59


def test_why_there_are_no_figures_is_stated(tmp_path, capsys):
    path = tmp_path / "three.csv"
    rows = [f"v{i},{time},{time}-{item},a,a" for i in range(3) for time in (1, 2) for item in range(4)]
    path.write_text("\n".join(["version,time,id,label,prediction", *rows]) + "\n")
    assert main(["lifelong", "score", str(path), "--period", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["transfer"] == []
    assert data["transfer_undefined"].endswith("got 3 versions and 2 periods")
    assert main(["lifelong", "score", str(path), "--period", "1", "--full"]) == 0
    assert "Figures not computed: forgetting and transfer need as many versions as" in " ".join(
        capsys.readouterr().out.split()
    )
