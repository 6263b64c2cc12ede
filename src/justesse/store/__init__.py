"""What must outlive a process: the questions of an audit and every answer to them, in one SQLite file."""
