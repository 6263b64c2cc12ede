"""The guard against test items that a version was trained on: refused unless declared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from justesse.core.choices import LeakedAnswer
from justesse.core.errors import InputError, OptionError
from justesse.frames.columns import check_column
from justesse.frames.count import opened
from justesse.frames.near_duplicates import check_similarity
from justesse.frames.near_rows import check_tolerance
from justesse.frames.trained_items import ItemKeys, LeakedItems, check_some_left, leaked_items, without_rows
from justesse.report.writing import listed, message
from justesse.verbs.lifelong.options import TrainingOptions

SHOWN = 3  # versions named in a message


@dataclass(frozen=True)
class Leakage:
    """What the guard found, and what was done about it."""

    leaked: LeakedItems
    answer: LeakedAnswer

    def to_dict(self) -> dict[str, Any]:
        return {
            "answer": self.answer,
            "rows": len(self.leaked.rows),
            "versions": [
                {"version": item.version, "rows": item.rows, "of": item.tested, "first": list(item.first)}
                for item in self.leaked.versions
            ],
        }

    @property
    def warnings(self) -> list[str]:
        """What was dropped or allowed, and which versions could not be checked."""
        lines = []
        if self.leaked.unchecked:
            template = (
                "{training} has no training item of {n:count version} of {where}, such as {first:name}: {n:plural its|their} test "
                "items are not checked for items that {n:plural it was|they were} trained on."
            )
            lines.append(
                str(
                    message(
                        template,
                        training=self.leaked.training,
                        n=len(self.leaked.unchecked),
                        where=self.leaked.where,
                        first=self.leaked.unchecked[0],
                    )
                )
            )
        if not self.leaked.versions:
            return lines
        done = {
            "drop": "{n:count test row} of {where} {n:plural is|are} left out: "
            "{n:plural its|their} version was trained on the {n:plural item|items}.",
            "allow": "{n:count test row} of {where} {n:plural is an item|are items} that {n:plural its|their} version was "
            "trained on, so scores may be too good.",
        }
        return [str(message(done[self.answer], n=len(self.leaked.rows), where=self.leaked.where)), *lines]


def check_leaked(leaked: LeakedAnswer, *trainings: Any) -> None:
    """Refuse an unknown answer about leaked items, and any but the default if no training items are known."""
    if leaked not in get_args(LeakedAnswer):
        raise OptionError(f"leaked must be one of {', '.join(get_args(LeakedAnswer))}; got {leaked!r}.")
    if leaked != "refuse" and all(training is None for training in trainings):
        raise OptionError(f"leaked={leaked!r} (--leaked) needs the training items: add training=… (--training).")


def guarded(
    data: Any,
    training: Any,
    version: str,
    *,
    on: str | None,
    features: Sequence[str] | None,
    tolerance: float,
    text: str | None,
    near: float,
    leaked: LeakedAnswer,
) -> tuple[Any, Leakage | None]:
    """Return the rows to count, and what the guard found.

    Parameters
    ----------
    data
        Table of test items and versions.
    training
        Table of the items that each version was trained on; `None`: nothing is checked.
    version
        Column with the version.
    on
        Column with the id of an item. Default: id, if both tables have it.
    features
        Columns that are equal for the same item.
    tolerance
        By how much numbers among them may differ, as a share of the standard deviation of their column.
    text
        Column with a text that is nearly the same for the same item.
    near
        Similarity from which texts are nearly the same.
    leaked
        What to do with such rows: refuse the data, drop the rows, or allow them.
    """
    check_similarity(near)
    check_tolerance(tolerance)
    if tolerance and not features:
        raise OptionError("tolerance (--tolerance) is about features: name their columns with features=… (--features).")
    if near != TrainingOptions.near and text is None:
        raise OptionError("near (--near) is how similar texts are: name their column with text=… (--text).")
    if training is None:
        if features or text:
            raise OptionError("Features and a text need the training items: add training=… (--training).")
        return data, None
    keys = _keys(data, training, on, ItemKeys(None, tuple(features or ()), tolerance, text, near))
    result = leaked_items(data, training, version, keys)
    if result.versions and leaked == "refuse":
        raise InputError(_refusal(result, keys))
    if len(result.rows) and leaked == "drop":
        check_some_left(result)
        data = without_rows(data, result.rows)
    return data, Leakage(result, leaked)


def _keys(data: Any, training: Any, on: str | None, others: ItemKeys) -> ItemKeys:
    """Choose by what items are recognised; an id that only one table has does not help."""
    tables = opened(data)[0], opened(training)[0]
    id = on or "id"
    if not all(id in table.columns for table in tables):
        if not (others.features or others.text):
            for table in tables:
                check_column(table.columns, table.name, "on", id)
        return others
    return replace(others, id=id)


def _refusal(leaked: LeakedItems, keys: ItemKeys) -> str:
    versions = [
        message(
            "version {name:name}: {n:count} of {all:count row} ({what} {first}{more})",
            name=item.version,
            n=item.rows,
            all=item.tested,
            what="id" if keys.id else "row",
            first=", ".join(item.first),
            more=", …" if item.rows > len(item.first) else "",
        )
        for item in leaked.versions[:SHOWN]
    ]
    if len(leaked.versions) > SHOWN:
        versions.append(message("{n:count more version}", n=len(leaked.versions) - SHOWN))
    template = (
        "{where} tests versions on items that they were trained on ({training}): {versions}. Drop these rows with "
        "leaked='drop' (--leaked drop), or declare that this is meant with leaked='allow' (--leaked allow)."
    )
    return str(message(template, where=leaked.where, training=leaked.training, versions=listed(versions, "; ")))
