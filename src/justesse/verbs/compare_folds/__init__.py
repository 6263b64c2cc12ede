"""Compare classifiers by their scores on folds or data sets."""
