"""What label noise does to a measured score: estimate it, bound it, inject it, resist it."""
