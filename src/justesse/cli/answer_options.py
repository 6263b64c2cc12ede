"""`--drop-missing`, the old name of `--missing drop`."""

import sys

from justesse.core.errors import OptionError

HINT = "Hint: --drop-missing is now called --missing drop. The old name still works."


def check_drop_missing(drop_missing: bool, missing: str | None) -> None:
    """Accept --drop-missing for --missing drop, and say so."""
    if not drop_missing:
        return
    if missing not in (None, "drop"):
        raise OptionError(f"--drop-missing means --missing drop, but --missing is {missing}: give one of them")
    sys.stderr.write(f"{HINT}\n")
