"""What one command writes appears together, or not at all, and only where regular files and directories can be."""

import os
import subprocess
import sys

import pytest

from attack.forked import run_forked
from justesse.cli.main import main
from justesse.core.errors import FileError, OptionError

ROWS = "label,prediction\n" + "a,a\nb,b\na,b\n" * 20


@pytest.fixture
def rows(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return str(write("rows.csv", ROWS))


def left(tmp_path):
    return {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")} - {"rows.csv"}


def test_a_chart_that_fails_leaves_neither_page_nor_table(rows, tmp_path, monkeypatch, capsys):
    def refuse(spec, scale):
        raise ValueError("no canvas")

    monkeypatch.setattr("justesse.charts.renderer.png", refuse)
    words = ["evaluate", rows, "-o", "t.csv", "--report", "p.html", "--charts", "charts"]
    assert main(words) == 2
    assert "cannot be drawn (no canvas)" in capsys.readouterr().err
    assert left(tmp_path) == set()


def test_a_directory_that_vanishes_under_way_leaves_neither_page_nor_table(rows, tmp_path, monkeypatch, capsys):
    def refuse(self, path):
        raise FileError(f"{path} cannot be made")

    monkeypatch.setattr("justesse.frames.batch.Batch.make_directory", refuse)
    assert main(["evaluate", rows, "-o", "t.csv", "--report", "p.html", "--charts", "charts"]) == 2
    assert left(tmp_path) == set()


def test_all_of_them_appear(rows, tmp_path, capsys):
    assert main(["evaluate", rows, "-o", "t.csv", "--report", "p.html", "--charts", "charts/new"]) == 0
    assert {"t.csv", "p.html", "charts/new/confusion.svg", "charts/new/confusion.png"} <= left(tmp_path)
    assert not [name for name in left(tmp_path) if ".justesse-" in name]


@pytest.mark.parametrize("option", ["--charts", "--report", "--output"])
def test_an_empty_name_is_refused(rows, tmp_path, capsys, option):
    assert main(["evaluate", rows, option, ""]) == 2
    assert f"Invalid value for {option}: a name is needed; got ''" in capsys.readouterr().err
    assert left(tmp_path) == set()


def test_the_library_refuses_an_empty_name_too(rows, tmp_path):
    import justesse

    with pytest.raises(OptionError, match="Charts need the name of a folder"):
        justesse.evaluate(rows).charts("")
    assert left(tmp_path) == set()


def test_a_result_without_charts_makes_no_directory(tmp_path, capsys):
    assert main(["plan", "precision", "--half-width", "0.05", "--charts", str(tmp_path / "charts")]) == 0
    printed = capsys.readouterr()
    assert "No charts written: this result has none." in printed.err
    assert "Written" not in printed.out
    assert not (tmp_path / "charts").exists()


def test_charts_within_a_file_are_refused_before_any_work(rows, tmp_path, capsys):
    assert main(["evaluate", "no-such-file.csv", "--charts", f"{rows}/charts"]) == 2
    assert "rows.csv is not a directory. Name a directory" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_or_a_loop_of_links_is_not_replaced_by_a_result(rows, tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.html")
    os.symlink("b.html", tmp_path / "a.html")
    os.symlink("a.html", tmp_path / "b.html")
    assert main(["evaluate", rows, "--report", "pipe.html"]) == 2
    assert "pipe.html is a device or a pipe" in capsys.readouterr().err
    assert main(["evaluate", rows, "--report", "a.html"]) == 2
    assert "a.html is a symbolic link that leads back to itself" in capsys.readouterr().err
    assert (tmp_path / "pipe.html").is_fifo()
    assert (tmp_path / "a.html").is_symlink()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit address space")
def test_a_limit_on_address_space_is_an_error_not_a_crash(rows, tmp_path):
    words = (["evaluate", rows, "--report", "p.html"], ["evaluate", rows, "--charts", "charts"], ["evaluate", rows])
    page, charts, plain = run_forked([{"words": each, "address_space": 8 << 30} for each in words], cwd=tmp_path)
    for refused in (page, charts):
        assert refused["code"] == 2
        assert "Charts cannot be drawn: the renderer reserves 64.5 GiB of address space" in refused["err"]
    assert plain["code"] == 0
    assert left(tmp_path) == set()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit address space")
def test_the_library_raises_where_the_renderer_would_end_the_process(tmp_path):
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (8 << 30,) * 2)\n"
        "import justesse\n"
        "try: justesse.evaluate({'label': [0, 1], 'prediction': [0, 1]}).charts('charts')\n"
        "except justesse.core.errors.FileError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("Charts cannot be drawn")
    assert list(tmp_path.iterdir()) == []
