"""`justesse llm-judge VERDICTS --human HUMAN`."""

from dataclasses import asdict
from typing import Annotated, Any

from justesse.cli.delivery import Delivery
from justesse.cli.groups import EXPERT, INPUT, INTERVALS, JUDGING
from justesse.cli.output import listed, patience
from justesse.verbs.llm_judge.options import (
    AskingPeopleOptions,
    JudgedIntervalOptions,
    JudgedOptions,
    VerdictColumnOptions,
)


def llm_judge(
    verdicts: str,
    /,
    *,
    columns: Annotated[VerdictColumnOptions, INPUT] = VerdictColumnOptions(),
    judging: Annotated[JudgedOptions, JUDGING] = JudgedOptions(),
    asking: Annotated[AskingPeopleOptions, EXPERT] = AskingPeopleOptions(),
    intervals: Annotated[JudgedIntervalOptions, INTERVALS] = JudgedIntervalOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Correct win rates or accuracies that a language model judged, by people's ratings of some items.

    Measures how the judge errs, per stratum and model, and what it favours: the output shown first, its own outputs,
    longer ones. Says whether the judge is worth more than people's ratings alone.

    For example:

      justesse llm-judge verdicts.csv --human ratings.csv

      justesse llm-judge verdicts.csv --human ratings.csv --only GPT-4 --json

      justesse llm-judge verdicts.csv --human ratings.csv --report page.html

      justesse llm-judge verdicts.csv --ask atlas.audit --ask-about atlas \\
          --about rows --ask-next 20 --to to_rate.csv

    Parameters
    ----------
    verdicts
        File with a row for each verdict: the item, the winner of a pair of outputs or whether an answer is right;
        judge, prompt, models, order, stratum and lengths if there are any.
    """
    from justesse.frames.engine import progress
    from justesse.verbs.llm_judge.llm_judge import llm_judge as run

    delivery.check(verdicts, columns.human, ask=asking.ask, to=asking.to)
    options: dict[str, Any] = {
        name: value for group in (columns, judging, asking, intervals) for name, value in asdict(group).items()
    }
    options |= {name: listed(options[name]) or None for name in ("models", "lengths", "own")}
    with patience("Reading and testing", progress):
        evaluation = run(verdicts, **options)
    delivery.deliver(evaluation)
