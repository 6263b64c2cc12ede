"""Evaluate systems that keep learning: scores over time under a policy, and the price of help."""
