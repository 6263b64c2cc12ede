def test_the_demo_writes_answers_and_prints_the_result_in_words(run, tmp_path):
    ran = run("demo", "--directory", tmp_path / "demo")
    assert ran.code == 0
    text = " ".join(ran.out.split())
    assert text.count("Accuracy 82.9 % (95 % CI") == text.count("Accuracy 96.3 % (95 % CI") == 1
    assert "$ justesse evaluate" in text
    assert "Replace the incumbent with the candidate." in text
    assert (tmp_path / "demo" / "comparison.html").read_text().count("Where each is right") >= 2
    again = run("evaluate", tmp_path / "demo" / "candidate.csv", "--by", "ink", "--json").json
    assert again["n"] == 899
    assert {part["value"] for part in again["by"]} == {"light", "heavy"}


def test_json_is_what_each_command_prints(run, tmp_path):
    folder = tmp_path / "demo"
    ran = run("demo", "--to", folder, "--json")
    assert ran.code == 0
    assert (folder / "report.html").exists()
    assert (folder / "comparison.html").exists()
    old, new = folder / "incumbent.csv", folder / "candidate.csv"
    commands = {
        "plan": ["plan", "precision", "--expected", "0.95", "--half-width", "0.01"],
        "compare": ["compare", old, new, "--on", "id", "--by", "ink", "--margin", "0.01"],
    }
    for name, words in commands.items():
        assert ran.json[name] == run(*words, "--json").json, name
    assert ran.json["evaluate"]["incumbent"] == run("evaluate", old, "--json").json
    assert ran.json["evaluate"]["candidate"] == run("evaluate", new, "--by", "ink", "--json").json
    assert ran.json["compare"]["headline"]["verdict"] == "replace"


def test_a_place_that_cannot_be_made(run, write):
    ran = run("demo", "--directory", write("file", "x") / "demo")
    assert ran.code == 2
    assert "cannot be created" in ran.err


def test_a_file_instead_of_a_directory(run, write):
    ran = run("demo", "--to", write("file", "x"))
    assert ran.code == 2
    assert "is a file, not a directory. Choose a directory with --to." in " ".join(ran.err.split())


def test_markdown_for_every_command(run, tmp_path):
    ran = run("demo", "--to", tmp_path / "demo", "--format", "markdown")
    assert ran.code == 0
    assert ran.out.count("\n## Evaluation of a classifier\n") == 2
    assert "| measure | value | 95 % CI | n | method |" in ran.out
    assert "\n    $ justesse compare " in ran.out


def test_the_lifelong_demo_writes_three_systems_and_scores_them(run, tmp_path):
    folder = tmp_path / "demo"
    ran = run("demo", "--lifelong", "--to", folder, "--json")
    assert ran.code == 0
    assert set(ran.json) == {"schema", "version", "run", "lifelong_score", "lifelong_compare"}
    files = {name: folder / f"{name}.csv" for name in ("static", "cumulative", "last")}
    assert {len(file.read_text().splitlines()) for file in files.values()} == {1 + 6 * 6 * 160}
    words = ["--trained", "trained", "--policy", "recent", "--json"]
    assert ran.json["lifelong_score"] == run("lifelong", "score", files["last"], *words).json
    assert ran.json["lifelong_compare"] == run("lifelong", "compare", files["cumulative"], files["last"], *words).json
    assert "Replace the incumbent" in " ".join(run("demo", "--lifelong", "--to", folder).out.split())
