"""`justesse lifelong penalise` with tables."""

import json

import pandas as pd
import pytest

import justesse
from justesse.cli.main import main


def run(capsys, *words):
    code = main([str(word) for word in words])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def penalised(capsys, path, *options):
    code, out, err = run(capsys, "lifelong", "penalise", path, *options, "--json")
    return json.loads(out) if code == 0 else (code, " ".join(err.split()))


@pytest.fixture
def classes(tmp_path):
    """Ten items: four wrong at first; the expert touches two of them and a right one; one stays wrong."""
    rows = ["id,label,base,adapted,touched,answer"]
    for item in range(10):
        base = "dog" if item < 4 else "cat"
        adapted = "dog" if item == 3 else "cat"
        rows.append(
            f"{item},cat,{base},{adapted},{'yes' if item in (0, 1, 9) else 'no'},{'dog' if item == 1 else 'cat'}"
        )
    path = tmp_path / "corrected.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_classes(classes, capsys):
    data = penalised(capsys, classes)
    assert (data["score"], data["n"], data["touched"], data["rounds"]) == ("error", 10, 3, 1)
    assert (data["adapt"], data["base"], data["cor"], data["false"]) == pytest.approx((0.1, 0.4, 0.2, 0.5))
    assert data["penalised"] == pytest.approx(0.1 + 0.3)  # three of ten touched, one of them right already
    assert data["gain"] == pytest.approx(0.0)
    assert data["realised_cor"] == pytest.approx(0.3)  # the expert called item 1 a dog
    assert data["interval"]["low"] < 0.4 < data["interval"]["high"]
    assert "The expert erred" in data["warnings"][0]
    assert data["columns"]["reference"] == "label"


def test_words_on_the_terminal(classes, capsys):
    code, out, _ = run(capsys, "lifelong", "penalise", classes)
    words = " ".join(out.split())
    assert code == 0
    assert words.startswith("Penalised score 0.4000: 0.1000 after adaptation, plus 0.3000 for the expert's help.")
    assert "The expert touched 3 of 10 items." in words
    assert "learnt nothing beyond the corrections" in words


def test_the_function_and_the_command_agree(classes, capsys):
    assert penalised(capsys, classes) == json.loads(
        json.dumps(justesse.lifelong_penalise(pd.read_csv(classes)).to_dict())
    )


def test_rounds_unite(tmp_path, capsys):
    path = tmp_path / "rounds.csv"
    path.write_text(
        "id,round,reference,base,adapted,touched\n"
        "a,2,x,y,x,no\na,1,x,y,y,yes\nb,1,x,y,y,no\nb,2,x,y,y,yes\nc,1,x,x,x,no\nc,2,x,x,x,no\nd,1,x,x,x,yes\nd,2,x,x,x,yes\n"
    )
    data = penalised(capsys, path)
    assert (data["n"], data["touched"], data["rounds"]) == (4, 3, 2)
    assert data["adapt"] == pytest.approx(1 / 4)  # a is right after round 2
    assert data["penalised"] == pytest.approx(1 / 4 + 3 / 4)
    path.write_text(path.read_text().replace("round", "when"))
    assert "item 'a' has a row already" in penalised(capsys, path)[1]
    assert penalised(capsys, path, "--round", "when")["touched"] == 3


def test_word_error_rate_and_bleu(tmp_path, capsys):
    path = tmp_path / "sentences.csv"
    path.write_text(
        "reference,base,adapted,touched\n"
        "the cat sat on the mat,the cat sat on mat,the cat sat on the mat,yes\n"
        "a dog slept near the fire,a dog kept near a fire,a dog slept near a fire,no\n"
    )
    data = penalised(capsys, path, "--score", "wer")
    assert data["adapt"] == pytest.approx(1 / 12)
    assert data["penalty"] == pytest.approx(6 / 12)
    assert data["gain"] == pytest.approx(3 / 12 - 7 / 12)
    for form in ("bleu", "sacrebleu"):
        data = penalised(capsys, path, "--score", form)
        assert data["higher_is_better"] is True
        assert data["penalty"] < 0
        assert data["penalised"] == pytest.approx(data["adapt"] + data["false"] - data["cor"])
        assert data["gain"] == pytest.approx(data["penalised"] - data["base"])
    _, out, _ = run(capsys, "lifelong", "penalise", path, "--score", "bleu")
    assert "less 0." in out.replace("\n", " ")


SPOKEN = """recording,part,speaker,start,end
a,reference,Ann,0,10
a,reference,Ben,10,20
a,base,1,0,20
a,adapted,1,0,10
a,adapted,2,10,18
a,touched,,10,14
b,reference,Cem,0,20
b,base,1,5,20
b,adapted,1,0,20
"""


def test_diarization(tmp_path, capsys):
    path = tmp_path / "segments.csv"
    path.write_text(SPOKEN)
    data = penalised(capsys, path, "--score", "der")
    assert data["penalised"] == pytest.approx(2 / 40 + 4 / 40)
    assert data["gain"] == pytest.approx(9 / 40)
    assert data["parts"] == pytest.approx({"missed": 2 / 40, "false alarm": 0, "confusion": 0})
    assert data["options"] == {"collar": 0, "skip_overlap": False}
    # the expert takes Ben for Ann: the penalty stays, the realised figure shows it
    path.write_text(SPOKEN + "a,answer,Ann,10,14\n")
    wrong = penalised(capsys, path, "--score", "der")
    assert wrong["penalised"] == pytest.approx(data["penalised"])
    assert wrong["realised_cor"] == pytest.approx(15 / 40)
    close = penalised(capsys, path, "--score", "der", "--collar", "2", "--skip-overlap")
    assert close["penalty"] == pytest.approx(2 / 28)


FILES = {
    "right.rttm": "SPEAKER a 1 0 10 <NA> <NA> Ann <NA> <NA>\nSPEAKER a 1 10 10 <NA> <NA> Ben <NA> <NA>\nSPEAKER b 1 0 20 <NA> <NA> Cem <NA> <NA>\n",
    "base.rttm": "SPEAKER a 1 0 20 <NA> <NA> 1 <NA> <NA>\nSPEAKER b 1 5 15 <NA> <NA> 1 <NA> <NA>\n",
    "after.rttm": "SPEAKER a 1 0 10 <NA> <NA> 1 <NA> <NA>\nSPEAKER a 1 10 8 <NA> <NA> 2 <NA> <NA>\nSPEAKER b 1 0 20 <NA> <NA> 1 <NA> <NA>\n",
    "touched.uem": "a 1 10 14\n",
    "touched.rttm": "SPEAKER a 1 10 4 <NA> <NA> any <NA> <NA>\n",
    "answer.rttm": "SPEAKER a 1 10 4 <NA> <NA> Ann <NA> <NA>\n",
}  # fmt: skip


@pytest.mark.parametrize("touched", ["touched.uem", "touched.rttm"])
def test_rttm_files_give_what_their_table_gives(tmp_path, capsys, monkeypatch, touched):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "segments.csv").write_text(SPOKEN)
    options = ["--score", "der", "--collar", "0.5"]
    table = penalised(capsys, "segments.csv", *options)
    files = ["--reference", "right.rttm", "--adapted", "after.rttm", "--before", "base.rttm", "--touched", touched]
    assert penalised(capsys, *files, *options) == table
    (tmp_path / "segments.csv").write_text(SPOKEN + "a,answer,Ann,10,14\n")
    assert penalised(capsys, *files, "--answer", "answer.rttm", *options) == penalised(capsys, "segments.csv", *options)
    without = penalised(capsys, "--score", "der", "--reference", "right.rttm", "--adapted", "after.rttm")
    assert (without["penalty"], without["base"]) == (0, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--reference", "right.rttm"], "name the adapted file with --adapted"),
        (["--reference", "right.rttm", "--adapted", "after.csv"], "adapted (--adapted) must be an RTTM file"),
        (["--reference", "right.rttm", "--adapted", "no.rttm"], "'no.rttm' not found"),
        (["--reference", "right.rttm", "--adapted", "bad.rttm"], "bad.rttm, line 2: a SPEAKER line has 8 to 10 fields"),
        (["--reference", "base.rttm", "--adapted", "stray.rttm"], "stray.rttm, line 1: recording 'c' has no speech in base.rttm"),
        (["--reference", "right.rttm", "--adapted", "after.rttm", "--round", "r"], "round (--round) names a column"),
        (["segments.csv", "--reference", "right.rttm"], "columns recording, part, speaker"),
    ],
)  # fmt: skip
def test_bad_rttm_files_exit_with_2(tmp_path, capsys, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bad.rttm").write_text(FILES["base.rttm"].splitlines()[0] + "\nSPEAKER a 1\n")
    (tmp_path / "stray.rttm").write_text("SPEAKER c 1 0 10 <NA> <NA> 1 <NA> <NA>\n")
    (tmp_path / "segments.csv").write_text(SPOKEN)
    code, out, err = run(capsys, "lifelong", "penalise", *words, "--score", "der")
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.parametrize("option", ["--reference", "--adapted", "--before", "--touched"])
@pytest.mark.parametrize("times", ["1e308 1", "0 1e308", "0 1000000001"])
def test_times_of_no_recording_are_refused_with_their_line(tmp_path, capsys, monkeypatch, option, times):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    files = {
        "--reference": "right.rttm",
        "--adapted": "after.rttm",
        "--before": "base.rttm",
        "--touched": "touched.uem",
    }
    line = f"a 1 {times}\n" if option == "--touched" else f"SPEAKER a 1 {times} <NA> <NA> 1 <NA> <NA>\n"
    with (tmp_path / files[option]).open("a") as file:
        file.write(line)
    at = len((tmp_path / files[option]).read_text().splitlines())
    code, message = penalised(capsys, *(word for pair in files.items() for word in pair), "--score", "der")
    assert code == 2
    assert f"{files[option]}, line {at}: " in message
    assert "must be at most 1,000,000,000 seconds" in message


def test_fewer_than_four_recordings_have_no_interval(tmp_path, capsys):
    rows = ["recording,part,speaker,start,end"]
    for number in range(4):
        rows += [f"{number},reference,Ann,0,20", f"{number},base,1,0,20", f"{number},adapted,1,{number},20"]
        if number % 2:
            rows.append(f"{number},touched,,0,4")
        path = tmp_path / "segments.csv"
        path.write_text("\n".join(rows) + "\n")
        data = penalised(capsys, path, "--score", "der")
        assert (data["interval"] is None, data["gain_interval"] is None) == (number < 3, number < 3)
        _, out, _ = run(capsys, "lifelong", "penalise", path, "--score", "der")
        assert ("No confidence interval: fewer than 4 items" in " ".join(out.split())) == (number < 3)


FOUR = ["--adapt", "0.2", "--false", "0.3", "--cor", "0.1"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*FOUR, "--score", "wer"], "score (--score) and the names of columns are for a table"),
        ([*FOUR, "--reference", "x"], "names of columns are for a table"),
        ([*FOUR, "--collar", "1"], "choose --score der"),
        ([*FOUR, "--level", "0.9"], "needs a table"),
        (["corrected.csv", "--collar", "1"], "choose --score der"),
        (["corrected.csv", "--skip-overlap"], "choose --score der"),
        (["corrected.csv", "--score", "der", "--round", "r"], "Leave out the names of other columns"),
    ],
)
def test_options_that_would_be_ignored_are_refused(classes, capsys, monkeypatch, words, message):
    monkeypatch.chdir(classes.parent)
    code, out, err = run(capsys, "lifelong", "penalise", *words)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_an_answer_that_cannot_be_applied(tmp_path, classes, capsys):
    path = tmp_path / "segments.csv"
    path.write_text(SPOKEN + "b,question,,3,4\n")
    data = penalised(capsys, path, "--score", "der")
    assert (data["penalised"], data["penalty"], data["gain"]) == (None, None, None)
    assert "'b' cannot be applied to the hypothesis" in data["undefined"]
    assert data["adapt"] == pytest.approx(2 / 40)
    classes.write_text(classes.read_text().replace("yes,dog", "yes,"))
    data = penalised(capsys, classes)
    assert data["penalised"] is None
    assert "item 2 cannot be applied" in data["undefined"]
    code, out, _ = run(capsys, "lifelong", "penalise", classes)
    assert code == 0
    assert out.startswith("No penalised score: the expert's answer to item 2")


HEAD = "reference,adapted,touched\n"


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (HEAD, [], "No rows"),
        (HEAD + "a,b,maybe\n", [], "row 1: column 'touched' must contain yes or no"),
        (HEAD + "a,b,\n", [], "row 1: column 'touched' must contain yes or no"),
        (HEAD + "a,,1\n", [], "Item '1' of"),
        ("reference,adapted\na,b\n", [], "No touched column found"),
        ("adapted,touched\na,1\n", [], "No reference column found"),
        (HEAD + "a,b,1\n", ["--adapt", "0.2"], "not both"),
        (HEAD + "a,b,1\n", ["--before", "first"], "'first' not found"),
        (HEAD + "a,b,1\n,b,1\n", ["--score", "wer"], "rows.csv, row 2: no value in column 'reference'"),
        (HEAD + "a,b,1\n  ,b,1\n", ["--score", "bleu"], "rows.csv, row 2: no value in column 'reference'"),
        ("id,round,reference,adapted,touched\na,1,x,x,1\na,2,y,x,1\n", [], "different values in column 'reference'"),
        ("id,round,reference,adapted,touched\na,one,x,x,1\n", [], "must be numbers, such as 1, 2, 3"),
        ("id,reference,adapted,touched\n,x,x,1\n", [], "row 1: no value in column 'id'"),
        (HEAD + "a,b,1\n", ["--score", "der"], "Column 'recording' not found"),
        (SPOKEN + "a,other,1,2,3\n", ["--score", "der"], "row 10: the part must be one of reference"),
        (SPOKEN + "a,base,1,3,3\n", ["--score", "der"], "row 10: start and end must be numbers"),
        (SPOKEN + "a,base,,2,3\n", ["--score", "der"], "row 10: no speaker"),
        (SPOKEN + ",base,1,2,3\n", ["--score", "der"], "row 10: no recording"),
        (SPOKEN + "c,base,1,2,3\n", ["--score", "der"], "Recording 'c' of base has no reference"),
        (SPOKEN, ["--score", "der", "--collar", "-1"], "The collar must be a time of 0 or more"),
        (SPOKEN, ["--score", "der", "--collar", "50"], "speech in the reference that is scored"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(tmp_path, capsys, text, options, words):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    code, out, err = run(capsys, "lifelong", "penalise", path, *options)
    assert (code, out) == (2, "")
    assert words in " ".join(err.split())


def test_neither_a_table_nor_scores(capsys):
    code, _, err = run(capsys, "lifelong", "penalise", "--adapt", "0.2")
    assert code == 2
    assert "needs a table, the scores adapt, false and cor" in " ".join(err.split())


def test_a_gain_without_help_is_not_praised_as_help(classes, capsys):
    untouched = pd.read_csv(classes, dtype=str).assign(touched="no", answer="")
    untouched.to_csv(classes, index=False)
    _, out, _ = run(capsys, "lifelong", "penalise", classes)
    words = " ".join(out.split())
    assert "Without any help the gain is +0.3000" in words
    assert "worth its price" not in words
