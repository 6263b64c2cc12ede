"""What type checkers see of a verb whose result is of another kind with annotators' answers."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

Options = ParamSpec("Options")
WithLabels = TypeVar("WithLabels", covariant=True)
WithAnswers = TypeVar("WithAnswers", covariant=True)


class Answerable(Protocol[Options, WithLabels, WithAnswers]):
    """A function that returns one kind of result for labels, another with `answers`."""

    __name__: str

    @overload
    def __call__(self, *data: Any, answers: Any, **options: Any) -> WithAnswers: ...
    @overload
    def __call__(self, *args: Options.args, **kwargs: Options.kwargs) -> WithLabels: ...


def answerable(
    with_labels: type[WithLabels],
) -> Callable[[Callable[Options, WithLabels | WithAnswers]], Answerable[Options, WithLabels, WithAnswers]]:
    """Declare the result that a function returns for labels. Nothing changes at run time."""

    def declared(
        function: Callable[Options, WithLabels | WithAnswers],
    ) -> Answerable[Options, WithLabels, WithAnswers]:
        return cast("Answerable[Options, WithLabels, WithAnswers]", function)

    return declared
