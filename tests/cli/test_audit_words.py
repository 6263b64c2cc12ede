"""What an audit says about its estimate, its verdict and the expert."""

from justesse.cli.main import main

ROWS = 200
DISPUTED = 5


def test_the_verdict_names_what_it_is_about_and_counts_rows(run, write, tmp_path):
    """The candidate is right on all five disputed rows: better on this test set, unsettled in the population."""
    lines = [f"{at},{at % 2},{at % 2}" for at in range(ROWS)]
    new = write("new.csv", "id,label,prediction\n" + "\n".join(lines) + "\n")
    wrong = [f"{at},{at % 2},{1 - at % 2 if at < DISPUTED else at % 2}" for at in range(ROWS)]
    old = write("old.csv", "id,label,prediction\n" + "\n".join(wrong) + "\n")
    path = tmp_path / "a.audit"
    start = run("audit", "start", old, new, "--on", "id", "--to", path)
    text = " ".join(start.out.split())
    assert "rows without an answer count with the mean expected from a prior" in text
    assert "each of the first answers can move it by a point or more" in text
    answered = []
    for _ in range(DISPUTED):
        due = run("audit", "next", path, "--json").json["questions"]
        if not due:
            break
        name = due[0]["id"]
        answered.append(" ".join(run("audit", "answer", path, name, str(int(name) % 2), "--by", "Ann").out.split()))
    assert "The verdict on this test set is now sure: replace. See justesse audit status." in answered[-1]
    assert "now sure" not in answered[0]
    shown = run("audit", "status", path, "--full")
    text = " ".join(shown.out.split())
    assert text.startswith("On this test set: replace the incumbent with the candidate.")
    assert "in the population the test set was drawn from it is not settled" in text
    assert "% of the rows." not in text
    assert "of the 5 disputed rows" in text


def test_a_better_candidate_that_may_not_reach_the_margin_is_not_called_unsettled_which_is_better(run, write, tmp_path):
    """20 of 200 rows gained: sure to exceed 9 points here; in the population the interval is above 0, around 9 points."""
    disputed = 20
    lines = [f"{at},{at % 2},{at % 2}" for at in range(ROWS)]
    new = write("new.csv", "id,label,prediction\n" + "\n".join(lines) + "\n")
    wrong = [f"{at},{at % 2},{1 - at % 2 if at < disputed else at % 2}" for at in range(ROWS)]
    old = write("old.csv", "id,label,prediction\n" + "\n".join(wrong) + "\n")
    path = tmp_path / "m.audit"
    started = run("audit", "start", old, new, "--on", "id", "--to", path, "--margin", "0.09", "--json").json
    assert (started["budget"], started["questions_at_most"]) == (200, disputed)
    for _ in range(disputed):
        due = run("audit", "next", path, "--json").json["questions"]
        if not due:
            break
        name = due[0]["id"]
        run("audit", "answer", path, name, str(int(name) % 2), "--by", "Ann")
    status = run("audit", "status", path)
    text = " ".join(status.out.split())
    assert text.startswith("On this test set: replace the incumbent with the candidate.")
    assert "it is not settled whether the gain exceeds the margin of 0.09 (95 % CI +" in text
    assert "which is better" not in text
    page = tmp_path / "page.html"
    answered = run("audit", "status", path, "--json").json["answered"]
    run("audit", "report", path, "--report", page)
    assert f"{answered} answers about 20 disputed rows" in page.read_text()
    assert f"n = {answered}; " not in page.read_text()


def test_one_table_of_several_classifiers_says_how_to_start(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{at},x,{'xy'[at % 2]},{'xy'[at // 2 % 2]},{'xy'[at // 4 % 2]}\n" for at in range(40))
    (tmp_path / "one.csv").write_text("id,label,a,b,c\n" + rows)
    start = ["audit", "start", "one.csv", "--on", "id", "--to", "my.audit"]
    assert main(start) == 2
    error = capsys.readouterr().err
    assert "--goal pairs" in error
    assert "--model a,b,c" in error
    assert main([*start, "--model", "a"]) == 2
    error = capsys.readouterr().err
    assert "An audit of several needs 3 classifiers or more; got 1: a." in error
    assert "ournament" not in error
    assert main([*start, "--goal", "pairs", "--full"]) in (0, 1)
    assert "justesse audit extend my.audit --expert-error 0.02" in " ".join(capsys.readouterr().out.split())
