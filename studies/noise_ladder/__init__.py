"""Thirty networks, two kinds of labels, one known truth: what each rung of the ladder says, and how far off it is."""
