"""A system that keeps learning, as a run sees it, and the checks of what it replies."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from justesse.core.errors import InputError, OptionError
from justesse.lifelong.item import Item
from justesse.lifelong.tasks.task import short

Because = Literal["initial", "batch", "answers", "correction"]


class LearningSystem(Protocol):
    """What a Python object needs in order to be run.

    Two more methods are optional: `start(about)` gets the settings of the run, such as the classes and the seed, and
    `ask(items, most)` returns the ids of the items to ask the expert about, which active learning needs.
    """

    def predict(self, items: Sequence[Item], /) -> Sequence[Any]:
        """Return the answer to each item, such as its class; the model stays as it is."""

    def adapt(self, items: Sequence[Item], because: Because, /) -> None:
        """Learn from items; `item.label` is the right answer where it is known.

        `because` says why: the initial labelled data, a new batch without labels, the expert's answers to questions, or
        a correction.
        """


class LiveSystem(Protocol):
    """A system that is running: a Python object, or a command."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    def start(self, about: Mapping[str, Any]) -> None:
        """Begin from scratch, whatever went before."""

    def predict(self, items: Sequence[Item]) -> Any: ...

    def ask(self, items: Sequence[Item], most: int) -> Any: ...

    def adapt(self, items: Sequence[Item], because: Because) -> None: ...

    def save(self, path: str) -> bool:
        """Write the state to a file; `False` if the system cannot."""

    def load(self, path: str) -> None:
        """Go back to a state that was saved."""

    def snapshot(self) -> Any:
        """Return the present state in memory; `None` if that is not possible."""

    def restore(self, state: Any) -> None:
        """Go back to a state that `snapshot` returned."""

    def close(self) -> None: ...


class PythonSystem:
    """A Python object as a running system. It works on copies, so that the caller's object stays as it is.

    Parameters
    ----------
    system
        Object with `predict` and `adapt`.
    """

    def __init__(self, system: LearningSystem) -> None:
        for method in ("predict", "adapt"):
            if not callable(getattr(system, method, None)):
                raise OptionError(
                    f"A system needs the methods predict and adapt; {type(system).__name__} has no {method}."
                )
        self.name = type(system).__name__
        self._pristine = system
        self._system: Any = None

    def start(self, about: Mapping[str, Any]) -> None:
        try:
            self._system = copy.deepcopy(self._pristine)
        except Exception as error:
            raise OptionError(
                f"The system {self.name!r} cannot be copied ({error}), which a run needs to begin from the same state. "
                "Give it a method __deepcopy__, or run it as a command."
            ) from error
        if hasattr(self._system, "start"):
            self._call("start", about)

    def predict(self, items: Sequence[Item]) -> Any:
        return self._call("predict", items)

    def ask(self, items: Sequence[Item], most: int) -> Any:
        if not hasattr(self._system, "ask"):
            raise OptionError(
                f"Active learning needs a system that asks: add a method ask(items, most) to {self.name}, or choose "
                "learning=… (--learning) interactive or unsupervised."
            )
        return self._call("ask", items, most)

    def adapt(self, items: Sequence[Item], because: Because) -> None:
        self._call("adapt", items, because)

    def save(self, path: str) -> bool:
        return False

    def load(self, path: str) -> None:
        raise AssertionError("a Python object saves no file")

    def snapshot(self) -> Any:
        return copy.deepcopy(self._system)

    def restore(self, state: Any) -> None:
        self._system = copy.deepcopy(state)

    def close(self) -> None:
        self._system = None

    def _call(self, method: str, *arguments: Any) -> Any:
        try:
            return getattr(self._system, method)(*arguments)
        except Exception as error:
            raise InputError(
                f"The system {self.name!r} failed in {method}: {type(error).__name__}: {error}."
            ) from error


def checked_questions(reply: Any, pool: Mapping[str, Item], mode: str, system: str) -> list[str]:
    """Return the ids asked about, or say why a question is not possible.

    >>> checked_questions(["b"], {"b": Item("b", "1")}, "on-line", "s")
    ['b']
    """
    asked = reply.tolist() if hasattr(reply, "tolist") else reply
    if not isinstance(asked, (list, tuple)):
        raise InputError(
            f"The system {system!r} must reply to ask with a list of ids, empty if it asks nothing; got {short(asked)}."
        )
    ids = [str(id) for id in asked]
    for at, id in enumerate(ids):
        if id not in pool:
            where = "the current batch" if mode == "on-line" else "the items so far"
            raise InputError(
                f"The system {system!r} asked about item {short(id)}. Questions are only about items of {where} that "
                "were not asked before: those sent with ask."
            )
        if id in ids[:at]:
            raise InputError(f"The system {system!r} asked about item {id!r} twice at once. Ask about each item once.")
    return ids
