"""The transition table, counts of true classes and labels, as a section."""

from justesse.core.levels import shown_name
from justesse.core.tally import Tally
from justesse.noise.label_errors import label_errors
from justesse.report.document import Column, Detail, Part, Section, Table
from justesse.verbs.most_frequent import most_frequent

COUNTED = 12  # classes up to which the whole table fits a terminal
WORST = 20


def transition_section(pairs: Tally, detail: Detail = "full") -> Section:
    """Show which class is labelled as which: the table of counts, or of many classes the most frequent mistakes.

    Parameters
    ----------
    pairs
        Counts by true × label.
    detail
        Level of detail of the section.
    """
    parts: list[Part] = []
    names = [shown_name(name) for name in pairs.classes]
    if len(names) <= COUNTED:
        head: list[str | Column] = ["true class", *(Column(name, "count") for name in names)]
        rows = [[name, *row] for name, row in zip(names, pairs.dense("true", "label").tolist(), strict=True)]
        parts.append(Table("Counts: true classes down, labels across", head, rows))
    errors = label_errors(pairs)
    if errors and len(names) > 2:
        mistakes = [[shown_name(error.true), shown_name(error.label), error.n, error.share] for error in errors[:WORST]]
        columns: list[str | Column] = [
            "true class", "labelled as", Column("rows", "count"), Column("share of the class", "share")
        ]  # fmt: skip
        parts.append(Table("Most frequent label errors", columns, mistakes, most_frequent(len(mistakes), len(errors))))
    return Section("transition", "Transition table", parts, detail)
