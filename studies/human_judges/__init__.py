"""Thirty networks, labels from real people, and every judge on all 870 ordered pairs."""
