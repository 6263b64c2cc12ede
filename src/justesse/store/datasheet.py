"""The data sheet of a test set: what people must say about it, because no computation can."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.native import write_whole
from justesse.store.plain_yaml import read_plain_yaml

UNANSWERED = frozenset({"", "todo", "tbd", "fixme", "?", "-", "...", "…", "xxx"})
QUESTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "collection": (
        "JU301",
        "How the rows were collected",
        {
            "source": "Where do the rows come from, and who gathered them?",
            "period": "From when to when?",
            "protocol": "How were they chosen, step by step?",
            "left_out": "Which rows were left out, and why? (none, if none)",
        },
    ),
    "instructions": (
        "JU302",
        "Instructions to annotators",
        {
            "given": "What were annotators told, word for word or where it can be read?",
            "hard_cases": "What were they to do when in doubt?",
            "disagreement": "How many saw each row, and how were disagreements settled?",
        },
    ),
    "law_and_ethics": (
        "JU303",
        "Legal and ethical questions",
        {
            "rights": "On what right or licence are the rows held and used?",
            "people": "Do they tell of people? Did those agree, and how are they protected?",
            "harm": "Who could be harmed by a wrong answer, or by this test?",
            "answers": "What was done about it?",
        },
    ),
    "annotators": (
        "JU304",
        "Who the annotators are",
        {
            "number": "How many are there?",
            "profiles": "What is their training, language, background?",
            "variety": "Are they varied enough not to share one bias?",
            "apart_from_training": "Did other people annotate the training rows?",
        },
    ),
    "representativeness": (
        "JU305",
        "What the test is to represent (five questions of Ramsey and Hewitt)",
        {
            "task": "What is the task, the question that the test is to answer?",
            "population": "What is the target population?",
            "confidence": "What level of confidence is wanted?",
            "sampling": "Does the sampling plan respect heterogeneity, and does every case have the same chance?",
            "quality_control": "How were errors and biases in the rows looked for?",
        },
    ),
    "wrong_labels": (
        "JU306",
        "The form of wrong labels",
        {
            "form": "Which labels are likely to be wrong: any alike, some classes, hard cases?",
            "rate": "How many, and how is that known?",
            "priority": "If mistakes are not uniform: was quality put before quantity?",
        },
    ),
}


@dataclass(frozen=True)
class Datasheet:
    """What was answered, section by section, and what was not."""

    path: Path
    answers: Mapping[str, Mapping[str, str]]
    started: bool = False

    def missing(self, section: str) -> list[str]:
        """List the questions of a section that nobody answered."""
        given = self.answers.get(section, {})
        return [key for key in QUESTIONS[section][2] if given.get(key, "").strip().lower() in UNANSWERED]

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "started": self.started,
            "answers": {section: dict(answers) for section, answers in self.answers.items()},
            "missing": {section: self.missing(section) for section in QUESTIONS if self.missing(section)},
        }


def template() -> str:
    """Write the questions as a file to fill in.

    >>> template().splitlines()[2:4]
    ['# How the rows were collected (JU301)', 'collection:']
    """
    lines = [
        "# Data sheet of a test set: answer after each colon, in quotes; a long answer goes on indented lines after |"
    ]
    for section, (code, title, questions) in QUESTIONS.items():
        lines += ["", f"# {title} ({code})", f"{section}:"]
        for key, question in questions.items():
            lines += [f"  # {question}", f'  {key}: ""']
    return "\n".join(lines) + "\n"


def datasheet(path: Path) -> Datasheet:
    """Read a data sheet, or start one where there is none yet."""
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise FileError(f"a data sheet is a .yaml file; got {str(path)!r}")
    if not path.exists():
        write_whole(path, lambda temporary: Path(temporary).write_text(template(), encoding="utf-8"))
        return Datasheet(path, {section: {} for section in QUESTIONS}, started=True)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read: {error}; write it again as UTF-8 text") from error
    answers: dict[str, dict[str, str]] = {}
    for section, value in read_plain_yaml(text, str(path)).items():
        if not isinstance(value, dict):
            if value not in ("", []):
                raise FileError(f"{path}: {section!r} needs its answers as keys below it; got {str(value)[:60]!r}")
            value = {}
        answers[section] = {key: "; ".join(one) if isinstance(one, list) else one.strip() for key, one in value.items()}
    if not set(answers) & set(QUESTIONS):
        raise FileError(
            f"{path} is no data sheet: it has none of {', '.join(QUESTIONS)}; name a file that "
            "does not exist to start one"
        )
    return Datasheet(path, answers)
