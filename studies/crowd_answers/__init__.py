"""Whether intervals against a real crowd's answers cover the truth."""
