import sys

from docs.written_pages import ROOT

sys.path.insert(0, str(ROOT / "docs" / "make"))
from reference import filter_option_table


def test_the_how_to_lists_every_option_of_every_filter():
    assert filter_option_table() in (ROOT / "docs" / "how-to" / "clean.md").read_text()
