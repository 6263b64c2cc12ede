"""An evaluation as a page."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__
from justesse.frames.native import write_whole
from justesse.frames.watched import fingerprints
from justesse.report import old_sections as sections
from justesse.report.old_document import Document, Part, Section, Table, Words
from justesse.report.old_render import figure, rendered
from justesse.verbs.noise_words import breakdown_sentence, corrected_note, corrected_table, rung_rows
from justesse.verbs.pictures import noise_picture
from justesse.verbs.words import level_words

if TYPE_CHECKING:
    from justesse.verbs.evaluation import Evaluation
    from justesse.verbs.if_wrong import IfWrong

MOST = 60  # rows of a table of what wrong labels could do


def write_page(found: "Evaluation", path: Path, *, interactive: bool = False, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    document = page(found, interactive=interactive, command=command)
    return write_whole(path, lambda temporary: Path(temporary).write_text(rendered(document), encoding="utf-8"))


def page(found: "Evaluation", *, interactive: bool = False, command: str | None = None) -> Document:
    """Put the sections together."""
    level = level_words(found.confidence)
    own = [one for one in found.estimates if not found.scores or one not in found.scores.estimates]
    made: list[Section] = [
        sections.careful(found.warnings),
        *_requirements(found),
        *_truth(found, level),
        sections.measured(_facts(found)),
        sections.measures(found.main, own, level, 0),
        sections.confusions(found.tally, 10),
    ]
    if found.scores:
        data = found.scores.to_dict()
        shares = [scored.table.p / scored.table.total for scored in found.scores.classes]
        made.append(sections.scores(data["classes"], data["thresholds"], found.scores.estimates, level, shares, 20))
    if found.slices:
        parts = []
        for part in found.slices:
            of = {(one.name, one.average): one for one in part.estimates if one.class_name is None}
            name = f"{part.column} = {'(missing)' if part.value is None else part.value}"
            parts.append((name, of["accuracy", None], of["f1", "macro"]))
        areas = [one for part in found.slices for one in part.estimates if one.name == "roc_auc"]
        made.append(sections.slices(parts, found["accuracy"], level, 50, areas))
    made += if_wrong_section(found.noise, 60)
    made += [
        sections.baselines(*_baselines(found)),
        *_resubstitution(found, level),
        sections.method(found.assumptions, found.confidence.level, command or "justesse.evaluate(…).report(path)"),
    ]
    return Document("Evaluation of a classifier", found.headline, made, found.to_dict(), __version__, interactive)


def _requirements(found: "Evaluation") -> list[Section]:
    words = [one.words for one in found.requirements]
    return [Section("required", "What is required", [Words(words, listed=True)])] if words else []


def _truth(found: "Evaluation", level: str) -> list[Section]:
    if not found.truth:
        return []
    whole = [one for one in found.truth.estimates if one.class_name is None and one.average in (None, "macro")]
    rows = sections.estimates_table(
        "Against the true classes", [replace(found.truth.noise, name="wrong labels"), *whole], level
    )
    words = Words(["Everything below this section is about the labels."])
    return [Section("truth", "Against the true classes", [rows, words])]


def if_wrong_section(noise: "IfWrong | None", first: int) -> list[Section]:
    """Say what becomes of it all if some labels are wrong."""
    if noise is None:
        return []
    parts: list[Part] = [Words([breakdown_sentence(noise)])]
    if noise.band:
        parts.append(figure(noise_picture(noise), first))
    heads, rows = corrected_table(noise)
    if rows:
        few = f"The first {MOST} of {len(rows)}; the JSON has all. " if len(rows) > MOST else ""
        note = f"{few}{corrected_note(noise, rows)}".strip()
        parts.append(Table("Measures if some labels are wrong", heads, rows[:MOST], note))
    rungs = rung_rows(noise)
    if rungs:
        parts.append(
            Table("What each of these takes for granted", ["rung", "assumes", "fails when"], rungs, words=True)
        )
    return [Section("noise", "If some labels are wrong", parts)]


def _resubstitution(found: "Evaluation", level: str) -> list[Section]:
    if not found.training:
        return []
    return [sections.resubstitution(found.training.beside(found.estimates), found.training.estimates, level)]


def _facts(found: "Evaluation") -> list[tuple[str, str]]:
    tally = found.tally
    facts = [("rows", f"{tally.n:,}"), ("classes", shortened([str(name) for name in tally.named_classes]))]
    if tally.weighted:
        facts.append(("effective rows", f"{tally.effective_n:,.1f}"))
    facts += file_facts(found.source)
    if found.noise:
        facts += [*found.noise.known.facts, *(fact for file in found.noise.known.files for fact in file_facts(file))]
    columns = ", ".join(f"{part}: {name}" for part, name in found.to_dict()["columns"].items())
    facts += [
        ("columns", columns),
        ("rows left out", f"{found.gaps.dropped:,}"),
        ("level", f"{100 * found.confidence.level:g} %"),
        ("interval of proportions", found.confidence.method),
        ("draws and seed", f"{found.confidence.enough_draws:,}, seed {found.confidence.seed}"),
        ("justesse", __version__),
    ]
    return facts


def shortened(names: list[str]) -> str:
    more = f" and {len(names) - 12:,} more" if len(names) > 12 else ""
    return f"{len(names):,}: {', '.join(names[:12])}{more}"


def file_facts(source: Any) -> list[tuple[str, str]]:
    """Name a file, or all that a pattern matches, and their fingerprints, if the data came from files."""
    return [fact for file, digest in fingerprints(source) for fact in (("file", file.name), ("its SHA-256", digest))]


def _baselines(found: "Evaluation") -> tuple[list[list[str]], list[str]]:
    wanted: list[tuple[str, str | None]] = [("accuracy", None), ("balanced_accuracy", None), ("f1", "macro")]
    if any(one.name == "cost" for one in found.main):
        wanted.append(("cost", None))
    heads = ["answer", *(f"{average or ''} {name}".strip() for name, average in wanted)]
    answers: dict[str, str] = {
        "majority": "always {!r}",
        "frequency": "at random, by frequency",
        "uniform": "at random",
    }
    rows = []
    for naive in found.baselines:
        of: dict[tuple[str, str | None], Any] = {(one.name, one.average): one for one in naive.measures}
        rows.append([answers[naive.name].format(naive.class_name), *(sections.number(of[key].value) for key in wanted)])
    of_model: dict[tuple[str, str | None], Any] = {(one.name, one.average): one for one in found.main}
    rows.append(["this classifier", *(sections.number(of_model[key].value) for key in wanted)])
    return rows, heads
