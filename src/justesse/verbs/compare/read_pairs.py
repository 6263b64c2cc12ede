"""The answers of a comparison, read and counted: nothing after this sees a row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from justesse.core.answer_policy import judged_by
from justesse.core.errors import InputError
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.drawn_sample import DrawnSample, drawn_sample
from justesse.frames.together import Together
from justesse.verbs.compare.marked_rows import Marks, check_marks, marked_rows, marks_as_text
from justesse.verbs.compare.paired_answers import Pair, counted_pair


@dataclass(frozen=True)
class ReadPairs:
    """Each candidate's answers beside the incumbent's, counted, and how re-checked rows were drawn.

    Parameters
    ----------
    incumbent
        Name of the incumbent.
    pairs
        Counts of each pair.
    drawn
        How the re-checked rows were drawn, if some were likelier than others.
    tables
        The answers themselves, by candidate; nothing if only the counts are there.
    reading
        How re-checked rows are read.
    """

    incumbent: str
    pairs: tuple[Pair, ...]
    drawn: DrawnSample | None = None
    tables: tuple[tuple[str, Together], ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)

    def without_rows(self) -> "ReadPairs":
        """Give the counts, without the answers they came from."""
        drawn = None if self.drawn is None else self.drawn.without_rows()
        return replace(self, drawn=drawn, tables=(), reading={})


def read_pairs(
    tables: Tally | tuple[str, list[tuple[str, Together]]],
    slices: Sequence[str],
    marks: Marks | None,
    check: Mapping[str, Any],
    positive: ClassName,
    cluster: str,
    rechecked: Mapping[str, Any],
) -> ReadPairs:
    """Count each pair, with its re-checked rows if there are any.

    Parameters
    ----------
    tables
        Answers side by side, or a tally that is already counted.
    slices
        Columns to slice by.
    marks
        Column that marks rows for the judge.
    check
        Classes, policy and reading of the answers.
    positive
        Class of interest.
    cluster
        Name of the column of clusters.
    rechecked
        The file of re-checked rows, and how it is read.
    """
    audited = rechecked["audited"]
    if isinstance(tables, Tally):
        if audited is not None:
            raise InputError("Re-checked rows are joined to the data by their id. Pass the data as paths or frames.")
        marked = tables if marks is None else tables.renamed(**{tables.axes[tables.axis(marks.column)]: marks.option})
        marked, gaps = judged_by(marked, check["policy"])
        return ReadPairs("incumbent", (Pair("candidate", marked, {name: name for name in slices}, gaps),))
    own, named_tables = tables
    named_tables = [(name, marks_as_text(table, marks)) for name, table in named_tables]
    pairs = [marked_rows(counted_pair(name, table, check, positive, cluster), marks) for name, table in named_tables]
    for _, table in named_tables:
        check_marks(table, marks)
    if audited is None:
        return ReadPairs(own, tuple(pairs), tables=tuple(named_tables))
    drawn = drawn_sample(audited)
    reading = {**rechecked, "drawn": drawn}
    samples = [table.count_audited(**reading) for _, table in named_tables]
    pairs = [replace(pair, sample=sample) for pair, sample in zip(pairs, samples, strict=True)]
    return ReadPairs(own, tuple(pairs), drawn, tuple(named_tables), reading)
