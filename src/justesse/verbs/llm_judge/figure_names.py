"""What a figure of a judge is called."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from justesse.verbs.llm_judge.figures import ModelFigures
    from justesse.verbs.llm_judge.result import JudgeEvaluation, LlmJudgeEvaluation

FIRST_OUTPUT = "the first output"


def group_name(result: "LlmJudgeEvaluation", judge: "JudgeEvaluation", model: "ModelFigures") -> str:
    """Name a figure by what tells it from the others: judge, model, or both."""
    what = model.model if model.model is not None else FIRST_OUTPUT if result.verdicts.pairs else "all answers"
    if len(result.judges) == 1:
        return what
    return judge.name if len(judge.models) == 1 else f"{judge.name}: {what}"
