"""Compare variants by outcomes that arrive over time."""
