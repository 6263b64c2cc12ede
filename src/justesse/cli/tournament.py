"""`justesse tournament PREDICTIONS`."""

from dataclasses import asdict
from typing import Annotated, Any

from cyclopts import Parameter, default_name_transform

from justesse.cli.delivery import Delivery
from justesse.cli.evaluate import class_names
from justesse.cli.groups import ANSWERS, INPUT, INTERVALS, JUDGING, LOGS, NOISE
from justesse.cli.output import chances, listed, listed_calls, numbers, patience
from justesse.core.errors import OptionError
from justesse.verbs.options.answers import AnswerOptions
from justesse.verbs.options.logs import LogOptions
from justesse.verbs.tournament.options import (
    OPTION_NAMES,
    LabelVersionOptions,
    TournamentColumnOptions,
    TournamentJudgeOptions,
    VerdictOptions,
)


def option_name(keyword: str) -> str:
    """Return the name of the option for a keyword of the function."""
    return default_name_transform(OPTION_NAMES.get(keyword, keyword))


RENAMED = Parameter(name_transform=option_name)


def tournament(
    *files: str,
    columns: Annotated[TournamentColumnOptions, INPUT, RENAMED] = TournamentColumnOptions(),
    judging: Annotated[TournamentJudgeOptions, JUDGING, RENAMED] = TournamentJudgeOptions(),
    noise: Annotated[LabelVersionOptions, NOISE] = LabelVersionOptions(),
    intervals: Annotated[VerdictOptions, INTERVALS] = VerdictOptions(),
    missing: Annotated[AnswerOptions, ANSWERS] = AnswerOptions(),
    logs: Annotated[LogOptions, LOGS] = LogOptions(),
    delivery: Delivery = Delivery(),
) -> None:
    """Rank many classifiers, and measure how often each judge errs over all pairs of them.

    The leaderboard has every accuracy with its interval, the ranks that each classifier can have, and how many wrong
    labels could swap neighbours. It needs labels only.

    Judges take part if there are true classes. Every judge decides for each pair whether the second classifier should
    replace the first, by labels that may be wrong. References decide by the true classes. Type I error: the judge
    replaces, the reference keeps. Type II error: the judge keeps, the reference replaces.

    For example:

      justesse tournament predictions.parquet --label label --true true

      justesse tournament predictions.csv --judge classical,paired

      justesse tournament predictions.csv --noise-rates 0.01,0.05,0.1

      justesse tournament predictions.csv --measure recall:cat --report page.html

      justesse tournament a.csv b.csv c.csv --on id --json

      justesse tournament runs/*.eval

      justesse tournament answers.csv --task-column subject --cluster passage

    Parameters
    ----------
    files
        A file with a column for each classifier, or one file per classifier (see --on).
    """
    from justesse.verbs.tournament.tournament import tournament as run

    if not files:
        raise OptionError(
            "No file given. Name a file with the predictions of the classifiers: justesse tournament FILE."
        )
    delivery.check(*files, noise.votes, noise.answers, noise.ranking, noise.task_rates)
    groups = (columns, judging, noise, intervals, missing, logs)
    options: dict[str, Any] = {name: value for group in groups for name, value in asdict(group).items()}
    options |= {name: listed(options[name]) or None for name in ("label", "models", "judges", "measure", "hard_by")}
    options |= {
        "classes": class_names(columns.classes, columns.as_text),
        "cleaning": None if judging.cleaning is None else [chances(step) for step in listed(judging.cleaning)],
        "filter": listed_calls(judging.filter) or None,
        "noise_rates": None if noise.noise_rates is None else numbers("noise-rates", noise.noise_rates),
    }
    done: list[float] = []
    with patience("Judging all pairs", lambda: done[-1] if done else None):
        result = run(*files, progress=lambda now, whole: done.append(now / whole), **options)
    delivery.deliver(result)
