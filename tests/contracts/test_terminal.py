"""Whatever commands print goes through `cli/output.py`."""

import re
from pathlib import Path

from justesse.cli import output


def test_names_reach_the_terminal_by_one_door_only():
    """`say`, `complain` and `console` spell out what would steer a terminal; `print` does not."""
    harmless = re.compile(r"""\bprint\((|flush=True|"[^"{]*")\)""")
    safe = {"output.py", "keys.py", "audit_ask.py"}  # the door itself, and prompts whose names went through `printable`
    wrong = [
        f"{path.name}:{number}: {line.strip()}"
        for path in Path(output.__file__).parent.glob("*.py")
        if path.name not in safe
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if re.search(r"(?<![.\w])print\(", line) and ">>>" not in line and not harmless.search(line)
    ]
    assert not wrong, "use say() of cli/output.py"
