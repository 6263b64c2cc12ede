"""Audits weigh evidence by betting; files made with the method that was removed open, and say so."""

import sqlite3

import numpy as np
import pytest

import justesse
from justesse.core.errors import OptionError

ROWS = {
    "id": list(range(300)),
    "label": [0] * 300,
    "old": [1] * 60 + [0] * 240,
    "new": [0] * 60 + [1] * 20 + [0] * 220,
    "is": [0] * 300,
}


def started(path, **options):
    return justesse.audit_start(ROWS, incumbent="old", candidate="new", on="id", to=path, **options)


def test_the_removed_method_is_refused_in_a_sentence(run, tmp_path):
    path = tmp_path / "my.audit"
    with pytest.raises(OptionError, match="group-sequential was removed.*betting needs fewer"):
        started(path, method="group-sequential")
    with pytest.raises(OptionError, match="method must be 'betting'; got 'bayes'"):
        started(path, method="bayes")
    assert not path.exists()
    (tmp_path / "rows.csv").write_text("id,label,old,new\n1,a,a,b\n")
    words = ["audit", "start", tmp_path / "rows.csv", "--incumbent", "old", "--candidate", "new", "--on", "id"]
    found = run(*words, "--to", path, "--method", "group-sequential")
    assert (found.code, path.exists()) == (2, False)
    assert "group-sequential was removed" in found.err
    assert run(*words, "--to", path, "--method", "betting").code == 0


def test_a_file_made_with_the_removed_method_is_judged_by_betting_and_says_so(tmp_path):
    plain, old = started(tmp_path / "plain.audit", true="is"), tmp_path / "old.audit"
    started(old, true="is")
    with sqlite3.connect(old) as file:
        file.execute("DROP TRIGGER facts_no_update")
        file.execute("""UPDATE facts SET value = '"group-sequential"' WHERE name = 'method'""")
        for table in ("seals", "amendments"):  # files of that time had no checksums
            file.execute(f"DROP TABLE {table}")
        file.execute("PRAGMA user_version = 1")
    file.close()
    found = justesse.audit_status(old)
    assert found.audit.state.to_dict() == plain.audit.state.to_dict()
    assert found.to_dict()["method"] == "betting"
    assert "group-sequential method, which was removed" in " ".join(found.warnings)
    assert not any("group-sequential" in warning for warning in plain.warnings)
    assert np.isfinite(found.audit.state.pvalue)
    justesse.audit_answer(old, 0, 0, by="Ann")
    assert justesse.audit_next(old, 3).questions == ()
