"""A copy of the package with something added: what it takes to add a measure, a test, a judge, a section, a command."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import justesse

SOURCE = Path(justesse.__file__).parent


@dataclass(frozen=True)
class House:
    """A folder with a copy of the package, in which commands run."""

    folder: Path
    changed: tuple[str, ...]

    def python(self, *words: str, ok: tuple[int, ...] = (0,), columns: int = 140) -> str:
        """Run Python with the copy, and return what it prints."""
        env = {**os.environ, "PYTHONPATH": str(self.folder), "COLUMNS": str(columns)}
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=self.folder, env=env)
        assert done.returncode in ok, done.stdout + done.stderr
        return done.stdout

    def justesse(self, *words: str, ok: tuple[int, ...] = (0, 1)) -> str:
        """Run a command, and return what it prints, with single spaces."""
        return " ".join(self.python("-m", "justesse", *words, ok=ok).replace("│", " ").split())

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., House]:
    """Build a copy with new files and with pieces of text put before others in files that exist."""

    def build(files: Mapping[str, str], lines: Mapping[str, tuple[tuple[str, str], ...]], **data: str) -> House:
        folder = tmp_path_factory.mktemp("house")
        copy = folder / "justesse"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for name, text in files.items():
            assert not (copy / name).exists()
            (copy / name).parent.mkdir(exist_ok=True)
            (copy / name).write_text(text)
        for name, pieces in lines.items():
            text = (copy / name).read_text()
            for before, piece in pieces:
                assert text.count(before) == 1, f"{before!r} is in {name} {text.count(before)} times"
                text = text.replace(before, piece + before)
            (copy / name).write_text(text)
        for name, text in data.items():
            (folder / f"{name}.csv").write_text(text)
        return House(folder, (*files, *lines))

    return build
