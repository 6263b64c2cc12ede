"""Numeric predictions: how far off they are, and whether another model's are nearer."""
