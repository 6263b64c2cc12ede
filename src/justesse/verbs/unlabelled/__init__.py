"""Classifiers judged without labels."""
