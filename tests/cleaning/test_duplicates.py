import numpy as np
import pytest

from justesse.cleaning import filter_named
from justesse.cleaning.evidence import LabelEvidence
from justesse.cleaning.neighbourhood_graph import graph_edges


@pytest.mark.parametrize("graph", ["gabriel", "relative"])
@pytest.mark.parametrize("columns", [10, 40])
def test_equal_rows_are_neighbours_of_each_other(graph, columns):
    """Rounding once separated equal rows from all others, so that some had no neighbour at all."""
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(columns), size=5)
    rows = shares[rng.integers(0, 5, size=600)]
    edges = graph_edges(rows, graph=graph)
    assert (np.bincount(edges.ravel(), minlength=600) > 0).all()
    labels = rng.integers(0, 2, size=600)
    found = filter_named("neighbourhood-graph")(LabelEvidence(labels, ("a", "b"), features=rows), graph=graph)
    assert np.isfinite(found.score).all()
