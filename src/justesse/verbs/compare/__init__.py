"""Compare two classifiers on the same rows: verdict, differences, what wrong labels could change."""
