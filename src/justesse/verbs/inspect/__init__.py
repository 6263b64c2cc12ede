"""Check a data set before it is used: duplicates, leaks, labels, splits; write its data sheet."""
