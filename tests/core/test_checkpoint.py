"""Arrays on disk, whole or not at all, named after what they depend on."""

import numpy as np
import pytest

from justesse.core.checkpoint import place, read_arrays, write_arrays
from justesse.core.errors import OptionError


def test_arrays_come_back(tmp_path):
    path = tmp_path / "deep" / "a.npz"
    write_arrays(path, numbers=np.arange(3), words=np.array(["x", "yz"]))
    found = read_arrays(path)
    assert found is not None
    assert found["numbers"].tolist() == [0, 1, 2]
    assert found["words"].tolist() == ["x", "yz"]
    assert [one.name for one in path.parent.iterdir()] == ["a.npz"]


def test_half_a_file_is_none_at_all(tmp_path):
    path = tmp_path / "a.npz"
    write_arrays(path, numbers=np.arange(100))
    path.write_bytes(path.read_bytes()[:80])
    assert read_arrays(path) is None


def test_objects_are_not_read(tmp_path):
    """Reading them would run what they say."""
    np.savez(tmp_path / "a.npz", thing=np.array([{}], dtype=object))
    assert read_arrays(tmp_path / "a.npz") is None


def test_other_facts_another_place(tmp_path):
    facts = [(np.arange(3), 1), (np.arange(4), 1), (np.arange(3), 2)]
    places = {place(tmp_path, "a", one) for one in facts}
    assert len(places) == 3
    assert place(tmp_path, "a", (np.arange(3), 1)) in places
    with pytest.raises(OptionError, match="pickled"):
        place(tmp_path, "a", lambda: 1)
