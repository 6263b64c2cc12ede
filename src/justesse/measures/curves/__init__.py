"""Measures of scores: functions of the rows of one class against the rest, gathered by score."""
