"""Cleaning: labels that are likely to be wrong are removed or corrected, one way per file."""
