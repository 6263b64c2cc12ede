"""What wrong labels do to a measured value, and what can still be said: the ladder of assumptions."""
