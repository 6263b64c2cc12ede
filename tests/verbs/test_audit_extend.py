"""Audits that go on: more questions than were planned, and no giving up."""

import json
import re
import sqlite3

import jsonschema
import numpy as np
import pytest

import justesse
from justesse.core.errors import InputError, OptionError
from justesse.verbs.schemas import schema

SCHEMA = schema("audit")
RNG = np.random.default_rng(5)
TRUE = RNG.integers(3, size=4000)
ROWS = {
    "id": np.arange(4000),
    "label": TRUE,
    "old": np.where(RNG.random(4000) < 0.1, (TRUE + 1) % 3, TRUE),
    "new": np.where(RNG.random(4000) < 0.1, (TRUE + 2) % 3, TRUE),
    "is": TRUE,
}


def started(path, **options):
    return justesse.audit_start(ROWS, incumbent="old", candidate="new", on="id", to=path, **options)


def answer(path, count):
    """Answer so many questions one by one, or until the audit stops."""
    for _ in range(count):
        due = justesse.audit_next(path, 1).questions
        if not due:
            break
        justesse.audit_answer(path, due[0].id, int(TRUE[int(due[0].id)]), by="Ann")
    return justesse.audit_status(path)


def test_an_extended_audit_is_as_if_it_had_been_planned_so(tmp_path):
    extended, planned = tmp_path / "extended.audit", tmp_path / "planned.audit"
    started(extended, budget=4, futility=False)
    started(planned, budget=9, futility=False)
    assert answer(extended, 20).audit.state.stop == "budget"
    found = justesse.audit_extend(extended, budget=7)
    assert (found.audit.state.stop, found.audit.state.budget, found.to_dict()["audit"]) == ("", 7, "extend")
    answer(extended, 2)
    justesse.audit_extend(extended, budget=9)
    both = [answer(path, 20).to_dict() for path in (extended, planned)]
    assert both[0]["answered"] == 9
    assert [[(made["name"], made["value"]) for made in one.pop("amendments")] for one in both] == [
        [("budget", 7), ("budget", 9)],
        [],
    ]
    for one in both:
        del one["file"], one["run"]
    assert both[0] == both[1]


def test_an_audit_that_gave_up_goes_on(run, tmp_path):
    path = tmp_path / "my.audit"
    found = started(path, budget=60, true="is")
    assert found.audit.state.stop == "futility"
    before = found.audit.state.answered
    assert before < 60
    assert "justesse audit extend" in found.headline
    shown = run("audit", "extend", path, "--no-futility", "--by", "Ann", "--json")
    assert shown.code == 0
    told = json.loads(shown.out)
    jsonschema.validate(told, SCHEMA)
    assert (told["stop"], told["futility"], told["broken"]) == (None, False, None)
    assert [(made["name"], made["value"], made["by"]) for made in told["amendments"]] == [("futility", False, "Ann")]
    (line,) = justesse.audit_status(path).history
    assert re.fullmatch(r"Stopping for futility turned off by Ann at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.", line)
    assert answer(path, 5).audit.state.answered == before + 5
    again = justesse.audit_extend(path, futility=True)
    assert again.audit.state.stop == "futility"
    more = run("audit", "extend", path, "--budget", str(again.audit.state.disputed))
    assert (more.code, justesse.audit_status(path).audit.state.stop) == (0, "")
    never = started(tmp_path / "never.audit", budget=60, true="is", futility=False)
    assert (never.audit.state.stop, never.audit.state.answered) == ("budget", 60)


def test_the_judge_audited_can_be_told_not_to_give_up(run, tmp_path):
    rows = {name: column for name, column in ROWS.items() if name != "is"}
    options = {"incumbent": "old", "candidate": "new", "judge": "audited", "budget": 60}
    given_up = justesse.compare({**rows, "true": TRUE}, **options)
    gone_on = justesse.compare({**rows, "true": TRUE}, **options, futility=False)
    assert given_up.verdict.outcome.n < gone_on.verdict.outcome.n == 60
    with pytest.raises(OptionError, match="futility is for the judge audited"):
        justesse.compare(rows, incumbent="old", candidate="new", futility=False)
    lines = [
        "label,old,new,true",
        *(f"{a},{b},{c},{a}" for a, b, c in zip(TRUE, ROWS["old"], ROWS["new"], strict=True)),
    ]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    words = ["compare", tmp_path / "rows.csv", "--incumbent", "old", "--candidate", "new", "--judge", "audited"]
    assert "answered 60 of" in run(*words, "--budget", "60", "--no-futility").out.replace("\n", " ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "Give a budget"),
        ({"budget": 60}, "is 60 questions already. Give a larger one; got 60"),
        ({"budget": 3}, "Give a larger one; got 3"),
    ],
)
def test_extensions_that_change_nothing_are_refused(tmp_path, options, words):
    path = tmp_path / "my.audit"
    started(path, budget=60)
    with pytest.raises(OptionError, match=words):
        justesse.audit_extend(path, **options)
    assert justesse.audit_status(path).to_dict()["amendments"] == []


def test_settled_audits_and_budgets_for_all_rows_are_not_extended(tmp_path):
    rows = {**ROWS, "new": TRUE}
    settled, whole = tmp_path / "settled.audit", tmp_path / "whole.audit"
    justesse.audit_start(rows, incumbent="old", candidate="new", on="id", to=settled, true="is")
    with pytest.raises(InputError, match=r"settled\.audit is settled \(replace\)"):
        justesse.audit_extend(settled, budget=500)
    started(whole, budget=4000)
    with pytest.raises(InputError, match="already covers all"):
        justesse.audit_extend(whole, budget=5000)


def test_no_budget_is_larger_than_the_number_of_disputed_rows(run, tmp_path):
    path = tmp_path / "my.audit"
    most = started(path, budget=60).audit.state.disputed
    for budget in (most + 1, 99999999999999999999):
        ran = run("audit", "extend", path, "--budget", str(budget))
        assert (ran.code, f"at most {most:,} questions can be asked" in " ".join(ran.err.split())) == (2, True)
    assert justesse.audit_status(path).to_dict()["amendments"] == []
    assert justesse.audit_extend(path, budget=most).audit.state.budget == most


def test_files_of_before_give_up_as_ever(tmp_path):
    """Their facts do not tell about giving up."""
    path = tmp_path / "old.audit"
    started(path, budget=60, true="is")
    with sqlite3.connect(path) as file:
        for table in ("seals", "amendments"):
            file.execute(f"DROP TABLE {table}")
        file.execute("DROP TRIGGER facts_no_delete")
        file.execute("PRAGMA user_version = 1")
        file.execute("DELETE FROM facts WHERE name = 'futility'")
    file.close()
    assert justesse.audit_status(path).audit.state.stop == "futility"
    every = justesse.audit_status(path).audit.state.disputed
    assert justesse.audit_extend(path, budget=every).audit.state.stop == ""
