"""Show generated pages on the site in place of the short ones of the repository: a hook of mkdocs."""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "docs"


def on_page_read_source(page: Any, **_: Any) -> str | None:
    """Read the generated page of the same path, if `make docs` has made one."""
    generated = FOLDER / page.file.src_path
    return generated.read_text() if generated.is_file() else None
