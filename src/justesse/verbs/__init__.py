"""What the library and the command line share: one file per verb, each with its result."""
