"""The pages of the documentation that people write; `make docs` generates the others."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def is_generated(page: Path) -> bool:
    """Whether `make docs` writes a page: the reference but for the JSON, and the notebook."""
    return page == DOCS / "tutorials" / "notebook.md" or (page.parent == DOCS / "reference" and page.name != "json.md")


PAGES = [ROOT / "README.md", *(page for page in sorted(DOCS.rglob("*.md")) if not is_generated(page))]
