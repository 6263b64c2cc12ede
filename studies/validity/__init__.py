"""How often each interval covers the true value: measured, not assumed."""
