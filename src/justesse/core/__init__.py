"""Counts, results, errors and seeds: the ground everything stands on. NumPy only."""
