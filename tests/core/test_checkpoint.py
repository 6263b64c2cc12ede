"""Arrays on disk, whole or not at all, named after what they depend on."""

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from justesse.core import checkpoint as checkpoints
from justesse.core.checkpoint import Checkpoint, versions
from justesse.core.code_behind import code_behind
from justesse.core.errors import OptionError


def test_arrays_come_back(tmp_path):
    kept = Checkpoint(tmp_path / "deep" / "a.npz", "key")
    kept.write(numbers=np.arange(3), words=np.array(["x", "yz"]))
    found = kept.read()
    assert found is not None
    assert sorted(found) == ["numbers", "words"]
    assert found["numbers"].tolist() == [0, 1, 2]
    assert found["words"].tolist() == ["x", "yz"]
    assert [one.name for one in kept.path.parent.iterdir()] == ["a.npz"]


def test_half_a_file_is_none_at_all(tmp_path):
    kept = Checkpoint(tmp_path / "a.npz", "key")
    kept.write(numbers=np.arange(100))
    kept.path.write_bytes(kept.path.read_bytes()[:80])
    assert kept.read() is None


def test_objects_are_not_read(tmp_path):
    """Reading them would run what they say."""
    np.savez(tmp_path / "a.npz", checkpoint_key=np.array("key"), thing=np.array([{}], dtype=object))
    assert Checkpoint(tmp_path / "a.npz", "key").read() is None


def test_a_valid_file_of_other_work_is_not_read(tmp_path):
    """Whatever its name: a file that was renamed, copied or written without a key is not this work's."""
    mine, other = (Checkpoint.of(tmp_path, "0000", facts) for facts in ("mine", "other"))
    other.write(answers=np.arange(3))
    shutil.copy(other.path, mine.path)
    assert other.read() is not None
    assert mine.read() is None
    np.savez(mine.path, answers=np.arange(3))
    assert mine.read() is None


def test_other_facts_another_place(tmp_path):
    facts = [(np.arange(3), 1), (np.arange(4), 1), (np.arange(3), 2)]
    places = {Checkpoint.of(tmp_path, "a", one) for one in facts}
    assert len(places) == 3
    assert Checkpoint.of(tmp_path, "a", (np.arange(3), 1)) in places
    with pytest.raises(OptionError, match="pickled"):
        Checkpoint.of(tmp_path, "a", lambda: 1)


@pytest.mark.parametrize("name", ["justesse", "scikit-learn", "numpy", "scipy", "python"])
def test_another_version_is_other_work(tmp_path, monkeypatch, name):
    before = Checkpoint.of(tmp_path, "a", 1)
    later = {**versions(), name: "99.9"}
    monkeypatch.setattr(checkpoints, "versions", lambda: later)
    assert Checkpoint.of(tmp_path, "a", 1).key != before.key


@pytest.fixture
def own_modules(tmp_path, monkeypatch):
    """Modules of the user's own: a model, a module that it imports, and one that it imports inside a function."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    files = {
        "own_model": "from own_rate import RATE\nclass Model:\n    def fit(self):\n        import own_late\n        return RATE\n",
        "own_rate": "RATE = 1\n",
        "own_late": "LATE = 1\n",
    }

    def model(**changed: str) -> object:
        for name, text in {**files, **changed}.items():
            Path(tmp_path / f"{name}.py").write_text(text)
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("own_model").Model()

    yield model
    for name in files:
        sys.modules.pop(name, None)


def test_another_version_of_the_user_s_own_code_is_other_work(own_modules, tmp_path):
    before = Checkpoint.of(tmp_path, "a", own_modules()).key
    assert Checkpoint.of(tmp_path, "a", own_modules()).key == before
    assert sorted(code_behind(own_modules())) == ["own_late", "own_model", "own_rate"]
    changes = ({"own_model": "class Model:\n    pass\n"}, {"own_rate": "RATE = 20\n"}, {"own_late": "LATE = 30\n"})
    assert before not in {Checkpoint.of(tmp_path, "a", own_modules(**one)).key for one in changes}


TYPED_IN = """
RATE = 1

def commonest(y):
    return max(y)

class Base:
    def fit(self, y):
        return [commonest(y) for _ in y]

class Model(Base):
    level = 3
    def predict(self, x):
        return RATE
"""


def test_code_typed_into_a_notebook_is_covered_too(tmp_path, monkeypatch):
    def key(text):
        module = ModuleType("typed_in")
        monkeypatch.setitem(sys.modules, "typed_in", module)
        exec(text, vars(module))
        return Checkpoint.of(tmp_path, "a", module.Model()).key

    before = key(TYPED_IN)
    assert key(TYPED_IN) == before
    for old, new in (("max(y)", "min(y)"), ("RATE = 1", "RATE = 2"), ("level = 3", "level = 4"), ("for _", "for a")):
        assert key(TYPED_IN.replace(old, new)) != before, new


def test_large_arrays_in_the_facts(tmp_path):
    """Pickle hands large contiguous arrays on as buffers, which have no length."""
    first, other = (Checkpoint.of(tmp_path, "a", {"rows": np.full(200_000, value)}) for value in (0.0, 1.0))
    assert first.key != other.key
    assert first.key == Checkpoint.of(tmp_path, "a", {"rows": np.zeros(200_000)}).key
