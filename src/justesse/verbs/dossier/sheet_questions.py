"""The checklist of good practices, and the questions about impact that a data sheet of a dossier has besides."""

from collections.abc import Mapping
from dataclasses import dataclass

from justesse.store.datasheet import QUESTIONS, UNANSWERED

IMPACT: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "impact": (
        "Impact assessment",
        {
            "personal_data": "Do the rows, or answers about them, tell something about single persons? What protects them?",
            "discrimination": "Which groups could be treated worse by the system, directly or through other features?",
            "authority": "Who defines what is true here: a law, a body, a panel of experts?",
            "groups": "In which groups are labels wrong more often, and what does that do to their figures?",
            "responsible": "Who answers for the system if it does harm?",
        },
    ),
}
ANSWERED = "answered"
ANSWERED_TITLE = 'Who answered each section, and when: "NAME, YYYY-MM-DD"'


@dataclass(frozen=True)
class Practice:
    """A line of the checklist: who can tell, a machine by the codes of `inspect` or a person by sections of the sheet."""

    title: str
    codes: tuple[str, ...] = ()
    condition: str | None = None
    questions: tuple[str, ...] = ()  # "section" or "section.question"


# Benjelloun (2021), 5.1.1 to 5.1.5, 4.2.3 and 4.2.5
CHECKLIST = (
    Practice("Describe how the rows were collected", questions=("collection",)),
    Practice("Keep the instructions to annotators", questions=("instructions",)),
    Practice("State legal and ethical questions and what was done", questions=("law_and_ethics",)),
    Practice("Use annotators with varied profiles", questions=("annotators",)),
    Practice("Consider which labels are likely to be wrong; put quality before quantity", questions=("wrong_labels",)),
    Practice(
        "Use different annotators for test and training rows",
        codes=("JU007",),
        questions=("annotators.apart_from_training",),
    ),
    Practice("Let several annotators see a row and settle disagreements", questions=("instructions.disagreement",)),
    Practice("Keep test rows apart from training rows", condition="disjoint"),
    Practice("Have enough test rows", condition="large enough"),
    Practice("Represent the cases of use", condition="representative", questions=("representativeness",)),
    Practice("Protect personal data", questions=("impact.personal_data",)),
    Practice("Assess who could be discriminated against", questions=("impact.discrimination",)),
    Practice("Name the authority that defines the truth", questions=("impact.authority",)),
    Practice("Know in which groups labels are wrong more often", questions=("impact.groups",)),
    Practice("Name who is responsible", questions=("impact.responsible",)),
)


def section_questions() -> dict[str, tuple[str, Mapping[str, str]]]:
    """Give the title and the questions of every section."""
    return {name: (title, questions) for name, (_, title, questions) in QUESTIONS.items()} | dict(IMPACT)


def answered_questions(answers: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, str]]:
    """List section, question and answer of all that is answered, in the words of the sheet.

    >>> answered_questions({"impact": {"authority": "The road traffic act", "groups": ""}})
    [('Impact assessment', 'Who defines what is true here: a law, a body, a panel of experts?', 'The road traffic act')]
    """
    known = section_questions()
    listed = []
    for section, own in answers.items():
        title, questions = (ANSWERED_TITLE, {}) if section == ANSWERED else known.get(section, (section, {}))
        listed += [
            (title, questions.get(key, key), answer)
            for key, answer in own.items()
            if answer.strip().lower() not in UNANSWERED
        ]
    return listed


def section_text(name: str) -> str:
    """Write a section to fill in, as YAML."""
    title, questions = section_questions()[name]
    lines = ["", f"# {title}", f"{name}:"]
    for key, question in questions.items():
        lines += [f"  # {question}", f'  {key}: ""']
    return "\n".join(lines) + "\n"


def answered_text() -> str:
    """Write the section that says who answered, to fill in."""
    lines = ["", f"# {ANSWERED_TITLE}", f"{ANSWERED}:", *(f'  {name}: ""' for name in section_questions())]
    return "\n".join(lines) + "\n"
