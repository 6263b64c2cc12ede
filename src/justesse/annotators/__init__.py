"""Annotators, people or models: how far they agree, what they are worth, and artificial ones trained on the data."""
