"""Let every judge decide on every pair of classifiers."""
