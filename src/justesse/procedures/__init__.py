"""Ways of evaluating: so far, what a classifier must beat."""
