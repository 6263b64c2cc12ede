"""What mypy must see of the library (`make lint`): options by name, and the kind of result.

An expected error is a `type: ignore`; mypy complains about one that is not needed.
"""

from typing import TYPE_CHECKING, assert_type

import justesse

if TYPE_CHECKING:
    from justesse.verbs.answers.comparison import AnsweredComparison
    from justesse.verbs.answers.evaluation import AnsweredEvaluation
    from justesse.verbs.compare.comparison import Comparison
    from justesse.verbs.evaluate.evaluation import Evaluation

    assert_type(justesse.evaluate("test.csv", level=0.9), Evaluation)
    assert_type(justesse.evaluate("test.csv", answers="answers.csv"), AnsweredEvaluation)
    assert_type(justesse.compare("old.csv", "new.csv", margin=0.01), Comparison)
    assert_type(justesse.compare("old.csv", "new.csv", answers="answers.csv"), AnsweredComparison)

    justesse.evaluate("test.csv", levle=0.9)  # type: ignore[call-overload]
    justesse.evaluate("test.csv", level="high")  # type: ignore[call-overload]
    justesse.compare("old.csv", "new.csv", margn=0.01)  # type: ignore[call-overload]
