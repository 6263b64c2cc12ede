"""What any reader of a page needs to know, apart from what only helps whoever runs justesse."""

import re

OPTION = re.compile(r"(?<![\w-])--[a-z]|\b\w+=(?:…|'|True\b|False\b)|\bjustesse(?:\.| [a-z]+\b)")
BRACKETS = re.compile(r"\s*\((?:[^()]*[\s,])?(?:--[a-z]|justesse[. ])[^()]*\)")
SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")


def for_readers(text: object) -> tuple[str, str]:
    """Split a text into what every reader needs and the advice that names options, commands or parameters.

    >>> for_readers("A share of 1 % is plausible (--plausible-noise). Have labels re-checked (--audited).")
    ('A share of 1 % is plausible. Have labels re-checked.', '')
    >>> for_readers("Labels are numbers. Did you mean --regression?")
    ('Labels are numbers.', 'Did you mean --regression?')
    """
    plain, advice = [], []
    for sentence in SENTENCES.split(str(text)):
        without = BRACKETS.sub("", sentence)
        if OPTION.search(without):
            advice.append(sentence)
        else:
            plain.append(without)
    return " ".join(plain), " ".join(advice)
