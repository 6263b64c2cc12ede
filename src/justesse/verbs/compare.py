"""`justesse.compare`: should the candidate replace the incumbent?"""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from justesse import judges
from justesse.cleaning.simulated import Nett
from justesse.core.case import Case, PairedScores
from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.verdict import Verdict
from justesse.frames.costs import cost_table
from justesse.frames.scores import arranged
from justesse.frames.together import Together, in_one, side_by_side
from justesse.frames.values import named
from justesse.intervals.estimate import Resampling
from justesse.judges.evidence import Rule
from justesse.judges.quantity import Quantity, quantity
from justesse.significance.multiplicity import adjusted, simultaneous_level
from justesse.significance.selection import best_by_luck, check_tried
from justesse.verbs.comparison import Comparison, Judged
from justesse.verbs.comparison_cautions import cautions
from justesse.verbs.difference_if_wrong import difference_if_wrong
from justesse.verbs.differences import class_differences, measure_differences, slice_differences
from justesse.verbs.evaluate import named_class
from justesse.verbs.if_wrong import Known, known

Judge = Literal["paired", "classical", "prudent_v1", "prudent_v2", "sharp", "cleaned", "reference", "audited"]
JUDGES: dict[str, Callable[..., Verdict]] = {**judges.ALL, "audited": judges.audited}
OWN_OPTIONS = {"hard": "prudent_v2", "pc": "prudent_v2", "cleaning": "cleaned", "budget": "audited"}


@dataclass(frozen=True)
class Pair:
    """The answers of one candidate beside the incumbent's, counted."""

    name: str
    tally: Tally
    slices: Mapping[str, str]
    dropped: int = 0
    unmatched: Mapping[Any, int] | None = None
    scores: PairedScores | None = None
    sample: Tally | None = None


def compare(
    data: Any = None,
    *candidates: Any,
    incumbent: Any = None,
    candidate: Any = None,
    y_true: Any = None,
    on: str | None = None,
    common: bool = False,
    label: str | None = None,
    prediction: str | None = None,
    true: str | None = None,
    by: str | Sequence[str] = (),
    classes: Sequence[ClassName] | None = None,
    measure: str = "accuracy",
    positive: ClassName = None,
    cost: Any = None,
    score: str | None = None,
    candidate_score: str | Sequence[str] | None = None,
    judge: Judge = "paired",
    margin: float = 0.0,
    tried: int | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    bootstrap: Resampling = "none",
    draws: int = 2000,
    seed: int = 0,
    noise_rate: Any = None,
    transition: Any = None,
    audited: Any = None,
    hard: str | None = None,
    pc: float | None = None,
    cleaning: Sequence[float] | None = None,
    budget: int | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
) -> Comparison:
    """Say whether a candidate should replace the incumbent, with the evidence and what would change the verdict.

    Three ways to give the answers of both to the same rows: two or more paths or data frames, the incumbent's first,
    joined by the column `on` or in their order; one path or data frame with `incumbent` and `candidate` naming its
    columns (several candidates as a list); or arrays, `y_true`, `incumbent` and `candidate` (a dict for several). A
    `Tally` of `label × incumbent × candidate` will do, too. `measure` is what counts (`accuracy`, `error`, `cost`,
    `recall:CLASS`, `macro-f1`, `mcc`, `auc`, …), `margin` the smallest gain that matters. With several candidates all
    intervals are widened so that they hold together; `tried` says how many were tried if more than are shown.
    `score` names the column of scores of the class `positive`, for areas and curves; with one table,
    `candidate_score` that of the candidate. `noise_rate`, `transition` and `audited` (re-checked rows found by `on`) say
    what is known of wrong labels, as for `evaluate`: then what the true difference can be is said beside the verdict.
    The judges `prudent_v1` and `sharp` go by the noise rate, the transition table or `true`, `prudent_v2` by the rows
    that the column `hard` marks (`pc` is the share that is doubted), `reference` by `true`, `cleaned` by `true` after a
    simulated cleaning step (`cleaning`: the chances s, e, and c to correct), `audited` by asking `true` about at most
    `budget` rows; a person is asked by `audit_start`.

    >>> found = compare(
    ...     y_true=[1, 0] * 200, incumbent=[1, 0] * 160 + [0, 1] * 40, candidate=[1, 0] * 190 + [0, 1] * 10
    ... )
    >>> found.verdict.decision, round(found.verdict.difference.value, 3)
    ('replace', 0.15)
    """
    slices = (by,) if isinstance(by, str) else tuple(by)
    if data is None and hard is not None:
        raise OptionError("hard names a column, and arrays have none: give a dict of arrays as data")
    check = {"classes": classes, "drop_missing": drop_missing, "as_text": as_text}
    joins = on if candidates or audited is None else None  # in one table the id only finds re-checked rows
    tables = put_together(
        data, candidates, incumbent, candidate, y_true, score, candidate_score,
        on=joins, common=common, label=label, prediction=prediction, true=true, by=_with_hard(slices, hard),
    )  # fmt: skip
    if isinstance(tables, Tally):
        if audited is not None:
            raise InputError("re-checked rows are joined to the data by their id: give the data as paths or frames")
        marked = tables if hard is None else tables.renamed(**{tables.axes[tables.axis(hard)]: "hard"})
        pairs = [Pair("candidate", marked, {name: name for name in slices})]
        own = "incumbent"
    else:
        own, named_tables = tables
        named_tables = [(name, _hard_as_text(table, hard)) for name, table in named_tables]
        pairs = [_hard_marked(counted_pair(name, table, check, positive), hard) for name, table in named_tables]
        if audited is not None:
            gaps = {"drop_missing": drop_missing, "as_text": as_text}
            samples = [table.count_audited(audited, on=on, **gaps) for _, table in named_tables]
            pairs = [replace(pair, sample=sample) for pair, sample in zip(pairs, samples, strict=True)]
    shown = len(pairs)
    total = max(shown, check_tried(tried)) if tried is not None else shown
    if tried is not None and tried < shown:
        raise OptionError(f"{shown} candidates are shown, so at least {shown} were tried; got {tried!r}")
    rule = Rule(margin, simultaneous_level(level, total), alternative, draws, seed, bootstrap)
    own_options = _own_options(judge, hard=hard, pc=pc, cleaning=cleaning, budget=budget)
    judged = []
    for pair in pairs:
        case = Case(pair.tally, pair.scores)
        named_class(positive, case.tally.classes)
        costs = None if cost is None else cost_table(cost, case.tally.classes)
        asked = quantity(measure, case.tally.classes, positive=_positive(positive, measure, pair), costs=costs)
        given = known(
            case.tally.classes, noise_rate=noise_rate, transition=transition, sample=pair.sample, audited=audited
        )
        one = _judged(pair, case, asked, judge, own_options, rule, level, given)
        judged.append(replace(one, noise=difference_if_wrong(case, one.verdict, given)))
    pvalues = adjusted([one.verdict.outcome.pvalue for one in judged], tried=total)
    judged = [
        replace(one, adjusted_pvalue=float(p), luck=_luck(one.verdict, total))
        for one, p in zip(judged, pvalues, strict=True)
    ]
    return Comparison(
        judged=tuple(judged),
        incumbent=own,
        tried=total,
        level=level,
        rule=rule,
        sources=_sources(data, candidates),
        on=joins,
        warnings=tuple(cautions(judged, total, level, judge)),
    )


def put_together(
    data: Any,
    candidates: Sequence[Any],
    incumbent: Any,
    candidate: Any,
    y_true: Any,
    score: str | None,
    candidate_score: str | Sequence[str] | None,
    **options: Any,
) -> Tally | tuple[str, list[tuple[str, Together]]]:
    """Find out how the answers were given, and put each candidate's beside the incumbent's."""
    if isinstance(data, Tally):
        if candidates or incumbent is not None or candidate is not None:
            raise InputError("a Tally is already counted: it is given alone, with axes label, incumbent and candidate")
        if data.weighted:
            raise InputError("weights are not compared with: count the rows without them")
        _refuse("a Tally has none", score=score, candidate_score=candidate_score, **{**options, "by": ()})
        return data
    if data is None:
        if y_true is None or incumbent is None or candidate is None:
            raise InputError(
                "give two tables, one table with the columns incumbent and candidate, or y_true with both answers"
            )
        why = "arrays have none: give a dict of arrays as data, and name incumbent and candidate in it"
        _refuse(why, score=score, candidate_score=candidate_score, **options)
        several = candidate if isinstance(candidate, Mapping) else {"candidate": candidate}
        _check_several([str(name) for name in several])
        columns = {str(name): f"candidate {name}" if several is candidate else "candidate" for name in several}
        answers = dict(zip(columns.values(), several.values(), strict=True))
        arrays = {"label": y_true, "incumbent": incumbent, **answers}
        found = [
            (name, in_one(arrays, incumbent="incumbent", candidate=column, label="label"))
            for name, column in columns.items()
        ]
        return "incumbent", found
    if y_true is not None:
        raise InputError("y_true goes with arrays; with data, name the column with label")
    if not candidates:
        return _one_table(data, incumbent, candidate, score, candidate_score, options)
    if incumbent is not None or candidate is not None:
        raise InputError("incumbent and candidate name columns of one table; with several tables, give prediction")
    if candidate_score is not None:
        raise OptionError("with several tables the scores are in the column that score names in each of them")
    names = _names([data, *candidates])
    _check_several(names[1:])
    found = [
        (name, side_by_side(data, other, score=score, **options))
        for name, other in zip(names[1:], candidates, strict=True)
    ]
    return names[0], found


def _one_table(
    data: Any,
    incumbent: Any,
    candidate: Any,
    score: str | None,
    candidate_score: str | Sequence[str] | None,
    options: Mapping[str, Any],
) -> tuple[str, list[tuple[str, Together]]]:
    if not isinstance(incumbent, str) or candidate is None:
        raise InputError(
            "one table needs the names of its columns: incumbent=… and candidate=… (--incumbent COL --candidate COL); "
            "or give a second table"
        )
    if options["on"] or options["common"]:
        raise OptionError("rows of one table need no joining: leave out on and common")
    if options["prediction"]:
        raise OptionError(
            "prediction is for tables of one classifier each; in one table incumbent and candidate name it"
        )
    columns = [candidate] if isinstance(candidate, str) else list(candidate)
    _check_several(columns)
    if (score is None) != (candidate_score is None):
        raise OptionError(
            "two columns of scores are needed: score=… of the incumbent and candidate_score=… of the candidate"
        )
    theirs: list[Any] = (
        list(candidate_score) if isinstance(candidate_score, (list, tuple)) else [candidate_score] * len(columns)
    )
    if len(theirs) != len(columns):
        raise OptionError(f"one column of scores per candidate is needed, {len(columns)}; got {len(theirs)}")
    kept = {name: options[name] for name in ("label", "true", "by")}
    found = [
        (column, in_one(data, incumbent=incumbent, candidate=column, scores=(score, other) if score else None, **kept))
        for column, other in zip(columns, theirs, strict=True)
    ]
    return incumbent, found


def _check_several(names: Sequence[str]) -> None:
    if not names:
        raise OptionError("at least one candidate is needed; got none")
    if len(set(names)) < len(names):
        raise OptionError(f"each candidate is given once; got {list(names)!r}")


def _refuse(why: str, **columns: Any) -> None:
    """Refuse what is about the columns of a table where there is no table."""
    given = [name for name, value in columns.items() if value not in (None, False, ())]
    if given:
        raise OptionError(f"{given[0]} is about the columns of a table, and {why}")


def _names(tables: Sequence[Any]) -> list[str]:
    """Name tables by their files, as short as tells them apart; others by their part."""
    paths = [Path(table) if isinstance(table, (str, os.PathLike)) else None for table in tables]
    short: list[str | None] = [None for _ in tables]
    for parts in range(1, 1 + max((len(path.parts) for path in paths if path), default=0)):
        short = [str(Path(*path.parts[-parts:])) if path else None for path in paths]
        if len(set(short)) == len(set(paths)):
            break
    several = len(tables) > 2
    usual = ["incumbent", *(f"candidate {at}" if several else "candidate" for at in range(1, len(tables)))]
    return [name or other for name, other in zip(short, usual, strict=True)]


def counted_pair(name: str, table: Together, check: Mapping[str, Any], positive: ClassName) -> Pair:
    tally, dropped = table.count(**check)
    labelled = tally.sums("label") > 0
    for side in ("incumbent", "candidate", *(("true",) if "true" in tally.axes else ())):
        answered = tally.sums(side) > 0
        # a stranger to labels of one class, or to classes that were declared, may be just wrong
        if not np.any(answered & labelled) and labelled.sum() > 1 and check["classes"] is None:
            told = [[repr(tally.classes[k]) for k in np.flatnonzero(which)[:3]] for which in (answered, labelled)]
            who = "the true class" if side == "true" else f"the {side}{f' ({name})' if side == 'candidate' else ''}"
            says = ("is", "is") if side == "true" else ("answers with", "answers")
            raise InputError(
                f"{who} never {says[0]} a class of the labels: it {says[1]} {', '.join(told[0])}, and the labels are "
                f"{', '.join(told[1])}; write both in the same way"
            )
    scores = _scores(table, positive, check) if table.scores else None
    return Pair(name, tally, dict(table.slices), dropped, table.unmatched, scores)


def _scores(table: Together, positive: ClassName, check: Mapping[str, Any]) -> PairedScores:
    assert table.scores is not None
    if check["drop_missing"]:
        raise OptionError(
            "with scores, leave the rows with gaps out first, so that all figures are about the same rows"
        )
    parts = [rows.arrays([table.columns["label"]], list(table.scores)) for rows in table.tables]
    join: Any = np.ma.concatenate
    raw = join([part.keys[0].astype(object) for part in parts]) if len(parts) > 1 else parts[0].keys[0]
    label = named(raw, form=table.tables[0].form, column="label", as_text=check["as_text"])
    numbers = np.concatenate([part.numbers for part in parts])
    if not np.isfinite(numbers).all():
        bad = int((~np.isfinite(numbers).all(axis=1)).sum())
        raise InputError(
            f"{bad:,} rows lack a finite score of both classifiers in {table.tables[0].name}; mend or remove them"
        )
    rows = arranged((label.codes, label.names), numbers, table.scores, positive=positive, several=False)
    chosen = rows.columns[0]
    return PairedScores(chosen, rows.labels == rows.classes.index(chosen), numbers[:, 0], numbers[:, 1])


def _positive(positive: ClassName, measure: str, pair: Pair) -> ClassName:
    """Take the class the scores are about as the positive one, if none is named."""
    return pair.scores.class_name if positive is None and pair.scores else positive


def _with_hard(slices: tuple[str, ...], hard: str | None) -> tuple[str, ...]:
    """Have the column that marks hard rows counted like a slice."""
    if hard in slices:
        raise OptionError(f"column {hard!r} says which rows are hard: it cannot be a slice, too")
    return slices if hard is None else (*slices, hard)


def _hard_as_text(table: Together, hard: str | None) -> Together:
    """Have shares such as 0.25 counted: they are no class names."""
    return table if hard is None else replace(table, texts=(table.slices[f"by {hard}"],))


def _hard_marked(pair: Pair, hard: str | None) -> Pair:
    """Take the column that was counted like a slice for what it is."""
    if hard is None:
        return pair
    axis = f"by {hard}"
    slices = {name: column for name, column in pair.slices.items() if name != axis}
    tally = pair.tally.renamed(**{axis: "hard"})
    at = tally.axis("hard")
    levels = tuple(_marks(names) if place == at else names for place, names in enumerate(tally.levels))
    return replace(pair, tally=replace(tally, levels=levels), slices=slices)


def _marks(names: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Read true, false and numbers; what is neither is left to the judge to refuse."""
    words = {"true": True, "false": False}
    try:
        return tuple(words[str(one).lower()] if str(one).lower() in words else float(str(one)) for one in names)
    except ValueError:
        return tuple(names)


def _own_options(judge: Judge, **given: Any) -> dict[str, Any]:
    """Give the options of one judge as it takes them; those of another are refused."""
    if judge not in JUDGES:
        raise OptionError(f"judge must be one of {', '.join(JUDGES)}; got {judge!r}")
    found = {name: value for name, value in given.items() if value is not None}
    if alien := next((name for name in found if OWN_OPTIONS[name] != judge), None):
        raise OptionError(f"{alien} is for the judge {OWN_OPTIONS[alien]}, not for {judge}")
    found.pop("hard", None)  # a column of the rows, counted with them
    if "cleaning" in found:
        chances = found.pop("cleaning")
        if len(chances) not in (2, 3):
            raise OptionError(f"a cleaning step has chances (s, e) or (s, e, c); got {chances!r}")
        found["cleaner"] = Nett(*chances)
    return found


def _judged(
    pair: Pair,
    case: Case,
    asked: Quantity,
    judge: Judge,
    own_options: dict[str, Any],
    rule: Rule,
    level: float,
    given: Known,
) -> Judged:
    own = {"measure": asked, "margin": rule.margin, "level": rule.level, "alternative": rule.alternative}
    options = {**own, "draws": rule.draws, "seed": rule.seed, "bootstrap": rule.bootstrap}
    wrong = dict(own_options)
    if judge in ("prudent_v1", "sharp"):
        wrong = {"rate": given.rate[1] if given.rate else None, "transition": given.transition}
    verdict = JUDGES[judge](case, **options, **wrong)
    truth = None
    if "true" in case.tally.axes and asked.measure is not None:
        plain_judge = "paired" if judge in ("paired", "sharp", "audited") else "classical"
        against = case.tally.marginal("true", "incumbent", "candidate").renamed(true="label")
        truth = judges.ALL[plain_judge](Case(against), **options)
    plain = replace(rule, level=level)
    return Judged(
        name=pair.name,
        case=case,
        verdict=verdict,
        truth=truth,
        measures=tuple(measure_differences(case, asked, plain)),
        classes=tuple(class_differences(case, plain)),
        slices=tuple(slice_differences(case, asked, pair.slices, plain)),
        dropped=pair.dropped,
        unmatched=dict(pair.unmatched or {}),
    )


def _luck(verdict: Verdict, tried: int) -> float | None:
    """Give the chance that the best of as many candidates, none better than the incumbent, looks this good."""
    pvalue = verdict.outcome.pvalue
    if tried == 1 or math.isnan(pvalue):
        return None
    if verdict.alternative == "two-sided":
        better = pvalue / 2 if verdict.difference.value > 0 else 1 - pvalue / 2
    else:
        better = pvalue if verdict.alternative == "greater" else 1 - pvalue
    return best_by_luck(better, tried)


def _sources(data: Any, candidates: Sequence[Any]) -> tuple[str, ...]:
    return tuple(os.fspath(one) for one in (data, *candidates) if isinstance(one, (str, os.PathLike)))
