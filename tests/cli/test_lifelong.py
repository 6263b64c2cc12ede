"""`justesse lifelong` from the command line."""

import json

import numpy as np
import pytest

from justesse import lifelong_score
from justesse.cli.main import main


@pytest.fixture
def answers(tmp_path):
    """Three versions, each trained just before a month, tested on ten items of two days of three months."""
    lines = ["version,time,label,prediction"]
    for version, wrong in (("v1", (1, 3, 4)), ("v2", (2, 1, 3)), ("v10", (3, 2, 1))):
        for month, errors in zip(("01", "02", "03"), wrong, strict=True):
            for item in range(20):
                day = "05" if item % 2 else "06"
                lines.append(f"{version},2024-{month}-{day},cat,{'dog' if item < 2 * errors else 'cat'}")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_scores_of_a_table(answers, capsys):
    code, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", "recent", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["versions"] == ["v1", "v2", "v10"]  # v10 after v2
    assert data["periods"] == ["2024-01", "2024-02", "2024-03"]
    assert data["matrix"] == [[0.1, 0.3, 0.4], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]]
    assert data["policy"]["weights"] == pytest.approx({"2024-01": 1 / 7, "2024-02": 2 / 7, "2024-03": 4 / 7})
    last = data["score"][2]
    assert last["value"] == pytest.approx((0.3 + 2 * 0.2 + 4 * 0.1) / 7)
    assert last["interval"]["low"] < last["value"] < last["interval"]["high"]
    assert last["n"] == 60


def test_the_papers_convention_gives_null_with_a_reason(answers, capsys):
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--convention", "paper", "--json")
    first = json.loads(out)["score"][0]
    assert (first["value"], first["interval"]) == (None, None)
    assert "no test period" in first["undefined"]


def test_a_table_of_weights(answers, tmp_path, capsys):
    weights = tmp_path / "weights.csv"
    weights.write_text("period,weight\n2024-01,0\n2024-02,1\n2024-03,1\n")
    code, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", weights, "--json")
    first, second, _ = json.loads(out)["score"]
    assert (code, first["value"]) == (0, None)  # the first version has seen only January, which does not matter
    assert first["undefined"] == "the policy gives weight 0 to all periods that count for this version"
    assert second["value"] == pytest.approx(0.1)
    weights.write_text("period,weight\n2024-01,0\n2024-02,1\n2024-03,1\n2024-30,9\n")
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", weights, "--json")
    warning = "1 period of the policy's table is not in the data, such as '2024-30': its weight has no effect."
    assert warning in json.loads(out)["warnings"]
    weights.write_text("period,weight\n2024-01,0\n2024-02,0\n2024-03,0\n")
    code, out, err = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", weights)
    assert (code, out) == (2, "")
    assert "gives weight 0 to all periods seen ('2024-01', '2024-02', '2024-03')" in " ".join(err.split())
    weights.write_text("period,weight\n2024-01,1\n2024-02,1\n2024-03,2\n")
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", weights, "--json")
    assert json.loads(out)["score"][2]["value"] == pytest.approx((0.3 + 0.2 + 2 * 0.1) / 4)


def test_the_weights_beside_the_scores_are_printed(answers, capsys):
    _, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", "recent", "--full")
    start = out.index("Weight of each period under the policy recent, version v10")
    lines = [line.split() for line in out[start:].splitlines()[3:6]]
    assert lines == [
        ["2024-01", "14.3", "%", "30.0", "%", "4.3", "%"],
        ["2024-02", "28.6", "%", "20.0", "%", "5.7", "%"],
        ["2024-03", "57.1", "%", "10.0", "%", "5.7", "%"],
    ]


def test_scores_in_percent_among_shares_are_mentioned(tmp_path, capsys):
    table = tmp_path / "f1.csv"

    def warnings(last):
        table.write_text(f"version,time,f1\nv1,1,0.8\nv1,2,0.6\nv2,1,0.7\nv2,2,{last}\n")
        _, out, _ = run(capsys, "lifelong", "score", table, "--score", "f1", "--higher-is-better", "--json")
        return [line for line in json.loads(out)["warnings"] if "outside" in line]

    assert warnings(83) == ["1 of 4 scores is outside 0 to 1, such as 83. If scores are shares, write 80 % as 0.8."]
    assert warnings(0.83) == []


def test_claims_under_a_policy_are_about_error_or_accuracy(answers, capsys):
    for claim in ("forgetting<=0.2", "macro-f1>=0.2", "nonsense"):
        code, _, err = run(capsys, "lifelong", "score", answers, "--claim", claim)
        assert code == 2
        assert "such as error<=0.2 or accuracy>=0.9" in " ".join(err.split())


def test_the_words_name_the_last_version_and_the_policy(answers, capsys):
    code, out, _ = run(capsys, "lifelong", "score", answers, "--period", "month", "--policy", "past")
    assert code == 0
    assert out.startswith("Error of version v10 under the policy past: 24.3 %")
    assert "compare systems at the same version" in " ".join(out.split())


def test_penalise(capsys):
    code, out, _ = run(capsys, "lifelong", "penalise", "--adapt", "0.2", "--false", "0.3", "--cor", "0.1", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["penalised"], data["gain"]) == (pytest.approx(0.4), None)
    code, out, _ = run(
        capsys, "lifelong", "penalise", "--adapt", "0.2", "--false", "0.3", "--cor", "0.1", "--base", "0.5"
    )
    assert out.startswith("Penalised score 0.4000: 0.2000 after adaptation, plus 0.2000 for the expert's help.")
    assert "gain of 0.1000" in out.replace("\n", " ")


HEAD = "version,time,label,prediction\n"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEAD + "a,soon,x,x\n", [], "cannot be read as times: 'soon'"),
        (HEAD + "a,2024-01-01T10:00,x,x\na,2024-01-02T10:00+02:00,x,x\n", [], "with and without a time zone"),
        (
            "version,time,label,prediction,trained\na,2024-01-01T10:00Z,x,x,2024-01-01T09:00\n",
            ["--trained", "trained"],
            "Times in column 'time' of",
        ),
        (HEAD + "a,1,x,x\na,,x,x\n", [], "'time' of"),
        (HEAD + "a,1,x,x\nb,1,x,y\nc,1,x,x\n", [], "it is not clear when each was trained"),
        (HEAD + "".join(f"a,{at},x,x\n" for at in range(70)), [], "Say how many units of time make a period"),
        (HEAD + "a,2024-01-01,x,x\n", ["--period", "decade"], "a period is one of day, week"),
        (HEAD + "a,1,x,x\n", ["--policy", "latest"], "A policy is recent, uniform, past"),
        (HEAD + "a,1,x,x\n", ["--policy", "cyclic:0"], "at least 2, such as cyclic:4; got 0."),
        (HEAD + "a,1,x,x\n", ["--trained", "when"], "'when' not found"),
        ("version,when,label,prediction\na,1,x,x\n", [], "No time column found"),
        (
            "version,time,label,prediction,trained\na,1,x,x,0\na,2,x,x,1\n",
            ["--trained", "trained"],
            "more than one time",
        ),
        (HEAD, [], "No rows"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(tmp_path, capsys, text, options, words):
    path = tmp_path / "answers.csv"
    path.write_text(text)
    code, out, err = run(capsys, "lifelong", "score", path, *options)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())


def test_trainings_make_the_periods(tmp_path, capsys):
    rows = ["version,trained,time,label,prediction"]
    for version, trained in (("a", 0), ("b", 10)):
        rows += [f"{version},{trained},{at},x,{'x' if at < 11 or version == 'b' else 'y'}" for at in (1, 2, 11, 12)]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(rows) + "\n")
    _, out, _ = run(capsys, "lifelong", "score", path, "--trained", "trained", "--json")
    data = json.loads(out)
    assert data["periods"] == ["1", "11"]
    assert data["matrix"] == [[0, 1], [0, 0]]
    assert data["chronology"] == ["1 test period comes after the last training."]


@pytest.fixture
def two_systems(tmp_path):
    """Two systems on the same 50 items of each of two months: the first better in January, the second in February."""
    paths = []
    for name, wrong in (("old", (5, 15)), ("new", (10, 4))):
        lines = ["id,version,time,label,prediction"]
        for month, errors in zip(("01", "02"), wrong, strict=True):
            lines += [
                f"{month}-{item},v1,2024-{month}-10,cat,{'dog' if item < errors else 'cat'}" for item in range(50)
            ]
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


def compared(capsys, systems, *options):
    code, out, err = run(capsys, "lifelong", "compare", *systems, "--period", "month", *options, "--json")
    return code, json.loads(out) if out else err


def test_two_systems_under_a_policy(two_systems, capsys):
    code, data = compared(capsys, two_systems, "--trained", "version", "--policy", "recent")
    assert code == 2  # v1 is no time
    assert "cannot be read as times: 'v1'" in " ".join(data.split())
    rows = [
        path.read_text().replace(",v1,", ",v1,2025-01-01,").replace("version,", "version,trained,")
        for path in two_systems
    ]
    for path, text in zip(two_systems, rows, strict=True):
        path.write_text(text)
    code, data = compared(capsys, two_systems, "--trained", "trained", "--policy", "recent")
    assert code == 0
    # January: 5 of 50 more errors; February: 11 of 50 fewer
    assert [period["difference"] for period in data["periods"]] == pytest.approx([-0.1, 0.22])
    assert data["difference"]["value"] == pytest.approx((-0.1 + 2 * 0.22) / 3)
    assert data["decision"] == "replace"
    # 4.4 times January, or February over 4.4: the first of both
    assert data["smallest_change"] == {"period": "2024-01", "factor": pytest.approx(2 * 0.22 / 0.1)}
    assert data["flips"] == []
    assert data["breakdown"]["count"] == 5  # February's labels move 2·(2/3)/50 each: 0.1133 / 0.02667


def test_a_flip_between_past_and_recent_is_found(two_systems, capsys):
    rows = [
        path.read_text().replace(",v1,", ",v1,2025-01-01,").replace("version,", "version,trained,")
        for path in two_systems
    ]
    for path, text in zip(two_systems, rows, strict=True):
        path.write_text(text.replace("02-10,cat,dog", "02-10,cat,cat") if "old" in path.name else text)
    _, data = compared(capsys, two_systems, "--trained", "trained", "--policy", "uniform")
    assert data["flips"] == []  # the incumbent is better in both months now
    assert data["decision"] == "keep"


def test_systems_that_cannot_be_paired_get_a_sentence(two_systems, tmp_path, capsys):
    code, err = compared(capsys, two_systems, "--on", "item")
    assert code == 2
    assert "'item' not found" in " ".join(err.split())
    code, err = compared(capsys, two_systems, "--at", "v9")
    assert code == 2
    assert "has no version 'v9'" in err
    other = tmp_path / "other.csv"
    other.write_text(two_systems[1].read_text().replace(",cat,", ",hen,"))
    code, err = compared(capsys, [two_systems[0], other])
    assert code == 2
    assert "label" in err


def test_contradicting_times_and_trainings_are_refused(two_systems, tmp_path, capsys):
    moved = tmp_path / "moved.csv"
    moved.write_text(two_systems[1].read_text().replace("2024-02-10", "2024-02-11"))
    code, err = compared(capsys, [two_systems[0], moved])
    assert code == 2
    assert "give different times to the same item, such as '2024-02-10' and '2024-02-11'" in " ".join(err.split())
    for path, day in zip(two_systems, ("2023-12-01", "2024-03-01"), strict=True):
        path.write_text(path.read_text().replace(",v1,", f",v1,{day},").replace("version,", "version,trained,"))
    code, err = compared(capsys, two_systems, "--trained", "trained")
    assert code == 2
    assert "trained at different times" in " ".join(err.split())


def test_an_item_at_the_moment_of_training_counts_as_before_it(tmp_path, capsys):
    path = tmp_path / "answers.csv"
    path.write_text("version,trained,time,label,prediction\n" + "a,3,3,x,y\na,3,4,x,x\n" * 5)
    for options in ([], ["--period", "1"]):
        _, out, _ = run(
            capsys,
            "lifelong",
            "score",
            path,
            "--trained",
            "trained",
            "--convention",
            "through-next",
            *options,
            "--json",
        )
        data = json.loads(out)
        assert data["periods"] == ["3", "4"]
        assert data["chronology"] == [
            "1 test period comes before the first training.",
            "1 test period comes after the last training.",
        ]


def test_days_of_training_go_with_times_in_a_zone(tmp_path, capsys):
    path = tmp_path / "answers.csv"
    path.write_text("version,time,label,prediction,trained\na,2024-01-02T10:00Z,x,x,2024-01-01\n")
    assert run(capsys, "lifelong", "score", path, "--trained", "trained")[0] == 0


def test_a_function_gets_the_times_of_the_periods_in_days(answers):
    met = []

    def weigh(times, last):
        met.append((times - last).tolist())
        return np.ones_like(times)

    scores = lifelong_score(answers, period="month", policy=weigh)
    assert met[-1] == [-60, -29, 0]  # from January and February to March 2024
    assert scores["v10"].value == pytest.approx(0.2)


def test_scores_without_items_have_no_n(tmp_path, capsys):
    path = tmp_path / "f1.csv"
    path.write_text("version,time,f1\nv1,1,0.8\n")
    _, out, _ = run(capsys, "lifelong", "score", path, "--score", "f1", "--higher-is-better")
    assert next(line.split()[:4] for line in out.splitlines() if line.startswith("v1 ")) == ["v1", "0.8000", "–", "–"]


def test_differences_of_periods_are_in_points(two_systems, capsys):
    _, out, _ = run(capsys, "lifelong", "compare", *two_systems, "--period", "month", "--gate", "none")
    assert "-10.0 points" in next(line for line in out.splitlines() if line.startswith("2024-01 "))
