"""Every judge on every set of labels, and the figures the page speaks of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.judges.tournament import rates
from justesse.noise.ranking import Ranking
from studies.expected import load
from studies.human_judges.audits import audits
from studies.human_judges.judging import OVERLAP, PAIRED, decisions, references
from studies.human_judges.settings import Settings
from studies.noise_ladder.images import Array, Images

EXPECTED = Path(__file__).with_name("expected.csv")
VOTE = "one vote"
Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """One row per set of labels and judge, one per set of labels and kind of audit."""

    judged: list[Row]
    audited: list[Row]

    @property
    def figures(self) -> dict[str, float]:
        """Sum up the sets of labels of each kind."""
        found: dict[str, float] = {}
        for labels, judge, rows in _grouped(self.judged, "judge"):
            for name in ("type I", "type II", "agreement", "type II, paired", "worse accepted"):
                found[f"{labels}, {judge}: {name}, mean"] = float(np.mean([row[name] for row in rows]))
            found[f"{labels}, {judge}: worse accepted, most"] = max(row["worse accepted"] for row in rows)
        for labels, audit, rows in _grouped(self.audited, "audit"):
            for name in ("worse accepted", "clear found", "better found", "answers, mean", "answers, median"):
                found[f"{labels}, {audit}: {name}, mean"] = float(np.mean([row[name] for row in rows]))
            found[f"{labels}, {audit}: worse accepted, most"] = max(row["worse accepted"] for row in rows)
            found[f"{labels}, {audit}: clear found, least"] = min(row["clear found"] for row in rows)
        wrong = {labels: [row["wrong labels"] for row in rows] for labels, _, rows in _grouped(self.judged, "labels")}
        return found | {f"{labels}: wrong labels, mean": float(np.mean(shares)) for labels, shares in wrong.items()}


def run(settings: Settings) -> Found:
    """Judge all ordered pairs on one vote per image, drawn again and again, and on nested versions."""
    images = Images.read(settings.predictions, settings.votes)
    ranking = Ranking.from_votes(images.votes, labels=images.true, classes=range(len(images.classes)))
    judged: list[Row] = []
    audited: list[Row] = []
    for at, (name, label) in enumerate(sets(images, ranking, settings)):
        known = references(images, label, settings)
        better = (images.given == images.true).mean(axis=1)
        difference = better[None, :] - better[:, None]
        about = {"labels": name, "wrong labels": float((label != images.true).mean())}
        for judge, replaces in decisions(images, label, ranking, settings, seed=settings.seed + at):
            judged.append({**about, "judge": judge, **_errors(replaces, known, difference)})
        for one in audits(images, label, settings, seed=settings.seed + at):
            asked = one.answers[~np.eye(len(better), dtype=bool)]
            audited.append(
                {
                    **about,
                    "audit": one.title,
                    **_errors(one.replaces, known, difference),
                    "clear found": float(one.replaces[difference >= settings.clear - 1e-9].mean()),
                    "better found": float(one.replaces[difference > 0].mean()),
                    "answers, mean": float(asked.mean()),
                    "answers, median": float(np.median(asked)),
                }
            )
    return Found(judged, audited)


def sets(images: Images, ranking: Ranking, settings: Settings) -> Iterator[tuple[str, Array]]:
    """Give every set of labels with its kind: one vote per image, or the hardest images mislabelled."""
    for draw in range(settings.draws):
        yield VOTE, images.one_vote(settings.seed + draw)
    for rate in settings.rates:
        yield f"{rate:.0%} wrong", ranking.noisy(images.true, rate).label


def expected_figures() -> dict[str, tuple[float, float]]:
    """Read what `expected.csv` says, with its tolerance."""
    return {row["figure"]: (float(row["value"]), float(row["tolerance"])) for row in load(EXPECTED)}


def _errors(replaces: Array, known: dict[str, Array], difference: Array) -> dict[str, float]:
    """Give the share of errors against both references; worse accepted is against the truth itself."""
    found = {form: rates(replaces, reference, difference) for form, reference in known.items()}
    return {
        "type I": found[OVERLAP].type_one.value,
        "type II": found[OVERLAP].type_two.value,
        "agreement": found[OVERLAP].agreement.value,
        "type I, paired": found[PAIRED].type_one.value,
        "type II, paired": found[PAIRED].type_two.value,
        "worse accepted": found[OVERLAP].worse_accepted.value,
    }


def _grouped(rows: Sequence[Row], by: str) -> Iterator[tuple[str, str, list[Row]]]:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["labels"], row[by]), []).append(row)
    for (labels, name), some in groups.items():
        yield labels, name, some
