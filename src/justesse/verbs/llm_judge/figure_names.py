"""What a figure of a judge is called."""

from typing import TYPE_CHECKING

from justesse.report.document import Text
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.llm_judge.figures import ModelFigures
    from justesse.verbs.llm_judge.result import JudgeEvaluation, LlmJudgeEvaluation

FIRST_OUTPUT = "the first output"


def group_name(result: "LlmJudgeEvaluation", judge: "JudgeEvaluation", model: "ModelFigures") -> str:
    """Name a figure by whose it is, and by its judge if there are several."""
    what = model.model if model.model is not None else FIRST_OUTPUT if result.verdicts.pairs else "all answers"
    return what if len(result.judges) == 1 else f"{what}, judged by {judge.name}"


def figure_beginning(result: "LlmJudgeEvaluation", judge: "JudgeEvaluation", model: "ModelFigures") -> Text:
    """Begin a sentence with whose a figure is; the name of a model stays as it is written."""
    name = group_name(result, judge, model)
    return name if model.model is not None else message("{name:capital}", name=name)
