"""`justesse.llm_judge`: how far can a language model be trusted as a judge, and what are the corrected figures?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.choice import check_choice
from justesse.core.choices import JudgedAbout, Unparseable
from justesse.core.errors import InputError, OptionError
from justesse.core.first_names import first_names
from justesse.core.resampling import check_draws
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.frames.native import TABLES, check_place
from justesse.frames.verdict_table import VerdictColumns, Verdicts
from justesse.frames.verdicts import read_verdicts
from justesse.frames.watched import check_unchanged, watched
from justesse.intervals.judge_rates import JudgeRates, judge_rates
from justesse.verbs.llm_judge.ask import JudgeAudit, ask_people
from justesse.verbs.llm_judge.asked_units import AskedUnits
from justesse.verbs.llm_judge.biases import biases_of
from justesse.verbs.llm_judge.figures import ModelFigures, judge_errors, model_figures, strengths_of
from justesse.verbs.llm_judge.options import AskingPeopleOptions, JudgedIntervalOptions, JudgedOptions
from justesse.verbs.llm_judge.result import JudgeEvaluation, LlmJudgeEvaluation
from justesse.verbs.llm_judge.units import JudgeUnits
from justesse.verbs.recorded import recorded


@recorded
def llm_judge(
    verdicts: Any,
    *,
    human: Any = None,
    item: str | None = None,
    judge: str | None = None,
    prompt: str | None = None,
    winner: str | None = None,
    verdict: str | None = None,
    rating: str | None = None,
    model: str | None = None,
    models: Sequence[str] | None = None,
    swapped: str | None = None,
    as_shown: bool = False,
    stratum: str | None = None,
    lengths: Sequence[str] | None = None,
    only: str | None = None,
    own: Sequence[str] | None = None,
    unparseable: Unparseable = JudgedOptions.unparseable,
    about: JudgedAbout = JudgedOptions.about,
    ask: Any = None,
    ask_about: str | None = None,
    against: str | None = None,
    above: float | None = AskingPeopleOptions.above,
    budget: int | None = None,
    ask_next: int = AskingPeopleOptions.ask_next,
    to: Any = None,
    level: float = JudgedIntervalOptions.level,
    draws: int = JudgedIntervalOptions.draws,
    seed: int = JudgedIntervalOptions.seed,
) -> LlmJudgeEvaluation | JudgeAudit:
    """Evaluate language models as judges, and correct win rates or accuracies for their errors.

    Parameters
    ----------
    verdicts
        Path, data frame or dict of arrays: a row for each verdict, with the winner of a pair of outputs, or with
        whether an answer is right.
    human
        Path, data frame or dict of arrays with people's ratings of some items, drawn at random: item, the model or
        models if several were judged, and the rating. Default: none; then nothing can be corrected.
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
        List of two columns with the models compared, such as ['model_1', 'model_2']. Default: those named model_1 and
        model_2, or model_a and model_b.
    swapped
        Column that says whether the outputs were shown in the other order. Default: the column named swapped.
    as_shown
        Winners name the place in which an output was shown, not the output. Default: they name the output.
    stratum
        Column with kinds of items, in either table. Default: the column named stratum, subset or category.
    lengths
        List of the column with the length of the answer, or of the two of a pair. Default: those named length, or
        length_1 and length_2.
    only
        Evaluate only judges whose name, with the prompt, contains this text, such as GPT-4. Default: all.
    own
        List of models of the judge's own family, to measure self-preference. Default: a model named as the judge.
    unparseable
        Verdicts that cannot be read: count as half a point, or drop. They are counted either way. Default: half.
    about
        Whom figures are about: the population that the items come from, or rows: these items only. Default: population.
    ask
        Ask people instead of evaluating: audit file, such as atlas.audit, that keeps which items were drawn and how
        people rated them. It is made if it does not exist. Needs `ask_about` if there are several models.
    ask_about
        With `ask`: model whose win rate or accuracy is asked about. Default: the only one.
    against
        With `ask`: only comparisons with this model. Default: all.
    above
        With `ask`: what the win rate or accuracy is compared with; asking stops once it is above or below. Default:
        0.5.
    budget
        With `ask`: number of ratings at most. Default: 200, or all items if there are fewer.
    ask_next
        With `ask`: number of items to have rated next, such as 20. Default: 0, none.
    to
        With `ask_next`: CSV or Parquet file for these items, with an empty column for the rating.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    draws
        Number of random exchanges of each test, at least 100. Default: 999.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.

    Returns
    -------
    LlmJudgeEvaluation or JudgeAudit
        Figures of each judge and model by every method, how each judge errs, and what it favours. With `ask`, what is
        decided so far about one model, with an interval that holds at all looks, and the items to rate next.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(1000) < 0.6
    >>> judged = np.where(rng.random(1000) < 0.85, truth, ~truth)
    >>> rows = {"item": np.arange(1000), "model": ["m"] * 1000, "verdict": judged.astype(int)}
    >>> people = {"item": np.arange(200), "verdict": truth[:200].astype(int)}
    >>> result = llm_judge(rows, human=people)
    >>> figures = result.judges[0].models[0]
    >>> figures.estimates["naive"]
    Estimate(accuracy 57.2 %, 95 % CI 54.1 to 60.2 %, n = 1,000)
    >>> figures.best
    Estimate(accuracy 57.3 %, 95 % CI 51.7 to 62.7 %, n = 200)
    """
    check_level(level)
    check_draws(draws)
    check_seed(seed)
    check_choice("unparseable", unparseable, Unparseable)
    check_choice("about", about, JudgedAbout)
    for option, names in (("models", models), ("lengths", lengths), ("own", own)):
        if isinstance(names, str):
            raise OptionError(f"{option} must be a list of names; got {names!r}.")
    table, people = watched(verdicts), watched(human)
    columns = VerdictColumns(
        item, judge, prompt, winner, verdict, rating, model, tuple(models or ()), swapped, stratum,
        tuple(lengths or ()), as_shown,
    )  # fmt: skip
    if to is not None:
        check_place(Path(to), endings=TABLES, read=(verdicts, human, ask))
    read = read_verdicts(table, people, columns, one_by_one=ask is not None)
    check_unchanged(table, people)
    chosen = _chosen(read, only)
    asking = {
        "ask_about": ask_about, "against": against, "above": above, "budget": budget, "to": to,
        "ask_next": ask_next or None,
    }  # fmt: skip
    if ask is not None:
        return _asked(read, chosen, unparseable, ask, ask_about, against,
                      above=0.5 if above is None else above, about=about, budget=budget, level=level,
                      seed=seed, ask_next=ask_next, to=to)  # fmt: skip
    for option, value in asking.items():
        if value is not None:
            raise OptionError(
                f"{option} (--{option.replace('_', '-')}) is for asking people. Name the file that keeps their answers: "
                "ask='my.audit' (--ask my.audit)."
            )
    judges = tuple(_evaluated(read, code, tuple(own or ()), unparseable, about, level, draws, seed) for code in chosen)
    return LlmJudgeEvaluation(
        read, judges, about, unparseable, level, draws, seed,
        tuple(source for source in (table, people) if isinstance(source, str)),
    )  # fmt: skip


def _asked(
    verdicts: Verdicts, chosen: list[int], unparseable: Unparseable, ask: Any, ask_about: str | None, against: str | None,
    **options: Any,
) -> JudgeAudit:  # fmt: skip
    if len(chosen) > 1:
        raise OptionError(
            f"Ask about the verdicts of one judge: choose it with only=… (--only). Judges: "
            f"{first_names([verdicts.judges[code] for code in chosen], 10)}."
        )
    units = JudgeUnits.of(verdicts, chosen[0], unparseable)
    return ask_people(AskedUnits.of(units, ask_about, against), ask, judge=verdicts.judges[chosen[0]], **options)


def _chosen(verdicts: Verdicts, only: str | None) -> list[int]:
    result = [at for at, name in enumerate(verdicts.judges) if only is None or only.lower() in name.lower()]
    if not result:
        raise InputError(
            f"No judge of {verdicts.name} has {only!r} in its name. Judges: {first_names(verdicts.judges, 10)}."
        )
    return result


def _evaluated(
    verdicts: Verdicts, code: int, own: tuple[str, ...], unparseable: Unparseable, about: JudgedAbout, level: float,
    draws: int, seed: int,
) -> JudgeEvaluation:  # fmt: skip
    units = JudgeUnits.of(verdicts, code, unparseable)
    if not len(units.units):
        raise InputError(
            f"No verdict of judge {verdicts.judges[code]!r} can be read. Use unparseable='half' (--unparseable half), or "
            "leave the judge out."
        )
    errors = judge_errors(units, level=level, draws=draws, seed=seed)
    return JudgeEvaluation(
        verdicts.judges[code],
        _models(units, errors.rates if errors else None, about, level),
        errors,
        biases_of(units, own, verdicts.families[code], level=level, draws=draws, seed=seed),
        strengths_of(units, level),
        units.cells,
        units.verdict_count,
        units.unparseable,
        units.repeated,
        len(units.units),
        int(units.rated.sum()),
    )


def _models(units: JudgeUnits, rates: JudgeRates | None, about: JudgedAbout, level: float) -> tuple[ModelFigures, ...]:
    sides = units.sides()
    known = sides.chosen(sides.rated)
    by_stratum = {}
    for code in np.unique(sides.stratum).tolist():
        part = known.chosen(known.stratum == code)
        by_stratum[int(code)] = judge_rates(part.value, part.rating, part.item)
    name = "win_rate" if units.verdicts.pairs else "accuracy"
    names: tuple[str, ...] | tuple[None] = units.verdicts.models or (None,)
    result = []
    for at, model in enumerate(names):
        part = sides.chosen(sides.model == at) if model is not None else sides
        if len(part.value):
            result.append(model_figures(part, rates, by_stratum, model, name=name, about=about, level=level))
    return tuple(result)
