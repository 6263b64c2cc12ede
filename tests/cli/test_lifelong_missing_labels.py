"""Missing labels from the command line."""

import json

import pytest

from justesse.cli.main import main


@pytest.fixture
def tables(tmp_path):
    """Two systems, 20 items in each of two months; every fourth label was not asked."""
    for name, wrong in (("old", 6), ("new", 2)):
        lines = ["id,version,time,label,prediction,asked"]
        for month in (1, 2):
            for item in range(20):
                label = "" if item % 4 == 3 else "cat"
                answer = "dog" if item < wrong else "cat"
                lines.append(
                    f"{month}-{item},a,2024-0{month}-0{1 + item % 5},{label},{answer},{0.5 if item < 10 else 1}"
                )
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "old.csv", tmp_path / "new.csv"


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, " ".join(shown.err.split())


def test_bounds(tables, capsys):
    code, out, _ = run(
        capsys, "lifelong", "score", tables[0], "--period", "month", "--missing-labels", "bound", "--json"
    )
    data = json.loads(out)
    assert code == 0
    gaps = data["missing_labels"]
    assert (gaps["rows"], gaps["total"], gaps["method"]) == (10, 40, "bounds")
    last = gaps["score"][0]
    assert (last["low"], last["high"]) == (pytest.approx(0.25), pytest.approx(0.5))  # 5 known errors of 20, 5 unknown
    assert data["score"][0]["interval"]["method"] == "missing-label-bounds"
    assert any("no label, and it is not known how labels were asked" in line for line in data["warnings"])
    _, out, _ = run(capsys, "lifelong", "score", tables[0], "--period", "month", "--missing-labels", "bound")
    assert "between 25.0 % and 50.0 %, whatever the 5 missing labels are" in " ".join(out.split())


def test_estimates(tables, capsys):
    code, out, _ = run(capsys, "lifelong", "score", tables[0], "--period", "month", "--probability", "asked", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["score"][0]["value"] == pytest.approx(10 / (2 * 8 + 7))  # 5 errors of 8 asked with 0.5, 7 with 1
    assert data["missing_labels"]["certain"] == 6
    assert any("asked with probability 1" in line for line in data["warnings"])


def test_comparison(tables, capsys):
    words = ("lifelong", "compare", *tables, "--period", "month", "--gate", "none", "--json")
    _, out, _ = run(capsys, *words, "--missing-labels", "bound")
    gaps = json.loads(out)["missing_labels"]
    assert (gaps["rows"], gaps["differing"]) == (5, 1)
    assert (gaps["low"], gaps["high"]) == (pytest.approx((3 - 1) / 20), pytest.approx((3 + 1) / 20))
    _, out, _ = run(capsys, *words, "--probability", "asked")
    # 6/23 is beyond what the missing labels allow: the estimate is cut at the sharp bound
    assert json.loads(out)["difference"]["value"] == pytest.approx(min(6 / 23, (3 + 1) / 20))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--missing-labels", "bound", "--noise-rate", "3%"), "not together with wrong labels"),
        (("--missing-labels", "bound", "--missing", "wrong"), "cannot count as wrong while labels are missing"),
        (("--missing-labels", "drop", "--probability", "asked"), "Leave out --missing-labels"),
        (("--probability", "id"), "must hold a probability of at least 1e-12 and at most 1"),
        (("--probability", "chance"), "Column 'chance' not found"),
    ],
)
def test_bad_input(tables, capsys, words, message):
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--period", "month", *words)
    assert code == 2
    assert message in err.replace("missing_labels (--missing-labels)", "--missing-labels")


def test_probability_too_small_to_weigh_by_is_refused(tables, capsys):
    lines = [line.split(",") for line in tables[0].read_text().splitlines()]
    at = lines[0].index("asked")
    tables[0].write_text(
        "\n".join(",".join([*row[:at], "1e-300" if n == 1 else row[at], *row[at + 1 :]]) for n, row in enumerate(lines))
    )
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--period", "month", "--probability", "asked")
    assert (code, "1 row has none, such as '1e-300'. Write how likely" in err) == (2, True)


def test_rows_left_out_are_mentioned(tables, capsys):
    _, out, _ = run(capsys, "lifelong", "score", tables[0], "--period", "month", "--missing-labels", "drop")
    assert "10 rows without a label are left out, as if they were like the others" in " ".join(out.split())


@pytest.mark.parametrize("command", [("map",), ("audit", "--to", "x.audit")])
def test_commands_without_the_option_do_not_name_it(tables, capsys, command):
    code, _, err = run(capsys, "lifelong", command[0], *tables, "--period", "month", *command[1:])
    assert code == 2
    assert "Fill them in, or remove these rows." in err
    assert "--missing" not in err


def test_period_of_weight_0_does_not_count(tables, capsys):
    words = ("lifelong", "score", tables[0], "--period", "month", "--missing-labels", "drop", "--json")
    lines = tables[0].read_text().splitlines()
    both = [*lines, *(line.replace(",a,", ",b,") for line in lines[1:])]
    tables[0].write_text("\n".join(both) + "\n")
    _, out, _ = run(capsys, *words, "--policy", "window:1")
    assert [score["n"] for score in json.loads(out)["score"]] == [15, 15]
    code, _, err = run(capsys, *words, "--policy", "window:1.5")
    assert (code, "whole number of periods, such as window:2" in err) == (2, True)


def test_claim_sets_the_exit_code(tables, capsys):
    words = ("lifelong", "score", tables[0], "--period", "month", "--missing-labels", "drop", "--claim")
    assert run(capsys, *words, "error<=0.9")[0] == 0
    code, out, _ = run(capsys, *words, "error<=0.1")
    assert (code, "exit code 1" in out) == (1, True)


def test_an_item_answered_twice_is_refused(tables, capsys):
    text = tables[0].read_text()
    tables[0].write_text(text + text.splitlines()[1] + "\n")
    code, _, err = run(capsys, "lifelong", "score", tables[0], "--period", "month", "--missing-labels", "drop")
    assert (code, "answered item '1-0' more than once" in err) == (2, True)


def test_time_zones_are_read_in_utc_and_it_is_said(tmp_path, capsys):
    table = tmp_path / "zoned.csv"
    table.write_text(
        "version,time,label,prediction\na,2024-01-31T23:30:00-05:00,x,x\na,2024-02-10T10:00:00-05:00,x,y\n"
    )
    _, out, _ = run(capsys, "lifelong", "score", table, "--period", "month", "--json")
    data = json.loads(out)
    assert data["periods"] == ["2024-02"]
    assert any("those of UTC" in line for line in data["warnings"])


def test_two_changes_at_one_time_count_once_and_it_is_said(tmp_path, capsys):
    alarms, changes = tmp_path / "alarms.csv", tmp_path / "changes.csv"
    alarms.write_text("time\n5\n")
    changes.write_text("time\n3\n3\n")
    _, out, _ = run(capsys, "lifelong", "alarms", alarms, "--changes", changes, "--max-delay", "5", "--json")
    data = json.loads(out)
    assert data["detectors"][0]["changes"] == 1
    assert any("changes at one time count once" in line for line in data["warnings"])


def test_labels_of_the_other_table(tables, capsys):
    """A label that one table lacks is taken from the other."""
    old = tables[0].read_text().splitlines()
    filled = [old[0], *(line.replace(",,", ",cat,") if at % 2 else line for at, line in enumerate(old[1:]))]
    tables[0].write_text("\n".join(filled) + "\n")
    words = ("lifelong", "compare", *tables, "--period", "month", "--gate", "none", "--json")
    _, out, _ = run(capsys, *words, "--missing-labels", "bound")
    kept = json.loads(out)["missing_labels"]["rows"]
    assert kept == sum(
        ",,dog" in line or ",,cat" in line for line in filled if line.split(",")[2].startswith("2024-01")
    )
    assert kept < 5
    _, out, _ = run(capsys, *words, "--missing-labels", "drop")
    assert any(line.startswith(f"{kept} row") for line in json.loads(out)["warnings"]) or not kept
    tables[0].write_text(tables[0].read_text().replace("1-0,a,2024-01-01,cat", "1-0,a,2024-01-01,dog"))
    code, _, error = run(capsys, *words, "--missing-labels", "bound")
    assert code == 2
    assert "differ in 1 row (id 1-0: 'dog' and 'cat')" in error


def test_comparison_leads_with_its_bounds(tables, capsys):
    words = ("lifelong", "compare", *tables, "--period", "month", "--gate", "none", "--missing-labels", "bound")
    _, out, _ = run(capsys, *words)
    assert (
        "differs by between +10.0 points and +20.0 points, whatever the 5 missing labels are (95 % CI of the range"
        in (" ".join(out.split()))
    )


def test_rows_of_an_item_share_its_label_and_forgetting_is_bounded(tmp_path, capsys):
    lines = ["id,version,time,label,prediction"]
    for version, wrong in (("a", 2), ("b", 4)):
        for month in (1, 2):
            for item in range(10):
                label = "" if item == 9 or (version == "b" and item == 8) else "cat"
                lines.append(f"{month}-{item},{version},2024-0{month},{label},{'dog' if item < wrong else 'cat'}")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines) + "\n")
    words = ("lifelong", "score", path, "--missing-labels", "bound")
    code, out, _ = run(capsys, *words, "--json")
    data = json.loads(out)
    assert code == 0
    assert data["missing_labels"]["rows"] == 4  # item 8 has its label in the rows of version a
    falls = [part for part in data["transfer"] if part["name"] == "forgetting"]
    # both versions answered items 9 alike, so these cannot move the difference of 0.2
    assert [(part["value"], round(part["low"], 9), round(part["high"], 9)) for part in falls] == [(None, 0.2, 0.2)] * 2
    assert falls[0]["undefined"] == "labels are missing: only its lowest and highest value are known"
    _, out, _ = run(capsys, *words, "--full")
    assert "rows with the same id share one label" in " ".join(out.split())


@pytest.mark.parametrize("command", ["compare", "map", "prequential", "audit", "run"])
def test_all_commands_say_that_periods_are_those_of_utc(tmp_path, capsys, command):
    head = "id,version,time,label,prediction"
    rows = [f"{item},a,2024-01-0{1 + item % 6}T10:00:00+02:00,x,{'x' if item % 3 else 'y'}" for item in range(24)]
    for name in ("old", "new"):
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *rows]) + "\n")
    both = [tmp_path / "old.csv", tmp_path / "new.csv"]
    (tmp_path / "new.csv").write_text((tmp_path / "new.csv").read_text().replace(",x,y", ",x,x"))
    extra = {
        "compare": [*both, "--period", "month"],
        "map": [*both, "--period", "month"],
        "prequential": [both[0]],
        "audit": [*both, "--period", "month", "--to", tmp_path / "my.audit"],
        "run": ["--stream", both[0], "--system", f"python {tmp_path / 'system.py'}", "--features", "id"],
    }[command]
    (tmp_path / "system.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    items = message.get('items', [])\n"
        "    reply = {'predictions': ['x'] * len(items)} if message.get('do') == 'predict' else {'ask': []}\n"
        "    print(json.dumps(reply), flush=True)\n"
    )
    _, out, error = run(capsys, "lifelong", command, *extra, "--json")
    assert "those of UTC" in out, error


def test_times_whose_labels_only_the_other_table_has_count(tmp_path, capsys):
    """Whole days without a label in one table were unknown there: the comparison ended in a KeyError."""
    for name, late in (("whole", ()), ("late", (2, 3)), ("early", (1,))):
        lines = ["id,version,time,label,prediction"]
        for day in (1, 2, 3):
            for item in range(30):
                answer = "cat" if item < (20 if name == "whole" else 25) else "dog"
                lines.append(f"{day}-{item},a,2024-01-0{day},{'' if day in late else 'cat'},{answer}")
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    for first, second, sign in (("whole", "late", 1), ("late", "whole", -1), ("late", "early", 0)):
        files = (tmp_path / f"{name}.csv" for name in (first, second))
        _, out, err = run(capsys, "lifelong", "compare", *files, "--missing-labels", "drop", "--json")
        data = json.loads(out)
        assert not err
        assert data["difference"]["value"] == pytest.approx(sign * 5 / 30)


def test_the_bias_of_labels_needs_a_label_in_every_row(tables, capsys):
    code, out, err = run(
        capsys, "lifelong", "score", tables[0], "--missing-labels", "drop", "--true", "prediction", "--period", "month"
    )
    assert (code, out) == (2, "")
    assert "10 rows of" in err
    assert "have no label. Remove rows without a label, or leave out --true." in err
