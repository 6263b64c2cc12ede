"""How many rows are enough: the smallest n for a wanted precision, power, noise rate or budget."""
