"""One audit for thirty networks, against an audit for each pair."""
