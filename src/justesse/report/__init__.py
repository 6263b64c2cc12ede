"""Pages people want to read: typed sections, one self-contained HTML file."""
