"""What wrong labels could do to an evaluation, as a section."""

from functools import partial
from typing import TYPE_CHECKING

from justesse.report.document import Column, Figure, Part, Section, Table, Words
from justesse.verbs.evaluate.pictures import noise_picture
from justesse.verbs.noise.words import breakdown_sentence, corrected_note, corrected_table, rung_rows

if TYPE_CHECKING:
    from justesse.verbs.label_noise import LabelNoiseReport


def if_wrong_section(noise: "LabelNoiseReport | None") -> list[Section]:
    """Say how many wrong labels the claim survives, and what each measure can be under what is known of them."""
    if noise is None:
        return []
    parts: list[Part] = [Words([breakdown_sentence(noise)])]
    if noise.band:
        parts.append(Figure(partial(noise_picture, noise)))
    heads, rows = corrected_table(noise)
    if rows:
        head: list[str | Column] = [Column(name, drop=3 if name == "bias" else 0) for name in heads]
        parts.append(Table("Measures if some labels are wrong", head, rows, corrected_note(noise, rows)))
    if rungs := rung_rows(noise):
        parts.append(Table("Assumptions", ["method", "assumes", "fails when"], rungs, words=True))
    return [Section("noise", "If some labels are wrong", parts, "summary")]
