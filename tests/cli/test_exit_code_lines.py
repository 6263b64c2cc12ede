"""The exit code is printed after the verdict of every command that has one, for people, and never into JSON."""

import json

import pytest

ROWS = "id,label,prediction\n" + "".join(f"{i},{'ab'[i % 2]},{'ab'[i % 2 if i % 5 else 0]}\n" for i in range(60))


@pytest.mark.parametrize(
    ("words", "line", "code"),
    [
        (["inspect", "ROWS"], "Checks: not passed, exit code 1.", 1),
        (["noise", "breakdown", "ROWS", "--claim", "accuracy>=0.99"], "Claim: not passed, exit code 1.", 1),
        (["noise", "breakdown", "ROWS", "--claim", "accuracy>0.1", "--claim", "error<1"], "Claims: passed, exit code 0.", 0),
    ],
)  # fmt: skip
def test_the_exit_code_follows_the_answer(run, write, words, line, code):
    rows = str(write("rows.csv", ROWS))
    words = [rows if word == "ROWS" else word for word in words]
    for more in ([], ["--format", "markdown"]):
        ran = run(*words, *more)
        assert (ran.code, ran.out.splitlines()[-1]) == (code, line)
    ran = run(*words, "--json")
    assert ran.code == code
    json.loads(ran.out)


def test_an_audit_s_gate_in_markdown(run, write, tmp_path):
    rows = write("rows.csv", ROWS)
    other = write("other.csv", ROWS.replace(",a\n", ",b\n", 6))
    run("audit", "start", rows, other, "--on", "id", "--to", tmp_path / "my.audit")
    ran = run("audit", "status", tmp_path / "my.audit", "--format", "markdown")
    assert (ran.code, ran.out.splitlines()[-1]) == (1, "Gate: not passed, exit code 1.")
