"""`justesse recheck`: people answer a list of labels to re-check."""
