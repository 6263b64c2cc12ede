"""Ctrl-C while the engine works is Ctrl-C, and says nothing about the data."""

from dataclasses import replace

import duckdb
import pytest

from justesse.frames.count import opened


@pytest.mark.parametrize("kind", ["file", "frame"])
@pytest.mark.parametrize("error", [duckdb.InterruptException("Interrupted!"), RuntimeError("Query interrupted")])
def test_an_interrupted_query_is_no_damaged_file(write, kind, error):
    def stopped(columns):
        raise error

    rows = opened(write("a.csv", "x\n1\n") if kind == "file" else {"x": [1]})[0]
    with pytest.raises(KeyboardInterrupt):
        replace(rows, relation=stopped).arrays(["x"], [])
