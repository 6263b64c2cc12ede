"""The table of speeds has rows of every part, and a part that is measured again replaces only its own rows."""

import re

import pytest

from docs.written_pages import ROOT


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks import __main__

    return __main__


def test_the_table_has_rows_of_every_part(bench):
    rows = bench.earlier_rows(bench.FILE.read_text())
    assert list(rows) == list(bench.PARTS)
    printed = [line for lines in rows.values() for line in lines]
    assert len(printed) == len(re.findall(r"^\| \w", bench.FILE.read_text(), flags=re.MULTILINE)) - 1  # the head


def test_one_part_measured_again_keeps_the_rows_of_the_others(bench, tmp_path, monkeypatch):
    class Fast:
        @staticmethod
        def results(folder):
            yield "a new row", "itself", 2.0, 1, "1 s against 2 s"

    file = tmp_path / "results.md"
    file.write_text(bench.FILE.read_text())
    monkeypatch.setattr(bench, "FILE", file)
    monkeypatch.setitem(bench.PARTS, "page", Fast)
    before = bench.earlier_rows(file.read_text())
    assert bench.main(["page"]) == 0
    after = bench.earlier_rows(file.read_text())
    assert after.pop("page") == ["| page | a new row | itself | 2.0 | 1 | 1 s against 2 s |"]
    assert before.pop("page")
    assert after == before


def test_an_unknown_part_is_refused(bench, capsys):
    assert bench.main(["nothing"]) == 2
    assert "No part nothing. Parts: evaluation, start" in capsys.readouterr().err
