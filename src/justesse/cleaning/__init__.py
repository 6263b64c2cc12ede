"""Cleaning of labels: `simulated.py` finds, removes or corrects wrong labels with a known quality."""
