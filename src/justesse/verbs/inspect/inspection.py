"""`justesse.inspect`: can this test be trusted?

The file is not called `inspect.py`: beside a script, that name would hide Python's own module.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName, check_level
from justesse.core.seeds import check_seed
from justesse.core.tally import Tally
from justesse.frames.annotated_sample import annotated_sample
from justesse.frames.columns import check_column, guess_label, has_column
from justesse.frames.content import Content, content
from justesse.frames.count import count_axes
from justesse.frames.fingerprints import Alike, shared_rows
from justesse.frames.period import all_numbers, period
from justesse.frames.sides import Side, side
from justesse.frames.spreads import known_shares, spread, tenths
from justesse.frames.watched import watched
from justesse.procedures.annotator_bias import check_annotator_bias
from justesse.procedures.conditions import Check, not_applicable, not_checked
from justesse.procedures.disjoint import check_common, check_near, check_repeated, check_shared
from justesse.procedures.enough import check_difference_seen, check_precision, check_smallest_class
from justesse.procedures.representative import Spread, check_lacking, check_spreads, check_time_order, check_unseen
from justesse.store.datasheet import QUESTIONS, Datasheet
from justesse.store.datasheet import datasheet as open_datasheet
from justesse.verbs.inspect.inspected import Inspection

TRAIN = "the training rows (--train)"
POPULATION = "the population (--population)"
BIAS = ("JU008", "JU009", "JU010")


@dataclass(frozen=True)
class Wanted:
    """How exact the test is to be, and from where on likeness and differences matter."""

    half_width: float
    class_half_width: float
    expected: float
    difference: float
    disagreement: float
    power: float
    near: float
    digits: int
    effect: float
    level: float
    seed: int


@dataclass(frozen=True)
class Given:
    """The sets of rows, and which column plays which part."""

    test: Side
    train: Side | None
    population: Side | None
    label: str | None
    id: str | None
    text: str | None
    annotator: str | None
    group: str | None
    time: str | None
    by: tuple[str, ...]

    @property
    def roles(self) -> list[str]:
        return [name for name in (self.label, self.id, self.annotator, self.group, self.time) if name]

    def train_has(self, column: str | None) -> bool:
        return self.train is not None and column in self.train.columns


def inspect(
    test: Any = None,
    *,
    train: Any = None,
    population: Any = None,
    label: str | None = None,
    id: str | None = None,
    text: str | None = None,
    annotator: str | None = None,
    group: str | None = None,
    time: str | None = None,
    by: str | Sequence[str] = (),
    features: Sequence[str] = (),
    half_width: float = 0.05,
    class_half_width: float = 0.1,
    expected: float = 0.5,
    difference: float = 0.05,
    disagreement: float = 0.1,
    power: float = 0.8,
    near: float = 0.7,
    digits: int = 6,
    effect: float = 0.1,
    level: float = 0.95,
    seed: int = 0,
    datasheet: str | os.PathLike[str] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Inspection:
    """Check that a test is disjoint from training, large enough, representative and documented, and say what is not.

    `test`, `train` and `population` are paths or patterns, data frames or dicts of arrays; the population may also be a
    table of `column`, `value` and `share`. `label` and the others name columns. Rows are the same if `features`, or all
    columns that play no other part, are; `near` is how much of their pieces two texts share to be nearly the same.
    Where a `text` is named, it alone is compared. `half_width`, `class_half_width` and `difference` are what the test must be able to tell. `datasheet` names a file that
    is started if it is not there, and checked if it is.

    >>> rows = {"x": ["a cat", "a dog", "a cow"], "label": [1, 0, 1]}
    >>> found = inspect(rows, train={"x": ["a fox", "A dog!"], "label": [1, 0]})
    >>> found.passed, found["JU001"].state, found["JU002"].sentence
    (False, 'passed', '1 of 3 test rows (33.3 %) also stands in the training rows, but for how it is written (row 2).')
    """
    wanted = Wanted(
        half_width, class_half_width, expected, difference, disagreement, power, near, digits, effect,
        check_level(level), check_seed(seed),
    )  # fmt: skip
    path = None if datasheet is None else Path(datasheet)
    # read before any work, started only when nothing was refused
    sheet = open_datasheet(path) if path and path.exists() else None
    settings = {"level": level, "seed": seed}
    if test is None:
        if path is None:
            raise InputError("give the test rows (--test FILE), or a data sheet to start or check (--datasheet FILE)")
        if train is not None or population is not None:
            raise InputError(
                "training rows and a population are set against the test rows: give those too (--test FILE)"
            )
        sheet = sheet or open_datasheet(path)
        return Inspection(tuple(_documented(sheet, None)), {}, {}, settings, sheet)
    test, train, population = watched(test), watched(train), watched(population)
    given = _given(
        test, train, population, label, id, text, annotator, group, time, (by,) if isinstance(by, str) else by
    )
    every = content([one for one in (given.test, given.train) if one], chosen=features, roles=given.roles)
    # where a text is named it is the case, and what stands beside it is not
    compared = Content((text,)) if text and not features else every
    parts = [_disjoint, _bias, _enough, _representative]
    checks: list[Check] = []
    for at, part in enumerate(parts):
        checks += part(given, every if part is _bias else compared, wanted)
        progress((at + 1) / len(parts))
    sheet = sheet or (open_datasheet(path) if path else None)
    checks += _documented(sheet, given)
    sides = {one.part: one for one in (given.test, given.train, given.population) if one}
    roles = {part: getattr(given, part) for part in ("label", "id", "text", "annotator", "group", "time")}
    left = ", ".join(f"{name!r} ({why})" for name, why in compared.left_out)
    warnings = (f"Not compared: {left}; features=… (--features) chooses the columns.",) if left else ()
    return Inspection(
        tuple(sorted(checks, key=lambda check: check.code)),
        {part: one.size for part, one in sides.items()},
        {**roles, "by": list(given.by), "compared": list(compared.columns)},
        settings,
        sheet,
        warnings,
        tuple(source for source in (test, train, population) if source is not None),
    )


def _given(
    test: Any, train: Any, population: Any, label: str | None, id: str | None, text: str | None, annotator: str | None,
    group: str | None, time: str | None, by: Sequence[str],
) -> Given:  # fmt: skip
    ours = side(test, "test")
    named = {"id": id, "text": text, "annotator": annotator, "group": group, "time": time}
    for part, name in [*named.items(), *(("by", name) for name in by)]:
        if name is not None:
            check_column(ours.columns, ours.name, part, name)
    if label is not None or has_column("label", ours.columns, ours.name):
        label = guess_label(ours.columns, ours.name, label)
    taken = [name for name in (label, *named.values()) if name]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice and not (taken.count(twice) == 2 and annotator == group == twice):
        raise OptionError(f"column {twice!r} cannot play two parts; name another for one of them")
    theirs = None if train is None else side(train, "train")
    if theirs and text:
        check_column(theirs.columns, theirs.name, "text", text)
    whole = None if population is None else side(population, "population")
    return Given(ours, theirs, whole, label, id, text, annotator, group, time, tuple(dict.fromkeys(by)))


def _disjoint(given: Given, compared: Content, wanted: Wanted) -> Iterator[Check]:
    test, train, columns = given.test, given.train, compared.columns
    # a record of another time is another record; a text is the same whenever it was written
    if given.time and not given.text and columns and (train is None or given.train_has(given.time)):
        columns = (*columns, given.time)
    same: dict[str, Any] = {"digits": wanted.digits, "label": given.label, "level": wanted.level}
    known: list[int] = []
    failed: dict[str, Any] = {}  # the rows of each check that failed
    if not columns:
        why = "No column is left that tells what a row is about; name some (--features)."
        yield from (not_applicable(code, why) for code in ("JU001", "JU002", "JU004"))
    elif train is None:
        yield from (not_checked(code, TRAIN) for code in ("JU001", "JU002"))
    else:
        for how in get_args(Alike):
            check = check_shared(test, train, columns, how=how, **same, known=known)
            failed[check.code] = check.rows
            yield check
            # rows are reported once, by the strictest check that finds them
            known = shared_rows(test, train, columns, how=how, digits=wanted.digits).rows.tolist()
    if columns:
        yield check_repeated(test, columns, **same, train=train)
    if given.text is None:
        yield not_checked("JU003", "the column with the text (--text)" + ("" if train else f" and {TRAIN}"))
    elif train is None:
        yield not_checked("JU003", TRAIN)
    else:
        check = check_near(test, train, given.text, near=wanted.near, level=wanted.level, known=known, seed=wanted.seed)
        failed[check.code] = check.rows
        yield check
    for code, part in (("JU005", "id"), ("JU006", "group"), ("JU007", "annotator")):
        column = getattr(given, part)
        if column is None:
            yield not_checked(code, f"a column (--{part})" + ("" if train else f" and {TRAIN}"))
        elif train is None or not given.train_has(column):
            yield not_checked(code, f"the column {column!r} in the training rows" if train else TRAIN)
        else:
            # a copy has the id of its original: one finding; groups and annotators are other findings
            yield check_common(code, test, train, column, reported=failed if part == "id" else None)


def _bias(given: Given, every: Content, wanted: Wanted) -> Iterator[Check]:
    if given.annotator is None or given.label is None:
        part = "annotator" if given.annotator is None else "label"
        yield from (not_checked(code, f"a column (--{part})") for code in BIAS)
        return
    columns = [name for name in every.columns if name != given.text]
    if not columns and given.text is None:
        yield from (not_applicable(code, "There is no column to learn from; name some (--features).") for code in BIAS)
        return
    sides = [given.test]
    if given.train and given.train_has(given.annotator) and given.train_has(given.label):
        sides.append(given.train)
    rows = annotated_sample(
        sides, columns, label=given.label, annotator=given.annotator, text=given.text,
        id=given.id if all(given.id in one.columns for one in sides) else None, seed=wanted.seed,
    )  # fmt: skip
    yield from check_annotator_bias(
        rows.x, rows.y, rows.annotators, text=rows.text, level=wanted.level, seed=wanted.seed
    )


def _enough(given: Given, compared: Content, wanted: Wanted) -> Iterator[Check]:
    groups = None
    if given.group:
        sizes = "c0 AS v, count(*) AS n"
        of_groups = given.test.texts([given.group]).filter("c0 IS NOT NULL").aggregate(sizes, "c0")
        found = given.test.fetched(of_groups.aggregate("sum(n) * sum(n) / sum(n * n) AS worth"))["worth"][0]
        groups = float(found)
    n = given.test.size
    yield check_precision(n, half_width=wanted.half_width, expected=wanted.expected, level=wanted.level, groups=groups)
    if given.label:
        yield check_smallest_class(
            _classes(given.test, given.label),
            half_width=wanted.class_half_width,
            expected=wanted.expected,
            level=wanted.level,
        )
    else:
        yield not_checked("JU102", "a column with the labels (--label)")
    yield check_difference_seen(
        n, difference=wanted.difference, disagreement=wanted.disagreement, power=wanted.power, level=wanted.level
    )


def _representative(given: Given, compared: Content, wanted: Wanted) -> Iterator[Check]:
    shares = known_shares(given.population) if given.population else None
    spreads: list[Spread] = []
    for code, column in [*([("JU201", given.label)] if given.label else []), *(("JU202", name) for name in given.by)]:
        whole = given.population
        if whole is None:
            yield not_checked(code, POPULATION)
        elif shares is not None and column not in shares:
            yield not_checked(code, f"the shares of {column!r} in the population")
        elif shares is None and column not in whole.columns:
            yield not_checked(code, f"the column {column!r} in the population")
        else:
            spreads.append(_spread(code, column, given, shares))
    if not given.label:
        yield not_checked("JU201", "a column with the labels (--label)")
    if not given.by:
        yield not_checked("JU202", "slices (--by)" + ("" if given.population else f" and {POPULATION}"))
    yield from check_spreads(spreads, effect=wanted.effect, level=wanted.level, seed=wanted.seed)
    for one in spreads:
        yield check_lacking(one.column, one.test, one.population, level=wanted.level)
    if not spreads:
        yield not_checked("JU204", f"{POPULATION}, with labels or slices")
    yield from _unseen(given)
    yield _time_order(given)


def _unseen(given: Given) -> Iterator[Check]:
    seen = [name for name in (given.label, *given.by) if name and given.train_has(name)]
    if not seen or given.train is None:
        yield not_checked(
            "JU203", f"{TRAIN}, with labels or slices" if given.train is None else "labels or slices in both"
        )
        return
    for column in seen:
        if column != given.label and tenths(given.test, column):
            continue  # a number between two that training saw is not new
        ours, theirs = (_counts(one, column, column == given.label) for one in (given.test, given.train))
        yield check_unseen(column, ours, theirs)


def _time_order(given: Given) -> Check:
    if given.time is None:
        return not_checked("JU205", "a column with times (--time)" + ("" if given.train else f" and {TRAIN}"))
    numbers = all(
        all_numbers(one, given.time) for one in (given.test, given.train) if one and given.time in one.columns
    )
    ours = period(given.test, given.time, numbers=numbers)
    if given.train is None or not given.train_has(given.time):
        return not_checked("JU205", f"the column {given.time!r} in the training rows" if given.train else TRAIN)
    theirs = period(given.train, given.time, numbers=numbers)
    return check_time_order(given.time, ours.values, theirs.values, written=[ours.first, theirs.last])


def _spread(code: str, column: str, given: Given, shares: Mapping[str, Mapping[str, float]] | None) -> Spread:
    is_label = code == "JU201"
    if shares is not None:
        ours = _counts(given.test, column, is_label)
        # a table of shares names classes as text: 1 and true are found under their own names
        known = {
            next((own for own in ours if spelt_alike(own, name)), name): share for name, share in shares[column].items()
        }
        return Spread(code, column, ours, known, counted=False)
    assert given.population is not None
    edges = [] if is_label else tenths(given.population, column)
    test, whole = (_counts(one, column, is_label, edges) for one in (given.test, given.population))
    return Spread(code, column, test, whole, counted=True)


def _counts(one: Side, column: str, is_label: bool, edges: Sequence[float] = ()) -> dict[ClassName, int]:
    if not is_label:
        return spread(one, column, edges)
    labels = _classes(one, column)
    return {name: int(n) for name, n in zip(labels.classes, labels.sums("label").tolist(), strict=True)}


def _classes(one: Side, label: str) -> Tally:
    return count_axes(one.tables, {"label": label}, policy=AnswerPolicy("drop"))[0]


def _documented(sheet: Datasheet | None, given: Given | None) -> Iterator[Check]:
    for section, (code, _, questions) in QUESTIONS.items():
        if sheet is None:
            yield not_checked(code, "a data sheet (--datasheet FILE, which is started if it is not there)")
            continue
        if sheet.started:
            yield Check(code, "not checked", f"{sheet.path.name} has been started.", f"Answer {section!r} in it.")
            continue
        missing = sheet.missing(section)
        figures = {"answered": len(questions) - len(missing), "questions": len(questions), "missing": missing}
        if missing:
            said = (
                f"{len(missing)} of {len(questions)} questions of {section!r} are not answered: {', '.join(missing)}."
            )
            yield Check(code, "failed", said, f"Answer them in {sheet.path.name}.", figures=figures)
            continue
        if (odd := _other_number(section, sheet, given)) is not None:
            yield Check(code, "failed", odd, f"Mend the rows or {sheet.path.name}.", figures=figures)
            continue
        yield Check(code, "passed", f"All {len(questions)} questions of {section!r} are answered.", figures=figures)


def _other_number(section: str, sheet: Datasheet, given: Given | None) -> str | None:
    """Say if the sheet names another number of annotators than the rows."""
    said = sheet.answers.get("annotators", {}).get("number", "")
    if section != "annotators" or given is None or given.annotator is None or not said.isdecimal():
        return None
    counted = given.test.texts([given.annotator]).aggregate("count(DISTINCT c0) AS many")
    many = int(given.test.fetched(counted)["many"][0])
    return None if many == int(said) else f"The data sheet says {said} annotators; the test rows name {many}."
