"""How well models will do on new rows: train, test and compare them on the user's own table."""
