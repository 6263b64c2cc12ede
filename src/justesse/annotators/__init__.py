"""Artificial annotators: models trained to label rows, so that simulated labels are wrong where rows are hard."""
