"""Answers that are none: empty ones, refusals, and what cannot be read as one of the choices."""

import re

from justesse.frames.logs.log_facts import Reply

LONGEST_NAME = 40  # characters of an answer that is shown as it is
APOSTROPHE = str.maketrans({"’": "'", "‘": "'"})
NONE = re.compile(
    r"\W*(none|null|nan|n/?a|invalid|no answer|not applicable|unknown|unparse?able|-+|\?+)\W*", re.IGNORECASE
)
REFUSAL = re.compile(
    r"\W*(i'?m (very |so |really )?sorry|i am (very |so |really )?sorry|sorry,? (but )?i|i apologi[sz]e|my apologies"
    r"|i('m| am) (not able|unable|not comfortable|not allowed|not going)"
    r"|i (can ?not|can't|could not|couldn't|won't|will not|must decline|have to decline|decline|refuse)\b"
    r"|(as|being) an? (ai|artificial|large language|language model|assistant)"
    r"|unfortunately,? i (can ?not|can't|am|'m|do not|don't)"
    r"|i (do not|don't) (have|know|feel comfortable|think i (can|should))|i'd rather not|i prefer not)",
    re.IGNORECASE,
)


def reply_kind(answer: str | None, response: str | None, *, known: bool) -> Reply:
    """Say what kind of answer a wrong answer is; `known` says whether it is one of the choices or classes.

    >>> [reply_kind(text, text, known=False) for text in ("", "I cannot help with that.", "none", "F")]
    ['empty', 'refused', 'unparseable', 'answered']
    >>> reply_kind("", "I’m sorry, but I can’t answer.", known=False)
    'refused'
    """
    if known:
        return "answered"
    text = (answer if answer and answer.strip() else response) or ""
    plain = text.translate(APOSTROPHE).strip()
    if not plain:
        return "empty"
    if REFUSAL.match(plain):
        return "refused"
    if NONE.fullmatch(plain) or (answer is not None and not answer.strip()):
        return "unparseable"
    return "answered"


def shown_answer(text: str) -> str:
    """Shorten an answer to a name.

    >>> shown_answer("The  answer"), len(shown_answer("x" * 99))
    ('The answer', 40)
    """
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
