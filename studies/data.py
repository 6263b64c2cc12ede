"""Where the real data is: beside the project, not in it."""

import os
from pathlib import Path


def data_file(path: str) -> Path:
    """Find a file in the folder that JUSTESSE_DATA names."""
    folder = os.environ.get("JUSTESSE_DATA")
    if not folder:
        raise SystemExit(f"JUSTESSE_DATA must name the folder that holds {path}; README.md says where it is from")
    return Path(folder) / path
