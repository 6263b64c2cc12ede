"""Find labels that are probably wrong: a ranked list, what people's answers say about it, a cleaned table."""
