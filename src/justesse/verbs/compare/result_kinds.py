"""What type checkers see of `compare`, whose result is of another kind with annotators' answers, or without labels."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast, overload

if TYPE_CHECKING:
    from justesse.verbs.answers.comparison import AnsweredComparison
    from justesse.verbs.compare.comparison import Comparison
    from justesse.verbs.unlabelled.comparison import UnlabelledComparison

Options = ParamSpec("Options")


class Comparing(Protocol[Options]):
    """A function that returns one kind of result for labels, another with `answers` or `reference`."""

    __name__: str

    @overload
    def __call__(self, *data: Any, answers: Any, **options: Any) -> "AnsweredComparison": ...
    @overload
    def __call__(self, *data: Any, reference: Any, **options: Any) -> "UnlabelledComparison": ...
    @overload
    def __call__(self, *args: Options.args, **kwargs: Options.kwargs) -> "Comparison": ...


def comparing(
    function: "Callable[Options, Comparison | AnsweredComparison | UnlabelledComparison]",
) -> Comparing[Options]:
    """Declare the results of a comparison. Nothing changes at run time."""
    return cast("Comparing[Options]", function)
