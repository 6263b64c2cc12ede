"""Studies: slow computations with a command of their own."""
