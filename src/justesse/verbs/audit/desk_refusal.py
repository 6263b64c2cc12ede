"""Why an answer was refused, in words for whoever reads a page and has no command line."""

from justesse.core.errors import InputError
from justesse.report.audience import for_readers
from justesse.report.writing import message
from justesse.store.answers import AlreadyAnsweredError
from justesse.verbs.audit.typed_answer import UnknownClassError

OTHER = "Somebody else answered this question meanwhile. Load the page again."
AGAIN = (
    "You answered this question before, with {answer:name}. If it was your last answer, undo it; otherwise ask the owner of "
    "the audit."
)
UNKNOWN = 'Choose one of the classes, or "None of these" with the class as a note.'


def refusal(error: InputError, by: str) -> str:
    """Return why the answer of a person is not saved, and what to do on the page."""
    if isinstance(error.__cause__, AlreadyAnsweredError):
        old = error.__cause__.entry
        if old.by != by:
            return OTHER
        return str(message(AGAIN, answer=old.words))
    if isinstance(error, UnknownClassError):
        return f"{error.short} {UNKNOWN}"
    return for_readers(error)[0] or str(error)
