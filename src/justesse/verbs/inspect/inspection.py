"""`justesse.inspect`: can this test set be trusted?

The file is not called `inspect.py`: beside a script, that name would hide Python's own module.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from justesse.core.errors import InputError, OptionError
from justesse.core.results import check_level
from justesse.core.seeds import check_seed
from justesse.frames.columns import check_column, guess_label, has_column
from justesse.frames.content import IDENTIFIER, Content, content
from justesse.frames.sides import side
from justesse.frames.watched import watched
from justesse.procedures.condition_checks import (
    InspectedRows,
    Requirements,
    bias_checks,
    disjoint_checks,
    representative_checks,
    size_checks,
)
from justesse.procedures.conditions import Check, not_checked
from justesse.report.writing import Message, message
from justesse.store.datasheet import QUESTIONS, Datasheet
from justesse.store.datasheet import datasheet as open_datasheet
from justesse.verbs.inspect.inspected import Inspection
from justesse.verbs.inspect.options import RequirementOptions
from justesse.verbs.options.intervals import ConfidenceOptions, SeedOptions
from justesse.verbs.recorded import recorded

ROLES = ("label", "id", "text", "annotator", "group", "time")


@recorded
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
    by: str | Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    half_width: float = RequirementOptions.half_width,
    class_half_width: float = RequirementOptions.class_half_width,
    expected: float = RequirementOptions.expected,
    difference: float = RequirementOptions.difference,
    disagreement: float = RequirementOptions.disagreement,
    power: float = RequirementOptions.power,
    near: float = RequirementOptions.near,
    digits: int = RequirementOptions.digits,
    effect: float = RequirementOptions.effect,
    level: float = ConfidenceOptions.level,
    seed: int = SeedOptions.seed,
    datasheet: str | os.PathLike[str] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Inspection:
    """Check that a test set is disjoint from training, large enough, representative and documented.

    Parameters
    ----------
    test
        Test rows: a path or pattern, a data frame, or a dict of arrays.
    train
        Rows the classifier was trained on: a file, a data frame or a dict of arrays. Default: checks against training
        rows are skipped.
    population
        Rows as they occur in use, or a table with the columns `column`, `value` and `share`. Default: checks against
        the population are skipped.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    id
        Column that identifies a case. No id may be in both training and test.
    text
        Column with a text. Only this column is compared, also for near duplicates.
    annotator
        Column with the annotator of each row.
    group
        Column with what rows have in common, such as patient. No group may be in both training and test.
    time
        Column with the time of each row. Test rows should be later than training rows.
    by
        Column, or list of columns, whose values should be as frequent as in the population.
    features
        List of the columns that make up a case. Default: all columns without another role.
    half_width
        Required half-width of the confidence interval of the accuracy, such as 0.02 for ±2 points. Default: 0.05.
    class_half_width
        Required half-width of the confidence interval of the smallest class's recall. Default: 0.1.
    expected
        Accuracy that you expect, such as 0.9. Default: 0.5, the worst case.
    difference
        Difference in accuracy between two classifiers that must be detected, such as 0.02. Default: 0.05.
    disagreement
        Share of rows on which exactly one of the two is right, such as 0.2. Default: 0.1.
    power
        Probability of detecting that difference, such as 0.9. Default: 0.8.
    near
        Share of 5-character pieces that two near duplicates have in common, from 0.5 to 1. Default: 0.7.
    digits
        Number of significant digits in which equal numbers agree, from 1 to 17. Default: 6.
    effect
        Smallest difference in shares that matters, as Cohen's w: 0.1 is small, 0.3 medium. Default: 0.1.
    level
        Confidence level of all intervals, such as 0.9. Default: 0.95.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    datasheet
        Data sheet of the test set, .yaml. It is created if it does not exist, and checked if it does.
    progress
        Called with the share of work done.

    Returns
    -------
    Inspection
        Every check with its state, finding and remedy.

    Examples
    --------
    >>> rows = {"x": ["a cat", "a dog", "a cow"], "label": [1, 0, 1]}
    >>> inspection = inspect(rows, train={"x": ["a fox", "A dog!"], "label": [1, 0]})
    >>> inspection.passed, inspection["JU001"].state, inspection["JU002"].sentence
    (False, 'passed', '1 of 3 test rows (33.3 %) is also in the training rows after normalising (row 2).')
    """
    requirements = Requirements(
        half_width, class_half_width, expected, difference, disagreement, power, near, digits, effect,
        check_level(level), check_seed(seed),
    )  # fmt: skip
    path = None if datasheet is None else Path(datasheet)
    # read before any work, created only when nothing was refused
    sheet = open_datasheet(path) if path and path.exists() else None
    settings = {"level": level, "seed": seed}
    if test is None:
        if path is None:
            raise InputError(
                "Give the test rows (justesse inspect test.csv), or a data sheet to create or check (--datasheet FILE)."
            )
        if train is not None or population is not None:
            raise InputError(
                "Training rows and a population need test rows to compare with. Give both: justesse inspect test.csv "
                "--train train.csv."
            )
        sheet = sheet or open_datasheet(path)
        return Inspection(tuple(_documented(sheet, None)), {}, {}, settings, sheet)
    test, train, population = watched(test), watched(train), watched(population)
    columns = {"label": label, "id": id, "text": text, "annotator": annotator, "group": group, "time": time}
    by, features = (by,) if isinstance(by, str) else by or (), features or ()
    rows = _rows(test, train, population, columns, by, features)
    every = content([part for part in (rows.test, rows.train) if part], chosen=features, roles=rows.roles)
    # if a text is named it is the case, and other columns are not compared
    compared = Content((text,)) if text and not features else every
    checks: list[Check] = []
    steps = (disjoint_checks, bias_checks, size_checks, representative_checks)
    for at, step in enumerate(steps):
        checks += step(rows, every if step is bias_checks else compared, requirements)
        progress((at + 1) / len(steps))
    sheet = sheet or (open_datasheet(path) if path else None)
    checks += _documented(sheet, rows)
    left_out = [message("{column:name} ({why})", column=name, why=why) for name, why in compared.left_out]
    caution = message(
        "Columns not compared: {columns:list}. You can choose the columns (--features).{hint}",
        columns=left_out,
        hint=_id_hint(rows, compared),
    )
    return Inspection(
        tuple(sorted(checks, key=lambda check: check.code)),
        {part.part: part.size for part in (rows.test, rows.train, rows.population) if part},
        {**{role: getattr(rows, role) for role in ROLES}, "by": list(rows.by), "compared": list(compared.columns)},
        settings,
        sheet,
        (str(caution),) if left_out else (),
        tuple(source for source in (test, train, population) if source is not None),
    )


def _rows(
    test: Any, train: Any, population: Any, columns: dict[str, str | None], by: Sequence[str], features: Sequence[str]
) -> InspectedRows:
    """Open the sets of rows and check the columns named."""
    ours = side(test, "test")
    for role, name in [*columns.items(), *(("by", name) for name in by)]:
        if name is not None and role != "label":
            check_column(ours.columns, ours.name, role, name)
    if columns["label"] is not None or has_column("label", ours.columns, ours.name):
        columns["label"] = guess_label(ours.columns, ours.name, columns["label"])
    taken = [name for name in columns.values() if name]
    twice = next((name for name in taken if taken.count(name) > 1), None)
    if twice and not (taken.count(twice) == 2 and columns["annotator"] == columns["group"] == twice):
        raise OptionError(f"Column {twice!r} cannot have two roles. Name another column for one of them.")
    theirs = None if train is None else side(train, "train")
    if theirs and (text := columns["text"]):
        check_column(theirs.columns, theirs.name, "text", text)
    whole = None if population is None else side(population, "population")
    return InspectedRows(ours, theirs, whole, **columns, by=tuple(dict.fromkeys(by)), features=tuple(features))


def _id_hint(rows: InspectedRows, compared: Content) -> Message | str:
    """Suggest a column of both sets that is named like an identifier, if none was given."""
    if rows.id or not rows.train:
        return ""
    shared = [name for name, why in compared.left_out if name and why == IDENTIFIER and name in rows.train.columns]
    template = " If {column:name} identifies a case in both files, say so (--id {column})."
    return message(template, column=shared[0]) if shared else ""


def _documented(sheet: Datasheet | None, rows: InspectedRows | None) -> Iterator[Check]:
    for section, (code, _, questions) in QUESTIONS.items():
        if sheet is None:
            yield not_checked(code, "a data sheet (--datasheet FILE; created if it does not exist)")
            continue
        if sheet.started:
            created = message("{sheet} was created.", sheet=sheet.path.name)
            remedy = message("Answer {section:name} in {sheet}.", section=section, sheet=sheet.path.name)
            yield Check(code, "not checked", str(created), str(remedy))
            continue
        missing = sheet.missing(section)
        figures = {"answered": len(questions) - len(missing), "questions": len(questions), "missing": missing}
        if missing:
            template = "{missing:count} of {n:count} questions of {section:name} have no answer: {names:list}."
            sentence = message(template, missing=len(missing), n=len(questions), section=section, names=missing)
            remedy = message("Answer them in {sheet}.", sheet=sheet.path.name)
            yield Check(code, "failed", str(sentence), str(remedy), figures=figures)
        elif (contradiction := _other_number(section, sheet, rows)) is not None:
            remedy = message("Correct the rows or {sheet}.", sheet=sheet.path.name)
            yield Check(code, "failed", str(contradiction), str(remedy), figures=figures)
        else:
            sentence = message(
                "All {n:count} questions of {section:name} have an answer.", n=len(questions), section=section
            )
            yield Check(code, "passed", str(sentence), figures=figures)


def _other_number(section: str, sheet: Datasheet, rows: InspectedRows | None) -> Message | None:
    """Explain if the sheet names another number of annotators than the rows."""
    answer = sheet.answers.get("annotators", {}).get("number", "")
    if section != "annotators" or rows is None or rows.annotator is None or not answer.isdecimal():
        return None
    counted = rows.test.texts([rows.annotator]).aggregate("count(DISTINCT c0) AS many")
    many = int(rows.test.fetched(counted)["many"][0])
    template = "The data sheet names {answer} annotators; the test rows have {many}."
    return None if many == int(answer) else message(template, answer=answer, many=many)
