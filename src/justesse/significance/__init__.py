"""Tests of whether two or more classifiers differ: one per file, each a function of counts or of fold scores."""
