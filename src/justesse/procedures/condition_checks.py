"""Which checks of a test set can be made with the rows at hand, and the checks themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import OptionError
from justesse.core.levels import spelt_alike
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.annotated_sample import annotated_sample
from justesse.frames.content import Content
from justesse.frames.count_axes import count_axes
from justesse.frames.fingerprints import Alike, check_digits, shared_rows
from justesse.frames.near_duplicates import check_similarity
from justesse.frames.period import all_numbers, period
from justesse.frames.sides import Side
from justesse.frames.spreads import known_shares, spread, tenths
from justesse.procedures.annotator_bias import check_annotator_bias
from justesse.procedures.conditions import Check, not_applicable, not_checked
from justesse.procedures.disjoint import check_common, check_near, check_repeated, check_shared
from justesse.procedures.enough import check_difference_seen, check_precision, check_smallest_class
from justesse.procedures.representative import Spread, check_lacking, check_spreads, check_time_order, check_unseen

TRAIN = "the training rows (--train)"
POPULATION = "the population (--population)"
ROLE_COLUMNS = {
    "id": "an id column",
    "group": "a group column",
    "annotator": "an annotator column",
    "label": "a label column",
}
BIAS = ("JU008", "JU009", "JU010")


@dataclass(frozen=True)
class Requirements:
    """How precise the test set must be, and from where on similarity and differences matter."""

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

    def __post_init__(self) -> None:
        """Refuse what no check could use, also if the checks that would use it are skipped."""
        check_similarity(self.near)
        check_digits(self.digits)
        if not 0 < self.disagreement <= 1:
            raise OptionError(
                "The disagreement (how often exactly one of the two is right) must lie between 0 and 1, such as 0.1; "
                f"got {self.disagreement!r}."
            )


@dataclass(frozen=True)
class InspectedRows:
    """The sets of rows, and the role of each column."""

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
    features: tuple[str, ...] = ()

    @property
    def roles(self) -> list[str]:
        """The columns with a role: none of them makes up a case."""
        return [name for name in (self.label, self.id, self.annotator, self.group, self.time) if name]

    @property
    def identified_by(self) -> list[str]:
        """The options that tell rows apart and that the user gave."""
        return [name for name in ("id", "time", "features") if getattr(self, name)]

    def train_has(self, column: str | None) -> bool:
        """Tell whether the training rows have a column."""
        return self.train is not None and column in self.train.columns


def disjoint_checks(rows: InspectedRows, compared: Content, required: Requirements) -> Iterator[Check]:
    """Make the checks of condition (i), strictest first: each row is reported once."""
    test, train, columns = rows.test, rows.train, compared.columns
    # a record of another time is another record; a text is the same whenever it was written
    if rows.time and not rows.text and columns and (train is None or rows.train_has(rows.time)):
        columns = (*columns, rows.time)
    same: dict[str, Any] = {
        "digits": required.digits,
        "label": rows.label,
        "level": required.level,
        "known_by": rows.identified_by,
    }
    known: list[int] = []
    failed: dict[str, Any] = {}  # the rows of each check that failed
    if not columns:
        why = "No column is left to compare rows by. Choose some (--features)."
        yield from (not_applicable(code, why) for code in ("JU001", "JU002", "JU004"))
    elif train is None:
        yield from (not_checked(code, TRAIN) for code in ("JU001", "JU002"))
    else:
        for how in get_args(Alike):
            check = check_shared(test, train, columns, how=how, **same, known=known)
            failed[check.code] = check.rows
            yield check
            # rows are reported once, by the strictest check that finds them
            known = shared_rows(test, train, columns, how=how, digits=required.digits).rows.tolist()
    if columns:
        yield check_repeated(test, columns, **same, train=train)
    if rows.text is None:
        yield not_checked("JU003", "the column with the text (--text)" + ("" if train else f" and {TRAIN}"))
    elif train is None:
        yield not_checked("JU003", TRAIN)
    else:
        check = check_near(
            test,
            train,
            rows.text,
            near=required.near,
            level=required.level,
            known=known,
            seed=required.seed,
        )
        failed[check.code] = check.rows
        yield check
    for code, part in (("JU005", "id"), ("JU006", "group"), ("JU007", "annotator")):
        column = getattr(rows, part)
        if column is None:
            yield not_checked(code, f"{ROLE_COLUMNS[part]} (--{part})" + ("" if train else f" and {TRAIN}"))
        elif train is None or not rows.train_has(column):
            yield not_checked(code, f"the column {column!r} in the training rows" if train else TRAIN)
        else:
            # a copy has the id of its original: one finding; groups and annotators are other findings
            yield check_common(code, test, train, column, reported=failed if part == "id" else None)


def bias_checks(rows: InspectedRows, every: Content, required: Requirements) -> Iterator[Check]:
    """Check that a model learns the task, not the annotator."""
    if rows.annotator is None or rows.label is None:
        part = "annotator" if rows.annotator is None else "label"
        yield from (not_checked(code, f"{ROLE_COLUMNS[part]} (--{part})") for code in BIAS)
        return
    columns = [name for name in every.columns if name != rows.text]
    if not columns and rows.text is None:
        yield from (not_applicable(code, "There are no feature columns. Choose some (--features).") for code in BIAS)
        return
    sides = [rows.test]
    if rows.train and rows.train_has(rows.annotator) and rows.train_has(rows.label):
        sides.append(rows.train)
    sample = annotated_sample(
        sides, columns, label=rows.label, annotator=rows.annotator, text=rows.text,
        id=rows.id if all(rows.id in side.columns for side in sides) else None, seed=required.seed,
    )  # fmt: skip
    yield from check_annotator_bias(
        sample.x, sample.y, sample.annotators, text=sample.text, level=required.level, seed=required.seed
    )


def size_checks(rows: InspectedRows, compared: Content, required: Requirements) -> Iterator[Check]:
    """Make the checks of condition (ii).

    >>> from justesse.frames.sides import side
    >>> rows = InspectedRows(side({"x": [0.5] * 40}, "test"), None, None, *[None] * 6, by=())
    >>> required = Requirements(0.05, 0.1, 0.5, 0.05, 0.1, 0.8, 0.7, 6, 0.1, 0.95, 0)
    >>> [(check.code, check.state) for check in size_checks(rows, Content(("x",)), required)]
    [('JU101', 'failed'), ('JU102', 'not checked'), ('JU103', 'failed')]
    """
    groups = None
    if rows.group:
        of_groups = rows.test.texts([rows.group]).filter("c0 IS NOT NULL").aggregate("c0 AS v, count(*) AS n", "c0")
        kish = of_groups.aggregate("sum(n) * sum(n) / sum(n * n) AS effective")
        groups = float(rows.test.fetched(kish)["effective"][0])
    n = rows.test.size
    yield check_precision(
        n, half_width=required.half_width, expected=required.expected, level=required.level, groups=groups
    )
    if rows.label:
        yield check_smallest_class(
            _classes(rows.test, rows.label),
            half_width=required.class_half_width,
            expected=required.expected,
            level=required.level,
        )
    else:
        yield not_checked("JU102", "a column with the labels (--label)")
    yield check_difference_seen(
        n,
        difference=required.difference,
        disagreement=required.disagreement,
        power=required.power,
        level=required.level,
    )


def representative_checks(rows: InspectedRows, compared: Content, required: Requirements) -> Iterator[Check]:
    """Make the checks of condition (iii)."""
    shares = known_shares(rows.population) if rows.population else None
    spreads: list[Spread] = []
    for code, column in [*([("JU201", rows.label)] if rows.label else []), *(("JU202", name) for name in rows.by)]:
        whole = rows.population
        if whole is None:
            yield not_checked(code, POPULATION)
        elif shares is not None and column not in shares:
            yield not_checked(code, f"the shares of {column!r} in the population")
        elif shares is None and column not in whole.columns:
            yield not_checked(code, f"the column {column!r} in the population")
        else:
            spreads.append(_spread(code, column, rows, shares))
    if not rows.label:
        yield not_checked("JU201", "a column with the labels (--label)")
    if not rows.by:
        yield not_checked("JU202", "a column to slice by (--by)" + ("" if rows.population else f" and {POPULATION}"))
    yield from check_spreads(spreads, effect=required.effect, level=required.level, seed=required.seed)
    for by_value in spreads:
        yield check_lacking(by_value.column, by_value.test, by_value.population, level=required.level)
    if not spreads:
        yield not_checked("JU204", f"{POPULATION}, with labels or slices")
    yield from _unseen(rows)
    yield _time_order(rows)


def _unseen(rows: InspectedRows) -> Iterator[Check]:
    seen = [name for name in (rows.label, *rows.by) if name and rows.train_has(name)]
    if not seen or rows.train is None:
        yield not_checked(
            "JU203", f"{TRAIN}, with labels or slices" if rows.train is None else "labels or slices in both"
        )
        return
    for column in seen:
        if column != rows.label and tenths(rows.test, column):
            continue  # a number between two that training saw is not new
        ours, theirs = (_counts(side, column, column == rows.label) for side in (rows.test, rows.train))
        yield check_unseen(column, ours, theirs)


def _time_order(rows: InspectedRows) -> Check:
    if rows.time is None:
        return not_checked("JU205", "a column with times (--time)" + ("" if rows.train else f" and {TRAIN}"))
    numbers = all(
        all_numbers(side, rows.time) for side in (rows.test, rows.train) if side and rows.time in side.columns
    )
    ours = period(rows.test, rows.time, numbers=numbers)
    if rows.train is None or not rows.train_has(rows.time):
        return not_checked("JU205", f"the column {rows.time!r} in the training rows" if rows.train else TRAIN)
    theirs = period(rows.train, rows.time, numbers=numbers)
    return check_time_order(rows.time, ours.values, theirs.values, written=[ours.first, theirs.last])


def _spread(code: str, column: str, rows: InspectedRows, shares: Mapping[str, Mapping[str, float]] | None) -> Spread:
    is_label = code == "JU201"
    if shares is not None:
        ours = _counts(rows.test, column, is_label)
        # a table of shares names classes as text: 1 and true are found under their own names
        known = {
            next((own for own in ours if spelt_alike(own, name)), name): share for name, share in shares[column].items()
        }
        return Spread(code, column, ours, known, counted=False)
    assert rows.population is not None
    edges = [] if is_label else tenths(rows.population, column)
    test, whole = (_counts(side, column, is_label, edges) for side in (rows.test, rows.population))
    return Spread(code, column, test, whole, counted=True)


def _counts(side: Side, column: str, is_label: bool, edges: Sequence[float] = ()) -> dict[ClassName, int]:
    if not is_label:
        return spread(side, column, edges)
    labels = _classes(side, column)
    return {name: int(n) for name, n in zip(labels.classes, labels.sums("label").tolist(), strict=True)}


def _classes(side: Side, label: str) -> Tally:
    return count_axes(side.tables, {"label": label}, policy=AnswerPolicy("drop"))[0]
