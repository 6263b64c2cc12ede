"""Evaluation and comparison against annotators' answers instead of labels."""
