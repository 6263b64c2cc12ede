"""Ctrl-C while the engine works is Ctrl-C, and says nothing about the data."""

from dataclasses import replace

import duckdb
import pytest

from justesse.frames.count import opened


@pytest.mark.parametrize("kind", ["file", "frame"])
def test_an_interrupted_query_is_no_damaged_file(write, kind):
    def stopped(columns):
        raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")

    rows = opened(write("a.csv", "x\n1\n") if kind == "file" else {"x": [1]})[0]
    with pytest.raises(KeyboardInterrupt):
        replace(rows, relation=stopped).arrays(["x"], [])
