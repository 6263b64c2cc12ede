"""How options are spelt: texts that serve library and command line have both spellings."""

import re

BOTH_SPELLINGS = re.compile(r"\b\w+=[^\s(),]+ \((--[^()]+)\)")  # label=… (--label)
BOTH_IN_BRACKETS = re.compile(r"\(\w+=[^\s(),]+, (?=--)")  # (check=…, --check)

CALLED = re.compile(r"(\b\w+=[^\s(),]+) \(--[^()]+\)")
CALLED_IN_BRACKETS = re.compile(r"(\(\w+=[^\s(),]+), --[^()]+\)")
TYPED = re.compile(r"\(--(?!json\)|full\)|report\))([a-z][a-z-]*)\)")  # (--features)


def as_typed(text: str) -> str:
    """Spell options as on the command line, where a text has both spellings.

    >>> as_typed("Name the label column with label=… (--label). You can choose features (features=…, --features).")
    'Name the label column with --label. You can choose features (--features).'
    """
    return BOTH_IN_BRACKETS.sub("(", BOTH_SPELLINGS.sub(r"\1", text))


def as_called(text: str) -> str:
    """Spell options as parameters of a function, where a text names them in brackets.

    >>> as_called("Name the label column with label=… (--label). You can choose features (features=…, --features).")
    'Name the label column with label=…. You can choose features (features=…).'
    >>> as_called("Give the size of a test set over its training set (--test-over-train).")
    'Give the size of a test set over its training set (test_over_train=…).'
    """
    text = CALLED_IN_BRACKETS.sub(r"\1)", CALLED.sub(r"\1", text))
    return TYPED.sub(lambda match: f"({match[1].replace('-', '_')}=…)", text)
