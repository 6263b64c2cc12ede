"""How options are spelt: texts that serve library and command line have both spellings."""

import re

BOTH_SPELLINGS = re.compile(r"\b\w+=[^\s(),]+ \((--[^()]+)\)")  # label=… (--label)
BOTH_IN_BRACKETS = re.compile(r"\(\w+=[^\s(),]+, (?=--)")  # (check=…, --check)


def as_typed(text: str) -> str:
    """Spell options as on the command line, where a text has both spellings.

    >>> as_typed("Name the label column with label=… (--label). You can choose features (features=…, --features).")
    'Name the label column with --label. You can choose features (--features).'
    """
    return BOTH_IN_BRACKETS.sub("(", BOTH_SPELLINGS.sub(r"\1", text))
