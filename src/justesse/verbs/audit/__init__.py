"""Ask an expert about few rows to settle whether the candidate should replace the incumbent."""
