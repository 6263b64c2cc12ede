"""A record of an evaluation that can be checked and repeated: its form, its checksums, its chain and its signature."""
