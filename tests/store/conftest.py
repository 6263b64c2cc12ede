"""Where an audit can be: the same tests for files, for stores on SQLite and for stores on PostgreSQL."""

import pytest


@pytest.fixture(params=["file", "sqlite", "postgresql"])
def place(request, tmp_path):
    """Where an audit can be made: in a file, in a store on SQLite, in a store on PostgreSQL."""
    if request.param == "file":
        return tmp_path / "odd ?#%é.audit"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'odd ?é.db'}#my audit"
    return f"{request.getfixturevalue('postgres').database()}#my audit"
