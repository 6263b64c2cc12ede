"""Options of `llm_judge`."""

from dataclasses import dataclass
from pathlib import Path

from justesse.core.choices import JudgedAbout, Unparseable


@dataclass(frozen=True)
class VerdictColumnOptions:
    """Which columns are read.

    Parameters
    ----------
    human
        File with people's ratings of some items, drawn at random: item, the model or models if several were judged, and
        the rating. Default: none; then nothing can be corrected.
    item
        Column with the items. Default: the column named item, task or question.
    judge
        Column with the judges. Default: the column named judge, evaluator or grader; without one, there is one judge.
    prompt
        Column with the prompts. A judge counts once for each prompt. Default: the column named prompt or template.
    winner
        Column with the winner of each pair: 1, 2 or tie, or the name of a model. Default: the column named winner,
        preferred or preference.
    verdict
        Column with verdicts on single answers: 1 or 0, right or wrong. Default: the column named verdict, judgement or
        grade, if there are no winners.
    rating
        Column of people's table with the ratings, written as the verdicts are. Default: the column named as that of the
        verdicts, or rating, label, human or expert.
    model
        Column with the model whose answer was judged. Default: the column named model or system.
    models
        Two columns with the models compared, such as model_1,model_2. Default: those named model_1 and model_2, or model_a
        and model_b.
    swapped
        Column that says whether the outputs were shown in the other order. Default: the column named swapped.
    as_shown
        Winners name the place in which an output was shown, not the output. Default: they name the output.
    stratum
        Column with kinds of items, in either table. Default: the column named stratum, subset or category.
    lengths
        Column with the length of the answer, or two of a pair, such as chars_1,chars_2. Default: those named length, or
        length_1 and length_2.
    """

    human: str | None = None
    item: str | None = None
    judge: str | None = None
    prompt: str | None = None
    winner: str | None = None
    verdict: str | None = None
    rating: str | None = None
    model: str | None = None
    models: list[str] | None = None
    swapped: str | None = None
    as_shown: bool = False
    stratum: str | None = None
    lengths: list[str] | None = None


@dataclass(frozen=True)
class JudgedOptions:
    """Which judges are evaluated, and how.

    Parameters
    ----------
    only
        Evaluate only judges whose name, with the prompt, contains this text, such as GPT-4. Default: all.
    own
        Models of the judge's own family, such as gpt-4o,gpt-4o-mini, to measure self-preference. Default: a model named as
        the judge.
    unparseable
        Verdicts that cannot be read: count as half a point, or drop. They are counted either way. Default: half.
    about
        Whom figures are about: the population that the items come from, or rows: these items only. Default: population.
    """

    only: str | None = None
    own: list[str] | None = None
    unparseable: Unparseable = "half"
    about: JudgedAbout = "population"


@dataclass(frozen=True)
class AskingPeopleOptions:
    """Asking people one item after the other, until it is decided.

    Parameters
    ----------
    ask
        Ask people instead of evaluating: audit file, such as atlas.audit, that keeps which items were drawn and how
        people rated them. It is made if it does not exist. Needs --ask-about if there are several models.
    ask_about
        With --ask: model whose win rate or accuracy is asked about. Default: the only one.
    against
        With --ask: only comparisons with this model. Default: all.
    above
        With --ask: what the win rate or accuracy is compared with; asking stops once it is above or below. Default: 0.5.
    budget
        With --ask: number of ratings at most. Default: 200, or all items if there are fewer.
    ask_next
        With --ask: number of items to have rated next, such as 20. Default: 0, none.
    to
        With --ask-next: CSV or Parquet file for these items, with an empty column for the rating.
    """

    ask: Path | None = None
    ask_about: str | None = None
    against: str | None = None
    above: float | None = None
    budget: int | None = None
    ask_next: int = 0
    to: Path | None = None


@dataclass(frozen=True)
class JudgedIntervalOptions:
    """Intervals and tests.

    Parameters
    ----------
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    draws
        Number of random exchanges of each test, at least 100. Default: 999.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    """

    level: float = 0.95
    draws: int = 999
    seed: int = 0
