"""How people are asked about a language model's outputs: recognise such audits, and word their question."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from justesse.verbs.llm_judge.asked_units import RIGHT, TIE, WRONG

CLAIMS = {("1", "2", TIE): (" wins", " loses"), (RIGHT, WRONG): (" is right", " is wrong")}


@dataclass(frozen=True)
class OutputQuestion:
    """The question about an output or two: its words, and each possible answer with the words on its button."""

    ask: str
    choices: tuple[tuple[str, str], ...]


PAIR = OutputQuestion("Which output is better?", (("1", "Output 1"), ("2", "Output 2"), (TIE, "Tie")))
SINGLE = OutputQuestion("Is the output right?", ((RIGHT, "Right"), (WRONG, "Wrong")))


def output_question(about: Mapping[str, Any]) -> OutputQuestion | None:
    """Return the question of an audit that `llm-judge --ask` started, by its settings; nothing for other audits.

    >>> about = {"classes": ["1", "2", "tie"], "suspicion": "doubt", "candidate": "new wins", "incumbent": "new loses"}
    >>> output_question(about).ask, output_question({**about, "incumbent": "old"})
    ('Which output is better?', None)
    """
    classes = sorted(map(str, about.get("classes", ())))
    claims = next((words for names, words in CLAIMS.items() if sorted(names) == classes), None)
    if claims is None or about.get("suspicion") != "doubt" or "candidate" not in about:
        return None
    positive, negative = claims
    for wins, loses in ((about["candidate"], about["incumbent"]), (about["incumbent"], about["candidate"])):
        if positive in wins and wins.replace(positive, negative) == loses:
            return PAIR if len(classes) == 3 else SINGLE
    return None
