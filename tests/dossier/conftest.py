"""Dossiers to look at."""

import numpy as np
import pytest

import justesse

NAMES = np.array(["cat", "dog", "owl"])


@pytest.fixture(scope="session")
def tables():
    """Give the answers of two classifiers to 300 rows, at two sites."""
    rng = np.random.default_rng(0)
    n = 300
    true = rng.integers(3, size=n)
    old, new = (np.where(rng.random(n) < share, true, rng.integers(3, size=n)) for share in (0.7, 0.9))
    own = {"id": np.arange(n), "label": NAMES[true], "site": np.where(rng.random(n) < 0.5, "north", "south")}
    return {**own, "prediction": NAMES[old], "score": rng.random(n).round(3)}, {
        **own,
        "prediction": NAMES[new],
        "score": rng.random(n).round(3),
    }


@pytest.fixture
def files(tables, tmp_path):
    """Write both tables as CSV."""
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for path, table in zip(paths, tables, strict=True):
        rows = zip(*(column.tolist() for column in table.values()), strict=True)
        path.write_text("\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return paths


@pytest.fixture
def compared(files, tmp_path):
    """Write the dossier of a comparison."""
    return justesse.compare(*files, on="id", by="site", margin=0.01).dossier(tmp_path / "c.json")


@pytest.fixture
def key(tmp_path):
    """Make a key."""
    return justesse.dossier_key(tmp_path / "me.key").file
