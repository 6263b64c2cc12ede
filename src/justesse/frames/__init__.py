"""The only door to rows: files and data frames come in, tallies and arrays go on."""
