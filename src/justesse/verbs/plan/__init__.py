"""How many rows or labels are enough, before they are gathered: one file per question."""
