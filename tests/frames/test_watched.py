"""A result is about one version of its files: what is replaced meanwhile is refused, never fingerprinted wrongly."""

import hashlib
import os
from pathlib import Path

import pytest

import justesse
from justesse.core.errors import FileError
from justesse.frames import count as counting

OLD = "id,label,prediction\n" + "".join(f"{row},{row % 2},{row % 2}\n" for row in range(60))
NEW = OLD.replace(",1,1", ",1,0")
TOURNAMENT = "label,true,a,b\n" + "".join(f"{row % 2},{row % 2},{row % 2},1\n" for row in range(60))


def _replace(path, text):
    """Put another file under the same name, as an atomic writer does, with the old one's times."""
    times = os.stat(path)
    other = path.with_suffix(".other")
    other.write_text(text)
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    os.replace(other, path)


def test_the_fingerprint_is_that_of_the_file_counted(write, tmp_path):
    path = Path(write("a.csv", OLD))
    page = justesse.evaluate(path).report(tmp_path / "page.html").read_text()
    assert hashlib.sha256(OLD.encode()).hexdigest() in page


@pytest.mark.parametrize("as_path", [str, Path])
def test_a_page_of_a_file_replaced_since_is_refused(write, tmp_path, as_path):
    path = Path(write("a.csv", OLD))
    result = justesse.evaluate(as_path(path))
    _replace(path, NEW)
    with pytest.raises(FileError, match=r"a\.csv was changed or replaced"):
        result.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
    assert justesse.evaluate(path).report(tmp_path / "page.html").exists()


def test_a_file_replaced_while_it_is_counted_is_refused(write, monkeypatch):
    path = Path(write("a.csv", OLD))
    real = counting.count_axes

    def replaced_after(*arguments, **options):
        counted = real(*arguments, **options)
        _replace(path, NEW)
        return counted

    monkeypatch.setattr(counting, "count_axes", replaced_after)
    with pytest.raises(FileError, match="Run the command again"):
        justesse.evaluate(path)


def test_a_file_that_joins_a_pattern_is_noticed(write, tmp_path):
    write("part-1.csv", OLD)
    result = justesse.evaluate(f"{tmp_path}/part-*.csv")
    write("part-2.csv", OLD)
    with pytest.raises(FileError, match=r"part-2\.csv was changed or replaced"):
        result.report(tmp_path / "page.html")


CALLS = {
    "compare": (OLD, lambda path: justesse.compare(path, path, on="id")),
    "tournament": (TOURNAMENT, lambda path: justesse.tournament(path, judges=["paired"])),
    "inspect": (OLD, lambda path: justesse.inspect(test=path)),
}


@pytest.mark.parametrize("verb", CALLS)
def test_pages_of_other_verbs_refuse_replaced_files_too(write, tmp_path, verb):
    text, call = CALLS[verb]
    path = Path(write("a.csv", text))
    result = call(path)
    _replace(path, text + text.splitlines()[-1] + "\n")
    with pytest.raises(FileError, match=r"a\.csv was changed or replaced"):
        result.report(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()
