"""What type checkers see of `evaluate_unlabelled`, whose result is of another kind with a labelled reference."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast, overload

if TYPE_CHECKING:
    from justesse.verbs.unlabelled.evaluation import UnlabelledEvaluation
    from justesse.verbs.unlabelled.shifted import ShiftedEvaluation

Options = ParamSpec("Options")


class Evaluating(Protocol[Options]):
    """A function that returns one kind of result from several classifiers, another with `reference`."""

    __name__: str

    @overload
    def __call__(self, *tables: Any, reference: Any, **options: Any) -> "ShiftedEvaluation": ...
    @overload
    def __call__(self, *args: Options.args, **kwargs: Options.kwargs) -> "UnlabelledEvaluation": ...


def evaluating(function: "Callable[Options, UnlabelledEvaluation | ShiftedEvaluation]") -> Evaluating[Options]:
    """Declare the results of an evaluation without labels. Nothing changes at run time."""
    return cast("Evaluating[Options]", function)
