"""What the library and the command line share: one folder per verb, with the function, its result and its document."""
