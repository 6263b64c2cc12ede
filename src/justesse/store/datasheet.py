"""The data sheet of a test set: what only people know about it, in a YAML file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from justesse.core.errors import FileError
from justesse.frames.files import check_regular
from justesse.frames.native import write_whole

LARGEST = 1_000_000  # characters of a data sheet
UNANSWERED = frozenset({"", "todo", "tbd", "fixme", "?", "-", "...", "…", "xxx"})
QUESTIONS: dict[str, tuple[str, str, dict[str, str]]] = {
    "collection": (
        "JU301",
        "How the rows were collected",
        {
            "source": "Where do the rows come from, and who collected them?",
            "period": "Which period do they cover?",
            "protocol": "How were they selected, step by step?",
            "left_out": "Which rows were excluded, and why? (none, if none)",
        },
    ),
    "instructions": (
        "JU302",
        "Instructions to annotators",
        {
            "given": "What instructions did annotators get, word for word or where are they published?",
            "hard_cases": "What should they do when in doubt?",
            "disagreement": "How many annotators saw each row, and how were disagreements settled?",
        },
    ),
    "law_and_ethics": (
        "JU303",
        "Legal and ethical questions",
        {
            "rights": "Under which licence or right are the rows stored and used?",
            "people": "Are they about people? Did those consent, and how are they protected?",
            "harm": "Who could be harmed by a wrong prediction, or by this test?",
            "answers": "What was done about it?",
        },
    ),
    "annotators": (
        "JU304",
        "Who the annotators are",
        {
            "number": "How many annotators are there?",
            "profiles": "What is their training, language, background?",
            "variety": "Are they diverse enough not to share one bias?",
            "apart_from_training": "Were the training rows annotated by other people?",
        },
    ),
    "representativeness": (
        "JU305",
        "What the test set represents (five questions of Ramsey and Hewitt)",
        {
            "task": "Which question should the test answer?",
            "population": "What is the target population?",
            "confidence": "Which confidence level is required?",
            "sampling": "Does the sampling plan cover subgroups, and does every case have the same chance to be drawn?",
            "quality_control": "How were the rows checked for errors and biases?",
        },
    ),
    "wrong_labels": (
        "JU306",
        "The kind of wrong labels",
        {
            "form": "Which labels are likely to be wrong: all equally, some classes, hard cases?",
            "rate": "What share is wrong, and how do you know?",
            "priority": "If errors are not uniform: was quality put before quantity?",
        },
    ),
}


@dataclass(frozen=True)
class Datasheet:
    """The answers, by section and question."""

    path: Path
    answers: Mapping[str, Mapping[str, str]]
    started: bool = False

    def missing(self, section: str) -> list[str]:
        """List the questions of a section without an answer."""
        answers = self.answers.get(section, {})
        return [key for key in QUESTIONS[section][2] if answers.get(key, "").strip().lower() in UNANSWERED]

    def to_dict(self) -> dict[str, Any]:
        return {
            "file": str(self.path),
            "started": self.started,
            "answers": {section: dict(answers) for section, answers in self.answers.items()},
            "missing": {section: self.missing(section) for section in QUESTIONS if self.missing(section)},
        }


def template() -> str:
    """Return the questions as a YAML text to fill in.

    >>> template().splitlines()[2:4]
    ['# How the rows were collected (JU301)', 'collection:']
    """
    lines = [
        "# Data sheet of a test set. Answer after each colon, in quotes; or write | and a long answer on indented lines"
    ]
    for section, (code, title, questions) in QUESTIONS.items():
        lines += ["", f"# {title} ({code})", f"{section}:"]
        for key, question in questions.items():
            lines += [f"  # {question}", f'  {key}: ""']
    return "\n".join(lines) + "\n"


def datasheet(path: Path) -> Datasheet:
    """Read a data sheet, or create one if the file does not exist."""
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a data sheet. Name a .yaml file in it.")
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise FileError(f"A data sheet must be a .yaml file; got {str(path)!r}.")
    check_regular(path)
    if not path.exists():
        write_whole(path, lambda temporary: Path(temporary).write_text(template(), encoding="utf-8"))
        return Datasheet(path, {section: {} for section in QUESTIONS}, started=True)
    sections = _parsed(path)
    if not isinstance(sections, dict) or not set(sections) & set(QUESTIONS):
        raise FileError(
            f"{path} is not a data sheet: it has none of the sections {', '.join(QUESTIONS)}. "
            "Name a file that does not exist to create one."
        )
    return Datasheet(path, {section: _answers(path, section, value) for section, value in sections.items()})


def _parsed(path: Path) -> Any:
    """Parse YAML in which every value is text; tags are ignored, so nothing but texts, lists and keys can come out."""
    import yaml

    class TextLoader(yaml.BaseLoader):  # type: ignore[misc]
        """Refuse a key given twice, which would lose an answer, and aliases, which could fill the memory."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                line = self.peek_event().start_mark.line + 1
                raise FileError(f"{path}, line {line}: aliases (*name) are not supported. Write the answer out.")
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            lines: dict[str, int] = {}
            for key, _ in node.value:
                line = key.start_mark.line + 1
                if isinstance(key.value, str) and (first := lines.setdefault(key.value, line)) != line:
                    raise FileError(
                        f"{path}, line {line}: the key {key.value!r} is already in line {first}. Keep one of them."
                    )
            return dict(super().construct_mapping(node, deep))

    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise FileError(f"{path} is larger than {LARGEST:,} characters: too large for a data sheet. Shorten it.")
        return yaml.load(text, Loader=TextLoader)  # noqa: S506 - a BaseLoader builds texts only
    except OSError as error:
        raise FileError(
            f"{path} cannot be read: {(error.strerror or str(error)).lower()}. Check its permissions."
        ) from error
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is not UTF-8 text. Save it as UTF-8.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise FileError(f"{path}{where}: {problem}. Put answers in quotes, or on indented lines after |.") from error
    except RecursionError as error:
        raise FileError(f"{path} is nested too deeply. A data sheet has sections, and questions in them.") from error


def _answers(path: Path, section: str, value: Any) -> dict[str, str]:
    if value in ("", []):
        return {}
    if not isinstance(value, dict):
        raise FileError(f"{path}: {section!r} needs its answers as keys below it; got {str(value)[:60]!r}.")
    return {key: _answer(path, section, key, answer) for key, answer in value.items()}


def _answer(path: Path, section: str, key: Any, answer: Any) -> str:
    texts = answer if isinstance(answer, list) else [answer]
    if not isinstance(key, str) or not all(isinstance(text, str) for text in texts):
        raise FileError(
            f"{path}: {section}.{str(key)[:60]} must be a text or a list of texts. Write a long one after |."
        )
    return "; ".join(text.strip() for text in texts)
