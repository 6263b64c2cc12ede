"""What many tests need."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from justesse import Tally
from justesse.cli.main import main

settings.register_profile("justesse", deadline=None)  # a busy machine is no failure
settings.load_profile("justesse")
os.environ.pop("COLUMNS", None)  # some runners set it; then what is printed would depend on them


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process."""

    def call(*words: object) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        seen = capsys.readouterr()
        return Ran(code, seen.out, seen.err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file and give its path."""

    def call(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture
def data() -> Path:
    """The folder of real data beside the project; tests that need it are skipped, by name, where it is missing."""
    folder = os.environ.get("JUSTESSE_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("JUSTESSE_DATA does not name the folder of real data")
    return Path(folder)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The PostgreSQL server of the whole test run; tests that need it are skipped, by name, where there can be none."""
    from postgres_server import need_server, shared_server

    need_server()
    base = tmp_path_factory.getbasetemp()
    with shared_server(base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a store that does not exist yet: the same tests for SQLite and for PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'odd ?é.db'}"
    address: str = request.getfixturevalue("postgres").database()
    return address


@pytest.fixture(scope="session")
def screening() -> Tally:
    """Lecture 001's screening table: TP 190, FN 10, FP 210, TN 3590."""
    return Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])


def random_table(rng: np.random.Generator, classes: int, n: int, skill: float = 0.7) -> np.ndarray:
    """Draw a table of counts of a classifier that is right `skill` of the time, with uneven classes."""
    shares = rng.dirichlet(np.full(classes, 2.0))
    table = shares[:, None] * ((1 - skill) * rng.dirichlet(np.ones(classes), size=classes) + skill * np.eye(classes))
    return rng.multinomial(n, (table / table.sum()).ravel()).reshape(classes, classes)


def rows_of(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Write a table out as rows of labels and predictions."""
    k = len(table)
    return np.repeat(np.repeat(np.arange(k), k), table.ravel()), np.repeat(np.tile(np.arange(k), k), table.ravel())
