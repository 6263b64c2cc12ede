"""Excess error is estimation plus approximation: lecture 001's spline and ridge examples."""
