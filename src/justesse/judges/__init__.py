"""Judges: should the candidate replace the incumbent? One per file, all with the same signature."""
