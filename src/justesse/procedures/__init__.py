"""Ways of evaluating a learning method: how rows are split, models run, and figures drawn from what they answered."""
