"""Write docs/reference/cli.md from what `--help` prints."""

import os
import subprocess
import sys
from pathlib import Path

COMMANDS = ("", "evaluate", "compare", "tournament", "assess", "plan", "plan precision", "plan difference", "plan noise", "plan labels", "noise",
            "noise estimate", "noise profile", "noise bias", "noise bounds", "noise breakdown", "noise inject",
            "noise resist", "audit", "audit start", "audit next", "audit answer", "audit ask", "audit status", "audit report",
            "audit export",
            "inspect", "demo")  # fmt: skip

TARGET = Path(__file__).with_name("reference") / "cli.md"


def main(target: Path = TARGET) -> None:
    """Ask every command for its help."""
    parts = ["# The command line\n"]
    for command in COMMANDS:
        words = [sys.executable, "-m", "justesse", *command.split(), "--help"]
        shown = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "100"})
        parts.append(f"## justesse {command}".rstrip() + f"\n\n```text\n{shown.stdout.rstrip()}\n```\n")
    target.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
