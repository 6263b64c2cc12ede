"""How right one classifier is: measures with intervals, scores, slices, what wrong labels could change."""
